// Answers bindings with figures, all of them as the books were known at one moment.
//
//   resolveBindings(tx, bindings, at)   a Bound per binding, in their order; each distinct report is read once
//   checkBindings(tx, bindings)         refuses those that name what does not exist
//   requireReadable(tx, bindings)       refuses those that the caller may not read, for whoever has them answered in the caller's place
import { today } from '../../foundation/calendar.ts'
import { canonicalJson } from '../../foundation/canonical.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { compileCheck } from '../../foundation/http/validate.ts'
import { isUuid } from '../../foundation/ids.ts'
import { Refusal, unprocessable, type Problem } from '../../foundation/refusal.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { nameOf } from '../../ledger/posting/rules.ts'
import { FILTER_NAMES, MetricParameters, type MetricComparison, type MetricQuery, type MetricSeries } from '../metrics/contract.ts'
import { labelsOf, metricSeries } from '../metrics/operations.ts'
import { METRICS, metricOf } from '../metrics/rules.ts'
import { rangeOf } from '../report-columns/rules.ts'
import type { Period } from '../report-columns/contract.ts'
import { targetsOf } from '../report-figures/rules.ts'
import {
  AGING, checkParameters, mayRead, parametersOf, READABLE, readableOf, reportHref, reportReader, type ReadableReport, type ReportReader,
} from '../report-reading/operations.ts'
import type { Binding, Bound, FigureSetting } from './contract.ts'
import { emptyRow, figuresOf, gridOf, largestRows, mayBeEmpty, seriesGrid, type Grid, type GridRow, type MayBeEmpty } from './rules.ts'

/** More are no use to anybody on a slide or a board. */
const MOST_FIGURES = 2_000

export async function resolveBindings(tx: BusinessTx, bindings: readonly Binding[], at: FigureSetting): Promise<Bound[]> {
  const read = reportReader(tx)
  const series = new Map<string, Promise<MetricSeries>>()
  const metric = (query: MetricQuery): Promise<MetricSeries> => {
    const question = canonicalJson(query)
    const known = series.get(question) ?? metricSeries(tx, query, read)
    series.set(question, known)
    return known
  }
  return Promise.all(bindings.map((binding) => answerTo({ tx, at, read, metric }, binding)))
}

type Reading = { tx: BusinessTx; at: FigureSetting; read: ReportReader; metric: (query: MetricQuery) => Promise<MetricSeries> }

/** What one binding cannot be answered with does not keep the others from theirs. */
async function answerTo(reading: Reading, binding: Binding): Promise<Bound> {
  try {
    const [problem] = problemsOf(binding, [])
    if (problem) return without(problem.msg)
    const { report, metric, rows = [] } = binding
    const found = report ? await reportGrid(reading, report, given(binding)) : await metricGrid(reading, metric ?? '', given(binding))
    const picked = rows.length > 0 ? { ...found.grid, rows: await pickRows(reading.tx, found, rows) } : found.grid
    const count = picked.rows.length * picked.columns.length
    if (count > MOST_FIGURES) return without(`It has ${count} figures, and ${MOST_FIGURES} is the most: name rows, or choose fewer columns.`)
    return { figures: figuresOf(picked, reading.tx.business.base_currency, found.href), problem: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return without(sentenceOf(error))
  }
}

const without = (problem: string): Bound => ({ figures: [], problem: problem.slice(0, 500) })

function sentenceOf({ status, detail, problems = [] }: Refusal): string {
  const [problem] = problems
  if (problem) return `The parameter ${String(problem.loc.at(-1))}: ${problem.msg}`
  return status === 404 ? detail.replace(/ not found\.$/, ' does not exist any more.') : detail
}

type Parameters = Record<string, unknown>

/** Its parameters; null is as good as absent. */
function given({ params = {} }: Binding): Parameters {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== undefined))
}

/** `may_be_empty`: the rows that the report leaves out where nothing is in them. */
type Read = { grid: Grid; href: string; may_be_empty: MayBeEmpty }

const TOP = 'top'
const WITH_TOP = new Set(['by-dimension', AGING])

async function reportGrid(reading: Reading, report: string, params: Parameters): Promise<Read> {
  const { tx, read } = reading
  const definition = readableOf(report)
  if (!definition) throw new Refusal(404, `Report ${report} not found.`)
  if (!mayRead(tx, definition)) throw restricted(definition.title, definition)
  const { top, ...query } = await filled(reading, definition, params)
  const { value, problems } = checkParameters(definition, query)
  if (problems.length > 0) throw unprocessable(problems)
  const answer = await read<{ has_next?: boolean }>(report, value as object)
  if (answer.has_next && report !== AGING) {
    throw new Refusal(400, `${definition.title} has more lines than can be shown: name fewer ledgers, or a shorter period.`)
  }
  const grid = gridOf(report, answer)
  const shown = report === 'by-dimension' && typeof top === 'number' ? largestRows(grid, top) : grid
  return { grid: shown, href: reportHref(report, value as object), may_be_empty: mayBeEmpty(report) }
}

