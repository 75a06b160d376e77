// The columns of a statement: which dates they cover, what they are split by and what they are compared with.
//
//   columnQuery                  the query parameters that choose them
//   Slot, ReportColumns          what was asked for, as dates (slotsOf in rules.ts); an axis is filled in once the figures are there
//   Column                       a column of the answer with the figures behind it
//   BudgetFigures                a plug: the planned amounts of a budget, handed in by the program
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Type, type Static } from 'typebox'
import { date, list, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import type { Axis, DateRange, FigureFilters, Group } from '../report-figures/contract.ts'

export const PERIODS = [
  'this_month', 'last_month', 'this_quarter', 'last_quarter', 'this_year', 'last_year', 'year_to_date',
  'fiscal_ytd', 'this_fiscal_year', 'last_fiscal_year', 'all_time',
] as const
export type Period = (typeof PERIODS)[number]

export const MOST_COLUMNS = 60

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** The dates of a statement. */
export const periodQuery = {
  start_date: optional(date({ description: 'First day; without it that of the fiscal year of the last day.' })),
  end_date: optional(date({ description: 'Last day; without it today.' })),
  as_of: optional(date({ description: 'The same as end_date.' })),
  period: optional(oneOf(PERIODS, {
    description: 'Instead of dates. Relative to today where the business is; quarters are those of the fiscal year, '
      + 'this_year and last_year are calendar years.',
  })),
}

export const columnQuery = {
  ...periodQuery,
  columns: optional(Type.String({
    pattern: '^(total|month|quarter|year|customer|vendor|project|dimension:[a-z][a-z0-9_-]{1,39})$', maxLength: 60, default: 'total',
    description: 'total, month, quarter, year (both fiscal), customer, vendor, project or dimension:<key>. '
      + `At most ${MOST_COLUMNS} columns; those of an axis end with "unassigned".`,
  })),
  compare: optional(list(Type.String({ pattern: `^(previous_period|previous_year|budget:${UUID})$`, maxLength: 60 }), {
    maxItems: 3,
    description: 'previous_period, previous_year, budget:<id>: each adds a column beside every other, whose cells also have variance and variance_percent. '
      + 'The period before whole months is as many whole months, before other ranges as many days.',
  })),
}

export type PeriodQuery = Static<ReturnType<typeof Type.Object<typeof periodQuery>>>
export type ColumnQuery = Static<ReturnType<typeof Type.Object<typeof columnQuery>>>

export const ReportColumn = shape('ReportColumn', {
  key: Type.String({ description: 'total, 2026-03, 2026-Q1, 2026, an id or unassigned; with :previous_year and the like behind it where it is a comparison.' }),
  label: Type.String(),
  start_date: nullable(date({ description: 'null: from the beginning of the books.' })),
  end_date: date(),
})

export type Comparison = 'previous_period' | 'previous_year' | `budget:${string}`

/** Dates that a column covers. */
export type Slot = {
  key: string
  label: string
  start_date: string | null
  end_date: string
  /** For a comparison: what it is, and the place of the slot it is compared with. */
  comparison: { kind: Comparison; with: number } | null
}

export type ReportColumns = { axis: Axis | null; slots: readonly Slot[] }

/** A column of the answer: which slot it shows, and of which group of the figures. */
export type Column = Static<typeof ReportColumn> & {
  slot: number
  group: Group | undefined
  /** What lines of this column carry beside what the whole report is filtered by; null where filters cannot say it. */
  filters: FigureFilters | null
  /** The place of the column that this one is compared with. */
  compared_with: number | null
}

/** The amounts that a budget plans per ledger and range, in natural signs; null where there is no such budget. */
export type BudgetFigures = (tx: BusinessTx, budget_id: string, ranges: readonly DateRange[]) => Promise<ReadonlyMap<string, readonly number[]> | null>
