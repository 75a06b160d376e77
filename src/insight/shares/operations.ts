// Making, listing and ending public links of decks and dashboards, and opening one.
//
//   createShare(tx, { view, id }, input)       the link with its token, this once
//   listShares(tx, subject, query)             also those that have ended; the caller has found the subject
//   revokeShare(tx, type, share_id)
//   endShares(tx, subject)                     all of a subject that goes
//   findShare(tx, token)                       from outside: what a token opens, or a 404
//   openShare(tx, token)                       the same, and the password was given
import { changed } from '../../foundation/database/rows.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound, Refusal, unauthenticated } from '../../foundation/refusal.ts'
import { hashPassword } from '../../foundation/secrets.ts'
import { createLinks, linkToken, openLink, revokeLinks } from '../../workspace/document-links/operations.ts'
import * as access from '../../workspace/link-access/operations.ts'
import { isOpen, requireExpiry } from '../../workspace/link-access/rules.ts'
import { shareResources, type NewShare, type Share, type SharedView, type ShareInput, type ShareRow, type SubjectType } from './contract.ts'
import { expiryOf, shown } from './rules.ts'
import * as store from './store.ts'

/** Among the links of all kinds of documents these are of this kind; what they open is the row of the link. */
const SHARE = 'share'
const VIEW = 'share_view'

export type Subject = { type: SubjectType; id: string }

export async function createShare(tx: BusinessTx, { view, id }: { view: SharedView; id: string }, input: ShareInput): Promise<NewShare> {
  await access.requireLinksAllowed(tx)
  const frozen = await view.snapshot(tx, id)
  const expires_at = expiryOf(input.expires_at, tx.now)
  requireExpiry(expires_at, tx.now)
  const mode = input.mode ?? 'snapshot'
  const share: ShareRow = {
    id: newId(), business_id: tx.business_id, subject_type: view.type, subject_id: id, title: frozen.title, mode, expires_at,
    allow_download: input.allow_download ?? true, allow_chat: input.allow_chat ?? false,
    password_hash: input.password ? await hashPassword(input.password) : null, wrong_tries: 0, wrong_since: null,
    view_count: 0, last_viewed_at: null, revoked_at: null, created_by: tx.actor.user_id, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertShare, { ...share, snapshot: mode === 'snapshot' ? JSON.stringify(frozen) : null })
  createLinks(tx, [{ document_type: SHARE, document_id: share.id }])
  if (view.type === 'deck') tx.record(shareResources.deck, 'deck.shared', { before: null, after: shown(share, tx.now) })
  else tx.record(shareResources.dashboard, 'dashboard.shared', { before: null, after: shown(share, tx.now) })
  const token = linkToken(tx, SHARE, share.id)
  return { ...shown(share, tx.now), token, url: `${tx.surroundings.public_url}/share/${token}` }
}

export async function listDeckShares(tx: BusinessTx, deck_id: string, query: PageQuery): Promise<Page<Share>> {
  await requireRecords(tx, 'deck', [deck_id])
  return listShares(tx, { type: 'deck', id: deck_id }, query)
}

export async function listShares(tx: BusinessTx, { type, id }: Subject, query: PageQuery): Promise<Page<Share>> {
  const page = await tx.page(store.shares, { ...query, subject_type: type, subject_id: id } as PageQuery)
  return { ...page, items: page.items.map((share) => shown(share, tx.now)) }
}

export async function revokeShare(tx: BusinessTx, type: SubjectType, share_id: string): Promise<Share> {
  const share = await tx.lock(store.lockShare, { id: share_id }, 'Share')
  if (share.subject_type !== type) throw notFound('Share')
  if (share.revoked_at !== null) return shown(share, tx.now)
  return end(tx, [share])[0] ?? shown(share, tx.now)
}

/** For whatever deletes what they open. */
export async function endShares(tx: BusinessTx, { type, id }: Subject): Promise<void> {
  end(tx, await tx.many(store.lockOpenShares, { subject_type: type, subject_id: id }))
}

