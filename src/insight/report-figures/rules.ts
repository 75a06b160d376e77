// How date ranges fall into months and days that are summed already, and how the sums become figures again.
//
//   segmentsOf(ranges)                     bounds, whole months and single days that cover the ranges exactly
//   figuresFrom(...)                       rows of the database → figures per range, merged ledgers under their target
//   amountsOf(group, ledger, range)        one figure; zero where there is none
//   balanceOf(group, ledger, range)        its debit less its credit; natural(type, balance) gives it the sign that statements show
//   planOf(request, dimensions)            the way to read them, and the parameters of statements over lines
//   targetsOf(ledgers)                     which ledger each one is shown under; membersOf(ledgers) is the other way round
import { addDays, firstDayOfMonth, lastDayOfMonth } from '../../foundation/calendar.ts'
import { addCents, toCents } from '../../foundation/money.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { PARTY_AXES, type Amounts, type Axis, type DateRange, type FiguresRequest, type Group, type PartyAxis } from './contract.ts'

export const FIRST_DATE = '0001-01-01'
const LAST_DATE = '9999-12-31'

/** Days between two neighbouring bounds are never told apart, so they are summed once however many ranges they lie in. */
export type Segments = {
  /** The first days of the segments, ascending; segment 0 lies before the first of them. */
  bounds: string[]
  first_date: string
  last_date: string
  /** Months that a bound falls into, by their first day: these are read day by day, all others whole. */
  broken_months: string[]
  /** The days of broken months that lie between first and last date. */
  day_starts: string[]
  day_ends: string[]
  /** The segments of each range, first and last. */
  ranges: { first: number; last: number }[]
}

export function segmentsOf(ranges: readonly DateRange[]): Segments {
  const starts = ranges.flatMap(({ start_date }) => start_date ?? [])
  const afters = ranges.flatMap(({ end_date }) => (end_date === LAST_DATE ? [] : [addDays(end_date, 1)]))
  const bounds = [...new Set([...starts, ...afters])].sort()
  const first_date = ranges.reduce((first, { start_date }) => least(first, start_date ?? FIRST_DATE), LAST_DATE)
  const last_date = ranges.reduce((last, { end_date }) => (end_date > last ? end_date : last), FIRST_DATE)
  const broken_months = [...new Set(bounds.filter((bound) => !bound.endsWith('-01')).map(firstDayOfMonth))]
  const days = broken_months
    .map((month) => ({ start: month < first_date ? first_date : month, end: least(lastDayOfMonth(month), last_date) }))
    .filter(({ start, end }) => start <= end)
  return {
    bounds,
    first_date,
    last_date,
    broken_months,
    day_starts: days.map(({ start }) => start),
    day_ends: days.map(({ end }) => end),
    ranges: ranges.map(({ start_date, end_date }) => ({ first: segmentOf(bounds, start_date ?? FIRST_DATE), last: segmentOf(bounds, end_date) })),
  }
}

/** The number of bounds up to this date: what PostgreSQL's width_bucket says. */
export function segmentOf(bounds: readonly string[], date: string): number {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] as string) <= date) low = middle + 1
    else high = middle
  }
  return low
}

function least(a: string, b: string): string {
  return a < b ? a : b
}

/** A sum of lines as the database gives it, in one segment; `values` as in a group. */
export type Moved = { values: readonly (string | null)[]; ledger_id: string; segment: number; debit: string; credit: string }

/** Added up per segment and put together to ranges. What is in `less` is taken off. */
export function figuresFrom(segments: Segments, targets: ReadonlyMap<string, string>, rows: readonly Moved[], less: readonly Moved[] = []): Group[] {
  const groups = new Map<string, { values: readonly (string | null)[]; ledgers: Map<string, Amounts[]> }>()
  const holders = rangesOfSegments(segments)
  const add = ({ values, ledger_id, segment, debit, credit }: Moved, sign: 1 | -1) => {
    const key = values.map((value) => value ?? 'none').join()
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { values, ledgers: new Map() }))
    const ledger = targets.get(ledger_id) ?? ledger_id
    let amounts = group.ledgers.get(ledger)
    if (!amounts) group.ledgers.set(ledger, (amounts = segments.ranges.map(() => ({ debit: 0, credit: 0 }))))
    const [more_debit, more_credit] = [sign * centsOf(debit), sign * centsOf(credit)]
    for (const range of holders[segment] ?? []) {
      const sums = amounts[range] as Amounts
      sums.debit = addCents(sums.debit, more_debit)
      sums.credit = addCents(sums.credit, more_credit)
    }
  }
  for (const row of rows) add(row, 1)
  for (const row of less) add(row, -1)
  for (const [key, { ledgers }] of groups) {
    for (const [ledger_id, amounts] of ledgers) if (amounts.every(isZero)) ledgers.delete(ledger_id)
    if (ledgers.size === 0) groups.delete(key)
  }
  return [...groups.values()]
}

