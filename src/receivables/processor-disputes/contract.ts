// Disputes: charges that a customer's bank has taken back until it is decided whose the money is.
import { Type, type Static } from 'typebox'
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { cents, id, list, nullable, oneOf, optional, record, shape, timestamp } from '../../foundation/shapes.ts'

export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const

const dispute = {
  ...record,
  processor_dispute_id: Type.String(),
  charge_id: id(),
  amount: cents({ description: 'Integer cents in the currency of the charge.' }),
  settled_amount: nullable(cents({ description: 'What left the account at the processor; null while nothing has, as with an inquiry.' })),
  fee: cents(),
  status: oneOf(DISPUTE_STATUSES),
  reason: nullable(Type.String({ description: 'In the words of the processor.' })),
  due_by: nullable(timestamp({ description: 'Until when evidence is taken.' })),
  closed_at: nullable(timestamp()),
}

/** A dispute as it is kept, with what the books have given up of settled_amount, and what of that was taken back from a credit memo. */
export const DisputeRow = Type.Object({ ...dispute, booked_amount: cents(), credit_refund_ids: list(id()) })
export type DisputeRow = Static<typeof DisputeRow>

export const ProcessorDispute = shape('ProcessorDispute', dispute)

export const disputeResource = resource({
  type: 'processor_dispute', group: 'processor', shape: DisputeRow, table: 'processor_disputes', label: 'processor_dispute_id',
  events: ['dispute.opened', 'dispute.updated', 'dispute.closed'],
})

export const listDisputes = endpoint({
  id: 'list_processor_disputes', method: 'GET', path: '/processor/disputes', summary: 'List disputes', scope: 'business', permission: 'processor:read',
  query: listQuery(['created_at', 'amount'], { status: optional(oneOf(DISPUTE_STATUSES)), charge_id: optional(id()) }),
  reply: pageOf(ProcessorDispute),
})