function end(tx: BusinessTx, shares: readonly ShareRow[]): Share[] {
  if (shares.length === 0) return []
  const ids = shares.map(({ id }) => id)
  tx.queue(store.revokeShares, { ids })
  revokeLinks(tx, SHARE, ids)
  return shares.map((share) => {
    const change = { before: shown(share, tx.now), after: shown(changed(share, { revoked_at: tx.now }, tx.now), tx.now) }
    if (share.subject_type === 'deck') tx.record(shareResources.deck, 'deck.share_revoked', change)
    else tx.record(shareResources.dashboard, 'dashboard.share_revoked', change)
    return change.after
  })
}

/** `business` is the one whose it is. */
export type OpenShare = { tx: BusinessTx; share: ShareRow; business: { name: string; country: string } }

/** Unknown, expired, revoked, of a business that is archived, or where links are no longer allowed: the same 404. */
export async function findShare(tx: PublicTx, token: string): Promise<OpenShare> {
  const { tx: inside, document_type, document_id: id } = await openLink(tx, token, 'Share')
  if (document_type !== SHARE) throw notFound('Share')
  const found = [inside.find(store.findShare, { id }), inside.get(store.sharer, {}, 'Share'), access.linksAllowed(inside)] as const
  const [share, business, allowed] = await Promise.all(found)
  if (!share || !isOpen(share, tx.now) || business.status !== 'active' || !allowed) throw notFound('Share')
  return { tx: inside, share, business }
}

/** The same, and its password was given, where it has one. */
export async function openShare(tx: PublicTx, token: string, view_token: string | null): Promise<OpenShare> {
  const opened = await findShare(tx, token)
  if (!hasSeen(opened, view_token)) throw unauthenticated('This page is protected by a password: unlock it first.')
  return opened
}

export function hasSeen({ tx, share }: OpenShare, view_token: string | null): boolean {
  return access.hasSeen(tx, { view: VIEW, ...share }, view_token)
}

export async function unlockShare(tx: PublicTx, token: string, password: string): Promise<access.Unlocked | Refusal> {
  // Its failed guesses would not be counted.
  if (tx.request.dry_run) throw invalid('There is no dry run of guessing a password.')
  const { tx: inside, share: { id } } = await findShare(tx, token)
  const share = await inside.get(store.lockShare, { id }, 'Share')
  return access.unlock(inside, { view: VIEW, ...share }, password, (tries) => inside.queue(store.countWrong, { id, ...tries }))
}

/** What it shows: as it was frozen, or as it was last refreshed. One whose subject can no longer be shown opens nothing. */
export async function shownThrough(views: readonly SharedView[], { tx, share }: OpenShare): Promise<Awaited<ReturnType<SharedView['live']>>> {
  if (share.mode === 'snapshot') {
    const { snapshot } = await tx.get(store.snapshotOf, { id: share.id }, 'Share')
    return snapshot as Awaited<ReturnType<SharedView['live']>>
  }
  const view = views.find(({ type }) => type === share.subject_type)
  if (!view) throw notFound('Share')
  return view.live(tx, share.subject_id).catch((error: unknown) => Promise.reject(error instanceof Refusal ? notFound('Share') : error))
}

const HOUR_MS = 3_600_000

/**
 * That it was looked at, in the history of its business. `whole`: it was opened or downloaded; a part of it counts only where nothing was seen of it
 * in the last hour. One that has ended since it was read is not answered after all. A business that nobody may change is left as it is.
 */
export async function countView(tx: PublicTx, token: string, { whole, reason }: { whole: boolean; reason?: string }): Promise<void> {
  const { tx: inside, document_id: id } = await openLink(tx, token, 'Share')
  if (inside.business.read_only !== null) return
  const share = await inside.get(store.lockShare, { id }, 'Share')
  if (!isOpen(share, tx.now)) throw notFound('Share')
  if (!whole && share.last_viewed_at !== null && Date.parse(tx.now) - Date.parse(share.last_viewed_at) < HOUR_MS) return
  // Those who come at once may have begun in another order than they are counted.
  const last_viewed_at = share.last_viewed_at !== null && share.last_viewed_at > tx.now ? share.last_viewed_at : tx.now
  const after: ShareRow = { ...share, view_count: share.view_count + 1, last_viewed_at }
  inside.queue(store.countView, { id, view_count: after.view_count, last_viewed_at })
  const change = { before: shown(share, tx.now), after: shown(after, tx.now), ...(reason === undefined ? {} : { reason }) }
  inside.record(shareResources[share.subject_type], 'share.viewed', change)
}
