// Widgets: the parts of a dashboard. Each says what is asked of the books and where the answer stands in a grid of twelve columns.
import { Type, type Static } from 'typebox'
import { id, integer, list, nullable, oneOf, optional, partial, shape, text, timestamp } from '../../foundation/shapes.ts'
import { Filters } from '../bindings/contract.ts'
import { GROUPINGS, METRIC_COMPARISONS } from '../metrics/contract.ts'
import { PERIODS } from '../report-columns/contract.ts'
import { WIDGET_KINDS } from '../shares/contract.ts'

export type WidgetKind = (typeof WIDGET_KINDS)[number]

export const MOST_WIDGETS = 40
export const GRID_COLUMNS = 12

const question = {
  group_by: oneOf(GROUPINGS, { description: 'Without it months for a line or bars where the metric has them, otherwise the first that the metric takes.' }),
  period: oneOf(PERIODS, { description: 'Without it that of the dashboard.' }),
  compare: oneOf(METRIC_COMPARISONS, { description: 'Without it the comparison of the dashboard.' }),
  top: integer(1, 50, { description: 'How many customers, vendors or ledgers; the rest is one figure.' }),
}

const metric = text(1, 100, { description: 'A metric of the catalogue. The receivables by age take receivable.' })

export const WidgetQuery = shape('WidgetQuery', {
  metric,
  group_by: nullable(question.group_by),
  period: nullable(question.period),
  compare: nullable(question.compare),
  top: nullable(question.top),
  filters: Filters,
})
export type WidgetQuery = Static<typeof WidgetQuery>

export const WidgetQueryInput = shape('WidgetQueryInput', {
  metric,
  group_by: optional(nullable(question.group_by)),
  period: optional(nullable(question.period)),
  compare: optional(nullable(question.compare)),
  top: optional(nullable(question.top)),
  filters: optional(Filters),
})
export type WidgetQueryInput = Static<typeof WidgetQueryInput>

const kind = oneOf(WIDGET_KINDS, { description: 'aging: the receivables by age. text: words without figures.' })
const words = text(1, 10_000, { description: 'Of a text, and of nothing else.' })
const place = {
  x: integer(0, GRID_COLUMNS - 1, { description: 'Columns to its left.' }),
  y: integer(0, 1000, { description: 'Rows above it.' }),
  w: integer(1, GRID_COLUMNS, { description: 'Columns wide.' }),
  h: integer(1, 20, { description: 'Rows high.' }),
}

export const Widget = shape('DashboardWidget', {
  id: id(),
  dashboard_id: id(),
  kind,
  title: text(1, 200),
  query: nullable(WidgetQuery),
  text: nullable(words),
  ...place,
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1, 2147483647),
})
export type Widget = Static<typeof Widget>

/** A row of the table. */
export const WidgetRow = Type.Object({ ...Widget.properties, business_id: id() })
export type WidgetRow = Static<typeof WidgetRow>

export const WidgetInput = shape('WidgetInput', {
  kind,
  title: optional(text(1, 200, { description: 'Without it the name of the metric.' })),
  query: optional(nullable(WidgetQueryInput)),
  text: optional(nullable(words)),
  x: optional(place.x),
  y: optional(integer(0, 1000, { description: 'Without x and y it stands below all others.' })),
  w: optional(place.w),
  h: optional(place.h),
})
export type WidgetInput = Static<typeof WidgetInput>

export const WidgetChange = partial('WidgetChange', {
  kind, title: text(1, 200), query: nullable(WidgetQueryInput), text: nullable(words), ...place,
})
export type WidgetChange = Static<typeof WidgetChange>

export const WidgetPlace = shape('WidgetPlace', { id: id(), ...place })
export type WidgetPlace = Static<typeof WidgetPlace>

export const Layout = shape('DashboardLayout', {
  widgets: list(WidgetPlace, { maxItems: 1000, description: 'Every widget of the dashboard, each once.' }),
})
export type Layout = Static<typeof Layout>
