// The items of a document request: what is asked for, and what is thought of what came.
import { id, optional, partial, shape, text } from '../../foundation/shapes.ts'
import { ItemInput } from '../document-request-drafts/contract.ts'
import { asked, DocumentRequest, endpoint, params as requestParams } from '../document-requests/contract.ts'

export const params = shape('DocumentRequestItemParams', { request_id: id(), item_id: id() })
export const ItemUpdate = partial('DocumentRequestItemUpdate', asked)

const ENDED = 'The request is completed or canceled.'
const UNSENT = 'The request is a draft, completed or canceled.'

export const addItem = endpoint({
  id: 'add_document_request_item', method: 'POST', path: '/{request_id}/items', summary: 'Ask for one more document',
  description: 'A received request steps back to partially_received.',
  params: requestParams,
  body: ItemInput,
  reply: DocumentRequest,
  refusals: [ENDED, 'It asks for as much as it can.'],
  example: { label: 'Contract of the lease', kind: 'contract' },
})

export const updateItem = endpoint({
  id: 'update_document_request_item', method: 'PATCH', path: '/{request_id}/items/{item_id}', summary: 'Update an item of a document request',
  params,
  body: ItemUpdate,
  reply: DocumentRequest,
  refusals: [ENDED],
  example: { note: 'All pages, please.' },
})

export const deleteItem = endpoint({
  id: 'delete_document_request_item', method: 'DELETE', path: '/{request_id}/items/{item_id}', summary: 'Delete an item of a document request',
  params,
  reply: DocumentRequest,
  refusals: [ENDED, 'It has files: waive it.', 'It is the last one of a request that was sent.'],
})

const moved = (verb: string, summary: string, description: string, refusals: string[]) => ({
  id: `${verb}_document_request_item`, method: 'PUT' as const, path: `/{request_id}/items/{item_id}/${verb}`, summary, description, params,
  reply: DocumentRequest, refusals,
})

export const acceptItem = endpoint(moved(
  'accept', 'Accept an item of a document request',
  'Its documents become of the kind of the item and, where they have no date, dated on the last day of its period.',
  [UNSENT, 'Nothing was received, or it is rejected or waived.']))

export const rejectItem = endpoint({
  ...moved('reject', 'Reject an item of a document request', 'Who sent it is told why, and the request steps back.',
    [UNSENT, 'It is open, accepted or waived.']),
  body: shape('DocumentRequestReject', { reason: text(1, 1000, { pattern: '\\S' }) }),
  example: { reason: 'The second page is missing.' },
})

export const waiveItem = endpoint({
  ...moved('waive', 'Waive an item of a document request', 'It is no longer needed.', [UNSENT]),
  body: shape('DocumentRequestWaive', { reason: optional(text(1, 1000)) }),
})

export const reopenItem = endpoint(moved(
  'reopen', 'Reopen an item of a document request', 'What was decided is taken back: it is received where it has files, else open.', [UNSENT]))

