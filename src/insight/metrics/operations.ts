// Makes the series of a metric by reading the report that it names.
import { addDays, today } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents, toCents, type Currency } from '../../foundation/money.ts'
import { invalid, unprocessable } from '../../foundation/refusal.ts'
import { resources } from '../../foundation/resource.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { BookPeriod } from '../../ledger/books/contract.ts'
import type { ReceivableAging } from '../../receivables/receivable-aging/contract.ts'
import type { KeyFigures } from '../key-figures/contract.ts'
import { askedOf, type Asked } from '../report-columns/operations.ts'
import { fiscalYearAt, previousPeriod, previousYear, rangeOf, slotsOf, type Range } from '../report-columns/rules.ts'
import type { DateRange } from '../report-figures/contract.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf, natural } from '../report-figures/rules.ts'
import { AGING, mayRead, readableOf, reportHref, reportReader, type ReportReader } from '../report-reading/operations.ts'
import type { Report, ReportCell } from '../report-shape/contract.ts'
import { explainHref } from '../report-shape/rules.ts'
import {
  DEFAULT_TOP, FILTER_NAMES, MOST_POINTS, type Grouping, type MetricComparison, type MetricPoint, type MetricQuery, type MetricSeries,
} from './contract.ts'
import {
  amountOf, comparedWith, largest, leavesOf, METRICS, metricOf, monthsBefore, nothing, quotientOf, reasonOf, rowOf, unitsOf,
  type Counted, type Made, type Metric, type Source, type Value,
} from './rules.ts'

/** `read` is shared by whoever asks for several, so that each report is read once. */
export async function metricSeries(tx: BusinessTx, query: MetricQuery, read: ReportReader = reportReader(tx)): Promise<MetricSeries> {
  const metric = requireMetric(query)
  const { group_by = metric.group_by[0] ?? 'none', compare = 'none', known_at = tx.now } = query
  requireFitting(metric, group_by, query)
  const definition = readableOf(metric.report)
  const allowed = definition !== null && mayRead(tx, definition)
  const asked = allowed ? await askedOf(tx, { ...query, known_at }) : null
  const { periods } = asked?.books ?? (await readBooks(tx)).books
  const range = rangeOf(query, today(new Date(known_at), tx.business.timezone), periods)
  const { title, unit, report, row } = metric
  const about = {
    metric: metric.metric, title, unit, report, row, currency: tx.business.base_currency as Currency, known_at, ...range, group_by, compare,
  }
  if (asked === null) return { ...about, restricted: true, basis: null, points: [] }
  const asking: Asking = { tx, read, metric, asked, range, periods, group_by, compare, top: query.top ?? DEFAULT_TOP, named_only: query.named_only ?? false, common: commonOf(query, asked) }
  return { ...about, restricted: false, basis: report === AGING ? null : asked.figures.basis, points: await pointsOf(asking) }
}

type Asking = {
  tx: BusinessTx
  read: ReportReader
  metric: Metric
  asked: Asked
  range: Range
  periods: readonly BookPeriod[]
  group_by: Grouping
  compare: MetricComparison
  top: number
  named_only: boolean
  /** The parameters that every report is asked with. */
  common: Common
}

type Common = { basis: string; known_at: string } & Pick<MetricQuery, (typeof FILTER_NAMES)[number]>

function requireMetric({ metric }: MetricQuery): Metric {
  const found = metricOf(metric)
  if (found) return found
  const names = METRICS.map((each) => each.metric).join(', ')
  throw unprocessable([{ loc: ['body', 'metric'], msg: `There is no metric ${metric.slice(0, 100)}; there are ${names}.`, type: 'enum' }])
}

function requireFitting({ title, group_by: groups, filters }: Metric, group_by: Grouping, query: MetricQuery): void {
  if (!groups.includes(group_by)) throw invalid(`${title} cannot be grouped by ${group_by}: choose ${groups.join(', ')}.`)
  const strange = FILTER_NAMES.find((name) => isGiven(query[name]) && !filters.includes(name))
  if (!strange) return
  const ways = filters.length === 0 ? 'it takes no filters' : `it takes ${filters.join(', ')}`
  throw invalid(`${title} cannot be filtered by ${strange}: ${ways}.`)
}

