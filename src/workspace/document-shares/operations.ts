// Making and revoking public links of documents, and opening one.
import type { Static } from 'typebox'
import { toTimestamp } from '../../foundation/calendar.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound, unauthenticated, type Refusal } from '../../foundation/refusal.ts'
import { hashPassword } from '../../foundation/secrets.ts'
import { createLinks, linkToken, openLink, revokeLink as revokeToken, type OpenedLink } from '../document-links/operations.ts'
import type { Document } from '../documents/contract.ts'
import { getDocument, lockDocument } from '../documents/operations.ts'
import { requirePresent } from '../documents/rules.ts'
import * as access from '../link-access/operations.ts'
import { isOpen, requireExpiry } from '../link-access/rules.ts'
import { linkResource, type DocumentLink, type DocumentLinkInput, type NewDocumentLink, type ShareRow } from './contract.ts'
import { shown } from './rules.ts'
import * as store from './store.ts'

/** Among the links of all kinds of documents these are of this kind; what they open is the row of the link. */
const SHARE = 'document_share'
const VIEW = 'document_view'

export async function listLinks(tx: BusinessTx, document_id: string, query: PageQuery) {
  await getDocument(tx, document_id)
  const page = await tx.page(store.shares, { ...query, document_id } as PageQuery)
  return { ...page, items: page.items.map(shown) }
}

export async function createLink(tx: BusinessTx, document_id: string, input: Static<typeof DocumentLinkInput>): Promise<Static<typeof NewDocumentLink>> {
  await access.requireLinksAllowed(tx)
  const document = await lockDocument(tx, document_id)
  requirePresent(document)
  requireExpiry(input.expires_at, tx.now)
  const share: ShareRow = {
    id: newId(), business_id: tx.business_id, document_id, expires_at: toTimestamp(new Date(input.expires_at)), allow_download: input.allow_download ?? true,
    password_hash: input.password ? await hashPassword(input.password) : null, wrong_tries: 0, wrong_since: null, revoked_at: null,
    created_by: tx.actor.user_id, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertShare, share)
  createLinks(tx, [{ document_type: SHARE, document_id: share.id }])
  tx.record(linkResource, 'document_link.created', { before: null, after: shown(share) })
  const token = linkToken(tx, SHARE, share.id)
  return { ...shown(share), token, url: `${tx.surroundings.public_url}/shared/${token}` }
}

export async function revokeLink(tx: BusinessTx, link_id: string): Promise<DocumentLink> {
  const share = await tx.lock(store.lockShare, { id: link_id }, 'Link')
  if (share.revoked_at !== null) return shown(share)
  const after = changed(share, { revoked_at: tx.now }, tx.now)
  tx.queue(store.updateShare, after)
  revokeToken(tx, SHARE, link_id)
  tx.record(linkResource, 'document_link.revoked', { before: shown(share), after: shown(after) })
  return shown(after)
}

export type OpenShare = { tx: BusinessTx; share: ShareRow; document: Document }

/** Unknown, expired, revoked, of a document in the bin, or where links are no longer allowed: the same 404. */
export async function findShared(tx: PublicTx, token: string): Promise<OpenShare> {
  return sharedOf(await openLink(tx, token))
}

/** The same of a link that was opened to see what it is of. */
export async function sharedOf({ tx: inside, document_type, document_id: id }: OpenedLink): Promise<OpenShare> {
  const share = document_type === SHARE ? await inside.find(store.findShare, { id }) : null
  if (!share || !isOpen(share, inside.now)) throw notFound('Document')
  const [allowed, document] = await Promise.all([access.linksAllowed(inside), getDocument(inside, share.document_id)])
  if (document.deleted_at !== null || !allowed) throw notFound('Document')
  return { tx: inside, share, document }
}

/** The same, and its password was given, where it has one. */
export async function openShared(tx: PublicTx, token: string, view_token: string | undefined): Promise<OpenShare> {
  return requireSeen(await findShared(tx, token), view_token)
}

export function requireSeen(opened: OpenShare, view_token: string | undefined): OpenShare {
  if (!hasSeen(opened, view_token)) throw unauthenticated('This document is protected by a password: unlock it first.')
  return opened
}

export function hasSeen({ tx, share }: OpenShare, view_token: string | undefined): boolean {
  return access.hasSeen(tx, { view: VIEW, ...share }, view_token)
}

export async function unlockShared(tx: PublicTx, token: string, password: string): Promise<access.Unlocked | Refusal> {
  const { tx: inside, share: { id } } = await findShared(tx, token)
  const share = await inside.get(store.lockShare, { id }, 'Document')
  return access.unlock(inside, { view: VIEW, ...share }, password, (tries) => inside.queue(store.countWrong, { id, ...tries }))
}
