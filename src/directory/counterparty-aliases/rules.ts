// How bank text is cleaned and compared, which alias counts, and what may be merged.
import { linearPattern } from '../../foundation/linear-pattern.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import type { DefaultRow } from '../counterparty-defaults/contract.ts'
import { nameKey, sameChoice } from '../counterparty-defaults/rules.ts'
import type { AliasSuggestion, CounterpartyAlias } from './contract.ts'

/** What payment processors and banks put before the name. */
const PREFIX = new RegExp(`^(?:${[
  'sq ?\\*', 'tst ?\\*', 'sp ?\\*', 'pp ?\\*', 'py ?\\*', 'paypal ?\\*', 'stripe ?\\*', 'sumup ?\\*', 'zettle_?\\*', 'iz ?\\*', 'ezi ?\\*', 'dd ?\\*', 'google ?\\*', 'apple pay ?\\*?',
  'pos (?:debit|purchase|refund)', 'pos', 'debit card purchase', 'card purchase', 'checkcard(?: purchase)?', 'purchase(?: authorized on)?', 'recurring payment',
  'ach (?:debit|credit|payment|transfer)', 'ach', 'direct debit', 'sepa (?:debit|credit)', 'web payment', 'external (?:deposit|withdrawal)',
].join('|')})(?=[\\s*:.-]|$|(?<=\\*))[\\s*:.-]*`, 'i')

const LONGEST_NAME = 120

