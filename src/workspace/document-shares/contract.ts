// Public links of documents: whoever has one may see that document, for a time, without an account.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, nullable, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { endpoint, params } from '../documents/contract.ts'

const link = {
  ...record,
  document_id: id(),
  expires_at: timestamp(),
  allow_download: boolean({ description: 'Otherwise its pages can be looked at, where it has any.' }),
  revoked_at: nullable(timestamp()),
  created_by: nullable(id()),
}

export const DocumentLink = shape('DocumentLink', { ...link, has_password: boolean() })
export type DocumentLink = Static<typeof DocumentLink>

/** A row of the table. */
export const ShareRow = Type.Object({ ...link, password_hash: nullable(Type.String()), wrong_tries: integer(0), wrong_since: nullable(timestamp()) })
export type ShareRow = Static<typeof ShareRow>

export const NewDocumentLink = shape('NewDocumentLink', {
  ...DocumentLink.properties,
  token: Type.String({ description: 'Shown this once.' }),
  url: Type.String({ description: 'The page that it opens.' }),
})

export const DocumentLinkInput = shape('DocumentLinkInput', {
  expires_at: timestamp({ description: 'At most a year from now.' }),
  password: optional(nullable(text(8, 200, { description: 'Asked for before anything is shown.' }))),
  allow_download: optional(boolean({ default: true })),
})

export const linkResource = resource({
  type: 'document_link', group: 'documents', shape: DocumentLink, table: null, label: 'expires_at', events: ['document_link.created', 'document_link.revoked'],
})

export const listLinks = endpoint({
  id: 'list_document_links', method: 'GET', path: '/{document_id}/links', summary: 'List the public links of a document',
  params,
  query: listQuery(['created_at']),
  reply: pageOf(DocumentLink),
})

export const createLink = endpoint({
  id: 'create_document_link', method: 'POST', path: '/{document_id}/links', summary: 'Make a public link to a document',
  description: 'Not where the settings of the business forbid it (security.share_links_allowed): 403.',
  secret: true,
  params,
  body: DocumentLinkInput,
  reply: NewDocumentLink,
  refusals: ['expires_at is past, or more than a year away.', 'The document is in the bin.'],
})

export const revokeLink = endpoint({
  id: 'revoke_document_link', method: 'DELETE', path: '/links/{link_id}', summary: 'Revoke a public link to a document',
  params: shape('DocumentLinkParams', { link_id: id() }),
  reply: DocumentLink,
})
