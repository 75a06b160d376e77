// Crossing figures by two axes: from groups of figures to a table with its totals.
//
//   crossed(...)      amounts by row and column
//   orderOf(...)      the keys of an axis in their order
import { addCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { LEDGER_TYPES } from '../../ledger/ledgers/contract.ts'
import { nameOf } from '../../ledger/posting/rules.ts'
import type { Slot } from '../report-columns/contract.ts'
import type { Axis, FigureFilters, Group } from '../report-figures/contract.ts'
import { balanceOf, isDebit, isPartyAxis } from '../report-figures/rules.ts'
import { byNumber } from '../report-shape/rules.ts'
import { MOST_ROWS } from './contract.ts'

/** An axis of the table: ledgers, months, or one that the figures are split by. */
export type TableAxis = 'ledger' | 'month' | Axis

export const UNASSIGNED = 'unassigned'

/** The axes that figures are split by, in the order of the values of their groups. */
export function splitOf(...axes: readonly TableAxis[]): Axis[] {
  return axes.filter((axis): axis is Axis => axis !== 'ledger' && axis !== 'month')
}

export function requireTwo(rows: string, columns: string): void {
  if (rows === columns) throw invalid(`rows and columns are both ${rows}: choose two different axes.`)
}

/** Ledgers of one side have natural signs; of both sides a credit counts as more. */
export function signFor(ledgers: readonly BookLedger[]): 1 | -1 {
  return ledgers.length > 0 && ledgers.every(({ type }) => isDebit(type)) ? 1 : -1
}

export type Crossed = ReadonlyMap<string, ReadonlyMap<string, number>>

export function crossed(groups: readonly Group[], ledgers: readonly BookLedger[], slots: readonly Slot[], rows: TableAxis, columns: TableAxis): Crossed {
  const split = splitOf(rows, columns)
  const sign = signFor(ledgers)
  const table = new Map<string, Map<string, number>>()
  const keyOf = (axis: TableAxis, group: Group, ledger: BookLedger, slot: Slot): string => {
    if (axis === 'ledger') return ledger.id
    return axis === 'month' ? slot.key : group.values[split.indexOf(axis)] ?? UNASSIGNED
  }
  for (const group of groups) {
    for (const ledger of ledgers) {
      for (const [place, slot] of slots.entries()) {
        const balance = balanceOf(group, ledger.id, place)
        if (balance === 0) continue
        const row = table.get(keyOf(rows, group, ledger, slot)) ?? new Map<string, number>()
        table.set(keyOf(rows, group, ledger, slot), row)
        const column = keyOf(columns, group, ledger, slot)
        row.set(column, addCents(row.get(column) ?? 0, sign * balance))
      }
    }
  }
  return table
}

/** A row or a column: what it is called and which lines it stands for; `filters` null where no filter can say it. */
export type Place = { key: string; label: string; ledger_ids: readonly string[] | null; slot: Slot | null; filters: FigureFilters | null }

export type Named = { labels: ReadonlyMap<string, string>; with_children: ReadonlySet<string> }

/** Months as they come, ledgers as in a trial balance and only those that moved, values by their labels and what has none at the end. */
export function orderOf(
  axis: TableAxis, used: ReadonlySet<string>, ledgers: readonly BookLedger[], slots: readonly Slot[], { labels, with_children }: Named,
): Place[] {
  if (axis === 'month') return slots.map((slot) => ({ key: slot.key, label: slot.label, ledger_ids: null, slot, filters: {} }))
  if (axis === 'ledger') {
    const order = (a: BookLedger, b: BookLedger) => LEDGER_TYPES.indexOf(a.type) - LEDGER_TYPES.indexOf(b.type) || byNumber(a, b)
    const moved = ledgers.filter(({ id }) => used.has(id)).toSorted(order)
    return moved.map((ledger) => ({ key: ledger.id, label: nameOf(ledger), ledger_ids: [ledger.id], slot: null, filters: {} }))
  }
  const labelOf = (id: string) => labels.get(id) ?? id
  const values = [...used].filter((key) => key !== UNASSIGNED).sort((a, b) => compare(labelOf(a), labelOf(b)) || compare(a, b))
  return [
    ...values.map((id): Place => ({ key: id, label: labelOf(id), ledger_ids: null, slot: null, filters: with_children.has(id) ? null : filterBy(axis, id) })),
    { key: UNASSIGNED, label: 'Unassigned', ledger_ids: null, slot: null, filters: null },
  ]
}

function filterBy(axis: Axis, id: string): FigureFilters {
  return isPartyAxis(axis) ? { [`${axis}_id`]: id } : { dimension_value_ids: [id] }
}

/** What all of these filters together ask for; null where they cannot be put together. */
export function together(...all: readonly (FigureFilters | null)[]): FigureFilters | null {
  const dimension_value_ids = all.flatMap((filters) => filters?.dimension_value_ids ?? [])
  const parties = all.flatMap((filters) => Object.entries(filters ?? {}).filter(([name, value]) => name !== 'dimension_value_ids' && value !== undefined))
  const twice = new Set(parties.map(([name]) => name)).size < parties.length
  return twice || all.includes(null) ? null : { ...Object.fromEntries(parties), dimension_value_ids }
}

export function requireFewRows(count: number): void {
  if (count <= MOST_ROWS) return
  const [would, most] = [count.toLocaleString('en'), MOST_ROWS.toLocaleString('en')]
  throw invalid(`The report would have ${would} rows, and ${most} is the most: choose another axis, a shorter period or a filter.`)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
