// Which values managerial keys allow, and which value counts for a ledger.
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Table } from '../../foundation/sheets.ts'
import type { BookLedger } from '../books/contract.ts'
import {
  MOST_KEY_TYPES, type AllowedValue, type AllowedValueInput, type KeyType, type KeyTypeRow, type MappingFilters, type MappingInput, type MappingRow,
} from './contract.ts'

/** What every business has from the start, each value with its label. */
export const SYSTEM_KEY_TYPES: readonly { key: string; name: string; description: string; values: Record<string, string> }[] = [
  {
    key: 'function', name: 'Function', description: 'What the money is earned or spent for.',
    values: {
      revenue: 'Revenue', cost_of_sales: 'Cost of sales', sales_and_marketing: 'Sales and marketing', research_and_development: 'Research and development',
      general_and_administrative: 'General and administrative', other: 'Other',
    },
  },
  {
    key: 'cost_behavior', name: 'Cost behavior', description: 'How a cost follows the volume of business.',
    values: { variable: 'Variable', semi_variable: 'Semi-variable', fixed: 'Fixed' },
  },
  {
    key: 'ebitda', name: 'EBITDA', description: 'What counts before interest, taxes, depreciation and amortization.',
    values: {
      operating: 'Operating', adjustment: 'Adjustment', depreciation: 'Depreciation', amortization: 'Amortization', interest: 'Interest', taxes: 'Taxes',
    },
  },
  {
    key: 'board_line', name: 'Board line', description: 'The line of the report to the board.',
    values: {
      revenue: 'Revenue', cost_of_revenue: 'Cost of revenue', people: 'People', sales_and_marketing: 'Sales and marketing', technology: 'Technology',
      facilities: 'Facilities', professional_fees: 'Professional fees', other_operating: 'Other operating', financing: 'Financing', taxes: 'Taxes',
    },
  },
]

export function allowedValuesOf(labels: Record<string, string>): AllowedValue[] {
  return Object.entries(labels).map(([value, label], index) => ({ value, label, position: index + 1 }))
}

/** The columns that the table has anyway. */
const TAKEN = ['number', 'name', 'type']

export function requireRoom(key_types: readonly Pick<KeyType, 'key'>[], key: string): void {
  if (TAKEN.includes(key)) throw invalid(`The table has a column ${key} already: choose another key.`)
  if (key_types.some((other) => other.key === key)) throw invalid(`The key ${key} exists already: use it, or choose another one.`)
  if (key_types.length >= MOST_KEY_TYPES) throw invalid(`The business has ${MOST_KEY_TYPES} keys already: delete one first.`)
}

/** The allowed values as they are kept: in the order of their positions, counted from 1. */
export function arranged(given: readonly AllowedValueInput[]): AllowedValue[] {
  const placed = given.map(({ value, label, position }, index) => ({ value, label: label?.trim() ?? value, position: position ?? index + 1 }))
  return placed.toSorted((a, b) => a.position - b.position).map((allowed, index) => ({ ...allowed, position: index + 1 }))
}

export function requireSound({ key, value_kind, allowed_values }: Pick<KeyTypeRow, 'key' | 'value_kind' | 'allowed_values'>): void {
  if (value_kind === 'text' && allowed_values.length > 0) {
    throw invalid(`${key} takes any text, so it has no list of values: leave allowed_values out, or make it a list.`)
  }
  if (value_kind === 'list' && allowed_values.length === 0) throw invalid(`${key} is a list, so it needs at least one allowed value.`)
  const values = allowed_values.map(({ value }) => value)
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (twice !== undefined) throw invalid(`${key} allows ${twice} twice: leave it once.`)
}

export function allows({ value_kind, allowed_values }: Pick<KeyTypeRow, 'value_kind' | 'allowed_values'>, value: string): boolean {
  return value_kind === 'text' || allowed_values.some((allowed) => allowed.value === value)
}

/** Those in use that the key does not allow any more; refuses them unless another value takes their place. */
export function requireReplaced(key_type: KeyTypeRow, in_use: readonly string[], replace_with: string | undefined): string[] {
  if (replace_with !== undefined && !allows(key_type, replace_with)) throw invalid(`replace_with: ${notAllowed(key_type, replace_with)}`)
  const removed = in_use.filter((value) => !allows(key_type, value))
  if (removed.length > 0 && replace_with === undefined) {
    throw invalid(`Ledgers have the value ${removed[0]} of ${key_type.key}: keep it, or say with replace_with what takes its place.`)
  }
  return removed
}

export function requireDeletable(key_type: KeyType, force: boolean): void {
  if (key_type.system) throw invalid(`The key ${key_type.key} came with the business and cannot be deleted.`)
  if (key_type.mapped_count === 0 || force) return
  const holders = key_type.mapped_count === 1 ? '1 ledger has' : `${key_type.mapped_count} ledgers have`
  throw invalid(`${holders} a value of ${key_type.key}: delete it with force=true to lose that too.`)
}