const isGiven = (filter: string | string[] | undefined): boolean => filter !== undefined && filter.length > 0

function commonOf(query: MetricQuery, { figures: { basis, known_at } }: Asked): Common {
  const filters = Object.fromEntries(FILTER_NAMES.filter((name) => isGiven(query[name])).map((name) => [name, query[name]]))
  return { basis, known_at: known_at ?? '', ...filters }
}

function pointsOf(asking: Asking): Promise<MetricPoint[]> {
  const { group_by } = asking
  if (group_by === 'customer' || group_by === 'vendor') return partyPoints(asking, group_by)
  return group_by === 'ledger' ? ledgerPoints(asking) : timePoints(asking)
}

/** Dates that a value is wanted for, and the window that it is compared with. */
type Window = Range & { key: string; label: string; compared_by: Range | null }

async function timePoints(asking: Asking): Promise<MetricPoint[]> {
  const windows = windowsOf(asking)
  const ranges = [...windows, ...windows.flatMap(({ compared_by }) => compared_by ?? [])]
  const values = await valuesOf(asking, asking.metric.source, ranges)
  const { position } = asking.metric
  const valueAt = (range: Range): Value => values.get(nameOf(range)) ?? { ...nothing('It could not be read.'), href: null }
  return windows.map(({ key, label, compared_by, ...range }): MetricPoint => {
    const value = valueAt(range)
    const dates = ({ start_date, end_date }: Range) => ({ start_date: position ? null : start_date, end_date })
    return { key, label, ...dates(range), ...value, compared: compared_by && comparedWith(value, valueAt(compared_by), dates(compared_by)) }
  })
}

const nameOf = ({ start_date, end_date }: Range): string => `${start_date} ${end_date}`

/** So many fiscal years at once give no more columns than a report has, those of a comparison with them. */
const YEARS = { month: 2, quarter: 7, year: 28 }

function stretchesOf({ group_by, range, periods }: Asking): Range[] {
  if (group_by !== 'month' && group_by !== 'quarter' && group_by !== 'year') return [range]
  const stretches: Range[] = []
  let years: Range[] = []
  for (let start_date = range.start_date; start_date <= range.end_date;) {
    const { end_date } = fiscalYearAt(periods, start_date)
    years.push({ start_date, end_date: end_date < range.end_date ? end_date : range.end_date })
    const [first] = years
    if (first && (years.length === YEARS[group_by] || end_date >= range.end_date)) {
      stretches.push({ start_date: first.start_date, end_date: years.at(-1)?.end_date ?? end_date })
      years = []
    }
    start_date = addDays(end_date, 1)
    if (stretches.length > MOST_POINTS) break
  }
  return stretches
}

function windowsOf(asking: Asking): Window[] {
  const { group_by, compare, periods } = asking
  const windows = stretchesOf(asking).flatMap((stretch) => slotsOf(group_by === 'none' ? {} : { columns: group_by }, stretch, 'movement', periods).slots)
  if (windows.length > MOST_POINTS) throw invalid(`The series would have more than ${MOST_POINTS} points: choose a shorter period or a wider grouping.`)
  return windows.map(({ key, label, start_date, end_date }): Window => {
    const range = { start_date: start_date ?? end_date, end_date }
    return { key, label, ...range, compared_by: priorOf(range, compare) }
  })
}

function priorOf(range: Range, compare: MetricComparison): Range | null {
  if (compare === 'none') return null
  return compare === 'prior_year' ? previousYear(range) : previousPeriod(range)
}

type Values = ReadonlyMap<string, Value>

async function valuesOf(asking: Asking, source: Source, ranges: readonly Range[]): Promise<Values> {
  if (source.kind === 'statement') return statementValues(asking, source, ranges)
  const distinct = [...new Map(ranges.map((range) => [nameOf(range), range])).values()]
  return new Map(await Promise.all(distinct.map(async (range) => [nameOf(range), await valueOf(asking, source, range)] as const)))
}

