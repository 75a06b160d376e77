// Keeping the index: record by record behind the commits, or whole kinds by a long job.
import { createHash } from 'node:crypto'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Event } from '../../foundation/jobs/job.ts'
import { KINDS, OF_CUSTOMERS, SEARCH_TYPES, type SearchDocument, type SearchType } from './contract.ts'
import { documentWords, nameWords, slipKeys, type Place } from './rules.ts'
import * as store from './store.ts'

export const BATCH = 500
/** Documents of a renamed customer that follow at once. */
export const AT_ONCE = 1000

/** The records themselves, as the search sees them; those that are gone are left out. */
export async function readDocuments(tx: BusinessTx, type: SearchType, ids: readonly string[]): Promise<SearchDocument[]> {
  return ids.length === 0 ? [] : tx.many(store.documentsById[type], { ids: [...ids] })
}

/** The kinds that the caller may read. */
export function readableTypes(tx: BusinessTx): SearchType[] {
  return SEARCH_TYPES.filter((type) => tx.actor.permissions.has(`${KINDS[type].group}:read`))
}

/** Brings records into the index as they are now, or out of it. */
export async function indexRecords(tx: BusinessTx, type: SearchType, ids: readonly string[]): Promise<void> {
  await holdIndex(tx)
  const documents = await readDocuments(tx, type, ids)
  const present = new Set(documents.map((document) => document.id))
  const gone = ids.filter((id) => !present.has(id))
  if (gone.length > 0) tx.queue(store.dropEntries, { type, ids: gone })
  const known = new Set((await tx.many(store.fingerprintsOf, { type, ids: [...present] })).map(({ fingerprint }) => fingerprint))
  await save(tx, type, documents.map(wordsIn).filter(({ fingerprint }) => !known.has(fingerprint)))
}

/** A renamed customer is found by its new name, and so are its newest documents at once. True where there are more of them. */
export async function indexCustomer(tx: BusinessTx, customer_id: string): Promise<boolean> {
  await holdIndex(tx)
  const before = await tx.find(store.titlesOf, { type: 'customer', id: customer_id })
  await indexRecords(tx, 'customer', [customer_id])
  const after = await tx.find(store.titlesOf, { type: 'customer', id: customer_id })
  if (!before || !after || before.title === after.title) return false
  const found = await tx.many(store.newestOfCustomer, { customer_id, types: [...OF_CUSTOMERS], limit: AT_ONCE })
  for (const type of OF_CUSTOMERS) {
    const ids = found.filter((each) => each.type === type).map(({ id }) => id)
    if (ids.length > 0) await indexRecords(tx, type, ids)
  }
  return found.length === AT_ONCE
}

/** What an event says has changed. */
export function recordsOf({ type, resource_type, resource_id, data }: Event): { type: SearchType; id: string } | null {
  if (resource_type === 'customer_contact' && typeof data['customer_id'] === 'string') return { type: 'customer', id: data['customer_id'] }
  const known = SEARCH_TYPES.find((each) => each === resource_type)
  return known && type !== 'journal_entry.imported' ? { type: known, id: resource_id } : null
}

/** The next stretch of one kind; null when it was the last one. */
export async function reindexStretch(tx: BusinessTx, type: SearchType, after: string, limit: number): Promise<{ last: string | null; count: number }> {
  await holdIndex(tx)
  const documents = await tx.many(store.documentsAfter[type], { after, limit })
  const last = documents.length < limit ? null : documents.at(-1)?.id ?? null
  tx.queue(store.dropMissing, { type, after, upto: last, ids: documents.map(({ id }) => id) })
  await save(tx, type, documents.map(wordsIn))
  return { last, count: documents.length }
}

export async function countRecords(tx: BusinessTx, types: readonly SearchType[]): Promise<number> {
  const counts = await Promise.all(types.map((type) => tx.get(store.countOf[type], {}, 'Count')))
  return counts.reduce((sum, { count }) => sum + count, 0)
}

/** Words that nobody has any longer. */
export async function tidyWords(tx: BusinessTx): Promise<void> {
  await holdIndex(tx)
  await tx.waitAsLongAsItTakes()
  await tx.run(store.dropUnusedWords)
  await tx.run(store.dropUnusedTypos)
  tx.queue(store.dropBacklog)
}

export function businessesToIndex(tx: { many: BusinessTx['many'] }): Promise<{ business_id: string }[]> {
  return tx.many(store.businessesToIndex)
}

export function noteAsked(tx: BusinessTx): void {
  tx.queue(store.noteAsked)
}

/** One writer at a time in a business: what is read after this is what others have committed, so nothing older overwrites it. */
function holdIndex(tx: BusinessTx): Promise<void> {
  return tx.exclusive(`search index ${tx.business_id}`)
}

type Indexed = { document: SearchDocument; words: Map<string, Place>; fingerprint: string }

function wordsIn(document: SearchDocument): Indexed {
  const words = documentWords(document)
  return { document, words, fingerprint: createHash('sha256').update(JSON.stringify([document, [...words]])).digest('base64url') }
}

async function save(tx: BusinessTx, type: SearchType, read: readonly Indexed[]): Promise<void> {
  if (read.length === 0) return
  const rows = read.flatMap(({ document: { id, sorted_on }, words }) => Array.from(words, ([word, { weight }]) => ({ id, word, weight, sorted_on })))
  tx.queue(store.saveEntries, { type, rows: JSON.stringify(read.map(({ document, fingerprint }) => ({ ...document, fingerprint }))) })
  tx.queue(store.dropWords, { type, ids: read.map(({ document }) => document.id), rows: JSON.stringify(rows) })
  tx.queue(store.saveWords, { type, rows: JSON.stringify(rows) })
  tx.queue(store.saveVocabulary, { words: [...new Set(rows.map(({ word }) => word))].toSorted() })
  const names = [...new Set(read.flatMap(({ document, words }) => nameWords(document, words)))]
  if (names.length === 0) return
  const known = new Set((await tx.many(store.knownNames, { words: names })).map(({ word }) => word))
  const slips = names.filter((word) => !known.has(word)).flatMap((word) => slipKeys(word).map((key) => ({ key, word })))
  if (slips.length > 0) tx.queue(store.saveTypos, { keys: slips.map(({ key }) => key), words: slips.map(({ word }) => word) })
}