function restricted(title: string, { endpoint: { permission } }: ReadableReport): Refusal {
  return new Refusal(403, `${title} may not be read here: it takes the permission ${permission}.`)
}

/** What the binding leaves out comes from the setting; the moment always does. */
async function filled({ tx, at }: Reading, definition: ReadableReport, params: Parameters): Promise<Parameters> {
  const names = parametersOf(definition)
  const query: Parameters = { ...(await dated(tx, at, params)), known_at: at.known_at }
  const [end] = ['end_date', 'as_of'].filter((name) => names.has(name))
  const last = query['end_date'] ?? query['as_of']
  if (end && last === undefined) query[end] = at.end_date
  if (names.has('start_date') && String(last ?? at.end_date) >= at.start_date) query['start_date'] ??= at.start_date
  if (names.has('basis')) query['basis'] ??= at.basis
  if (names.has('compare') && query['compare'] === undefined) {
    if (at.comparison === 'budget' && PLANNED.has(definition.report)) throw noBudgets()
    const compare = REPORTED[at.comparison]
    if (compare) query['compare'] = [compare]
  }
  Object.assign(query, filtersFor(at, definition.title, query, (name) => names.has(name)))
  if (definition.report === AGING) query['limit'] = query[TOP] ?? query['limit'] ?? MOST_CUSTOMERS
  else if (names.has('limit')) query['limit'] ??= definition.report === 'explain' ? 1 : MOST_LINES
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.has(name) || name === TOP))
}

const MOST_CUSTOMERS = 10
const MOST_LINES = 1000
const PLANNED = new Set(['profit-and-loss', 'managerial'])
const REPORTED: Partial<Record<FigureSetting['comparison'], string>> = { prior_period: 'previous_period', prior_year: 'previous_year' }
const noBudgets = () => new Refusal(400, 'There are no budgets yet that it could be compared with.')

/** A period is told from the moment that the figures are of, not from today: so it stays the same. */
async function dated(tx: BusinessTx, { known_at }: FigureSetting, params: Parameters): Promise<Parameters> {
  const { period, ...others } = params
  if (period === undefined) return others
  const { books } = await readBooks(tx)
  return { ...others, ...rangeOf({ ...others, period: period as Period }, today(new Date(known_at), tx.business.timezone), books.periods) }
}

/** What the setting is filtered by and the binding is not; what cannot be filtered so is not shown whole instead. */
function filtersFor({ filters }: FigureSetting, title: string, params: Parameters, takes: (name: (typeof FILTER_NAMES)[number]) => boolean): Parameters {
  const wanted = FILTER_NAMES.filter((name) => (filters[name]?.length ?? 0) > 0 && params[name] === undefined)
  const strange = wanted.find((name) => !takes(name))
  if (strange) throw new Refusal(400, `${title} cannot be filtered by ${strange.replace(/_id$/, '').replaceAll('_', ' ')}.`)
  return Object.fromEntries(wanted.map((name) => [name, filters[name]]))
}

async function metricGrid({ at, metric }: Reading, key: string, params: Parameters): Promise<Read> {
  const definition = metricOf(key)
  const { value, problems } = metricCheck(params)
  if (problems.length > 0 || !definition) throw unprocessable(problems)
  const own = value as Omit<MetricQuery, 'metric'>
  if (own.compare === undefined && at.comparison === 'budget' && definition.report === 'profit-and-loss') throw noBudgets()
  const compare: MetricComparison = own.compare ?? (at.comparison === 'budget' ? 'none' : at.comparison)
  const dates = own.period === undefined ? { start_date: own.start_date ?? at.start_date, end_date: own.end_date ?? at.end_date } : {}
  const filters = filtersFor(at, definition.title, own, (name) => definition.filters.includes(name))
  const series = await metric({ ...own, metric: key, ...dates, compare, basis: own.basis ?? at.basis, ...filters, known_at: at.known_at })
  const report = readableOf(definition.report)
  if (series.restricted && report) throw restricted(definition.title, report)
  const { start_date, end_date, known_at } = series
  const href = reportHref(definition.report, { start_date, end_date, basis: series.basis ?? undefined, known_at, ...filters })
  return { grid: seriesGrid(series), href, may_be_empty: mayBeEmpty(series.group_by) }
}

const metricCheck = compileCheck('query', MetricParameters)