/** Which ranges each segment lies in. */
function rangesOfSegments({ bounds, ranges }: Segments): number[][] {
  const holders: number[][] = Array.from({ length: bounds.length + 1 }, () => [])
  for (const [range, { first, last }] of ranges.entries()) for (let segment = first; segment <= last; segment++) holders[segment]?.push(range)
  return holders
}

/** What the whole has more than its parts: the lines that carry no value. */
export function remainderOf(whole: readonly Moved[], parts: readonly Moved[]): { rows: Moved[]; less: Moved[] } {
  const values = [null]
  return { rows: whole.map((row) => ({ ...row, values })), less: parts.map((row) => ({ ...row, values })) }
}

const ZERO: Amounts = { debit: 0, credit: 0 }

export function amountsOf(group: Group | undefined, ledger_id: string, range: number): Amounts {
  return group?.ledgers.get(ledger_id)?.[range] ?? ZERO
}

export function balanceOf(group: Group | undefined, ledger_id: string, range: number): number {
  const { debit, credit } = amountsOf(group, ledger_id, range)
  return debit - credit
}

/** Whether a debit makes it larger: the natural sign of its amounts. */
export function isDebit(type: string | undefined): boolean {
  return type === 'asset' || type === 'expense'
}

/** Debit less credit in the natural sign of the ledger's type. */
export function natural(type: string, balance: number): number {
  return isDebit(type) ? balance : 0 - balance
}

/** The ledger that each one is shown under: itself, or the last one that it was merged into. */
export function targetsOf(ledgers: ReadonlyMap<string, BookLedger>): Map<string, string> {
  return new Map([...ledgers.values()].map((ledger) => {
    let at = ledger
    for (let steps = 0; at.merged_into_id !== null && steps < ledgers.size; steps++) at = ledgers.get(at.merged_into_id) ?? { ...at, merged_into_id: null }
    return [ledger.id, at.id]
  }))
}

/** The ledgers whose lines are shown under each one, itself first. */
export function membersOf(ledgers: ReadonlyMap<string, BookLedger>): Map<string, string[]> {
  const members = new Map([...ledgers.keys()].map((id) => [id, [id]]))
  for (const [id, target] of targetsOf(ledgers)) if (id !== target) members.get(target)?.push(id)
  return members
}

function isZero({ debit, credit }: Amounts): boolean {
  return debit === 0 && credit === 0
}

/** Sums come as text, since those of many months may be more than a number holds: that is a refusal then, not a fault. */
function centsOf(sum: string): number {
  const cents = Number(sum)
  return Number.isSafeInteger(cents) ? cents : toCents(BigInt(sum))
}

type DimensionRow = { id: string; key: string; name: string }
type ValueRow = { id: string; dimension_id: string; code: string; name: string; parent_id: string | null; merged_into_id: string | null }

export type Dimensions = {
  by_key: ReadonlyMap<string, DimensionRow>
  values: ReadonlyMap<string, ValueRow>
  /** The value that each one is shown under. */
  targets: ReadonlyMap<string, string>
}

export function arrangeDimensions(dimensions: readonly DimensionRow[], rows: readonly ValueRow[]): Dimensions {
  const values = new Map(rows.map((row) => [row.id, row]))
  const targets = new Map(rows.map((row) => [row.id, row.merged_into_id ?? row.id]))
  return { by_key: new Map(dimensions.map((dimension) => [dimension.key, dimension])), values, targets }
}

