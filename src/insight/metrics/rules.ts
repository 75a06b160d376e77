// The catalogue of metrics, and what can be worked out without I/O: values, changes, the largest of many.
//
//   METRICS, metricOf(key)      what there is, and how each is read from reports
//   amountOf, quotientOf        an amount, and a fraction of amounts that says why where it has none
//   comparedWith(now, before)   the change from one value to another
//   largest(all, top)           the largest, and the rest as one
//   monthsBefore(date)          the three full months up to a day
import { addDays, addMonths, firstDayOfMonth, lastDayOfMonth } from '../../foundation/calendar.ts'
import { addCents, divideRounded } from '../../foundation/money.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { decimalText, quotient } from '../key-figures/rules.ts'
import type { Range } from '../report-columns/rules.ts'
import { percentOf } from '../report-shape/rules.ts'
import type { ReportRow } from '../report-shape/contract.ts'
import type { ComparedPoint, Grouping, MetricDescription, MetricPoint } from './contract.ts'
import { FILTER_NAMES } from './contract.ts'

export type Value = Pick<MetricPoint, 'value_cents' | 'decimal' | 'reason' | 'href'>

export type Statement = 'profit-and-loss' | 'balance-sheet'

/** How a metric is read. */
export type Source =
  /** Rows of one statement, put together. */
  | { kind: 'statement'; report: Statement; rows: readonly string[]; make: (amounts: readonly number[]) => Made }
  /** The figure of the key figures. */
  | { kind: 'key_figure'; figure: string }
  /** Cash by the burn of three full months. */
  | { kind: 'runway' }
  /** Receipts or payments of the direct cash flow. */
  | { kind: 'cash_flow'; side: 'receipts' | 'payments' }
  | { kind: 'overdue' }
  | { kind: 'party' }
  | { kind: 'ledgers' }

export type Made = Pick<Value, 'value_cents' | 'decimal' | 'reason'>

export type Metric = MetricDescription & {
  /** Stands at the last day, instead of being made in the period. */
  position: boolean
  source: Source
  /** The ledgers whose lines by customer or vendor it is made of. */
  parties?: (ledger: BookLedger) => boolean
  /** The sections of the profit and loss whose ledgers it is made of. */
  sections?: readonly string[]
}

const TIMES: readonly Grouping[] = ['none', 'month', 'quarter', 'year']

export const amountOf = (value_cents: number): Made => ({ value_cents, decimal: null, reason: null })
export const nothing = (reason: string): Made => ({ value_cents: null, decimal: null, reason })

/** As key figures round it; null, with the reason, unless the divisor is above zero. */
export function quotientOf(numerator: bigint, denominator: bigint, decimals: number, reason: string): Made {
  const decimal = quotient(numerator, denominator, decimals)
  return decimal === null ? nothing(reason) : { value_cents: null, decimal, reason: null }
}

const of = (type: string, ...subtypes: readonly string[]) => (ledger: BookLedger): boolean => ledger.type === type && subtypes.includes(ledger.subtype)

type Given = Pick<Metric, 'metric' | 'title' | 'description'> & Partial<Metric>

/** A row of the profit and loss. */
const earned = (given: Given & { row: string }): Metric => ({
  unit: 'currency', report: 'profit-and-loss', filters: [...FILTER_NAMES], position: false,
  source: { kind: 'statement', report: 'profit-and-loss', rows: [given.row], make: ([amount = 0]) => amountOf(amount) },
  ...given,
  group_by: [...TIMES, ...(given.parties ? ['customer', 'vendor'] as const : []), ...(given.sections ? ['ledger'] as const : [])],
})

/** A row of the balance sheet. */
const standing = (given: Given & { row: string }): Metric => ({
  unit: 'currency', report: 'balance-sheet', filters: [...FILTER_NAMES], group_by: [...TIMES], position: true,
  source: { kind: 'statement', report: 'balance-sheet', rows: [given.row], make: ([amount = 0]) => amountOf(amount) },
  ...given,
})

const keyFigure = (given: Given & { unit: Metric['unit']; row: string }): Metric => ({
  report: 'key-figures', filters: [], group_by: [...TIMES], position: false, source: { kind: 'key_figure', figure: given.row }, ...given,
})

const NO_REVENUE = 'There is no revenue to divide by.'
const NOT_OWED = 'There are no current liabilities to divide by.'

/** Why a key figure is undefined. */
const REASONS: Readonly<Record<string, string>> = {
  gross_margin: NO_REVENUE, net_margin: NO_REVENUE, dso: NO_REVENUE, current_ratio: NOT_OWED, quick_ratio: NOT_OWED,
  dpo: 'There is no cost of goods sold to divide by.', cash_runway: 'No cash was burnt in the period.',
}
export const reasonOf = (figure: string): string => REASONS[figure] ?? 'It would be divided by zero.'

const EXPENSE_SECTIONS = ['cost_of_goods_sold', 'operating_expense', 'other_expense', 'interest', 'income_tax']

