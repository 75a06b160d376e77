// The payouts that settled invoices.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { summaryOf } from './rules.ts'
import type { ProcessorPayout, ProcessorSettlement } from './contract.ts'
import * as store from './store.ts'

/** By invoice; one whose payout is not known yet is missing. */
export async function settlementsOf(tx: BusinessTx, invoice_ids: readonly string[]): Promise<Map<string, ProcessorSettlement>> {
  if (invoice_ids.length === 0) return new Map()
  const found = await tx.many(store.payoutsOfInvoices, { invoice_ids })
  const payouts = await payoutsByIds(tx, found.map(({ payout_id }) => payout_id))
  return new Map(found.flatMap(({ invoice_id, payout_id }) => {
    const payout = payouts.get(payout_id)
    return payout ? [[invoice_id, { payout }] as const] : []
  }))
}

/** Payouts as they are shown, by their id here. */
export async function payoutsByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, ProcessorPayout>> {
  if (ids.length === 0) return new Map()
  const wanted = { ids: [...new Set(ids)] }
  const [payouts, charges] = await Promise.all([tx.many(store.payoutsByIds, wanted), tx.many(store.chargesOfPayouts, wanted)])
  const ofPayout = Map.groupBy(charges, ({ payout_id }) => payout_id)
  return new Map(payouts.map(({ id, automatic, bank_description, bank_date, bank_amount, ...payout }) => {
    const breakdown = automatic ? (ofPayout.get(id) ?? []).map(({ amount_cents, processor_charge_id, service_invoice_id, invoice_number, customer_name }) => ({
      label: customer_name ?? invoice_number ?? 'Charge', amount_cents, processor_charge_id, service_invoice_id, invoice_number,
    })) : null
    const bank_transaction = payout.bank_deposit_match_id !== null && bank_date !== null && bank_amount !== null
      ? { id: payout.bank_deposit_match_id, description: bank_description, datetime: bank_date, amount: bank_amount } : null
    const is_matched = payout.bank_deposit_match_id !== null
    return [id, { ...payout, payment_summary: summaryOf(breakdown), invoice_breakdown: breakdown, is_matched, bank_transaction }]
  }))
}
