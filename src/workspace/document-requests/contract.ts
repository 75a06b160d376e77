// Document requests: papers that people outside are asked for, item by item, and what came of it.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, email, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { KINDS } from '../documents/contract.ts'

export const STATUSES = ['draft', 'sent', 'partially_received', 'received', 'completed', 'canceled'] as const
export const ITEM_STATUSES = ['open', 'received', 'accepted', 'rejected', 'waived'] as const

export const MOST_ITEMS = 50
export const MOST_RECIPIENTS = 20

export const RequestFile = shape('DocumentRequestFile', {
  id: id(),
  document_id: id(),
  name: text(1, 255),
  content_type: Type.String(),
  size: integer(1),
  recipient_id: nullable(id({ description: 'Who sent it through a link; null where somebody inside supplied it.' })),
  submitted_at: nullable(timestamp({ description: 'Since then the one who sent it cannot take it back.' })),
  rejected_at: nullable(timestamp()),
  created_at: timestamp(),
})
export type RequestFile = Static<typeof RequestFile>

/** What is said about a paper that is asked for. */
export const asked = {
  label: text(1, 200, { pattern: '\\S', description: 'What is asked for, in words of the one who is asked.' }),
  kind: oneOf(KINDS, { description: 'What an accepted document becomes.' }),
  required: boolean(),
  period: nullable(text(4, 7, {
    pattern: '^[0-9]{4}(-(0[1-9]|1[0-2]|Q[1-4]))?$',
    description: 'A year, a quarter or a month: 2026, 2026-Q1, 2026-03. An accepted document without a date gets its last day.',
  })),
  note: nullable(text(1, 1000)),
}

const judged = {
  status: oneOf(ITEM_STATUSES),
  reason: nullable(text(1, 1000, { description: 'Why it was rejected or waived.' })),
  decided_at: nullable(timestamp()),
  decided_by: nullable(id()),
}

export const RequestItem = shape('DocumentRequestItem', { id: id(), ...asked, ...judged, files: list(RequestFile) })
export type RequestItem = Static<typeof RequestItem>

const recipient = {
  id: id(),
  name: text(1, 200, { pattern: '\\S' }),
  email: email(),
  user_id: nullable(id({ description: 'Where it is a member of the business.' })),
  viewed_at: nullable(timestamp({ description: 'When the link was opened first.' })),
  submitted_at: nullable(timestamp({ description: 'When they said last that they are done.' })),
}
export const RequestRecipient = shape('DocumentRequestRecipient', recipient)
/** link_id is what the public link opens; it stays inside. */
export const RecipientRow = Type.Object({ ...recipient, link_id: nullable(id()) })
export type RecipientRow = Static<typeof RecipientRow>

export const frequency = oneOf(['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually'])

/** What the one who asks says about a request. */
export const said = {
  title: text(1, 200, { pattern: '\\S' }),
  message: nullable(text(1, 5000, { description: 'Stands in the mail and on the page of the request.' })),
  due_date: nullable(date()),
  reminder_days: list(integer(-365, 365), {
    maxItems: 10,
    description: 'Days from the due date on which people are reminded; negative ones lie before it. Without a due date they count from the sending.',
  }),
  recurrence: nullable(Type.Object({
    frequency,
    end_date: optional(nullable(date({ description: 'The last day on which one may be due.' }))),
  }, { description: 'The next one is made and sent by itself, as long before its due date as the first was sent before its own.' })),
  resource_type: nullable(text(1, 50, { description: 'With resource_id: the record that files are attached to as well.' })),
  resource_id: nullable(id()),
  template_id: nullable(id()),
}

const row = {
  ...record,
  ...said,
  status: oneOf(STATUSES),
  series_id: nullable(id({ description: 'Shared by the requests that follow each other by recurrence.' })),
  series_start: nullable(date({ description: 'The first due date of the series, from which all others are counted.' })),
  occurrence: nullable(integer(0, undefined, { description: 'Its place in the series, from 0.' })),
  next_on: nullable(date({ description: 'When the one that follows it is made and sent.' })),
  next_reminder_on: nullable(date()),
  sent_at: nullable(timestamp()),
  sent_by: nullable(id()),
  links_expire_at: nullable(timestamp()),
  last_reminded_at: nullable(timestamp()),
  completed_at: nullable(timestamp()),
  canceled_at: nullable(timestamp()),
  created_by: nullable(id()),
}

/** A row of the table. */
export const RequestRow = Type.Object(row)
export type RequestRow = Static<typeof RequestRow>

/** A request with all that belongs to it, as it is worked with. */
export const Loaded = Type.Object({ ...row, recipients: list(RecipientRow), items: list(RequestItem) })
export type Loaded = Static<typeof Loaded>

export const DocumentRequest = shape('DocumentRequest', {
  ...row,
  recipients: list(RequestRecipient),
  items: list(RequestItem),
  received_count: integer(0, undefined, { description: 'Of those that are needed, how many are received, accepted or waived.' }),
  required_count: integer(0, undefined, { description: 'How many are needed: the required ones, or all where none is required.' }),
  overdue: boolean(),
})
export type DocumentRequest = Static<typeof DocumentRequest>

export const requestResource = resource({
  type: 'document_request', group: 'document-requests', shape: DocumentRequest, table: 'document_requests', label: 'title',
  events: [
    'document_request.created', 'document_request.updated', 'document_request.sent', 'document_request.reminded', 'document_request.file_received',
    'document_request.received', 'document_request.item_rejected', 'document_request.submitted', 'document_request.completed', 'document_request.canceled',
    'document_request.reopened', 'document_request.overdue', 'document_request.deleted',
  ],
})
export type RequestEvent = (typeof requestResource.events)[number]

/** So that documents can be attached to one paper of a request. Its changes are told as changes of the request. */
export const itemResource = resource({
  type: 'document_request_item', group: 'document-requests', shape: RequestItem, table: 'document_request_items', label: 'label', events: [],
})

export const endpoint = endpointsOf('document-requests', 'business')
export const params = shape('DocumentRequestParams', { request_id: id() })

export const listRequests = endpoint({
  id: 'list_document_requests', method: 'GET', path: '', summary: 'List document requests',
  query: listQuery(['due_date', 'created_at'], {
    status: optional(list(oneOf(STATUSES))),
    overdue: optional(boolean({ description: 'Only those whose due date has passed while papers are missing.' })),
    recipient: optional(text(1, 254, { description: 'An e-mail address.' })),
    due_before: optional(date({ description: 'Due earlier than this day.' })),
    resource_type: optional(text(1, 50)),
    resource_id: optional(id()),
    template_id: optional(id()),
  }),
  reply: pageOf(DocumentRequest),
})

export const RequestSummary = shape('DocumentRequestSummary', {
  open: integer(0, undefined, { description: 'Sent, and neither completed nor canceled.' }),
  overdue: integer(0),
  waiting_for_review: integer(0, undefined, { description: 'Items that were received and neither accepted nor rejected.' }),
  by_recipient: list(shape('DocumentRequestsOfRecipient', {
    email: Type.String(),
    name: Type.String(),
    open: integer(0),
    overdue: integer(0),
  }), { description: 'Those with open requests, at most 100, most overdue first.' }),
})

export const summarizeRequests = endpoint({
  id: 'summarize_document_requests', method: 'GET', path: '/summary', summary: 'Count the open document requests',
  reply: RequestSummary,
})

export const getRequest = endpoint({
  id: 'get_document_request', method: 'GET', path: '/{request_id}', summary: 'Get a document request',
  live: true,
  params,
  reply: DocumentRequest,
})