export const METRICS: readonly Metric[] = [
  earned({
    metric: 'revenue', title: 'Revenue', description: 'Revenue of the period, before discounts.', row: 'revenue',
    parties: of('income', 'revenue'), sections: ['revenue'],
  }),
  earned({
    metric: 'cost_of_goods_sold', title: 'Cost of goods sold', description: 'What the goods and services sold in the period cost.', row: 'cost_of_goods_sold',
    parties: of('expense', 'cost_of_goods_sold'), sections: ['cost_of_goods_sold'],
  }),
  earned({ metric: 'gross_profit', title: 'Gross profit', description: 'Revenue less discounts and cost of goods sold.', row: 'gross_profit' }),
  earned({
    metric: 'gross_margin', title: 'Gross margin', description: 'Gross profit in per cent of revenue less discounts, as the key figures have it.',
    unit: 'percent', row: 'gross_profit / net_revenue',
    source: {
      kind: 'statement', report: 'profit-and-loss', rows: ['gross_profit', 'net_revenue'],
      make: ([profit = 0, revenue = 0]) => quotientOf(BigInt(profit) * 100n, BigInt(revenue), 2, NO_REVENUE),
    },
  }),
  earned({
    metric: 'operating_expense', title: 'Operating expense', description: 'Payroll, operating expenses, bank fees and depreciation.', row: 'operating_expense',
    parties: of('expense', 'payroll', 'operating', 'bank_fees', 'depreciation'), sections: ['operating_expense'],
  }),
  earned({ metric: 'net_income', title: 'Net income', description: 'What income and expenses leave.', row: 'net_income' }),
  keyFigure({ metric: 'cash_balance', title: 'Cash', description: 'Cash at the last day.', unit: 'currency', row: 'cash', position: true }),
  {
    metric: 'cash_in', title: 'Cash in', description: 'Receipts of the period by the direct method; what moves between ledgers of cash is none.',
    unit: 'currency', report: 'cash-flow', row: 'receipts of all activities, method=direct', filters: [], group_by: [...TIMES],
    position: false, source: { kind: 'cash_flow', side: 'receipts' },
  },
  {
    metric: 'cash_out', title: 'Cash out', description: 'Payments of the period by the direct method; what moves between ledgers of cash is none.',
    unit: 'currency', report: 'cash-flow', row: 'payments of all activities, method=direct', filters: [], group_by: [...TIMES],
    position: false, source: { kind: 'cash_flow', side: 'payments' },
  },
  keyFigure({
    metric: 'burn', title: 'Burn', description: 'What cash became less in the period, per 30 days; 0 where it grew.', unit: 'currency', row: 'burn',
  }),
  {
    metric: 'runway_months', title: 'Runway',
    description: 'Cash at the last day by the mean burn of the three full months up to it; at the end of a month the cash_runway of those months.',
    unit: 'months', report: 'key-figures', row: 'cash / burn of three full months', filters: [], group_by: [...TIMES],
    position: true, source: { kind: 'runway' },
  },
  standing({
    metric: 'receivable', title: 'Receivable', description: 'What customers owe at the last day.', row: 'accounts_receivable',
    parties: of('asset', 'accounts_receivable'), group_by: [...TIMES, 'customer'],
  }),
  {
    metric: 'receivable_overdue', title: 'Overdue receivable', description: 'What customers owe past its due date at the last day.',
    unit: 'currency', report: 'receivable-aging', row: 'd1_30 + d31_60 + d61_90 + over_90', filters: ['customer_id'], group_by: [...TIMES],
    position: true, source: { kind: 'overdue' },
  },
  keyFigure({ metric: 'dso', title: 'Days sales outstanding', description: 'Receivables by revenue of the period, in days.', unit: 'days', row: 'dso' }),
  standing({
    metric: 'payable', title: 'Payable', description: 'What is owed to vendors at the last day.', row: 'accounts_payable',
    parties: of('liability', 'accounts_payable'), group_by: [...TIMES, 'vendor'],
  }),
  keyFigure({
    metric: 'dpo', title: 'Days payables outstanding', description: 'Payables by cost of goods sold of the period, in days.', unit: 'days', row: 'dpo',
  }),
  standing({
    metric: 'current_ratio', title: 'Current ratio', description: 'Current assets by current liabilities at the last day, as the key figures have it.',
    unit: 'ratio', row: 'current_assets / current_liabilities',
    source: {
      kind: 'statement', report: 'balance-sheet', rows: ['current_assets', 'current_liabilities'],
      make: ([assets = 0, owed = 0]) => quotientOf(BigInt(assets), BigInt(owed), 2, NOT_OWED),
    },
  }),
  standing({
    metric: 'working_capital', title: 'Working capital', description: 'Current assets less current liabilities at the last day.',
    row: 'current_assets - current_liabilities',
    source: {
      kind: 'statement', report: 'balance-sheet', rows: ['current_assets', 'current_liabilities'],
      make: ([assets = 0, owed = 0]) => amountOf(addCents(assets, 0 - owed)),
    },
  }),
  standing({ metric: 'inventory_value', title: 'Inventory', description: 'What the stock is worth in the books at the last day.', row: 'inventory' }),
  standing({
    metric: 'deferred_revenue', title: 'Deferred revenue', description: 'What was paid for and is not earned yet at the last day.', row: 'deferred_revenue',
  }),
  {
    metric: 'top_customers', title: 'Top customers', description: 'Revenue of the period by customer, the largest first.',
    unit: 'currency', report: 'profit-and-loss', row: 'revenue, columns=customer', filters: [...FILTER_NAMES], group_by: ['customer'],
    position: false, source: { kind: 'party' }, parties: of('income', 'revenue'),
  },
  {
    metric: 'top_vendors', title: 'Top vendors', description: 'Expenses of the period by vendor, the largest first.',
    unit: 'currency', report: 'by-dimension', row: 'rows=vendor, type=expense, column total', filters: [...FILTER_NAMES], group_by: ['vendor'],
    position: false, source: { kind: 'party' }, parties: ({ type }) => type === 'expense',
  },
  {
    metric: 'expense_by_ledger', title: 'Expenses by ledger', description: 'All expenses of the period by ledger, the largest first.',
    unit: 'currency', report: 'profit-and-loss', row: 'ledgers of cost_of_goods_sold, operating_expense, other_expense, interest and income_tax',
    filters: [...FILTER_NAMES], group_by: ['ledger'], position: false, source: { kind: 'ledgers' }, sections: EXPENSE_SECTIONS,
  },
]

