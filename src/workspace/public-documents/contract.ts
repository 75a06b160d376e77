// The far side of public links: what whoever has one sees, without an account.
import { Type, type Static } from 'typebox'
import { endpointsOf, fileInput } from '../../foundation/endpoint.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { MOST_FILES_OF_LINK } from '../document-request-files/contract.ts'
import { ITEM_STATUSES } from '../document-requests/contract.ts'

export const PublicRequestFile = shape('PublicRequestFile', {
  id: id(),
  name: Type.String(),
  size: integer(1),
  removable: boolean({ description: 'Not handed over yet: it can be taken back.' }),
  rejected: boolean(),
  created_at: timestamp(),
})
export type PublicRequestFile = Static<typeof PublicRequestFile>

/** What whoever is asked sees: what is asked, and what they sent themselves. */
export const PublicRequest = shape('PublicRequest', {
  recipient: Type.String({ description: 'Whose link it is.' }),
  due_date: nullable(date()),
  overdue: boolean(),
  submitted_at: nullable(timestamp({ description: 'When they said last that they are done.' })),
  files_left: integer(0, MOST_FILES_OF_LINK, { description: 'So many files can still be sent.' }),
  items: list(shape('PublicRequestItem', {
    id: id(),
    label: Type.String(),
    period: nullable(Type.String()),
    note: nullable(Type.String()),
    required: boolean(),
    status: oneOf(ITEM_STATUSES),
    reason: nullable(Type.String({ description: 'Why it was rejected.' })),
    files: list(PublicRequestFile),
  })),
})
export type PublicRequest = Static<typeof PublicRequest>

export const PublicDocument = shape('PublicDocument', {
  kind: oneOf(['document', 'document_request'], { description: 'What the link opens.' }),
  sender: Type.String({ description: 'The business that shares it.' }),
  title: Type.String(),
  description: nullable(Type.String()),
  content_type: nullable(Type.String({ description: 'Of a document.' })),
  size: nullable(integer(1)),
  pages: nullable(integer(1)),
  allow_download: boolean(),
  request: nullable(PublicRequest),
  expires_at: timestamp(),
})
export type PublicDocument = Static<typeof PublicDocument>

const endpoint = endpointsOf('public/documents', 'public')
const params = shape('PublicDocumentParams', { link_token: text(1, 200) })
const view_token = optional(text(1, 500, { description: 'What unlock gave, where the link has a password.' }))
const open = { permission: null, limit_per_minute: 60, by_link: 'link_token', params } as const

export const viewDocument = endpoint({
  ...open, id: 'view_public_document', method: 'GET', path: '/{link_token}', summary: 'See what a public link opens',
  description: 'A link that is unknown, expired or revoked is a 404; one with a password a 401 until it is unlocked.',
  query: shape('PublicDocumentQuery', { view_token }),
  reply: PublicDocument,
})

export const unlockDocument = endpoint({
  ...open, id: 'unlock_public_document', method: 'POST', path: '/{link_token}/unlock', summary: 'Give the password of a public link',
  description: 'The view_token is good for an hour. A wrong password is a 401; after ten of them a 429 for a quarter of an hour.',
  limit_per_minute: 20,
  secret: true,
  body: shape('PublicDocumentUnlock', { password: text(1, 200) }),
  reply: shape('PublicDocumentView', { view_token: Type.String(), expires_at: timestamp() }),
  refusals: ['There is no dry run of guessing a password.'],
  example: { password: 'correct horse' },
})

export const publicFile = endpoint({
  ...open, id: 'get_public_file', method: 'GET', path: '/{link_token}/file', summary: 'Download what a public link opens',
  description: 'Where downloading is not allowed: 403. A page as a PNG can be had all the same.',
  query: shape('PublicFileQuery', { view_token, page: optional(integer(1, 100_000, { description: 'A picture of this page instead.' })) }),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  refusals: ['The document has no pages, or no such page.'],
})

export const sendFiles = endpoint({
  ...open, id: 'send_public_files', method: 'POST', path: '/{link_token}/files', summary: 'Send files that were asked for',
  description: `A form with up to 20 files, or JSON with one; the same kinds and sizes as documents. ${MOST_FILES_OF_LINK} files per link.`,
  files: true,
  body: shape('PublicFileInput', { ...fileInput, item_id: id({ description: 'What they are for.' }) }),
  reply: list(PublicRequestFile),
  refusals: [
    'A file is empty, harmful, of a kind that is not taken, or holds something else than its ending says.', 'The form holds no file.',
    'The item was accepted or is no longer needed.', `More than ${MOST_FILES_OF_LINK} files would be sent through the link.`,
  ],
})

export const withdrawFile = endpoint({
  ...open, id: 'withdraw_public_file', method: 'DELETE', path: '/{link_token}/files/{file_id}', summary: 'Take back a file that was sent',
  description: 'One that was sent through this link, before it was handed over.',
  params: shape('PublicDocumentFileParams', { link_token: text(1, 200), file_id: id() }),
  reply: PublicRequestFile,
  refusals: ['It was handed over, or accepted.'],
})

export const submitFiles = endpoint({
  ...open, id: 'submit_public_files', method: 'PUT', path: '/{link_token}/submit', summary: 'Hand over what was sent',
  description: 'The sender of the request is told. More can be sent afterwards, as long as the request is open.',
  reply: PublicDocument,
  refusals: ['Nothing was sent yet.'],
})
