// A binding says which report or metric a figure comes from; a figure never stands without one.
//
//   Binding             what is asked: a report of the catalogue, or a metric, with its parameters
//   Figure              one number of the answer, with its place in the report and the way to its lines
//   Bound               a binding answered: its figures, or why there are none
//   FigureSetting       what a deck or a dashboard says for all of its bindings: dates, basis, comparison, filters, and the moment
import { Type, type Static } from 'typebox'
import { anyObject, cents, id, integer, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import type { Basis } from '../report-figures/contract.ts'
import { ROW_KINDS } from '../report-shape/contract.ts'

export const Binding = shape('FigureBinding', {
  report: optional(nullable(text(1, 100, { description: 'A report of the catalogue, such as profit-and-loss. Either this or metric.' }))),
  metric: optional(nullable(text(1, 100, { description: 'A metric of the catalogue, such as revenue.' }))),
  params: optional(anyObject({ description: 'The parameters of the report or the metric. Dates left out are those of the deck or the dashboard.' })),
  rows: optional(list(text(1, 100), { maxItems: 100, description: 'Only the rows with these keys, in this order.' })),
})
export type Binding = Static<typeof Binding>

export const FIGURE_UNITS = ['currency', 'percent', 'ratio', 'days', 'months', 'count'] as const
export type FigureUnit = (typeof FIGURE_UNITS)[number]

export const Figure = shape('BoundFigure', {
  key: text(1, 220, { description: 'Row and column of the report, joined by @: unique among the figures of a binding, and the same after every refresh.' }),
  label: Type.String({ description: 'Of the row.' }),
  row: text(1, 100, { description: 'The key of its row.' }),
  column: text(1, 110, { description: 'The key of its column.' }),
  column_label: Type.String(),
  kind: oneOf(ROW_KINDS),
  depth: integer(0, 20),
  unit: oneOf(FIGURE_UNITS),
  value_cents: nullable(cents({ description: 'Integer cents of the base currency, where the unit is currency.' })),
  decimal: nullable(Type.String({ description: 'Decimal text, where the unit is another.' })),
  formatted: Type.String({ description: 'As it is shown; "n/m" where it has no meaning, such as a change from nothing.' }),
  reason: nullable(Type.String({ description: 'Why it has no value.' })),
  href: nullable(Type.String({
    description: 'Leads to the lines behind it, or to the report where no one list of lines makes it, as it was known at the same moment.',
  })),
})
export type Figure = Static<typeof Figure>

/** Figures in the order of the report: row by row, each with its columns. */
export type Bound = { figures: Figure[]; problem: string | null }

export const Filters = shape('FigureFilters', {
  customer_id: optional(nullable(id())),
  vendor_id: optional(nullable(id())),
  project_id: optional(nullable(id())),
  dimension_value_id: optional(list(id(), {
    maxItems: 20, description: 'Only lines with these values, or ones below them: one of each dimension that is named.',
  })),
})
export type Filters = Static<typeof Filters>

export const COMPARISONS = ['none', 'prior_period', 'prior_year', 'budget'] as const
export type SettingComparison = (typeof COMPARISONS)[number]

/** Fills in what a binding leaves out; `known_at` always counts. */
export type FigureSetting = {
  known_at: string
  start_date: string
  end_date: string
  basis: Basis
  comparison: SettingComparison
  filters: Filters
}
