// Public links: whoever holds one may see one document of one business, without an account.
import type { Actor } from '../../foundation/database/context.ts'
import { nobody } from '../../foundation/database/transact.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import { hashToken } from '../../foundation/secrets.ts'
import { readOnlyReason } from '../../access/read-only.ts'
import { isToken, openTicket, sealTicket, tokenOf, type LinkedDocument } from './rules.ts'
import * as store from './store.ts'

export const FIRST_GENERATION = 1

/** The token of a link that was made; `generation` is counted up each time the link is rotated. */
export function linkToken(tx: BusinessTx, document_type: string, document_id: string, generation: number = FIRST_GENERATION): string {
  return tokenOf(tx.surroundings.encryption_key, tx.business_id, { document_type, document_id }, generation)
}

/** Gives each of these documents its first link; one that had it keeps it. Travels with the commit. */
export function createLinks(tx: BusinessTx, documents: readonly LinkedDocument[]): void {
  if (documents.length === 0) return
  insert(tx, documents, FIRST_GENERATION)
}

/** The old link dies and a new one takes its place. The caller has locked the document. */
export async function rotateLink(tx: BusinessTx, document_type: string, document_id: string): Promise<{ token: string; generation: number }> {
  const document = { document_type, document_id }
  const latest = await tx.get(store.latestGeneration, document, 'Link')
  const generation = latest.generation + 1
  revokeLink(tx, document_type, document_id)
  insert(tx, [document], generation)
  return { token: linkToken(tx, document_type, document_id, generation), generation }
}

/** From now on nothing opens this document. */
export function revokeLink(tx: BusinessTx, document_type: string, document_id: string): void {
  revokeLinks(tx, document_type, [document_id])
}

export function revokeLinks(tx: BusinessTx, document_type: string, ids: readonly string[]): void {
  if (ids.length > 0) tx.queue(store.revokeLinks, { document_type, ids: [...ids] })
}

/** The generations of the links that stand, by document; one without a link is missing. */
export async function linkGenerations(tx: BusinessTx, document_type: string, ids: readonly string[]): Promise<Map<string, number>> {
  const links = ids.length > 0 ? await tx.many(store.currentGenerations, { document_type, ids: [...new Set(ids)] }) : []
  return new Map(links.map(({ document_id, generation }) => [document_id, generation]))
}

/** A short-lived address for the file of one document. */
export function fileTicket(tx: BusinessTx, document_type: string, document_id: string, expires_at: string): string {
  return sealTicket(tx.surroundings.encryption_key, { business_id: tx.business_id, document_type, document_id, expires_at })
}

/** Goes on inside the business whose file this ticket opens. */
export async function openFileTicket(tx: PublicTx, document_type: string, ticket: string): Promise<OpenedLink> {
  const opened = openTicket(tx.surroundings.encryption_key, document_type, ticket, tx.now)
  const business = opened && await tx.find(store.businessOf, { business: opened.business_id })
  if (!opened || !business) throw notFound('Document')
  return { document_type, document_id: opened.document_id, tx: enter(tx, business) }
}

export type OpenedLink = LinkedDocument & { tx: BusinessTx }

/** Goes on inside the business whose document this token opens, as nobody in particular; an unknown token and a dead one are the same 404. */
export async function openLink(tx: PublicTx, token: string, what = 'Document'): Promise<OpenedLink> {
  const link = isToken(token) ? await tx.find(store.linkByToken, { token_hash: hashToken(token) }) : null
  if (!link) throw notFound(what)
  const { document_type, document_id } = link
  return { document_type, document_id, tx: enter(tx, link) }
}

function enter(tx: PublicTx, { business_id, timezone, base_currency, status, ...plan }: NonNullable<(typeof store.businessOf)['result']>): BusinessTx {
  return tx.enter({ id: business_id, timezone, base_currency, read_only: readOnlyReason(status, plan, tx.now) }, visitor)
}

const visitor: Actor = { ...nobody, name: 'Whoever has the link' }

function insert(tx: BusinessTx, documents: readonly LinkedDocument[], generation: number): void {
  tx.queue(store.insertLinks, {
    hashes: documents.map(({ document_type, document_id }) => hashToken(linkToken(tx, document_type, document_id, generation))),
    types: documents.map(({ document_type }) => document_type),
    ids: documents.map(({ document_id }) => document_id),
    generation,
  })
}
