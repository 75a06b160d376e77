// Public links of decks and dashboards: whoever has one may see that one thing, for a time, without an account.
//
//   SharedView          how a kind of thing is looked at through a link: decks and dashboards each give one
//   SharedDeck          what a deck shows; hidden slides are not in it
//   SharedBoard         what a dashboard shows
//   Share               a link as its owner sees it; the token is not part of it
import { Type, type Static } from 'typebox'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import type { Figure } from '../bindings/contract.ts'
import type { Slide } from '../slides/contract.ts'

export const SUBJECT_TYPES = ['deck', 'dashboard'] as const
export type SubjectType = (typeof SUBJECT_TYPES)[number]

/** What is known of all that can be shared. `as_of` is the moment whose books it shows. */
type Shown = { title: string; as_of: string; currency: string; period_start: string | null; period_end: string | null }

export type SharedDeck = Shown & { basis: string; slides: Slide[] }

export const WIDGET_KINDS = ['metric', 'line', 'bar', 'table', 'aging', 'text'] as const

export type SharedWidget = {
  id: string
  kind: (typeof WIDGET_KINDS)[number]
  title: string
  /** Its place in a grid of twelve columns. */
  x: number
  y: number
  w: number
  h: number
  text: string | null
  figures: Figure[]
  /** Why there are no figures, such as a metric that not everybody may read. */
  problem: string | null
}

export type SharedBoard = Shown & { widgets: SharedWidget[] }

/**
 * One that is not there is a 404, one that cannot be shown yet a 400. `snapshot` is asked when a link is made, and holds the thing
 * locked until then; `live` is asked each time a link is opened: the thing as it was last refreshed.
 */
export type SharedView<View extends SharedDeck | SharedBoard = SharedDeck | SharedBoard> = {
  type: SubjectType
  snapshot(tx: BusinessTx, id: string): Promise<View>
  live(tx: BusinessTx, id: string): Promise<View>
}

/** Those of the program, gathered where it is put together. */
export type SharedViews = readonly SharedView[]

export const MODES = ['live', 'snapshot'] as const
export const STATUSES = ['active', 'expired', 'revoked'] as const

const share = {
  ...record,
  title: text(1, 300, { description: 'Of what is shared, when the link was made.' }),
  mode: oneOf(MODES, { description: 'snapshot shows it as it was when the link was made, live as it was last refreshed.' }),
  expires_at: timestamp(),
  allow_download: boolean(),
  allow_chat: boolean({ description: 'Whoever has the link may ask questions about what it shows.' }),
  view_count: integer(0, Number.MAX_SAFE_INTEGER, { description: 'How often it was opened or downloaded.' }),
  last_viewed_at: nullable(timestamp()),
  created_by: nullable(id()),
  revoked_at: nullable(timestamp()),
}

export const Share = shape('Share', {
  ...share,
  deck_id: nullable(id({ description: 'What it opens: this deck' })),
  dashboard_id: nullable(id({ description: 'or this dashboard.' })),
  has_password: boolean(),
  status: oneOf(STATUSES),
})
export type Share = Static<typeof Share>

/** A row of the table, without what was frozen. */
export const ShareRow = Type.Object({
  ...share,
  subject_type: oneOf(SUBJECT_TYPES),
  subject_id: id(),
  password_hash: nullable(Type.String()),
  wrong_tries: integer(0),
  wrong_since: nullable(timestamp()),
})
export type ShareRow = Static<typeof ShareRow>

export const NewShare = shape('NewShare', {
  ...Share.properties,
  token: Type.String({ description: 'Shown this once.' }),
  url: Type.String({ description: 'The page that it opens.' }),
})
export type NewShare = Static<typeof NewShare>

export const ShareInput = shape('ShareInput', {
  mode: optional(oneOf(MODES, { default: 'snapshot' })),
  expires_at: optional(nullable(timestamp({ description: 'In 30 days unless said otherwise; at most a year from now.' }))),
  password: optional(nullable(text(8, 200, { description: 'Asked for before anything is shown.' }))),
  allow_download: optional(boolean({ default: true })),
  allow_chat: optional(boolean({ default: false })),
})
export type ShareInput = Static<typeof ShareInput>

/** Of each kind whoever may read the thing may also read what happens to its links. */
export const shareResources = {
  deck: resource({
    type: 'deck_share', group: 'ai-reporting', shape: Share, table: null, label: 'title', events: ['deck.shared', 'deck.share_revoked', 'share.viewed'],
  }),
  dashboard: resource({
    type: 'dashboard_share', group: 'dashboards', shape: Share, table: null, label: 'title',
    events: ['dashboard.shared', 'dashboard.share_revoked', 'share.viewed'],
  }),
}

const endpoint = endpointsOf('ai-reporting', 'business')
const params = shape('DeckShareParams', { deck_id: id() })

export const shareQuery = listQuery(['created_at'])

export const shareDeck = endpoint({
  id: 'share_deck', method: 'POST', path: '/decks/{deck_id}/share', summary: 'Make a public link to a deck',
  description: 'Not where the settings of the business forbid it (security.share_links_allowed), nor by somebody whose e-mail is not verified: 403.',
  secret: true,
  params,
  body: ShareInput,
  reply: NewShare,
  refusals: ['The deck is not ready.', 'expires_at is past, or more than a year away.'],
  example: { mode: 'snapshot', allow_download: true },
})

export const listDeckShares = endpoint({
  id: 'list_deck_shares', method: 'GET', path: '/decks/{deck_id}/shares', summary: 'List the public links of a deck',
  description: 'Also those that have expired or were revoked.',
  params,
  query: shareQuery,
  reply: pageOf(Share),
})

export const revokeDeckShare = endpoint({
  id: 'revoke_deck_share', method: 'DELETE', path: '/shares/{share_id}', summary: 'Revoke a public link to a deck',
  params: shape('ShareParams', { share_id: id() }),
  reply: Share,
})
