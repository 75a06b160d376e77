// Files coming in: as new documents, and as new versions of one.
import { fileInput } from '../../foundation/endpoint.ts'
import { id, list, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { details, Document, endpoint, KINDS, params } from '../documents/contract.ts'

export const DocumentInput = shape('DocumentInput', {
  ...fileInput,
  name: optional(text(1, 255, { description: 'Another name than that of the file; for one file only.' })),
  description: optional(details.description),
  tags: optional(details.tags),
  folder: optional(details.folder),
  document_date: optional(details.document_date),
  kind: optional(oneOf(KINDS, { default: 'other' })),
  resource_type: optional(text(1, 50, { description: 'With resource_id: attached to this record in the same step.' })),
  resource_id: optional(id()),
})

const kinds = 'PDF, PNG, JPEG, HEIC, WEBP, TIFF, CSV, XLSX, DOCX, PPTX, TXT, EML, OFX, QIF and ZIP, which is not unpacked'

const refusals = ['A file is empty, of a kind that is not taken, or holds something else than its ending says.', 'A file is harmful.']

export const uploadDocuments = endpoint({
  id: 'upload_documents', method: 'POST', path: '', summary: 'Upload documents',
  description: `A form with up to 20 files, or JSON with one. Of at most 25 MiB each, unless the server is set up otherwise; ${kinds}. `
    + 'Bytes that are there already are kept once, and duplicate_of names the first document that has them. '
    + 'To attach needs the permission to change records of that type.',
  files: true,
  body: DocumentInput,
  reply: list(Document),
  refusals: [...refusals, 'A name is given for several files.', 'The form holds no file.'],
  example: {
    file_name: 'receipt.txt', content_base64: Buffer.from('Two coffees, 7.40').toString('base64'), kind: 'receipt', document_date: '2026-03-02', tags: ['travel'],
  },
})

export const VersionInput = shape('DocumentVersionInput', { ...fileInput })

export const addVersion = endpoint({
  id: 'add_document_version', method: 'POST', path: '/{document_id}/versions', summary: 'Add a version of a document',
  description: 'A form with one file, or JSON. The document shows the new file; the old ones stay.',
  files: true,
  params,
  body: VersionInput,
  reply: Document,
  refusals: [
    ...refusals, 'The file is of another kind than the document, or the same as it is now.', 'The document is attached to a record in a closed period.',
    'The document is in the bin.',
  ],
  example: { file_name: 'corrected.txt', content_base64: Buffer.from('Two coffees and a cake, 11.40').toString('base64') },
})