/** In the order asked for. Rows that are empty are not in a report; what does not exist is no row of any. */
async function pickRows(tx: BusinessTx, { grid, may_be_empty }: Read, keys: readonly string[]): Promise<GridRow[]> {
  const byKey = new Map(grid.rows.map((row) => [row.key, row]))
  const idOf = (key: string) => key.replace(/:direct$/, '')
  const ids = keys.filter((key) => !byKey.has(key)).map(idOf).filter(isUuid)
  const { ledgers } = ids.length > 0 ? (await readBooks(tx)).books : { ledgers: new Map<string, BookLedger>() }
  const targets = targetsOf(ledgers)
  const named = await Promise.all(PARTIES.map((type) => labelsOf(tx, type, ids.filter((id) => !ledgers.has(id)))))
  const labels = new Map([...[...ledgers.values()].map((ledger) => [ledger.id, nameOf(ledger)] as const), ...named.flatMap((each) => [...each])])
  return keys.map((key): GridRow => {
    const row = byKey.get(key) ?? byKey.get(targets.get(idOf(key)) ?? '')
    if (row) return row
    const label = may_be_empty.records ? labels.get(idOf(key)) : undefined
    if (label !== undefined) return emptyRow(grid, key, label)
    if (may_be_empty.keys.has(key)) return emptyRow(grid, key, words(key))
    throw isUuid(idOf(key)) && !labels.has(idOf(key)) ? new Refusal(404, `Row ${key} not found.`) : new Refusal(400, `There is no row ${key} in it.`)
  })
}

const PARTIES = ['customer', 'vendor', 'project', 'dimension_value']
const words = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')

/** Refuses with 422, a problem per binding and parameter; `placeOf` says where the binding stands in the body. */
export async function checkBindings(
  _tx: BusinessTx, bindings: readonly Binding[], placeOf: (index: number) => Problem['loc'] = (index) => ['body', 'bindings', index],
): Promise<void> {
  const problems = bindings.flatMap((binding, index) => problemsOf(binding, placeOf(index)))
  if (problems.length > 0) throw unprocessable(problems)
}

/** With 403. What is answered once and kept for all is not asked by somebody who may not see it. */
export function requireReadable(tx: BusinessTx, bindings: readonly Binding[]): void {
  for (const { report, metric } of bindings) {
    const definition = readableOf(report ?? metricOf(metric ?? '')?.report ?? '')
    if (definition && !mayRead(tx, definition)) throw restricted(definition.title, definition)
  }
}

/** What the setting or the service decides. */
const NOT_OWN = new Set(['known_at', 'format', 'cursor', 'direction', 'include_total_count'])

function problemsOf(binding: Binding, place: Problem['loc']): Problem[] {
  const { report, metric } = binding
  const problem = (path: readonly string[], msg: string, type: Problem['type'] = 'value_error'): Problem => ({ loc: [...place, ...path], msg, type })
  const placed = ({ loc, ...found }: Problem): Problem => ({ ...found, loc: [...place, 'params', ...loc.slice(1)] })
  if (Boolean(report) === Boolean(metric)) return [problem([], 'Name either a report or a metric.')]
  const params = given(binding)
  if (report) {
    const definition = readableOf(report)
    if (!definition) return [problem(['report'], `There is no report ${report}; there are ${READABLE.map((each) => each.report).join(', ')}.`, 'enum')]
    const names = new Set([...parametersOf(definition), ...(WITH_TOP.has(report) ? [TOP] : [])].filter((name) => !NOT_OWN.has(name)))
    const { [TOP]: top, ...rest } = params
    const badTop = WITH_TOP.has(report) && top !== undefined && !(Number.isInteger(top) && Number(top) >= 1 && Number(top) <= 100)
    return [
      ...strangers(params, names, problem),
      ...(badTop ? [problem(['params', TOP], 'Must be a whole number from 1 to 100.')] : []),
      ...checkParameters(definition, rest).problems.map(placed),
    ]
  }
  const definition = metricOf(metric ?? '')
  if (!definition) return [problem(['metric'], `There is no metric ${metric}; there are ${METRICS.map((each) => each.metric).join(', ')}.`, 'enum')]
  const { filters, group_by, title } = definition
  const others = Object.keys(MetricParameters.properties).filter((name) => !(FILTER_NAMES as readonly string[]).includes(name))
  const fits = params['group_by'] === undefined || (group_by as unknown[]).includes(params['group_by'])
  return [
    ...strangers(params, new Set([...others, ...filters]), problem),
    ...(fits ? [] : [problem(['params', 'group_by'], `${title} is grouped by ${group_by.join(', ')}.`, 'enum')]),
    ...metricCheck(params).problems.filter(({ loc }) => loc[1] !== 'group_by').map(placed),
  ]
}

function strangers(params: Parameters, names: ReadonlySet<string>, problem: (path: readonly string[], msg: string) => Problem): Problem[] {
  const msg = `There is no such parameter; there are ${[...names].join(', ')}.`
  return Object.keys(params).filter((name) => !names.has(name)).map((name) => problem(['params', name], msg))
}
