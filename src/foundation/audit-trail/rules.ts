// What an unbroken chain is: each entry's hash follows from the hash before it and from what the entry says.
import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import { canonicalJson } from '../canonical.ts'
import type { AuditContent } from '../database/history.ts'
import type { AuditEntry } from './contract.ts'

export type Entry = Static<typeof AuditEntry>

/** The last place in the chain known to be good. */
export type Link = { seq: number; hash: string }

/** Before the first entry. */
export const START: Link = { seq: 0, hash: '' }

export function hashOf(entry: Entry): string {
  return createHash('sha256').update(Buffer.from(entry.prev_hash, 'hex')).update(canonicalJson(contentOf(entry))).digest('hex')
}

/** The seq of the first entry that does not follow from the one before it, a missing one included; null where all do. */
export function firstBroken(after: Link, entries: readonly Entry[]): number | null {
  let link = after
  for (const entry of entries) {
    if (entry.seq !== link.seq + 1) return link.seq + 1
    if (entry.prev_hash !== link.hash || entry.hash !== hashOf(entry)) return entry.seq
    link = entry
  }
  return null
}

function contentOf(entry: Entry): AuditContent {
  const { id: _id, seq: _seq, prev_hash: _prev_hash, hash: _hash, ...content } = entry
  return content
}