type Ledgers = ReadonlyMap<string, Pick<BookLedger, 'id' | 'name'>>

/** Refuses what does not exist before what is not allowed. */
export function requireMappings(mappings: readonly MappingInput[], key_types: ReadonlyMap<string, KeyTypeRow>, ledgers: Ledgers): void {
  for (const [index, { ledger_id, key }] of mappings.entries()) {
    if (!ledgers.has(ledger_id)) throw notFound(`Ledger ${ledger_id} of mapping ${index + 1}`)
    if (!key_types.has(key)) throw notFound(`Key ${key} of mapping ${index + 1}`)
  }
  const seen = new Set<string>()
  for (const { ledger_id, key, value } of mappings) {
    const key_type = key_types.get(key)
    if (key_type && value !== null && !allows(key_type, value)) throw invalid(notAllowed(key_type, value))
    const place = `${ledger_id} ${key}`
    if (seen.has(place)) throw invalid(`${ledgers.get(ledger_id)?.name} is given a value of ${key} twice: leave one.`)
    seen.add(place)
  }
}

function notAllowed({ key, allowed_values }: KeyTypeRow, value: string): string {
  const values = allowed_values.map((allowed) => allowed.value)
  const shown = values.length > 12 ? `${values.slice(0, 12).join(', ')} and ${values.length - 12} more` : values.join(', ')
  return `${value} is not a value of ${key}; it takes ${shown}.`
}

type Related = Pick<BookLedger, 'id' | 'parent_id' | 'merged_into_id'>
export type Counting = { value: string | null; inherited: boolean }

/** For each ledger the value that counts: its own, else its parent's. A merged one counts as the one it was merged into. */
export function resolved(ledgers: ReadonlyMap<string, Related>, own: ReadonlyMap<string, string>): Map<string, Counting> {
  const found = new Map<string, Counting>()
  const look = (id: string): Counting => {
    const known = found.get(id)
    if (known) return known
    // Should ledgers ever lead in a circle, it ends here without a value.
    found.set(id, { value: null, inherited: false })
    const ledger = ledgers.get(id)
    const above = ledger?.merged_into_id ?? (own.has(id) ? null : ledger?.parent_id ?? null)
    const value = above === null ? own.get(id) ?? null : look(above).value
    const counting = { value, inherited: above !== null && value !== null }
    found.set(id, counting)
    return counting
  }
  for (const id of ledgers.keys()) look(id)
  return found
}

export type OwnValue = { ledger_id: string; key_type_id: string; value: string }

/** The table: a row per ledger that passes the filters, with the value that counts for each key. */
export function tableOf(
  key_types: readonly KeyType[], ledgers: ReadonlyMap<string, BookLedger>, own: readonly OwnValue[], { type, archived = 'false' }: MappingFilters,
): { rows: MappingRow[]; unmapped: Record<string, number> } {
  const byKey = new Map(key_types.map(({ id, key }) => {
    const values = own.filter(({ key_type_id }) => key_type_id === id).map(({ ledger_id, value }): [string, string] => [ledger_id, value])
    return [key, resolved(ledgers, new Map(values))]
  }))
  const passes = (ledger: BookLedger) => (type === undefined || ledger.type === type) && (archived === 'all' || String(ledger.archived) === archived)
  const shown = [...ledgers.values()].filter(passes)
  const rows = shown.toSorted(byNumber).map(({ id, number, name, type: own_type }): MappingRow => {
    const values = Object.fromEntries([...byKey].map(([key, counting]) => [key, counting.get(id)?.value ?? null]))
    const inherited = [...byKey].filter(([, counting]) => counting.get(id)?.inherited).map(([key]) => key)
    return { ledger_id: id, number, name, type: own_type, values, inherited }
  })
  const posting = rows.filter(({ ledger_id }) => ledgers.get(ledger_id)?.posting)
  const unmapped = Object.fromEntries(key_types.map(({ key }) => [key, posting.filter(({ values }) => values[key] === null).length]))
  return { rows, unmapped }
}

type Numbered = Pick<BookLedger, 'number' | 'name'>

/** Those without a number come last. */
function byNumber(a: Numbered, b: Numbered): number {
  if (a.number !== b.number) return a.number === null ? 1 : b.number === null ? -1 : a.number < b.number ? -1 : 1
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** The same to take away: a column per key. */
export function sheetOf(key_types: readonly KeyType[], rows: readonly MappingRow[]): Table {
  const text = (key: string, label: string) => ({ key, label, kind: 'text' as const })
  return {
    title: 'Managerial keys',
    // Columns of keys are kept apart from the others, whatever a key is called.
    columns: [text('number', 'number'), text('name', 'name'), text('type', 'type'), ...key_types.map(({ key }) => text(`key ${key}`, key))],
    rows: rows.map(({ number, name, type, values }) => ({
      number, name, type, ...Object.fromEntries(key_types.map(({ key }) => [`key ${key}`, values[key] ?? null])),
    })),
  }
}
