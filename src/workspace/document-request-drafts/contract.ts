// Making document requests: by hand, from a template, and from one template for many people.
import type { Static } from 'typebox'
import { atomic, BulkResult, MOST_ITEMS as MOST_IN_BULK } from '../../foundation/bulk.ts'
import { boolean, email, id, list, nullable, optional, shape } from '../../foundation/shapes.ts'
import { AskedItemInput } from '../document-request-templates/contract.ts'
import { asked, DocumentRequest, endpoint, MOST_ITEMS, MOST_RECIPIENTS, params, RequestRecipient, said } from '../document-requests/contract.ts'

export const RecipientInput = shape('DocumentRequestRecipientInput', {
  name: RequestRecipient.properties.name,
  email: email(),
  user_id: optional(nullable(id({ description: 'An active member of the business.' }))),
})
export type RecipientInput = Static<typeof RecipientInput>

export const ItemInput = shape('DocumentRequestItemInput', { ...AskedItemInput.properties, period: optional(asked.period) })
export type ItemInput = Static<typeof ItemInput>

const KeptItemInput = shape('DocumentRequestKeptItemInput', {
  id: optional(id({ description: 'Of an item to keep; an item without one is new.' })), ...ItemInput.properties,
})
export type KeptItemInput = Static<typeof KeptItemInput>

const fields = {
  title: optional(said.title),
  message: optional(said.message),
  due_date: optional(said.due_date),
  reminder_days: optional(said.reminder_days),
  recurrence: optional(said.recurrence),
  resource_type: optional(said.resource_type),
  resource_id: optional(said.resource_id),
  recipients: optional(list(RecipientInput, { maxItems: MOST_RECIPIENTS })),
}

export const RequestInput = shape('DocumentRequestInput', {
  ...fields,
  template_id: optional(nullable(id({ description: 'What is not given is taken from it.' }))),
  items: optional(list(ItemInput, { maxItems: MOST_ITEMS })),
  send: optional(boolean({ default: false, description: 'Sent at once.' })),
})
export type RequestInput = Static<typeof RequestInput>

export const RequestUpdate = shape('DocumentRequestUpdate', { ...fields, items: optional(list(KeptItemInput, { maxItems: MOST_ITEMS })) })
export type RequestUpdate = Static<typeof RequestUpdate>

const refusals = [
  'Only one of resource_type and resource_id is given.', 'It recurs without a due date, or ends before it is due.',
  'A recipient is named twice, or is no active member.',
]

export const createRequest = endpoint({
  id: 'create_document_request', method: 'POST', path: '', summary: 'Ask for documents',
  description: 'A draft, or with send=true sent at once.',
  body: RequestInput,
  reply: DocumentRequest,
  refusals: [...refusals, 'It is to be sent without an item or a recipient.', 'The template was deleted.'],
  example: {
    title: 'Papers of March', due_date: '2026-04-10', reminder_days: [-2, 3], recipients: [{ name: 'Ann Client', email: 'ann@example.com' }],
    items: [{ label: 'Bank statement', kind: 'statement', period: '2026-03' }, { label: 'Cash receipts', kind: 'receipt', required: false }],
  },
})

export const updateRequest = endpoint({
  id: 'update_document_request', method: 'PUT', path: '/{request_id}', summary: 'Update a document request',
  description: 'Once it is sent only due_date, message and reminder_days can be changed, and recurrence be cleared; items have calls of their own.',
  params,
  body: RequestUpdate,
  reply: DocumentRequest,
  refusals: [...refusals, 'It was sent, and something else is to be changed.', 'It is completed or canceled.'],
  example: { message: 'Photos are fine.', reminder_days: [1] },
})

export const deleteRequest = endpoint({
  id: 'delete_document_request', method: 'DELETE', path: '/{request_id}', summary: 'Delete a draft of a document request',
  params,
  reply: DocumentRequest,
  refusals: ['It was sent: cancel it.'],
})

export const RequestBulk = shape('DocumentRequestBulk', {
  template_id: id(),
  recipients: list(RecipientInput, { minItems: 1, maxItems: MOST_IN_BULK, description: 'Each gets a request of their own.' }),
  due_date: optional(said.due_date),
  send: optional(boolean({ default: true })),
  atomic,
})
export type RequestBulk = Static<typeof RequestBulk>

export const bulkRequests = endpoint({
  id: 'bulk_document_requests', method: 'POST', path: '/bulk', summary: 'Ask many people for the same documents',
  body: RequestBulk,
  reply: BulkResult,
  refusals: ['The template was deleted.', 'atomic, and one recipient is named twice or is no active member.'],
})

/** What a request that was sent can still be told. */
export const STILL_EDITABLE = ['due_date', 'message', 'reminder_days', 'recurrence'] as const
