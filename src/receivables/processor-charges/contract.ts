// Charges: what customers paid through the card processor, and what was given back.
import { Type, type Static } from 'typebox'
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, id, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'

export const CHARGE_STATUSES = ['pending', 'succeeded', 'failed', 'refunded', 'partially_refunded', 'disputed'] as const
export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const

const charge = {
  ...record,
  processor_charge_id: Type.String({ description: 'What the processor calls it.' }),
  invoice_id: nullable(id()),
  customer_id: nullable(id()),
  payment_id: nullable(id({ description: 'The payment of the invoice that stands for it.' })),
  credit_memo_id: nullable(id({ description: 'The credit that holds what was more than the invoice could take.' })),
  amount: cents(),
  currency: Type.String(),
  settled_amount: nullable(cents({ description: 'What reached the account at the processor, before the fee; null until known.' })),
  settled_currency: nullable(Type.String()),
  fee: nullable(cents({ description: 'In the settled currency.' })),
  refunded: cents({ description: 'What was given back, or is about to be.' }),
  status: oneOf(CHARGE_STATUSES),
  failure_reason: nullable(Type.String()),
  card_brand: nullable(Type.String()),
  card_last4: nullable(Type.String()),
  payout_id: nullable(id({ description: 'The payout that carried it.' })),
  charged_at: timestamp(),
}

/** A charge as it is kept; `booked` once its success was told to the books. */
export const ChargeRow = Type.Object({ ...charge, booked: boolean() })
export type ChargeRow = Static<typeof ChargeRow>

const refund = {
  ...record,
  charge_id: id(),
  processor_refund_id: nullable(Type.String({ description: 'Empty until the processor has taken it.' })),
  amount: cents(),
  settled_amount: nullable(cents()),
  status: oneOf(REFUND_STATUSES),
  reason: nullable(text(1, 500)),
  failure_reason: nullable(Type.String()),
  credit_memo_id: nullable(id({ description: 'The credit that it pays out; the first, where it takes several.' })),
}

/** A refund as it is kept; `booked` while the books know of it, by these refunds of credit memos. */
export const RefundRow = Type.Object({ ...refund, booked: boolean(), credit_refund_ids: list(id()) })
export type RefundRow = Static<typeof RefundRow>

export const ProcessorRefund = shape('ProcessorRefund', refund)
export type ProcessorRefund = Static<typeof ProcessorRefund>

export const ProcessorCharge = shape('ProcessorCharge', charge)
export type ProcessorCharge = Static<typeof ProcessorCharge>

export const ProcessorChargeDetail = shape('ProcessorChargeDetail', { ...charge, refunds: list(ProcessorRefund) })

export const chargeResource = resource({
  type: 'processor_charge', group: 'processor', shape: ChargeRow, table: 'processor_charges', label: 'processor_charge_id',
  events: ['charge.pending', 'charge.succeeded', 'charge.failed', 'charge.refunded', 'charge.updated'],
})

export const refundResource = resource({
  type: 'processor_refund', group: 'processor', shape: RefundRow, table: null, label: 'processor_refund_id',
  events: ['charge.refund_requested', 'charge.refund_updated'],
})

export const listCharges = endpoint({
  id: 'list_processor_charges', method: 'GET', path: '/processor/charges', summary: 'List charges', scope: 'business', permission: 'processor:read',
  query: listQuery(['created_at', 'amount'], {
    status: optional(oneOf(CHARGE_STATUSES)), customer_id: optional(id()), invoice_id: optional(id()), payout_id: optional(id()),
  }),
  reply: pageOf(ProcessorCharge),
})

export const params = shape('ProcessorChargeParams', { charge_id: id() })

export const getCharge = endpoint({
  id: 'get_processor_charge', method: 'GET', path: '/processor/charges/{charge_id}', summary: 'Get a charge with its refunds', scope: 'business',
  permission: 'processor:read', live: true,
  params,
  reply: ProcessorChargeDetail,
})
