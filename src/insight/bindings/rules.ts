// From the answers of reports and metrics to figures, without I/O.
//
//   gridOf(report, answer)          rows and columns of any report's answer
//   seriesGrid(series)              the same of a metric
//   largestRows(grid, top)          the largest rows, and the others as one
//   figuresOf(grid, currency, …)    the figures, in the order of the report
//   formattedOf(...)                a value as it is shown
import { addCents, toCents } from '../../foundation/money.ts'
import { countText, moneyText } from '../../foundation/wording.ts'
import { SUBTYPES } from '../../ledger/ledgers/contract.ts'
import type { ReceivableAging } from '../../receivables/receivable-aging/contract.ts'
import type { ControlAccounts } from '../control-accounts/contract.ts'
import type { Explanation } from '../explain/contract.ts'
import type { GeneralLedger } from '../general-ledger/contract.ts'
import type { JournalReport } from '../journal-report/contract.ts'
import type { KeyFigures } from '../key-figures/contract.ts'
import { decimalText } from '../key-figures/rules.ts'
import type { MetricPoint, MetricSeries } from '../metrics/contract.ts'
import { reasonOf, unitsOf } from '../metrics/rules.ts'
import type { Report, ReportRow, RowKind } from '../report-shape/contract.ts'
import type { Figure, FigureUnit } from './contract.ts'

/** `href` null: the address of the report is taken. */
export type Cell = { unit: FigureUnit; value_cents: number | null; decimal: string | null; reason: string | null; href: string | null }
export type GridRow = { key: string; label: string; kind: RowKind; depth: number; cells: readonly Cell[] }
export type Grid = { columns: readonly { key: string; label: string }[]; rows: readonly GridRow[] }

export const TOTAL = 'total'
export const OTHERS = 'others'
export const UNASSIGNED = 'unassigned'

export const money = (value_cents: number, href: string | null = null): Cell => ({ unit: 'currency', value_cents, decimal: null, reason: null, href })
const missing = (unit: FigureUnit, reason: string): Cell => ({ unit, value_cents: null, decimal: null, reason, href: null })
const number = (unit: FigureUnit, decimal: string, href: string | null = null): Cell => ({ unit, value_cents: null, decimal, reason: null, href })

/** The code of the currency and all cents; percent, days and months with one decimal; "n/m" where there is no value. */
export function formattedOf({ unit, value_cents, decimal }: Pick<Cell, 'unit' | 'value_cents' | 'decimal'>, currency: string): string {
  if (value_cents !== null) return moneyText(value_cents, currency)
  if (decimal === null) return 'n/m'
  if (unit === 'count') return countText(Number(decimal))
  if (unit === 'ratio' || unit === 'currency') return decimal
  const shown = decimalText(unitsOf(decimal, 1), 1)
  return unit === 'percent' ? `${shown}%` : `${shown} ${unit}`
}

/** A change from nothing, or from less than nothing, has no percentage. */
function change(base: number, percent: string | null): Cell {
  if (percent !== null && base > 0) return number('percent', percent)
  return missing('percent', base === 0 ? 'It is compared with zero.' : 'It is compared with a negative amount.')
}

const flat = (rows: readonly ReportRow[]): ReportRow[] => rows.flatMap((row) => [row, ...flat(row.rows)])

function statementGrid({ report, columns, rows }: Report): Grid {
  const all = flat(rows)
  const compared = columns.map((_, place) => all.some(({ cells }) => cells[place]?.variance !== undefined))
  return {
    columns: columns.flatMap(({ key, label }, place) => (compared[place] ? besides(key, label) : [{ key, label }])),
    rows: all.map(({ key, label, kind, depth, cells }): GridRow => ({
      // The rows between two axes are parts of the total, whatever they are.
      key, label, kind: report === 'by-dimension' && kind === 'subtotal' ? 'ledger' : kind, depth,
      cells: cells.flatMap(({ amount, href, variance, variance_percent }, place): Cell[] => (
        compared[place] ? [money(amount, href), money(variance ?? 0), change(amount, variance_percent ?? null)] : [money(amount, href)])),
    })),
  }
}

const besides = (key: string, label: string) => [
  { key, label }, { key: `${key}:variance`, label: `${label}: variance` }, { key: `${key}:variance_percent`, label: `${label}: variance %` },
]

function keyFiguresGrid({ figures }: KeyFigures): Grid {
  return {
    columns: [{ key: 'value', label: 'Value' }],
    rows: figures.map(({ key, label, unit, value }) => ({
      key, label, kind: 'ledger', depth: 0,
      cells: [value === null ? missing(unit, reasonOf(key)) : unit === 'currency' ? money(toCents(unitsOf(value, 2))) : number(unit, value)],
    })),
  }
}

