// Files of a document request that somebody inside supplies or takes off again.
import { fileInput } from '../../foundation/endpoint.ts'
import { id, optional, shape } from '../../foundation/shapes.ts'
import { params as itemParams } from '../document-request-items/contract.ts'
import { DocumentRequest, endpoint } from '../document-requests/contract.ts'

/** So many files can be sent through one link. */
export const MOST_FILES_OF_LINK = 50

export const SuppliedFile = shape('DocumentRequestSuppliedFile', {
  file_name: optional(fileInput.file_name),
  content_base64: optional(fileInput.content_base64),
  document_id: optional(id({ description: 'Instead of a file: a document that is here already.' })),
})

export const supplyFiles = endpoint({
  id: 'supply_document_request_files', method: 'POST', path: '/{request_id}/items/{item_id}/files', summary: 'Supply files for an item of a document request',
  description: 'A form with up to 20 files, JSON with one, or the document_id of one that is here already. '
    + 'They are attached to the item and to the record of the request.',
  files: true,
  params: itemParams,
  body: SuppliedFile,
  reply: DocumentRequest,
  refusals: [
    'A file is empty, harmful, of a kind that is not taken, or holds something else than its ending says.',
    'Neither a file nor document_id is given, or both are.',
    'The item is accepted or waived.', 'The request is a draft, completed or canceled.',
  ],
  example: { file_name: 'statement.txt', content_base64: Buffer.from('Balance 31 March: 1,204.50').toString('base64') },
})

export const removeFile = endpoint({
  id: 'remove_document_request_file', method: 'DELETE', path: '/{request_id}/items/{item_id}/files/{document_id}',
  summary: 'Take a file off an item of a document request',
  description: 'The document stays, and so does what else it is attached to.',
  params: shape('DocumentRequestFileParams', { request_id: id(), item_id: id(), document_id: id() }),
  reply: DocumentRequest,
  refusals: ['The item is accepted: reopen it.', 'The request is a draft, completed or canceled.'],
})
