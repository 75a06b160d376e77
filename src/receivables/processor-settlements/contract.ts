// What an invoice says of the payout that brought its money: the contract's processor settlement.
import { Type, type Static } from 'typebox'
import { boolean, cents, date, id, list, nullable, shape } from '../../foundation/shapes.ts'

export const PayoutBreakdownItem = shape('PayoutBreakdownItem', {
  label: Type.String(),
  amount_cents: cents({ description: 'The amount of the charge.' }),
  processor_charge_id: nullable(Type.String()),
  service_invoice_id: nullable(id()),
  invoice_number: nullable(Type.String()),
})

export const PayoutBankTransaction = shape('PayoutBankTransaction', {
  id: id(), description: nullable(Type.String()), datetime: date(), amount: cents({ description: 'Integer cents, positive.' }),
})

export const ProcessorPayout = shape('ProcessorPayout', {
  processor_payout_id: Type.String(),
  status: Type.String({ description: 'As the processor says, paid or pending for instance.' }),
  amount_cents: cents({ description: 'What was deposited.' }),
  gross_amount_cents: nullable(cents({ description: 'The charges before fees.' })),
  fee_amount_cents: nullable(cents()),
  processor_dashboard_url: nullable(Type.String()),
  payment_summary: nullable(Type.String()),
  invoice_breakdown: nullable(list(PayoutBreakdownItem)),
  arrival_date: nullable(date()),
  bank_deposit_match_id: nullable(id()),
  journal_entry_id: nullable(id()),
  is_matched: boolean({ default: false }),
  bank_transaction: nullable(PayoutBankTransaction),
})
export type ProcessorPayout = Static<typeof ProcessorPayout>

export const ProcessorSettlement = shape('ProcessorSettlement', { payout: ProcessorPayout })
export type ProcessorSettlement = Static<typeof ProcessorSettlement>
