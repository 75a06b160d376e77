// From query parameters to columns: periods relative to today, fiscal years and quarters, the periods before.
//
//   rangeOf(query, today, periods)         the dates that start_date, end_date, as_of or period stand for
//   slotsOf(query, range, kind, periods)   the columns of it as dates, with their comparisons
//   columnsOf(columns, groups, names)      the same with the values of the axis that the figures have
//   fiscalYearAt(periods, date)            the fiscal year that a date lies in; fiscalQuarterAt likewise
//   previousPeriod, previousYear           the range before a range
import { addDays, addMonths, daysBetween, firstDayOfMonth, lastDayOfMonth, monthOf } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { BookPeriod } from '../../ledger/books/contract.ts'
import type { Axis, FigureFilters, Group } from '../report-figures/contract.ts'
import { isPartyAxis } from '../report-figures/rules.ts'
import { MOST_COLUMNS, type Column, type ColumnQuery, type Comparison, type Period, type PeriodQuery, type ReportColumns, type Slot } from './contract.ts'

/** A range with both ends, as statements over a period have it. */
export type Range = { start_date: string; end_date: string }

/** What a statement shows of a range: what moved in it, or what stood at its end. */
export type Kind = 'movement' | 'position'

export function rangeOf(query: PeriodQuery, today: string, periods: readonly BookPeriod[]): Range {
  const { period, start_date, as_of } = query
  if (period !== undefined) {
    if (start_date ?? query.end_date ?? as_of) throw invalid('Give either a period or dates, not both.')
    return rangeOfPeriod(period, today, periods)
  }
  if (as_of !== undefined && query.end_date !== undefined && as_of !== query.end_date) throw invalid('as_of and end_date are the same thing: give one of them.')
  const end_date = query.end_date ?? as_of ?? today
  const start = start_date ?? fiscalYearAt(periods, end_date).start_date
  if (start > end_date) throw invalid(`start_date ${start} lies after ${end_date}, the last day.`)
  return { start_date: start, end_date }
}

function rangeOfPeriod(period: Period, today: string, periods: readonly BookPeriod[]): Range {
  const year = today.slice(0, 4)
  const fiscal = fiscalYearAt(periods, today)
  const quarter = fiscalQuarterAt(periods, today)
  switch (period) {
    case 'this_month': return monthsFrom(firstDayOfMonth(today), 1)
    case 'last_month': return monthsFrom(addMonths(firstDayOfMonth(today), -1), 1)
    case 'this_quarter': return monthsFrom(quarter.start_date, 3)
    case 'last_quarter': return monthsFrom(addMonths(quarter.start_date, -3), 3)
    case 'this_year': return monthsFrom(`${year}-01-01`, 12)
    case 'last_year': return monthsFrom(addMonths(`${year}-01-01`, -12), 12)
    case 'year_to_date': return { start_date: `${year}-01-01`, end_date: today }
    case 'fiscal_ytd': return { start_date: fiscal.start_date, end_date: today }
    case 'this_fiscal_year': return { start_date: fiscal.start_date, end_date: fiscal.end_date }
    case 'last_fiscal_year': return datesOf(fiscalYearAt(periods, addDays(fiscal.start_date, -1)))
    // No entry lies outside the periods: posting makes those it needs.
    case 'all_time': return { start_date: earliest(periods[0]?.start_date, today), end_date: latest(periods.at(-1)?.end_date, today) }
  }
}

const earliest = (date: string | undefined, today: string) => (date !== undefined && date < today ? date : today)
const latest = (date: string | undefined, today: string) => (date !== undefined && date > today ? date : today)
const datesOf = ({ start_date, end_date }: Range): Range => ({ start_date, end_date })
const monthsFrom = (start_date: string, months: number): Range => ({ start_date, end_date: addDays(addMonths(start_date, months), -1) })

export type FiscalYear = Range & { fiscal_year: number }