/** A value with all that lie below it, and all that are shown under one of those. */
export function familyOf({ values, targets }: Dimensions, value_id: string): string[] {
  const top = targets.get(value_id) ?? value_id
  const within = (id: string): boolean => {
    let at = values.get(targets.get(id) ?? id)
    for (let steps = 0; at && steps <= values.size; steps++) {
      if (at.id === top) return true
      at = at.parent_id === null ? undefined : values.get(targets.get(at.parent_id) ?? at.parent_id)
    }
    return false
  }
  return [...values.keys()].filter(within)
}

/** Which lines, told apart by what: the parameters that all statements over lines share. */
export type LineQuery = {
  first_split: string | null
  second_split: string | null
  first_ids: string[]
  second_ids: string[]
  customer_id: string | null
  vendor_id: string | null
  project_id: string | null
  dimension_value_ids: string[]
  dimension_numbers: number[]
  dimension_count: number
  /** The values wanted of the first dimension. */
  one_dimension_ids: string[]
}

type Driver = PartyAxis | 'dimension'

/**
 * How the figures are read. `balances`: no tag matters. `analysis`: one axis matters, for which balances by month are kept;
 * `with_rest` asks also for what carries no value. `lines`: two axes or more.
 */
export type Plan = { query: LineQuery } & (
  | { way: 'balances' }
  | { way: 'analysis'; axis: Driver; value_ids: string[] | null; with_rest: boolean }
  | { way: 'lines'; driver: Driver | null }
)

export function planOf({ filters = {}, split = [] }: Pick<FiguresRequest, 'filters' | 'split'>, dimensions: Dimensions): Plan {
  const wanted = wantedValues(filters.dimension_value_ids ?? [], dimensions)
  const [first, second] = split.map((axis) => splitOf(axis, dimensions))
  const parties = PARTY_AXES.filter((axis) => filters[`${axis}_id`])
  const query: LineQuery = {
    first_split: first?.axis ?? null,
    second_split: second?.axis ?? null,
    first_ids: first?.ids ?? [],
    second_ids: second?.ids ?? [],
    customer_id: filters.customer_id ?? null,
    vendor_id: filters.vendor_id ?? null,
    project_id: filters.project_id ?? null,
    dimension_value_ids: wanted.flat(),
    dimension_numbers: wanted.flatMap((ids, index) => ids.map(() => index)),
    dimension_count: wanted.length,
    one_dimension_ids: wanted[0] ?? [],
  }
  const filtered = parties.length + wanted.length
  if (filtered === 0 && !first) return { query, way: 'balances' }
  if (filtered === 0 && first && !second) {
    return { query, way: 'analysis', axis: first.axis, value_ids: first.axis === 'dimension' ? first.ids : null, with_rest: true }
  }
  const [party] = parties
  const driver = party ?? (wanted.length > 0 ? 'dimension' : null)
  const ids = party ? [filters[`${party}_id`] ?? ''] : (wanted[0] ?? [])
  const same = !first || (first.axis === driver && ids.every((id) => driver !== 'dimension' || first.ids.includes(id)))
  if (filtered === 1 && driver && same && !second) return { query, way: 'analysis', axis: driver, value_ids: ids, with_rest: false }
  return { query, way: 'lines', driver }
}

/** The values to look for, a list per dimension. */
function wantedValues(given: readonly string[], dimensions: Dimensions): string[][] {
  const known = given.map((id) => dimensions.values.get(id) ?? missing(`Dimension value ${id}`))
  const grouped = Map.groupBy(known, ({ dimension_id }) => dimension_id)
  return [...grouped.values()].map((values) => [...new Set(values.flatMap(({ id }) => familyOf(dimensions, id)))])
}

function splitOf(axis: Axis, dimensions: Dimensions): { axis: Driver; ids: string[] } {
  if (isPartyAxis(axis)) return { axis, ids: [] }
  const key = axis.slice('dimension:'.length)
  const dimension = dimensions.by_key.get(key) ?? missing(`Dimension ${key}`)
  return { axis: 'dimension', ids: [...dimensions.values.values()].filter(({ dimension_id }) => dimension_id === dimension.id).map(({ id }) => id) }
}

export function isPartyAxis(axis: string): axis is PartyAxis {
  return (PARTY_AXES as readonly string[]).includes(axis)
}

function missing(what: string): never {
  throw notFound(what)
}