/** One reading for all columns; what no column shows is read by itself. */
async function statementValues(asking: Asking, { report, rows, make }: Source & { kind: 'statement' }, ranges: readonly Range[]): Promise<Values> {
  const { read, common, group_by, compare } = asking
  const found = new Map<string, Value>()
  const name = ({ start_date, end_date }: DateRange) => (report === 'balance-sheet' ? end_date : `${start_date} ${end_date}`)
  const take = (answer: Report) => {
    for (const [place, column] of answer.columns.entries()) {
      const cells = rows.map((key) => rowOf(answer.rows, key)?.cells[place])
      const href = (rows.length === 1 ? cells[0]?.href : null) ?? hrefOf(asking, column)
      found.set(name(column), { ...make(cells.map((cell) => cell?.amount ?? 0)), href })
    }
  }
  const columns = { ...(group_by === 'none' ? {} : { columns: group_by }), ...(compare === 'none' ? {} : { compare: [REPORTED[compare]] }) }
  for (const answer of await Promise.all(stretchesOf(asking).map((stretch) => read<Report>(report, { ...common, ...stretch, ...columns })))) take(answer)
  const missing = [...new Map(ranges.filter((range) => !found.has(name(range))).map((range) => [name(range), range])).values()]
  for (const answer of await Promise.all(missing.map((range) => read<Report>(report, { ...common, ...range })))) take(answer)
  return new Map(ranges.map((range) => [nameOf(range), found.get(name(range)) ?? { ...nothing('It could not be read.'), href: null }]))
}

const REPORTED = { prior_period: 'previous_period', prior_year: 'previous_year' }

async function valueOf(asking: Asking, source: Source, range: Range): Promise<Value> {
  const { read, common, metric } = asking
  const href = hrefOf(asking, range)
  const keyFigures = (dates: Range) => read<KeyFigures>('key-figures', { ...common, ...dates })
  if (source.kind === 'key_figure') return { ...keyFigureOf(await keyFigures(range), source.figure), href }
  if (source.kind === 'runway') {
    const months = monthsBefore(range.end_date)
    const [now, burnt] = await Promise.all([keyFigures(range), keyFigures(months)])
    const cash = inputOf(now, 'cash', 'cash')
    const decrease = inputOf(burnt, 'burn', 'cash before the period') - inputOf(burnt, 'burn', 'cash')
    const reason = `Cash did not become less in the three full months up to ${months.end_date}.`
    return { ...quotientOf((cash > 0n ? cash : 0n) * inputOf(burnt, 'burn', 'days'), decrease * 30n, 1, reason), href }
  }
  if (source.kind === 'cash_flow') {
    const { rows } = await read<Report>('cash-flow', { ...common, ...range, method: 'direct' })
    const sums = ['operating', 'investing', 'financing'].map((part) => rowOf(rows, `${part}_${source.side}`)?.cells[0]?.amount ?? 0)
    const amount = source.side === 'receipts' ? addCents(...sums) : 0 - addCents(...sums)
    return { ...amountOf(amount), href: reportHref(metric.report, { ...range, method: 'direct', ...common }) }
  }
  const { known_at, customer_id } = common
  const { totals } = await read<ReceivableAging>(AGING, { as_of: range.end_date, known_at, customer_id, limit: 1 })
  return { ...amountOf(addCents(totals.d1_30, totals.d31_60, totals.d61_90, totals.over_90)), href }
}

function inputOf({ figures: all }: KeyFigures, figure: string, name: string): bigint {
  return BigInt(all.find(({ key }) => key === figure)?.inputs.find((each) => each.name === name)?.amount ?? 0)
}

function keyFigureOf({ figures: all }: KeyFigures, figure: string): Made {
  const found = all.find(({ key }) => key === figure)
  if (!found || found.value === null) return nothing(reasonOf(figure))
  return found.unit === 'currency' ? amountOf(toCents(unitsOf(found.value, 2))) : { value_cents: null, decimal: found.value, reason: null }
}

/** Where no list of lines stands behind a value, its report does. */
function hrefOf({ metric: { report }, common }: Asking, { start_date, end_date }: DateRange): string {
  if (report === AGING) return reportHref(report, { as_of: end_date, known_at: common.known_at, customer_id: common.customer_id })
  return reportHref(report, report === 'balance-sheet' || start_date === null ? { as_of: end_date, ...common } : { start_date, end_date, ...common })
}