const AGES = [
  ['current', 'Not due'], ['d1_30', '1 to 30 days'], ['d31_60', '31 to 60 days'], ['d61_90', '61 to 90 days'], ['over_90', 'Over 90 days'],
  ['unapplied_credits', 'Unapplied credits'], ['total', 'Total'],
] as const

function agingGrid({ items, totals, buckets, has_next }: ReceivableAging): Grid {
  const [first = 30, second = 60, third = 90] = buckets
  const named: Partial<Record<string, string>> = {
    d1_30: `1 to ${first} days`, d31_60: `${first + 1} to ${second} days`, d61_90: `${second + 1} to ${third} days`, over_90: `Over ${third} days`,
  }
  const shown = (age: (typeof AGES)[number][0]) => addCents(...items.map((item) => item[age]))
  const rest: GridRow = { key: OTHERS, label: 'Others', kind: 'ledger', depth: 0, cells: AGES.map(([age]) => money(totals[age] - shown(age))) }
  const others = has_next ? [rest] : []
  return {
    columns: AGES.map(([key, label]) => ({ key, label: named[key] ?? label })),
    rows: [
      ...items.map((item): GridRow => ({
        key: item.customer_id ?? UNASSIGNED, label: item.customer_name ?? item.customer_id ?? 'Nobody', kind: 'ledger', depth: 0,
        cells: AGES.map(([age]) => money(item[age])),
      })),
      ...others,
      { key: TOTAL, label: 'Total', kind: 'total', depth: 0, cells: AGES.map(([age]) => money(totals[age])) },
    ],
  }
}

function controlGrid({ accounts }: ControlAccounts): Grid {
  const cell = (amount: number | null) => (amount === null ? missing('currency', 'No documents stand behind it yet.') : money(amount))
  return {
    columns: [{ key: 'balance', label: 'Balance' }, { key: 'sub_ledger', label: 'Open items' }, { key: 'difference', label: 'Difference' }],
    rows: accounts.map(({ ledger_id, number: code, name, balance, sub_ledger, difference }) => (
      { key: ledger_id, label: code ? `${code} ${name}` : name, kind: 'ledger', depth: 0, cells: [money(balance), cell(sub_ledger), cell(difference)] })),
  }
}

function generalLedgerGrid({ ledgers }: GeneralLedger): Grid {
  const columns = [['opening', 'Opening'], ['debit', 'Debit'], ['credit', 'Credit'], ['closing', 'Closing']] as const
  return {
    columns: columns.map(([key, label]) => ({ key, label })),
    rows: ledgers.map((ledger): GridRow => ({
      key: ledger.ledger_id, label: ledger.number ? `${ledger.number} ${ledger.name}` : ledger.name, kind: 'ledger', depth: 0,
      cells: columns.map(([key]) => money(ledger[key])),
    })),
  }
}

function journalGrid({ items }: JournalReport): Grid {
  return {
    columns: [{ key: TOTAL, label: 'Total' }],
    rows: items.map(({ id, number: entry_number, memo, source_type, total, href }) => (
      { key: id, label: `#${entry_number} ${memo ?? source_type}`, kind: 'ledger', depth: 0, cells: [money(total, href)] })),
  }
}

function explanationGrid({ amount, documents }: Explanation): Grid {
  return {
    columns: [{ key: 'amount', label: 'Amount' }],
    rows: [
      { key: 'amount', label: 'Amount', kind: 'total', depth: 0, cells: [money(amount)] },
      ...(documents ?? []).map((document): GridRow => ({
        key: `${document.source_type}:${document.source_id ?? 'none'}`, label: document.source_type.replaceAll('_', ' '), kind: 'ledger', depth: 1,
        cells: [money(document.amount)],
      })),
    ],
  }
}

export function gridOf(report: string, answer: object): Grid {
  switch (report) {
    case 'key-figures': return keyFiguresGrid(answer as KeyFigures)
    case 'receivable-aging': return agingGrid(answer as ReceivableAging)
    case 'control-accounts': return controlGrid(answer as ControlAccounts)
    case 'general-ledger': return generalLedgerGrid(answer as GeneralLedger)
    case 'journal': return journalGrid(answer as JournalReport)
    case 'explain': return explanationGrid(answer as Explanation)
    default: return statementGrid(answer as Report)
  }
}

const WORDS = { prior_period: ['previous_period', 'Previous period'], prior_year: ['previous_year', 'Previous year'] } as const

