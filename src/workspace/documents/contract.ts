// Documents: files of a business, what is known about them, and what they are attached to.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'

export const KINDS = ['invoice', 'bill', 'receipt', 'statement', 'contract', 'tax', 'report', 'export', 'other'] as const
export const SOURCES = ['upload', 'email', 'gmail', 'request', 'generated'] as const
export const TEXT_STATUSES = ['pending', 'read', 'none', 'failed'] as const
export type Kind = (typeof KINDS)[number]
export type Source = (typeof SOURCES)[number]

export const Attachment = shape('DocumentAttachment', {
  id: id(),
  document_id: id(),
  resource_type: text(1, 50),
  resource_id: id(),
  attached_by: nullable(id()),
  created_at: timestamp(),
})
export type Attachment = Static<typeof Attachment>

/** What people say about a document. */
export const details = {
  description: nullable(text(0, 2000)),
  tags: list(text(1, 50), { maxItems: 20 }),
  folder: nullable(text(1, 200)),
  document_date: nullable(date({ description: 'The date on the paper; from it on it is to be kept for as many years as the settings say.' })),
  kind: oneOf(KINDS),
}

const row = {
  ...record,
  name: text(1, 255),
  ...details,
  content_type: Type.String({ description: 'By the content, not by what the sender said.' }),
  size: integer(1, undefined, { description: 'In bytes.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  version_number: integer(1, undefined, { description: 'Which of its versions this is. `version` counts the changes of the record.' }),
  pages: nullable(integer(1)),
  text_status: oneOf(TEXT_STATUSES, { description: 'Whether its words were read and can be searched; none: of this kind they are not.' }),
  source: oneOf(SOURCES),
  uploaded_by: nullable(id()),
  duplicate_of: nullable(id({ description: 'The first document with the same bytes, which are kept once.' })),
  retained_until: nullable(date({ description: 'It cannot be deleted before.' })),
  deleted_at: nullable(timestamp({ description: 'In the bin since then; gone after 30 days.' })),
}

/** A row of the table. */
export const DocumentRow = Type.Object(row)
export type DocumentRow = Static<typeof DocumentRow>

export const Document = shape('Document', { ...row, attachments: list(Attachment) })
export type Document = Static<typeof Document>

/** Every file that a document has been. */
export const DocumentVersion = shape('DocumentVersion', {
  id: id(),
  business_id: id(),
  document_id: id(),
  number: integer(1),
  file_name: text(1, 255, { description: 'As it came.' }),
  content_type: Type.String(),
  size: integer(1),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  uploaded_by: nullable(id()),
  created_at: timestamp(),
})

export const DocumentUpdate = partial('DocumentUpdate', { name: text(1, 255), ...details })
export type DocumentUpdate = Static<typeof DocumentUpdate>

export const documentResource = resource({
  type: 'document', group: 'documents', shape: Document, table: 'documents', present: 'deleted_at is null', label: 'name',
  events: [
    'document.created', 'document.updated', 'document.attached', 'document.detached', 'document.version_added', 'document.read', 'document.extracted',
    'document.deleted', 'document.restored', 'document.removed',
  ],
})

export const endpoint = endpointsOf('documents', 'business')
export const params = shape('DocumentParams', { document_id: id() })

export const listDocuments = endpoint({
  id: 'list_documents', method: 'GET', path: '', summary: 'List documents',
  query: listQuery(['created_at', 'name', 'size', 'document_date'], {
    resource_type: optional(text(1, 50, { description: 'Attached to a record of this type.' })),
    resource_id: optional(id({ description: 'Attached to this record.' })),
    kind: optional(oneOf(KINDS)),
    tag: optional(text(1, 50)),
    folder: optional(text(1, 200)),
    source: optional(oneOf(SOURCES)),
    unattached: optional(boolean({ description: 'Only those attached to nothing.' })),
    q: optional(text(1, 200, { description: 'Words of the name or the text.' })),
    from: optional(date({ description: 'Dated this day or later.' })),
    to: optional(date({ description: 'Dated this day or earlier.' })),
    binned: optional(boolean({ default: false, description: 'What lies in the bin instead.' })),
  }),
  reply: pageOf(Document),
})

export const getDocument = endpoint({
  id: 'get_document', method: 'GET', path: '/{document_id}', summary: 'Get a document',
  description: 'Also one in the bin.',
  params,
  reply: Document,
})

export const updateDocument = endpoint({
  id: 'update_document', method: 'PUT', path: '/{document_id}', summary: 'Update a document',
  description: 'A change of document_date that lets the time for which it is to be kept end earlier needs an accountant.',
  params,
  body: DocumentUpdate,
  reply: Document,
  refusals: ['The name ends as files of another kind do.', 'The document is in the bin.'],
  example: { folder: 'Rent', kind: 'contract', tags: ['lease'] },
})

export const listVersions = endpoint({
  id: 'list_document_versions', method: 'GET', path: '/{document_id}/versions', summary: 'List the versions of a document',
  params,
  query: listQuery(['number']),
  reply: pageOf(DocumentVersion),
})