/** The year of the business's periods; before the first and after the last of them years go on in the same way. */
export function fiscalYearAt(periods: readonly BookPeriod[], date: string): FiscalYear {
  const [first] = periods
  const last = periods.at(-1)
  if (!first || !last) return { fiscal_year: Number(date.slice(0, 4)), ...monthsFrom(`${date.slice(0, 4)}-01-01`, 12) }
  if (date < first.start_date) return yearBeyond(first.start_date, first.fiscal_year, date)
  if (date > last.end_date) return yearBeyond(addDays(last.end_date, 1), last.fiscal_year + 1, date)
  const fiscal_year = periods.findLast(({ start_date }) => start_date <= date)?.fiscal_year ?? first.fiscal_year
  const own = periods.filter((period) => period.fiscal_year === fiscal_year)
  return { fiscal_year, start_date: own[0]?.start_date ?? date, end_date: own.at(-1)?.end_date ?? date }
}

/** Whole years away from the start of a known one. */
function yearBeyond(start_date: string, fiscal_year: number, date: string): FiscalYear {
  const years = Math.floor(monthsBetween(start_date, date) / 12)
  return { fiscal_year: fiscal_year + years, ...monthsFrom(addMonths(start_date, years * 12), 12) }
}

function monthsBetween(from: string, to: string): number {
  const count = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))
  return count(to) - count(from)
}

export function fiscalQuarterAt(periods: readonly BookPeriod[], date: string): Range & { fiscal_year: number; quarter: number } {
  const { fiscal_year, start_date } = fiscalYearAt(periods, date)
  const quarter = Math.floor(monthsBetween(start_date, date) / 3)
  return { fiscal_year, quarter: quarter + 1, ...monthsFrom(addMonths(start_date, quarter * 3), 3) }
}

/** Whole months have as many whole months before them, any other range as many days. */
export function previousPeriod({ start_date, end_date }: Range): Range {
  const before = addDays(start_date, -1)
  if (!isWholeMonths({ start_date, end_date })) return { start_date: addDays(start_date, -1 - daysBetween(start_date, end_date)), end_date: before }
  return { start_date: addMonths(start_date, -1 - monthsBetween(start_date, end_date)), end_date: before }
}

/** The same dates a year earlier; whole months stay whole, and 29 February becomes 28. */
export function previousYear({ start_date, end_date }: Range): Range {
  const end = addMonths(end_date, -12)
  return { start_date: addMonths(start_date, -12), end_date: isWholeMonths({ start_date, end_date }) ? lastDayOfMonth(end) : end }
}

function isWholeMonths({ start_date, end_date }: Range): boolean {
  return start_date === firstDayOfMonth(start_date) && end_date === lastDayOfMonth(end_date)
}

/** The last day of a month is followed by the last day of another. */
function monthsEarlier(date: string, months: number): string {
  return addMonths(date, -months, date === lastDayOfMonth(date) ? 31 : undefined)
}

type Step = 'total' | 'month' | 'quarter' | 'year'

export function slotsOf(query: ColumnQuery, range: Range, kind: Kind, periods: readonly BookPeriod[]): ReportColumns {
  const wanted = query.columns ?? 'total'
  const step: Step = wanted === 'month' || wanted === 'quarter' || wanted === 'year' ? wanted : 'total'
  const axis = wanted === 'total' || step !== 'total' ? null : (wanted as Axis)
  const windows = step === 'total' ? [{ key: 'total', label: kind === 'movement' ? 'Total' : range.end_date, ...range }] : windowsOf(step, range, periods)
  const compare = [...new Set(query.compare)] as Comparison[]
  const slots = windows.flatMap((window, index): Slot[] => {
    const at = index * (compare.length + 1)
    const compared = compare.map((comparison): Slot => ({
      key: `${window.key}:${comparison}`,
      label: step === 'total' ? WORDS[wordOf(comparison)] : `${window.label}, ${WORDS[wordOf(comparison)].toLowerCase()}`,
      ...before(comparison, window, kind, step, query.start_date),
      comparison: { kind: comparison, with: at },
    }))
    return [{ ...window, comparison: null }, ...compared]
  })
  requireFew(slots.length)
  return { axis, slots: kind === 'movement' ? slots : slots.map((slot) => ({ ...slot, start_date: null })) }
}

const WORDS = { previous_period: 'Previous period', previous_year: 'Previous year', budget: 'Budget' }
const wordOf = (comparison: Comparison) => (comparison === 'previous_period' || comparison === 'previous_year' ? comparison : 'budget')