/** Over time a metric is one row with a column per point; otherwise a row per customer, vendor or ledger. */
export function seriesGrid({ metric, title, unit, group_by, compare, points }: MetricSeries): Grid {
  const beside = (key: string, label: string) => {
    if (compare === 'none') return [{ key, label }]
    const [word, name] = WORDS[compare]
    return [{ key, label }, ...besides(`${key}:${word}`, key === TOTAL ? name : `${label}, ${name.toLowerCase()}`)]
  }
  const cellsOf = (point: MetricPoint) => pointCells(point, unit)
  if (group_by === 'customer' || group_by === 'vendor' || group_by === 'ledger') {
    const rows = points.map((point): GridRow => ({ key: point.key, label: point.label, kind: 'ledger', depth: 0, cells: cellsOf(point) }))
    return { columns: beside(TOTAL, 'Total'), rows }
  }
  return {
    columns: points.flatMap(({ key, label }) => beside(key, label)),
    rows: [{ key: metric, label: title, kind: 'total', depth: 0, cells: points.flatMap(cellsOf) }],
  }
}

function pointCells({ compared, ...point }: MetricPoint, unit: FigureUnit): Cell[] {
  const cellOf = ({ value_cents, decimal, reason, href }: Omit<Cell, 'unit'>): Cell => ({ unit, value_cents, decimal, reason, href })
  if (!compared) return [cellOf(point)]
  const { change_cents, change_decimal, change_percent } = compared
  const reason = point.reason ?? compared.reason
  const known = reason === null
  return [
    cellOf(point),
    cellOf(compared),
    { unit, value_cents: change_cents, decimal: change_decimal, reason: known ? null : reason, href: null },
    known ? change(compared.value_cents ?? Number(compared.decimal), change_percent) : missing('percent', reason),
  ]
}

/** By the last column, which is that of the totals; what is unassigned and the total stay where they are, behind the others. */
export function largestRows({ columns, rows }: Grid, top: number): Grid {
  const size = ({ cells }: GridRow) => cells.at(-1)?.value_cents ?? 0
  const parts = rows.filter(({ key }) => key !== TOTAL && key !== UNASSIGNED).toSorted((a, b) => size(b) - size(a))
  const rest = parts.slice(top)
  const cells = columns.map((_, place) => money(addCents(...rest.map((row) => row.cells[place]?.value_cents ?? 0))))
  const others: GridRow[] = rest.length === 0 ? [] : [{ key: OTHERS, label: 'Others', kind: 'ledger', depth: 0, cells }]
  return { columns, rows: [...parts.slice(0, top), ...others, ...rows.filter(({ key }) => key === TOTAL || key === UNASSIGNED)] }
}

/** Ledgers and parties, and keys of sections, that are not there where nothing is in them. */
export type MayBeEmpty = { records: boolean; keys: ReadonlySet<string> }

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'balance-sheet': [
    ...SUBTYPES.asset, ...SUBTYPES.liability, ...SUBTYPES.equity, 'intercompany_assets', 'intercompany_liabilities', 'intercompany_equity',
  ],
  'profit-and-loss': SUBTYPES.expense,
  'cash-flow': [
    'non_cash', 'operating_changes', 'shown_elsewhere', 'less_depreciation', 'revaluation_of_cash',
    ...['operating', 'investing', 'financing'].flatMap((part) => [`${part}_receipts`, `${part}_payments`]),
  ],
}

/** Of a report, or of a metric by its grouping. */
export function mayBeEmpty(of: string): MayBeEmpty {
  const fixed = ['key-figures', 'journal', 'explain', 'none', 'month', 'quarter', 'year']
  return { records: !fixed.includes(of), keys: new Set(SECTIONS[of] ?? []) }
}

/** A row that the report leaves out because nothing is in it. */
export function emptyRow({ columns }: Grid, key: string, label: string): GridRow {
  const cells = columns.map((column) => (column.key.endsWith(':variance_percent') ? change(0, null) : money(0)))
  return { key, label, kind: 'ledger', depth: 0, cells }
}

export function figuresOf({ columns, rows }: Grid, currency: string, href: string): Figure[] {
  return rows.flatMap(({ key: row, label, kind, depth, cells }) => columns.flatMap((column, place): Figure[] => {
    const cell = cells[place]
    if (!cell) return []
    const { unit, value_cents, decimal, reason } = cell
    return [{
      key: `${row}@${column.key}`, label, row, column: column.key, column_label: column.label, kind, depth, unit, value_cents, decimal,
      formatted: formattedOf(cell, currency), reason, href: cell.href ?? href,
    }]
  }))
}
