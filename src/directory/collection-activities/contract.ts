// Collection activities: what was done to be paid, and what was promised.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { date, id, list, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { customerParams } from '../customers/contract.ts'

export const ACTIVITY_KINDS = ['call', 'email', 'promise', 'dispute', 'note'] as const

const fields = {
  kind: oneOf(ACTIVITY_KINDS),
  invoice_ids: list(id(), { maxItems: 100, description: 'The invoices it was about.' }),
  promised_on: nullable(date({ description: 'For a promise: the day on which they will pay. The invoices show it.' })),
  note: nullable(text(1, 5000)),
}

export const CollectionActivity = shape('CollectionActivity', {
  ...record, customer_id: id(), ...fields, author_id: nullable(id()), author_name: text(1, 200),
})
export const CollectionActivityInput = shape('CollectionActivityInput', { ...partial('CollectionActivityFields', fields).properties, kind: fields.kind })

export type CollectionActivity = Static<typeof CollectionActivity>
export type CollectionActivityInput = Static<typeof CollectionActivityInput>

export const collectionActivityResource = resource({
  type: 'collection_activity', group: 'customers', shape: CollectionActivity, table: 'collection_activities', label: 'kind',
  events: ['collection_activity.created'],
})

const endpoint = endpointsOf('customers', 'business')

export const listActivities = endpoint({
  id: 'list_collection_activities', method: 'GET', path: '/{customer_id}/collection-activities', summary: 'List what was done to be paid by a customer',
  description: 'With what was done about customers that were merged into it.',
  params: customerParams,
  query: listQuery(['created_at'], { kind: optional(oneOf(ACTIVITY_KINDS)) }),
  reply: pageOf(CollectionActivity),
})

export const createActivity = endpoint({
  id: 'create_collection_activity', method: 'POST', path: '/{customer_id}/collection-activities', summary: 'Note what was done to be paid',
  params: customerParams,
  body: CollectionActivityInput,
  reply: CollectionActivity,
  refusals: ['The customer was merged into another.', 'An invoice is not one of this customer.'],
  example: { kind: 'promise', promised_on: '2026-04-15', note: 'Will pay after the fair.' },
})
