// Reading the audit trail and recomputing its chain.
import type { PageQuery } from '../database/list.ts'
import type { BusinessTx } from '../database/transaction.ts'
import { invalid, notFound } from '../refusal.ts'
import { resources } from '../resource.ts'
import { MOST_CHECKED } from './contract.ts'
import { firstBroken, START, type Entry, type Link } from './rules.ts'
import * as store from './store.ts'

export async function listAuditTrail(tx: BusinessTx, query: PageQuery) {
  const page = await tx.page(store.auditTrail, query)
  return { ...page, items: page.items.map((entry) => asReadable(tx, entry)) }
}

export async function getAuditEntry(tx: BusinessTx, entry_id: string): Promise<Entry> {
  return asReadable(tx, await tx.get(store.findEntry, { id: entry_id }, 'Entry of the audit trail'))
}

export async function listRecordHistory(tx: BusinessTx, record: { resource_type: string; resource_id: string }, query: PageQuery) {
  const page = await listAuditTrail(tx, { ...query, ...record })
  if (page.items.length === 0) throw notFound('History of this record')
  return page
}

export async function verifyAuditTrail(tx: BusinessTx, { from_seq = 1, to_seq }: { from_seq?: number; to_seq?: number }) {
  const { audit_seq } = await tx.get(store.head, {}, 'History')
  const last = to_seq ?? audit_seq
  if (last > audit_seq) throw invalid(`The audit trail ends at ${audit_seq}: choose a to_seq up to there.`)
  if (last < from_seq && audit_seq > 0) throw invalid(`from_seq ${from_seq} lies behind ${last}, where the range ends.`)
  if (last - from_seq >= MOST_CHECKED) throw invalid(`At most ${MOST_CHECKED} entries are checked in one call: narrow the range with from_seq and to_seq.`)
  return verifyChain(tx, from_seq, last)
}

export type ChainReport = { checked: number; ok: boolean; first_broken_seq: number | null; head_hash: string }

const CHUNK = 1_000

/**
 * Recomputes the chain from one entry to another, to its head where no end is given, holding a thousand entries at a time.
 * The head is read first: what is written meanwhile lies behind it.
 */
export async function verifyChain(tx: BusinessTx, from_seq = 1, to_seq?: number): Promise<ChainReport> {
  const { audit_seq, audit_hash: head_hash } = await tx.get(store.head, {}, 'History')
  const last = to_seq ?? audit_seq
  let link: Link = START
  let checked = 0
  const broken = (first_broken_seq: number): ChainReport => ({ checked, ok: false, first_broken_seq, head_hash })
  if (from_seq > 1) {
    const before = await tx.find(store.findHash, { seq: from_seq - 1 })
    if (!before) return broken(from_seq - 1)
    link = { seq: from_seq - 1, hash: before.hash }
  }
  while (link.seq < last) {
    const entries = await tx.many(store.entriesBetween, { from_seq: link.seq + 1, to_seq: last, limit: CHUNK })
    const wrong = firstBroken(link, entries)
    checked += entries.length
    if (wrong !== null) return broken(wrong)
    const end = entries.at(-1)
    // Entries that the head counts are not there.
    if (!end) return broken(link.seq + 1)
    link = end
  }
  const at_head = link.seq === audit_seq
  return at_head && link.hash !== head_hash ? broken(Math.max(1, link.seq)) : { checked, ok: true, first_broken_seq: null, head_hash }
}

/** Who may read the trail sees that a record changed, but what it says only where they may read the record. */
function asReadable(tx: BusinessTx, entry: Entry): Entry {
  const group = resources.get(entry.resource_type)?.group
  return group && tx.actor.permissions.has(`${group}:read`) ? entry : { ...entry, before: null, after: null }
}
