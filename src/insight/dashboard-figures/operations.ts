// Works out what dashboards show. Nothing is kept: every answer is read from the reports, at one moment for all of it.
//
//   boardData(tx, board, override)        all figures of a board
//   hiddenReports(tx)                     the reports that the caller may not read, for work that goes on without the caller
import { addMonths, firstDayOfMonth } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Steps } from '../../foundation/endpoint.ts'
import type { Currency } from '../../foundation/money.ts'
import { notFound } from '../../foundation/refusal.ts'
import { getSettings } from '../../access/business-settings/operations.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { Binding, FigureSetting } from '../bindings/contract.ts'
import { resolveBindings } from '../bindings/operations.ts'
import type { Widget } from '../dashboard-widgets/contract.ts'
import { widgetBinding } from '../dashboard-widgets/rules.ts'
import { readBoard, type Board } from '../dashboards/operations.ts'
import type { MetricSeries } from '../metrics/contract.ts'
import { metricSeries } from '../metrics/operations.ts'
import { describedMetric, METRICS, metricOf } from '../metrics/rules.ts'
import type { Period } from '../report-columns/contract.ts'
import { rangeOf, type Range } from '../report-columns/rules.ts'
import type { Basis } from '../report-figures/contract.ts'
import { AGING, mayRead, READABLE, readableOf } from '../report-reading/operations.ts'
import type { Answer, BoardData, CataloguedMetric, Overview, QueryInput, WidgetData } from './contract.ts'

/** `hidden`: reports that are not shown besides those that the caller may not read. */
export type Override = { period?: Period; basis?: Basis; hidden?: readonly string[] }

export async function getData(tx: BusinessTx, dashboard_id: string, override: Override): Promise<BoardData> {
  return boardData(tx, await readBoard(tx, dashboard_id), override)
}

export async function getWidget(tx: BusinessTx, dashboard_id: string, widget_id: string, override: Override): Promise<WidgetData> {
  const board = await readBoard(tx, dashboard_id)
  const widgets = board.widgets.filter(({ id }) => id === widget_id.toLowerCase())
  const [data] = (await boardData(tx, { ...board, widgets }, override)).widgets
  if (!data) throw notFound('Widget')
  return data
}

export async function boardData(tx: BusinessTx, board: Pick<Board, 'id' | 'name' | 'filters' | 'widgets'>, override: Override = {}): Promise<BoardData> {
  const { comparison, dimension } = board.filters
  const period = override.period ?? board.filters.period
  const [{ books }, basis] = await Promise.all([readBooks(tx), basisFor(tx, override.basis ?? board.filters.basis)])
  const rangeFor = (wanted: Period): Range => rangeOf({ period: wanted }, tx.today, books.periods)
  const range = rangeFor(period)
  const setting = settingOf(tx, { ...range, basis, comparison, filters: dimension.length > 0 ? { dimension_value_id: dimension } : {} })
  const asked = board.widgets.map((widget) => {
    const own = override.period === undefined && widget.query?.period ? rangeFor(widget.query.period) : range
    return { widget, range: own, binding: datedBinding(widget, own) }
  })
  const answers = await answersTo(tx, asked.map(({ binding }) => binding), setting, override.hidden)
  return {
    dashboard_id: board.id, name: board.name, as_of: tx.now, currency: tx.business.base_currency as Currency, basis, ...range, period, comparison,
    widgets: asked.map(({ widget, range: own }, index) => ({ ...widget, ...own, as_of: tx.now, ...(answers[index] ?? NOTHING) })),
  }
}

const NOTHING: Answer = { restricted: false, problem: null, figures: [] }

async function basisFor(tx: BusinessTx, wanted: Basis | null | undefined): Promise<Basis> {
  return wanted ?? (await getSettings(tx)).accounting.default_basis
}

function settingOf(tx: BusinessTx, given: Omit<FigureSetting, 'known_at'>): FigureSetting {
  return { known_at: tx.now, ...given }
}

function datedBinding(widget: Widget, { start_date, end_date }: Range): Binding | null {
  const binding = widgetBinding(widget)
  if (!binding) return null
  return { ...binding, params: { ...binding.params, ...(binding.report === AGING ? { as_of: end_date } : { start_date, end_date }) } }
}

/** Of one state of the books; what the caller may not read is not even asked for. */
async function answersTo(tx: BusinessTx, bindings: readonly (Binding | null)[], setting: FigureSetting, hidden: readonly string[] = []): Promise<Answer[]> {
  const reports = bindings.map((binding) => binding && (binding.report ?? metricOf(binding.metric ?? '')?.report ?? null))
  const restricted = reports.map((report) => report !== null && (hidden.includes(report) || !isReadable(tx, report)))
  const open = bindings.map((binding, index) => (restricted[index] ? null : binding))
  const bound = (await resolveBindings(tx, open.filter((binding) => binding !== null), setting)).values()
  return open.map((binding, index): Answer => {
    if (restricted[index]) return { ...NOTHING, restricted: true }
    return binding === null ? NOTHING : { ...NOTHING, ...bound.next().value }
  })
}

function isReadable(tx: BusinessTx, report: string): boolean {
  const definition = readableOf(report)
  return definition === null || mayRead(tx, definition)
}

export function hiddenReports(tx: BusinessTx): string[] {
  return READABLE.filter((report) => !mayRead(tx, report)).map(({ report }) => report)
}

export async function listMetrics(tx: BusinessTx): Promise<CataloguedMetric[]> {
  return METRICS.map((metric) => ({ ...describedMetric(metric), restricted: !isReadable(tx, metric.report) }))
}

type Asked = { body: QueryInput }

/** Read as a GET is, in one state of the books: what is posted would otherwise see what others write meanwhile. */
export const queryMetric: Steps<BusinessTx, Asked, MetricSeries, null, MetricSeries> = {
  read: (tx, { body: { filters = {}, ...query } }) => metricSeries(tx, { ...query, ...given(filters), known_at: tx.now }),
  call: () => Promise.resolve(null),
  write: (_tx, _input, series) => Promise.resolve(series),
}

function given(filters: NonNullable<QueryInput['filters']>): object {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null && value !== undefined))
}

const MONTHS = 12

export async function getOverview(tx: BusinessTx, query: { basis?: Basis }): Promise<Overview> {
  const basis = await basisFor(tx, query.basis)
  const range = { start_date: addMonths(firstDayOfMonth(tx.today), 1 - MONTHS), end_date: tx.today }
  const months = { group_by: 'month' }
  const bindings: Binding[] = [
    { metric: 'cash_balance' }, { report: AGING, rows: ['total'] }, { metric: 'payable' },
    { metric: 'revenue', params: months }, { metric: 'net_income', params: months },
  ]
  const answers = await answersTo(tx, bindings, settingOf(tx, { ...range, basis, comparison: 'none', filters: {} }))
  const [cash = NOTHING, receivables_by_age = NOTHING, payables = NOTHING, revenue = NOTHING, profit = NOTHING] = answers
  const profit_by_month: Answer = {
    restricted: revenue.restricted || profit.restricted, problem: revenue.problem ?? profit.problem, figures: [...revenue.figures, ...profit.figures],
  }
  return { as_of: tx.now, currency: tx.business.base_currency as Currency, basis, ...range, cash, receivables_by_age, payables, profit_by_month }
}
