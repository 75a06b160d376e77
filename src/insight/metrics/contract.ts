// Metrics: single figures with a name, each equal to the report that it names.
//
//   metricParameters        what a metric takes
//   MetricSeries            its answer: points over time, or the largest parties or ledgers
//   METRICS                 the catalogue (rules.ts); metricSeries(tx, query) (operations.ts) makes one
import { Type, type Static } from 'typebox'
import { boolean, cents, date, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { BASES } from '../../access/businesses/contract.ts'
import { currency } from '../../ledger/ledgers/contract.ts'
import { UNITS } from '../key-figures/contract.ts'
import { periodQuery } from '../report-columns/contract.ts'
import { figureQuery } from '../report-shape/contract.ts'

export const GROUPINGS = ['none', 'month', 'quarter', 'year', 'customer', 'vendor', 'ledger'] as const
export type Grouping = (typeof GROUPINGS)[number]

export const METRIC_COMPARISONS = ['none', 'prior_period', 'prior_year'] as const
export type MetricComparison = (typeof METRIC_COMPARISONS)[number]

export const MOST_POINTS = 400
export const DEFAULT_TOP = 10

const { start_date, end_date, period } = periodQuery
const { basis, customer_id, vendor_id, project_id, dimension_value_id } = figureQuery

export const FILTER_NAMES = ['customer_id', 'vendor_id', 'project_id', 'dimension_value_id'] as const

export const metricParameters = {
  start_date,
  end_date,
  period,
  group_by: optional(oneOf(GROUPINGS, { description: 'Quarters and years are fiscal. Without it the first that the metric takes.' })),
  compare: optional(oneOf(METRIC_COMPARISONS, {
    default: 'none', description: 'The period before whole months is as many whole months, before other ranges as many days.',
  })),
  top: optional(integer(1, MOST_POINTS - 2, {
    default: DEFAULT_TOP, description: 'How many customers, vendors or ledgers are shown; the rest is one point.',
  })),
  named_only: optional(boolean({ default: false, description: 'Without what names no customer or vendor.' })),
  basis,
  customer_id,
  vendor_id,
  project_id,
  dimension_value_id,
}
export const MetricParameters = Type.Object(metricParameters)
export type MetricParameters = Static<typeof MetricParameters>

/** `known_at`: without it now. */
export type MetricQuery = MetricParameters & { metric: string; known_at?: string | undefined }

export const MetricDescription = shape('MetricDescription', {
  metric: text(1, 40),
  title: Type.String(),
  description: Type.String({ description: 'What it is, in words.' }),
  unit: oneOf(UNITS),
  report: text(1, 100, { description: 'The report that it equals for the same dates, basis, filters and known_at.' }),
  row: Type.String({ description: 'Its place in the report: a row, or rows put together.' }),
  group_by: list(oneOf(GROUPINGS), { description: 'What it can be told apart by; the first is taken where none is given.' }),
  filters: list(oneOf(FILTER_NAMES)),
})
export type MetricDescription = Static<typeof MetricDescription>

const value = {
  value_cents: nullable(cents({ description: 'Integer cents of the base currency, where the unit is currency.' })),
  decimal: nullable(Type.String({ description: 'Decimal text, where the unit is another.' })),
  reason: nullable(Type.String({ description: 'Why it has no value, such as a division by zero.' })),
  href: nullable(Type.String({
    description: 'Leads to the lines behind it, or to the report where no one list of lines makes it, as it was known at the same moment.',
  })),
}

export const ComparedPoint = shape('ComparedMetricPoint', {
  start_date: nullable(date()),
  end_date: date(),
  ...value,
  change_cents: nullable(cents({ description: 'What it is more now.' })),
  change_decimal: nullable(Type.String()),
  change_percent: nullable(Type.String({ description: 'In per cent of the value compared with, one decimal; null where that is not above zero.' })),
})
export type ComparedPoint = Static<typeof ComparedPoint>

export const MetricPoint = shape('MetricPoint', {
  key: text(1, 100, { description: 'total, 2026-03, 2026-Q1, 2026, an id, others or unassigned.' }),
  label: Type.String(),
  start_date: nullable(date({ description: 'null where it stands at end_date.' })),
  end_date: date(),
  ...value,
  compared: nullable(ComparedPoint),
})
export type MetricPoint = Static<typeof MetricPoint>

export const MetricSeries = shape('MetricSeries', {
  metric: text(1, 40),
  title: Type.String(),
  unit: oneOf(UNITS),
  report: text(1, 100),
  row: Type.String(),
  restricted: boolean({ description: 'The caller may not read the report behind it: there are no points.' }),
  currency,
  basis: nullable(oneOf(BASES, { description: 'null where the report knows no basis.' })),
  known_at: timestamp(),
  start_date: date(),
  end_date: date(),
  group_by: oneOf(GROUPINGS),
  compare: oneOf(METRIC_COMPARISONS),
  points: list(MetricPoint),
})
export type MetricSeries = Static<typeof MetricSeries>
