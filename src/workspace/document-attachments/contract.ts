// What documents are attached to: any record of the business.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { endpoint as plainEndpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { id, shape, text } from '../../foundation/shapes.ts'
import { Attachment, Document, endpoint, params } from '../documents/contract.ts'

/** How a record stands: whether it is in the books, and whether their period is closed. */
export type RecordState = { id: string; posted: boolean; closed: boolean }

/** A plug: the rooms that post say how their records stand. A kind of record that is not here is never posted. */
export type RecordStates = Readonly<Record<string, (tx: BusinessTx, ids: readonly string[]) => Promise<RecordState[]>>>

export const AttachmentInput = shape('DocumentAttachmentInput', {
  resource_type: text(1, 50, { description: 'As in events: invoice, journal_entry, customer, …' }),
  resource_id: id(),
})

export const attachDocument = endpoint({
  id: 'attach_document', method: 'POST', path: '/{document_id}/attachments', summary: 'Attach a document to a record',
  description: 'Needs the permission to change records of that type. Attached before, it stays so.',
  params,
  body: AttachmentInput,
  reply: Attachment,
  refusals: ['The document is in the bin.'],
})

export const detachDocument = endpoint({
  id: 'detach_document', method: 'DELETE', path: '/{document_id}/attachments/{attachment_id}', summary: 'Detach a document from a record',
  description: 'Needs the permission to change records of that type; from a record that is posted, an accountant.',
  params: shape('DocumentAttachmentParams', { document_id: id(), attachment_id: id() }),
  reply: Attachment,
})

export const listAttachments = plainEndpoint({
  id: 'list_attachments', method: 'GET', path: '/attachments', summary: 'List the documents of one record', group: 'documents', scope: 'business',
  permission: 'documents:read',
  query: listQuery(['created_at', 'name', 'size', 'document_date'], { resource_type: text(1, 50), resource_id: id() }),
  reply: pageOf(Document),
})