type Item = Counted & { label: string; href: string | null; href_before: string | null }

/** The largest, then all others together, then what belongs to none. */
function itemPoints({ metric, range, compare }: Asking, shown: readonly Item[], rest: readonly Item[]): MetricPoint[] {
  const prior = priorOf(range, compare)
  const dates = ({ start_date, end_date }: Range) => ({ start_date: metric.position ? null : start_date, end_date })
  return [...shown, ...rest].map(({ key, label, amount, before, href, href_before }): MetricPoint => {
    const value = { ...amountOf(amount), href }
    return { key, label, ...dates(range), ...value, compared: prior && comparedWith(value, { ...amountOf(before), href: href_before }, dates(prior)) }
  })
}

function othersOf(rest: Pick<Counted, 'amount' | 'before'> | null): Item[] {
  return rest ? [{ key: 'others', label: 'Others', ...rest, href: null, href_before: null }] : []
}

async function partyPoints(asking: Asking, axis: 'customer' | 'vendor'): Promise<MetricPoint[]> {
  const { tx, metric, asked, range, compare, top, named_only } = asking
  const ranges = [range, priorOf(range, compare)].flatMap((each) => (each ? [{ ...each, start_date: metric.position ? null : each.start_date }] : []))
  const { groups, books } = await figures(tx, { ...asked.figures, ranges, split: [axis] })
  const ledgers = [...books.ledgers.values()].filter((ledger) => metric.parties?.(ledger) ?? false)
  const counted = groups.map((group) => {
    const sum = (place: number) => addCents(...ledgers.map(({ id, type }) => natural(type, balanceOf(group, id, place))))
    const moved = ledgers.filter(({ id }) => group.ledgers.has(id)).map(({ id }) => id)
    return { key: group.values[0] ?? UNASSIGNED, amount: sum(0), before: ranges.length > 1 ? sum(1) : 0, moved }
  }).filter(({ amount, before }) => amount !== 0 || before !== 0)
  const { shown, rest } = largest(counted.filter(({ key }) => key !== UNASSIGNED), top)
  const labels = await labelsOf(tx, axis, shown.map(({ key }) => key))
  // Lines of somebody whom the caller may not see cannot be asked for.
  const href = (id: string, moved: readonly string[], place: number) => {
    const dates = ranges[place]
    const filters = { ...asked.figures.filters, [`${axis}_id`]: id }
    return dates && labels.has(id) ? explainHref({ ...asked.figures, ledger_ids: moved, ...dates, filters }) : null
  }
  const named = shown.map(({ key, moved, ...item }): Item => (
    { key, ...item, label: labels.get(key) ?? key, href: href(key, moved, 0), href_before: href(key, moved, 1) }))
  const unassigned = counted.filter(({ key }) => key === UNASSIGNED && !named_only)
    .map(({ moved: _moved, ...item }): Item => ({ ...item, label: 'Unassigned', href: null, href_before: null }))
  return itemPoints(asking, named, [...othersOf(rest), ...unassigned])
}

const UNASSIGNED = 'unassigned'

/** How records are called; those of a kind that the caller may not read are left out. */
export async function labelsOf(tx: BusinessTx, axis: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const resource = resources.get(axis)
  if (!resource?.lookup || ids.length === 0 || !tx.actor.permissions.has(`${resource.group}:read`)) return new Map()
  return new Map((await tx.many(resource.lookup, { ids })).map(({ id, label }) => [id, label]))
}

async function ledgerPoints(asking: Asking): Promise<MetricPoint[]> {
  const { read, metric, common, range, compare, top } = asking
  const { rows } = await read<Report>('profit-and-loss', { ...common, ...range, ...(compare === 'none' ? {} : { compare: [REPORTED[compare]] }) })
  const leaves = leavesOf((metric.sections ?? []).flatMap((key) => rowOf(rows, key) ?? []))
  const items = leaves.map(({ key, label, cells }): Item => {
    const [now, before] = cells as [ReportCell, ReportCell?]
    return { key, label, amount: now.amount, before: before?.amount ?? 0, href: now.href, href_before: before?.href ?? null }
  })
  const { shown, rest } = largest(items, top)
  return itemPoints(asking, shown, othersOf(rest))
}