/** The text without what banks and processors add: prefixes, store numbers, long runs of digits, dates. Where nothing is left, the text itself. */
export function cleaned(text: string): string {
  const plain = text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  let rest = plain
  for (let found = PREFIX.exec(rest); found && found[0].length > 0; found = PREFIX.exec(rest)) rest = rest.slice(found[0].length).replace(/^\d{4,}\s+/, '')
  const bare = rest
    .replaceAll(/\b\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?\b/g, ' ')
    .replaceAll(/(?:\b(?:store|st|no|nr|ref|card|loc)\.? ?)?#+ ?[\w-]*\d[\w-]*/gi, ' ')
    .replaceAll(/\b(?:store|no|nr|ref|loc)\.? \d+\b/gi, ' ')
    .replaceAll(/\b(?=[\w-]*\d{3})[a-z]{0,3}[\d-]{3,}[\w-]*\b|\b(?=\w*\d\w*\d\w*\d)\w{6,}\b/gi, ' ')
    .replaceAll(/(?:^|\s)[*#:.,_/-]+(?=\s|$)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s*#:.,_/-]+|[\s*#:,_/-]+$/g, '')
  const kept = /\p{L}/u.test(bare) ? bare : plain
  return [...(isLoud(kept) ? titled(kept) : kept)].slice(0, LONGEST_NAME).join('').trim()
}

/** As bank text and patterns are compared. */
export function textKey(text: string): string {
  return nameKey(cleaned(text))
}

/** A pattern as it is kept for comparing; refuses one of which nothing is left, and an expression that cannot be used. */
export function patternKey({ pattern, match_type }: Pick<CounterpartyAlias, 'pattern' | 'match_type'>): string {
  if (match_type === 'regex') {
    linearPattern(pattern)
    return pattern
  }
  const key = textKey(pattern)
  if ([...key].length < 2) throw invalid(`Nothing of the pattern “${pattern}” is left once it is compared: give it two letters at least.`)
  return key
}

export type Keyed = CounterpartyAlias & { pattern_key: string }

/** The aliases of a business, ready to be asked about many texts. */
export function matcher(aliases: readonly Keyed[]): (text: string) => CounterpartyAlias | null {
  const enabled = aliases.filter((one) => one.enabled)
  const of = (match_type: CounterpartyAlias['match_type']) => enabled.filter((one) => one.match_type === match_type)
  const exact = new Map(of('exact').map((one) => [one.pattern_key, one]))
  const longestFirst = (some: Keyed[]) => some.toSorted((a, b) => b.pattern_key.length - a.pattern_key.length || byAge(a, b))
  const [beginnings, parts] = [longestFirst(of('starts_with')), longestFirst(of('contains'))]
  const expressions = of('regex').toSorted(byAge).map((one) => ({ one, pattern: linearPattern(one.pattern) }))
  return (text) => {
    const key = textKey(text)
    return exact.get(key) ?? beginnings.find(({ pattern_key }) => key.startsWith(pattern_key)) ?? parts.find(({ pattern_key }) => key.includes(pattern_key))
      ?? expressions.find(({ pattern }) => pattern.test(key))?.one ?? null
  }
}

function byAge(a: CounterpartyAlias, b: CounterpartyAlias): number {
  return a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1
}

const MOST_SUGGESTIONS = 50
const MOST_TEXTS = 20

/** Texts that begin with the same words, the first two where there are as many, put together: only where there are several. */
export function clusters(texts: readonly { text: string; count: number }[]): AliasSuggestion[] {
  const groups = Map.groupBy(texts, ({ text }) => textKey(text).split(' ').slice(0, 2).join(' '))
  return [...groups]
    .filter(([beginning, group]) => beginning.length >= 3 && group.length >= 2)
    .map(([beginning, group]): AliasSuggestion => {
      const often = group.toSorted((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
      return {
        counterparty: titled(beginning), pattern: beginning, match_type: 'starts_with', texts: often.slice(0, MOST_TEXTS).map(({ text }) => text),
        count: group.reduce((sum, { count }) => sum + count, 0),
      }
    })
    .toSorted((a, b) => b.count - a.count || (a.pattern < b.pattern ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
}

/** Of defaults that would meet under one name, the ones that stay and those that go. */
export function settleDefaults(defaults: readonly DefaultRow[], into: string, keep_default_id: string | null): { kept: DefaultRow[]; dropped: DefaultRow[] } {
  const places = Map.groupBy(defaults, ({ direction, bank_ledger_id }) => `${direction} ${bank_ledger_id}`)
  const kept = [...places.values()].map((meeting) => {
    const [first] = meeting.toSorted((a, b) => Number(nameKey(b.counterparty) === into) - Number(nameKey(a.counterparty) === into))
    const chosen = meeting.find(({ id }) => id === keep_default_id)
    const other = meeting.find((one) => first && !sameChoice(one, first))
    if (other && first && !chosen) {
      throw invalid(`The defaults of “${first.counterparty}” and “${other.counterparty}” contradict each other: say with keep_default_id which of them stays.`)
    }
    return (chosen ?? first) as DefaultRow
  })
  return { kept, dropped: defaults.filter((one) => !kept.includes(one)) }
}

export function requireOneParty({ customer_id, vendor_id }: Pick<CounterpartyAlias, 'customer_id' | 'vendor_id'>): void {
  if (customer_id && vendor_id) throw invalid('A counterparty is a customer or a vendor: name one of them.')
}

function isLoud(text: string): boolean {
  return text === text.toUpperCase() && text !== text.toLowerCase()
}

function titled(text: string): string {
  return text.toLowerCase().replaceAll(/(^|[\s/(&-])(\p{L})/gu, (_all, before: string, letter: string) => `${before}${letter.toUpperCase()}`)
}

export const FILE_COLUMNS: Column[] = [
  { key: 'counterparty', label: 'Counterparty', kind: 'text' },
  { key: 'pattern', label: 'Pattern', kind: 'text' },
  { key: 'match_type', label: 'Match type', kind: 'text' },
  { key: 'enabled', label: 'Enabled', kind: 'text' },
  { key: 'hit_count', label: 'Hits', kind: 'integer' },
  { key: 'customer_id', label: 'Customer', kind: 'text' },
  { key: 'vendor_id', label: 'Vendor', kind: 'text' },
  { key: 'id', label: 'Id', kind: 'text' },
]

export function fileRow({ counterparty, pattern, match_type, enabled, hit_count, customer_id, vendor_id, id }: CounterpartyAlias): TableRow {
  return { counterparty, pattern, match_type, enabled: String(enabled), hit_count, customer_id, vendor_id, id }
}
