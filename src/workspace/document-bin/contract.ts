// The bin: where deleted documents lie for thirty days.
import { Document, endpoint, params } from '../documents/contract.ts'

export const BIN_DAYS = 30

export const deleteDocument = endpoint({
  id: 'delete_document', method: 'DELETE', path: '/{document_id}', summary: 'Put a document into the bin',
  description: `It can be restored for ${BIN_DAYS} days; then it goes with all its versions. Its public links open nothing meanwhile.`,
  params,
  reply: Document,
  refusals: ['It is attached to a posted record.', 'It is to be kept, until retained_until.'],
})

export const restoreDocument = endpoint({
  id: 'restore_document', method: 'PUT', path: '/{document_id}/restore', summary: 'Restore a document from the bin',
  params,
  reply: Document,
})