const MONTHS: Record<Step, number> = { total: 1, month: 1, quarter: 3, year: 12 }

/** What stands at a day belongs to no period; where one is told by its first day, the period before ends on the day before that. */
function before(comparison: Comparison, window: Range, kind: Kind, step: Step, first_day: string | undefined): Range {
  if (comparison.startsWith('budget:')) return datesOf(window)
  if (kind === 'movement') return comparison === 'previous_year' ? previousYear(window) : previousPeriod(window)
  if (comparison === 'previous_period' && step === 'total' && first_day !== undefined) return previousPeriod(window)
  const end_date = monthsEarlier(window.end_date, comparison === 'previous_year' ? 12 : MONTHS[step])
  return { start_date: end_date, end_date }
}

type Window = Range & { key: string; label: string }

/** The range cut at the ends of months, fiscal quarters or fiscal years. */
function windowsOf(step: Exclude<Step, 'total'>, range: Range, periods: readonly BookPeriod[]): Window[] {
  const windows: Window[] = []
  for (let start_date = range.start_date; ;) {
    const { key, label, end_date } = windowAt(step, start_date, periods)
    windows.push({ key, label, start_date, end_date: end_date < range.end_date ? end_date : range.end_date })
    requireFew(windows.length)
    if (end_date >= range.end_date) return windows
    start_date = addDays(end_date, 1)
  }
}

function windowAt(step: Exclude<Step, 'total'>, date: string, periods: readonly BookPeriod[]): { key: string; label: string; end_date: string } {
  if (step === 'month') return { key: monthOf(date), label: `${MONTH_NAMES[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`, end_date: lastDayOfMonth(date) }
  if (step === 'year') {
    const { fiscal_year, end_date } = fiscalYearAt(periods, date)
    return { key: String(fiscal_year), label: `FY ${fiscal_year}`, end_date }
  }
  const { fiscal_year, quarter, end_date } = fiscalQuarterAt(periods, date)
  return { key: `${fiscal_year}-Q${quarter}`, label: `Q${quarter} ${fiscal_year}`, end_date }
}

const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function requireFew(count: number): void {
  if (count <= MOST_COLUMNS) return
  throw invalid(`The report would have more than ${MOST_COLUMNS} columns: choose wider columns, a shorter period or fewer comparisons.`)
}

/** How the values of an axis are called; a filter by one that has others below it would mean those too. */
export type Names = { labels: ReadonlyMap<string, string>; with_children: ReadonlySet<string> }

/** The columns of the answer. Values of an axis stand in the order of their labels, what is unassigned at the end. */
export function columnsOf({ axis, slots }: ReportColumns, groups: readonly Group[], { labels, with_children }: Names): Column[] {
  if (axis === null) {
    const [group] = groups
    return slots.map((slot, index) => ({ ...datesAndKey(slot), slot: index, group, filters: {}, compared_with: slot.comparison?.with ?? null }))
  }
  const labelOf = (id: string) => labels.get(id) ?? id
  const named = groups.flatMap((group) => group.values[0] ?? []).sort((a, b) => compareText(labelOf(a), labelOf(b)) || compareText(a, b))
  const values = [...named, null]
  requireFew(values.length * slots.length)
  return values.flatMap((value, place) => slots.map((slot, index): Column => {
    const [key, label] = value === null ? ['unassigned', 'Unassigned'] : [value, labelOf(value)]
    return {
      key: slot.comparison ? `${key}:${slot.comparison.kind}` : key,
      label: slot.comparison ? `${label}, ${slot.label.toLowerCase()}` : label,
      start_date: slot.start_date,
      end_date: slot.end_date,
      slot: index,
      group: groups.find((group) => group.values[0] === value),
      filters: value === null || with_children.has(value) ? null : filterBy(axis, value),
      compared_with: slot.comparison ? place * slots.length + slot.comparison.with : null,
    }
  }))
}

function filterBy(axis: Axis, value: string): FigureFilters {
  return isPartyAxis(axis) ? { [`${axis}_id`]: value } : { dimension_value_ids: [value] }
}

function datesAndKey({ key, label, start_date, end_date }: Slot) {
  return { key, label, start_date, end_date }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
