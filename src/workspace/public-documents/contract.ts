// The far side of public links: what whoever has one sees, without an account.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, integer, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'

export const PublicDocument = shape('PublicDocument', {
  kind: oneOf(['document'], { description: 'What the link opens.' }),
  sender: Type.String({ description: 'The business that shares it.' }),
  title: Type.String(),
  description: nullable(Type.String()),
  content_type: Type.String(),
  size: integer(1),
  pages: nullable(integer(1)),
  allow_download: boolean(),
  expires_at: timestamp(),
})
export type PublicDocument = Static<typeof PublicDocument>

const endpoint = endpointsOf('public/documents', 'public')
const params = shape('PublicDocumentParams', { link_token: text(1, 200) })
const view_token = optional(text(1, 500, { description: 'What unlock gave, where the link has a password.' }))
const open = { permission: null, limit_per_minute: 120, params } as const

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