const byKey = new Map(METRICS.map((metric) => [metric.metric, metric]))

export function metricOf(key: string): Metric | null {
  return byKey.get(key) ?? null
}

/** What the catalogue tells of a metric. */
export function describedMetric({ metric, title, description, unit, report, row, group_by, filters }: Metric): MetricDescription {
  return { metric, title, description, unit, report, row, group_by, filters }
}

/** Down to the rows of ledgers that have none below them. */
export function leavesOf(rows: readonly ReportRow[]): ReportRow[] {
  return rows.flatMap((row) => (row.rows.length > 0 ? leavesOf(row.rows) : row.ledger_id === null ? [] : [row]))
}

/** The row of this key, at whatever depth. */
export function rowOf(rows: readonly ReportRow[], key: string): ReportRow | null {
  for (const row of rows) {
    const found = row.key === key ? row : rowOf(row.rows, key)
    if (found) return found
  }
  return null
}

export function comparedWith(now: Value, before: Value, { start_date, end_date }: Pick<ComparedPoint, 'start_date' | 'end_date'>): ComparedPoint {
  const change_cents = now.value_cents === null || before.value_cents === null ? null : addCents(now.value_cents, 0 - before.value_cents)
  const difference = now.decimal === null || before.decimal === null ? null : subtracted(now.decimal, before.decimal)
  const [part, base] = difference ? [difference.units, difference.base] : [BigInt(change_cents ?? 0), BigInt(before.value_cents ?? 0)]
  const change_percent = base > 0n ? percentOf(Number(part), Number(base)) : null
  return { start_date, end_date, ...before, change_cents, change_decimal: difference?.text ?? null, change_percent }
}

type Difference = { units: bigint; base: bigint; text: string }

/** Exact, with as many decimals as the longer of the two. */
function subtracted(now: string, before: string): Difference {
  const decimals = Math.max(decimalsOf(now), decimalsOf(before))
  const [minuend, base] = [unitsOf(now, decimals), unitsOf(before, decimals)]
  return { units: minuend - base, base, text: decimalText(minuend - base, decimals) }
}

const decimalsOf = (decimal: string): number => decimal.split('.')[1]?.length ?? 0

/** A decimal text as a whole number of so many decimals, half away from zero. */
export function unitsOf(decimal: string, decimals: number): bigint {
  const own = decimalsOf(decimal)
  const units = BigInt(decimal.replace('.', ''))
  return own <= decimals ? units * 10n ** BigInt(decimals - own) : divideRounded(units, 10n ** BigInt(own - decimals))
}

export type Counted = { key: string; amount: number; before: number }

/** The largest first; the rest added up in one. */
export function largest<Each extends Counted>(all: readonly Each[], top: number): { shown: Each[]; rest: Pick<Counted, 'amount' | 'before'> | null } {
  const sorted = all.toSorted((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1))
  const others = sorted.slice(top)
  const rest = others.length === 0 ? null : { amount: addCents(...others.map(({ amount }) => amount)), before: addCents(...others.map(({ before }) => before)) }
  return { shown: sorted.slice(0, top), rest }
}

export function monthsBefore(date: string): Range {
  const end_date = date === lastDayOfMonth(date) ? date : addDays(firstDayOfMonth(date), -1)
  return { start_date: addMonths(firstDayOfMonth(end_date), -2), end_date }
}
