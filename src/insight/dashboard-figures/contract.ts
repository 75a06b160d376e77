// The figures of dashboards: of a whole board or one widget, of a question that stands on none, and of the first page.
import { type Static } from 'typebox'
import { BASES } from '../../access/businesses/contract.ts'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, date, id, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { currency } from '../../ledger/ledgers/contract.ts'
import { COMPARISONS, Figure, Filters } from '../bindings/contract.ts'
import { Widget } from '../dashboard-widgets/contract.ts'
import { MetricDescription, metricParameters, MetricSeries, MOST_POINTS } from '../metrics/contract.ts'
import { PERIODS } from '../report-columns/contract.ts'

const answer = {
  restricted: boolean({ description: 'The caller may not read the report behind it: there are no figures.' }),
  problem: nullable(text(1, 500, { description: 'Why there are no figures, such as a ledger that is gone; the others are not touched by it.' })),
  figures: list(Figure, { description: 'Each with its place in its report and the way to its lines. One without a value says why.' }),
}

export const Answer = shape('DashboardAnswer', answer)
export type Answer = Static<typeof Answer>

export const WidgetData = shape('WidgetData', {
  ...Widget.properties,
  start_date: date({ description: 'The first day that its figures are of.' }),
  end_date: date({ description: 'The last one, at which it stands.' }),
  as_of: timestamp(),
  ...answer,
})
export type WidgetData = Static<typeof WidgetData>

const setting = {
  as_of: timestamp({ description: 'The known_at of every figure: reports that are asked with it say the same, now and later.' }),
  currency,
  basis: oneOf(BASES),
  start_date: date(),
  end_date: date(),
}

export const BoardData = shape('DashboardData', {
  dashboard_id: id(),
  name: text(1, 200),
  ...setting,
  period: oneOf(PERIODS),
  comparison: oneOf(COMPARISONS),
  widgets: list(WidgetData),
})
export type BoardData = Static<typeof BoardData>

export const Overview = shape('DashboardOverview', {
  ...setting,
  cash: Answer,
  receivables_by_age: Answer,
  payables: Answer,
  profit_by_month: Answer,
})
export type Overview = Static<typeof Overview>

export const CataloguedMetric = shape('CataloguedMetric', {
  ...MetricDescription.properties, restricted: boolean({ description: 'The caller may not read the report behind it.' }),
})
export type CataloguedMetric = Static<typeof CataloguedMetric>

const { start_date, end_date, period, group_by, compare, top, basis } = metricParameters

export const QueryInput = shape('DashboardQuery', {
  metric: text(1, 100), period, start_date, end_date, group_by, compare, top, basis, filters: optional(Filters),
})
export type QueryInput = Static<typeof QueryInput>

const endpoint = endpointsOf('dashboards', 'business')
const override = {
  period: optional(oneOf(PERIODS, { description: 'Instead of the periods of the dashboard and its widgets; nothing is saved.' })),
  basis: optional(oneOf(BASES, { description: 'Instead of that of the dashboard.' })),
}

export const getData = endpoint({
  id: 'get_dashboard_data', method: 'GET', path: '/{dashboard_id}/data', summary: 'Get all figures of a dashboard',
  description: 'Of one state of the books. Each equals the report that it names to the cent.',
  params: shape('DashboardDataParams', { dashboard_id: id() }),
  query: shape('DashboardDataQuery', override),
  reply: BoardData,
})

export const getWidget = endpoint({
  id: 'get_widget', method: 'GET', path: '/{dashboard_id}/widgets/{widget_id}', summary: 'Get a widget with its figures',
  live: true,
  params: shape('WidgetDataParams', { dashboard_id: id(), widget_id: id() }),
  query: shape('WidgetDataQuery', override),
  reply: WidgetData,
})

export const listMetrics = endpoint({
  id: 'list_metrics', method: 'GET', path: '/metrics', summary: 'List the metrics',
  description: 'What can be asked: what each is, which report it equals, and what it can be told apart and filtered by.',
  reply: list(CataloguedMetric),
})

export const queryMetric = endpoint({
  id: 'query_metric', method: 'POST', path: '/query', summary: 'Ask for a metric',
  description: 'Changes nothing: it is posted because the question does not fit into a query. An unknown metric is a 422.',
  permission: 'dashboards:read',
  allow_read_only: true,
  body: QueryInput,
  reply: MetricSeries,
  refusals: [`The series would have more than ${MOST_POINTS} points.`, 'The metric cannot be grouped or filtered so.', 'Both a period and dates are given.'],
  example: { metric: 'revenue', period: 'this_year', group_by: 'month', compare: 'prior_year' },
})

export const getOverview = endpoint({
  id: 'get_dashboard_overview', method: 'GET', path: '/overview', summary: 'Get the figures of the first page',
  description: 'Cash, receivables by age and payables of today, and the profit of the last twelve months.',
  query: shape('DashboardOverviewQuery', { basis: optional(oneOf(BASES, { description: 'Without it the default_basis of the business.' })) }),
  reply: Overview,
})
