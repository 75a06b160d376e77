// Every public link of a business that opens something now: for those who keep watch over what is shown to the world.
import { Type } from 'typebox'
import { businessParams } from '../../access/businesses/contract.ts'
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, nullable, oneOf, optional, shape, timestamp } from '../../foundation/shapes.ts'
import { MODES } from '../shares/contract.ts'

const kind = oneOf(['deck', 'dashboard', 'document'], { description: 'What it opens, and where it is revoked.' })

export const ShareLink = shape('ShareLink', {
  id: id(),
  kind,
  subject_id: id({ description: 'The deck, dashboard or document.' }),
  title: Type.String(),
  mode: oneOf(MODES),
  expires_at: timestamp(),
  has_password: boolean(),
  allow_download: boolean(),
  allow_chat: boolean(),
  view_count: nullable(integer(0, Number.MAX_SAFE_INTEGER, { description: 'Not counted for documents.' })),
  last_viewed_at: nullable(timestamp()),
  created_by: nullable(id()),
  created_at: timestamp(),
})

export const listShareLinks = endpoint({
  id: 'list_share_links', method: 'GET', path: '/businesses/{business_id}/share-links', summary: 'List every live public link of a business',
  description: 'Of decks, dashboards and documents, without their tokens. Each is revoked in its own group.',
  scope: 'business', permission: 'members:manage',
  params: businessParams,
  query: listQuery(['created_at'], { kind: optional(kind) }),
  reply: pageOf(ShareLink),
})
