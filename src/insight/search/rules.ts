// From a question to words, and from a record to a hit.
import { isDate } from '../../foundation/calendar.ts'
import type { SearchDocument, SearchType } from '../search-index/contract.ts'
import { amountWord, compactOf, dateWord, documentWords, fold, idWord, OTHER, TITLE, tokensOf, type Place } from '../search-index/rules.ts'
import type { Filters, SearchHit } from './contract.ts'

const MOST_TERMS = 12

/** One thing that a record must have: any of these words, some of which may also be the beginning of one. */
export type Term = { words: { word: string; prefix: boolean }[] }

export function termsOf(q: string): Term[] {
  const terms = q.trim().split(/\s+/u).flatMap(termsOfPart)
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()].slice(0, MOST_TERMS)
}

function termsOfPart(part: string): Term[] {
  const dates = datesOf(part).map((date) => ({ word: dateWord(date), prefix: date.length < 10 }))
  const amount = amountOf(part)
  const special = [...dates, ...(amount === null ? [] : [{ word: amountWord(amount), prefix: false }])]
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(part)) return [{ words: [{ word: idWord(part.toLowerCase()), prefix: false }] }]
  if (/^[\w.+-]+@[\w.-]*$/.test(part)) return [{ words: [{ word: part.toLowerCase(), prefix: true }] }]
  const tokens = tokensOf(part)
  const [only] = tokens
  if (special.length > 0 || (tokens.length === 1 && only)) {
    const plain = tokens.length === 1 && only ? only.word : compactOf(part)
    return plain === '' ? [] : [{ words: [{ word: plain, prefix: true }, ...special] }]
  }
  return tokens.map(({ word }) => ({ words: [{ word, prefix: true }] }))
}

/** Cents; null where it is no amount. A comma or a point may part thousands, the last of them the cents. */
export function amountOf(part: string): number | null {
  const bare = fold(part).replace(/^[-+(]*[$€£]?[-+]?/, '').replace(/[)€£$]*$/, '')
  const [, whole = '', cents = ''] = /^(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?$/.exec(bare) ?? /^(\d{1,3}(?:\.\d{3})+|\d{1,12})(?:,(\d{1,2}))$/.exec(bare) ?? []
  if (whole === '') return null
  const amount = Number(`${whole.replaceAll(/[.,]/g, '')}${cents.padEnd(2, '0')}`)
  return Number.isSafeInteger(amount) ? amount : null
}

/** A day, or a month as `2026-03`. A day written with slashes is looked for in both orders. */
export function datesOf(part: string): string[] {
  if (/^\d{4}-\d{2}$/.test(part)) return isDate(`${part}-01`) ? [part] : []
  if (/^\d{4}-\d{2}-\d{2}$/.test(part)) return isDate(part) ? [part] : []
  const [, first = '', second = '', year] = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(part) ?? []
  if (year === undefined) return []
  const both = [[first, second], [second, first]].map(([month = '', day = '']) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
  return [...new Set(both)].filter(isDate)
}

export const EXACT = 0
export const PREFIX = 1
export const SLIP = 2

type Found = Place & { word: string; how: number }

/** The best of what a record has for a term; `slips` are words that almost are the term's. */
function foundFor(term: Term, slips: ReadonlySet<string>, words: ReadonlyMap<string, Place>): Found | null {
  let best: Found | null = null
  const offer = (word: string, place: Place, how: number) => {
    if (!best || how < best.how || (how === best.how && place.weight < best.weight)) best = { ...place, word, how }
  }
  for (const { word, prefix } of term.words) {
    const exact = words.get(word)
    if (exact) offer(word, exact, EXACT)
    if (prefix) for (const [other, place] of words) if (other !== word && other.startsWith(word)) offer(other, place, PREFIX)
  }
  if (best === null) for (const slip of slips) if (words.has(slip)) offer(slip, words.get(slip) as Place, SLIP)
  return best
}

export type Judged = { hit: SearchHit; sorted_on: string }

/** The hit, or null where the record as it is now does not have all that was asked for. */
export function judge(type: SearchType, document: SearchDocument, terms: readonly Term[], slips: readonly ReadonlySet<string>[]): Judged | null {
  const words = documentWords(document)
  const found = terms.map((term, index) => foundFor(term, slips[index] ?? new Set(), words))
  if (found.some((each) => each === null)) return null
  const places = found as Found[]
  const how = Math.max(...places.map((each) => each.how))
  const weight = Math.max(...places.map((each) => each.weight))
  const fields = [...new Map(places.map((place) => [place.field, place])).values()]
  const { title, number, amount, currency, date, status, archived, path } = document
  const matched = fields.map(({ field, word }) => ({ field, snippet: snippetOf(document, field, word) }))
  return {
    sorted_on: document.sorted_on,
    hit: { type, id: document.id, title, number, amount, currency, date, status, archived, path, matched, rank: how * 2 + (weight === TITLE ? 1 : OTHER) },
  }
}

/** The better, then the newer; among equals the order is that of the ids. */
export function inOrder(a: Judged, b: Judged): number {
  return a.hit.rank - b.hit.rank || compare(b.sorted_on, a.sorted_on) || compare(a.hit.id, b.hit.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether the record as it is now passes what the caller asked for. */
export function passes(document: SearchDocument, filters: Filters): boolean {
  const { amount, date } = document
  return (filters.include_archived === true || !document.archived)
    && (filters.status === undefined || document.status === filters.status)
    && (filters.customer_id === undefined || document.customer_id === filters.customer_id.toLowerCase())
    && (filters.vendor_id === undefined || document.vendor_id === filters.vendor_id.toLowerCase())
    && (filters.from === undefined || (date !== null && date >= filters.from)) && (filters.to === undefined || (date !== null && date <= filters.to))
    && (filters.min_amount === undefined || (amount !== null && amount >= filters.min_amount))
    && (filters.max_amount === undefined || (amount !== null && amount <= filters.max_amount))
}

const BEFORE = 50
const AFTER = 100

/** The text around a word, without line breaks. */
export function snippetOf(document: SearchDocument, field: string, word: string): string {
  if (field === 'amount') return (Math.abs(document.amount ?? 0) / 100).toFixed(2)
  if (field === 'date' || field === 'id') return String(document[field])
  const text = field === 'title' ? document.title : field === 'number' ? document.number ?? '' : document.fields[field] ?? ''
  const token = tokensOf(text).find((each) => each.word === word || each.word.endsWith(word)) ?? tokensOf(text).find((each) => word.startsWith(each.word))
  const at = Math.max(0, (token?.at ?? 0) - BEFORE)
  const upto = (token?.at ?? 0) + (token?.length ?? 0) + AFTER
  const part = text.slice(at, upto).replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '').replaceAll(/\s+/g, ' ').trim()
  return `${at > 0 ? '…' : ''}${part}${upto < text.length ? '…' : ''}`
}
