// Searching: the index proposes, the records themselves decide.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { forbidden } from '../../foundation/refusal.ts'
import { KINDS, type SearchType } from '../search-index/contract.ts'
import { readableTypes, readDocuments } from '../search-index/operations.ts'
import { isName, isSlip, OTHER, slipKeys, TITLE } from '../search-index/rules.ts'
import type { Filters, SearchHit } from './contract.ts'
import { EXACT, inOrder, judge, passes, PREFIX, SLIP, termsOf, type Judged, type Term } from './rules.ts'
import * as store from './store.ts'

/** What is looked at: words behind a beginning, records behind a word, records held against themselves. */
const WORDS_OF_PREFIX = 200
const RECORDS_OF_PREFIX = 50
const RECORDS_OF_SLIP = 50
const RECORDS_OF_WORD = 200
const RECORDS_OF_WORD_SIFTED = 5000
const MOST_JUDGED = 300
const JUDGED_OF_TYPE = 30
const GROUP_SIZE = 5
const MOST_SUGGESTIONS = 10

type Question = Filters & { q: string; scope?: string; group_by?: string; limit?: number }

export async function search(tx: BusinessTx, { q, scope, group_by, limit = 20, ...filters }: Question) {
  refuseFirm(scope)
  const [judged, behind] = await Promise.all([judgedFor(tx, q, filters, { weight: OTHER, grouped: group_by === 'type' }), tx.find(store.backlog)])
  const hits = judged.map(({ hit }) => hit)
  const building = behind !== null
  if (group_by !== 'type') return { hits: hits.slice(0, limit), groups: [], has_more: hits.length > limit, building }
  // In the order of their best hits.
  const types = [...new Set(hits.map(({ type }) => type))]
  const groups = types.map((type) => groupOf(type, hits.filter((hit) => hit.type === type)))
  return { hits: [], groups, has_more: groups.some(({ has_more }) => has_more), building }
}

export async function suggest(tx: BusinessTx, { q, scope, type }: { q: string; scope?: string; type?: SearchType[] }) {
  refuseFirm(scope)
  const judged = await judgedFor(tx, q, type ? { type } : {}, { weight: TITLE, grouped: false })
  const titled = judged.filter(({ hit }) => hit.rank % 2 === 1).map(({ hit: { title: text, type, id, path } }) => ({ text, type, id, path }))
  return [...new Map(titled.map((each) => [each.text, each])).values()].slice(0, MOST_SUGGESTIONS)
}

export async function listSearchTypes(tx: BusinessTx) {
  return readableTypes(tx).map((type) => ({ type, ...KINDS[type] }))
}

function refuseFirm(scope: string | undefined): void {
  if (scope === 'firm') throw forbidden('You are in no firm: search in a business.')
}

function groupOf(type: SearchType, hits: SearchHit[]) {
  return { type, label: KINDS[type].label, hits: hits.slice(0, GROUP_SIZE), has_more: hits.length > GROUP_SIZE }
}

/** All hits, best first: candidates of the index that are there, may be read, and still say what was asked for. */
async function judgedFor(tx: BusinessTx, q: string, filters: Filters, how: { weight: number; grouped: boolean }): Promise<Judged[]> {
  const types = readableTypes(tx).filter((type) => filters.type?.includes(type) ?? true)
  const terms = termsOf(q)
  if (terms.length === 0 || types.length === 0) return []
  const { wanted, slips } = await wordsFor(tx, terms, Object.keys(filters).length > 0)
  if (terms.some((_, term) => !wanted.some((each) => each.term === term))) return []
  const found = await tx.many(store.candidates, {
    status: null, customer_id: null, vendor_id: null, from: null, to: null, min_amount: null, max_amount: null, include_archived: false, ...filters,
    types, weight: how.weight, ...columnsOf(wanted), ...checksFor(terms, slips), all_terms: terms.map((_, term) => term),
    per_type: how.grouped ? JUDGED_OF_TYPE : MOST_JUDGED, most: how.grouped ? JUDGED_OF_TYPE * types.length : MOST_JUDGED,
  })
  const judged = await Promise.all(types.map(async (type) => {
    const documents = await readDocuments(tx, type, found.filter((each) => each.type === type).map(({ id }) => id))
    return documents.filter((document) => passes(document, filters)).flatMap((document) => judge(type, document, terms, slips) ?? [])
  }))
  return judged.flat().sort(inOrder)
}

type Wanted = { term: number; word: string; how: number; most: number }

/** The words of this business that each term can mean. Sifted records are looked for further back. */
async function wordsFor(tx: BusinessTx, terms: readonly Term[], filtered: boolean): Promise<{ wanted: Wanted[]; slips: Set<string>[] }> {
  const most = filtered || terms.length > 1 ? RECORDS_OF_WORD_SIFTED : RECORDS_OF_WORD
  const exact = terms.flatMap(({ words }, term) => words.map(({ word }) => ({ term, word, how: EXACT, most })))
  const prefixes = terms.flatMap(({ words }, term) => words.filter(({ prefix }) => prefix).map(({ word }) => ({ term, word })))
  const typed = terms.map(({ words }) => words.map(({ word }) => word).filter(isName))
  const [begun, similar] = await Promise.all([
    tx.many(store.wordsBetween, {
      terms: prefixes.map(({ term }) => term), los: prefixes.map(({ word }) => `${word}\u0001`), his: prefixes.map(({ word }) => `${word}${LAST}`), limit: WORDS_OF_PREFIX,
    }),
    tx.many(store.wordsByKeys, { keys: [...new Set(typed.flat().flatMap(slipKeys))] }),
  ])
  const slips = typed.map((words) => new Set(similar.map(({ word }) => word).filter((word) => words.some((each) => isSlip(each, word)))))
  const wanted = [
    ...exact,
    ...begun.map(({ term, word }) => ({ term, word, how: PREFIX, most: RECORDS_OF_PREFIX })),
    ...slips.flatMap((words, term) => Array.from(words, (word) => ({ term, word, how: SLIP, most: RECORDS_OF_SLIP }))),
  ]
  return { wanted, slips }
}

/** Behind every word that begins so. */
const LAST = '\u{10FFFF}'

function columnsOf(wanted: readonly Wanted[]) {
  return {
    terms: wanted.map(({ term }) => term), words: wanted.map(({ word }) => word), hows: wanted.map(({ how }) => how), limits: wanted.map(({ most }) => most),
  }
}

/** The stretches of words, one of which a record must have for each term. */
function checksFor(terms: readonly Term[], slips: readonly ReadonlySet<string>[]) {
  const stretches = terms.flatMap(({ words }, term) => [
    ...words.map(({ word, prefix }) => ({ term, lo: word, hi: prefix ? `${word}${LAST}` : `${word}\u0001` })),
    ...Array.from(slips[term] ?? [], (word) => ({ term, lo: word, hi: `${word}\u0001` })),
  ])
  return { check_terms: stretches.map(({ term }) => term), check_los: stretches.map(({ lo }) => lo), check_his: stretches.map(({ hi }) => hi) }
}
