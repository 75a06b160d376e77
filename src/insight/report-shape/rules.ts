// Rows, cells, checks and tables of a statement, put together without I/O.
//
//   sectionOf(...)                  a section of lines that adds them up; totalOf(...) a subtotal or total
//   ledgerLines(...)                the ledgers of a section as a tree, cut at a depth
//   rowsOf(lines, columns, link)    lines → rows with cells, variances and links
//   explainHref(what)               the link to the lines behind an amount; linkTo(request) that of each cell
//   checkOf(key, differences)       a check over all columns
//   answerOf(tx, made)              the complete answer
//   tableOf(report), fileNameOf     the report as a table for CSV, XLSX and PDF, and what the file is called
import type { Static } from 'typebox'
import { addCents, divideRounded, type Currency } from '../../foundation/money.ts'
import type { Column as TableColumn, Table, TableRow } from '../../foundation/sheets.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { nameOf } from '../../ledger/posting/rules.ts'
import type { Column, ReportColumn } from '../report-columns/contract.ts'
import type { Adjusting, Basis, FigureFilters } from '../report-figures/contract.ts'
import type { Line, Report, ReportCell, ReportCheck, ReportRow, RowKind, RowQuery } from './contract.ts'

/** Amounts of a ledger in natural signs, one per column. */
export type AmountsOf = (ledger: BookLedger) => readonly number[]

export function sectionOf(key: string, label: string, rows: readonly Line[], columns: number): Line {
  return { kind: 'section', key, label, ledger_id: null, amounts: sumOf(rows.map(({ amounts }) => amounts), columns), ledger_ids: ledgersOf(rows), rows }
}

/** Lines added up, those in `less` taken off. */
export function totalOf(kind: RowKind, key: string, label: string, plus: readonly Line[], less: readonly Line[], columns: number): Line {
  const amounts = sumOf([...plus.map((line) => line.amounts), ...less.map((line) => line.amounts.map((amount) => 0 - amount))], columns)
  return { kind, key, label, ledger_id: null, amounts, ledger_ids: ledgersOf([...plus, ...less]), rows: [] }
}

function ledgersOf(lines: readonly Line[]): string[] {
  return [...new Set(lines.flatMap(({ ledger_ids }) => ledger_ids))]
}

export function sumOf(all: readonly (readonly number[])[], columns: number): number[] {
  return Array.from({ length: columns }, (_, index) => addCents(...all.map((amounts) => amounts[index] ?? 0)))
}

export type Shown = { depth: number; show_zero: boolean }

/**
 * The ledgers of one section under each other as in the chart. A ledger that has others below it shows them with itself, and what
 * was posted to it directly in a row of its own. One whose parent stands in another section is at the top of this one.
 */
export function ledgerLines(ledgers: readonly BookLedger[], amountsOf: AmountsOf, { depth, show_zero }: Shown, columns: number): Line[] {
  const own = new Map(ledgers.filter(({ merged_into_id }) => merged_into_id === null).map((ledger) => [ledger.id, ledger]))
  const below = Map.groupBy([...own.values()].sort(byNumber), ({ parent_id }) => (parent_id !== null && own.has(parent_id) ? parent_id : null))
  const lineOf = (ledger: BookLedger, level: number): Line[] => {
    const children = (below.get(ledger.id) ?? []).flatMap((child) => lineOf(child, level + 1))
    const itself = leaf(ledger, ledger.id, nameOf(ledger), amountsOf(ledger))
    const moved = itself.amounts.some((amount) => amount !== 0)
    if (children.length === 0) return moved || (show_zero && !ledger.archived) ? [itself] : []
    const direct = moved ? [leaf(ledger, `${ledger.id}:direct`, `${nameOf(ledger)}, direct`, itself.amounts)] : []
    const rows = [...direct, ...children]
    return [{ ...itself, amounts: sumOf(rows.map(({ amounts }) => amounts), columns), ledger_ids: ledgersOf(rows), rows: level >= depth ? [] : rows }]
  }
  return (below.get(null) ?? []).flatMap((ledger) => lineOf(ledger, 1))
}

function leaf(ledger: BookLedger, key: string, label: string, amounts: readonly number[]): Line {
  return { kind: 'ledger', key, label, ledger_id: ledger.id, amounts, ledger_ids: [ledger.id], rows: [] }
}

/** Numbers first, in their order; then names. */
export function byNumber(a: BookLedger, b: BookLedger): number {
  return compare(a.number ?? '\uffff', b.number ?? '\uffff') || compare(a.name, b.name) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What an amount is made of. */
export type Explained = {
  ledger_ids: readonly string[]
  start_date: string | null
  end_date: string
  basis: Basis
  known_at?: string | null | undefined
  adjusting?: Adjusting | undefined
  filters?: FigureFilters | undefined
}

/** More ledgers than these make an address too long; the rows below lead further. */
const MOST_EXPLAINED = 50

/** null where there is nothing to show, or too many ledgers for one address. */
export function explainHref({ ledger_ids, start_date, end_date, basis, known_at, adjusting, filters = {} }: Explained): string | null {
  if (ledger_ids.length === 0 || ledger_ids.length > MOST_EXPLAINED) return null
  const { customer_id, vendor_id, project_id, dimension_value_ids = [] } = filters
  const given: [string, string | null | undefined][] = [
    ['ledger_id', ledger_ids.join(',')], ['start_date', start_date], ['end_date', end_date], ['basis', basis], ['known_at', known_at],
    ['adjusting', adjusting === 'exclude' ? adjusting : null], ['customer_id', customer_id], ['vendor_id', vendor_id], ['project_id', project_id],
    ['dimension_value_id', dimension_value_ids.join(',')],
  ]
  const pairs = given.filter((pair): pair is [string, string] => Boolean(pair[1]))
  return `/reports/explain?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&')}`
}

/** The link of a line in a column. */
export type LinkOf = (line: Line, column: Column, place: number) => string | null

/** Leads to the lines of the column's own dates. Comparisons with a plan have none, nor has what no filter can name. */
export function linkTo({ filters = {}, ...asked }: Pick<Explained, 'basis' | 'known_at' | 'adjusting' | 'filters'>): LinkOf {
  return ({ ledger_ids }, { start_date, end_date, filters: own, key }) => {
    const twice = own?.dimension_value_ids && filters.dimension_value_ids && filters.dimension_value_ids.length > 0
    if (own === null || twice || key.includes(':budget:')) return null
    return explainHref({ ...asked, ledger_ids, start_date, end_date, filters: { ...filters, ...own } })
  }
}

export function rowsOf(lines: readonly Line[], columns: readonly Column[], linkOf: LinkOf, depth = 0): ReportRow[] {
  return lines.map((line) => ({
    kind: line.kind,
    key: line.key,
    label: line.label,
    ledger_id: line.ledger_id,
    depth,
    cells: columns.map((column, place) => cellOf(line, column, place, linkOf)),
    rows: rowsOf(line.rows, columns, linkOf, depth + 1),
  }))
}

function cellOf(line: Line, column: Column, place: number, linkOf: LinkOf): ReportCell {
  const amount = line.amounts[place] ?? 0
  const cell = { amount, href: amount === 0 && line.ledger_id === null ? null : linkOf(line, column, place) }
  if (column.compared_with === null) return cell
  const variance = addCents(line.amounts[column.compared_with] ?? 0, 0 - amount)
  return { ...cell, variance, variance_percent: percentOf(variance, amount) }
}

/** In per cent of the size of the base, to one decimal, half away from zero; null on a base of 0. */
export function percentOf(part: number, base: number): string | null {
  if (base === 0) return null
  const tenths = divideRounded(BigInt(part) * 1000n, BigInt(Math.abs(base)))
  const digits = String(tenths < 0n ? -tenths : tenths).padStart(2, '0')
  return `${tenths < 0n ? '-' : ''}${digits.slice(0, -1)}.${digits.slice(-1)}`
}

export function shownOf({ depth = 5, show_zero = false }: RowQuery): Shown {
  return { depth, show_zero }
}

type Made = {
  report: string
  title: string
  query: object
  asked: { figures: { basis: Basis; known_at: string | null | undefined; adjusting: Adjusting | undefined }; head: { number: number } }
  /** The dates that the query came to. */
  dates: Record<string, string>
  columns: readonly Static<typeof ReportColumn>[]
  rows: ReportRow[]
  checks: ReportCheck[]
}

type Maker = { now: string; business: { base_currency: string } }

/** The complete answer. */
export function answerOf({ now, business }: Maker, { report, title, query, asked, dates, columns, rows, checks }: Made): Report {
  const { format: _format, start_date: _start, end_date: _end, as_of: _as_of, ...given } = query as Record<string, unknown>
  const { basis, known_at, adjusting } = asked.figures
  return {
    report,
    title,
    basis,
    currency: business.base_currency as Currency,
    parameters: { ...given, ...dates, basis, known_at: known_at ?? null, adjusting: adjusting ?? 'all' },
    generated_at: now,
    journal_version: asked.head.number,
    columns: columns.map(({ key, label, start_date, end_date }) => ({ key, label, start_date, end_date })),
    rows,
    checks,
  }
}

/** All differences must be 0; the largest is told. */
export function checkOf(key: string, differences: readonly number[]): ReportCheck {
  const difference = differences.reduce((worst, each) => (Math.abs(each) > Math.abs(worst) ? each : worst), 0)
  return { key, ok: difference === 0, difference }
}

/** The report and its last day. */
export function fileNameOf({ report, columns }: Report): string {
  const last = columns.reduce((latest, { end_date }) => (end_date > latest ? end_date : latest), '')
  return last === '' ? report : `${report}-${last}`
}

/** One row per row of the report, in its order; a comparison has its variance and percentage beside it. */
export function tableOf(report: Report): Table {
  const columns: TableColumn[] = report.columns.flatMap(({ label }, index): TableColumn[] => {
    const compared = report.rows[0]?.cells[index]?.variance !== undefined
    const amount: TableColumn = { key: `c${index}`, label, kind: 'money' }
    if (!compared) return [amount]
    return [amount, { key: `v${index}`, label: `${label}: variance`, kind: 'money' }, { key: `p${index}`, label: `${label}: variance %`, kind: 'decimal' }]
  })
  return { title: titleOf(report), columns: [{ key: 'label', label: report.title, kind: 'text' }, ...columns], rows: tableRows(report.rows) }
}

function titleOf({ title, basis, currency, parameters }: Report): string {
  const { start_date, end_date, as_of } = parameters
  const dates = end_date ? `${String(start_date)} to ${String(end_date)}` : String(as_of ?? '')
  return `${title}, ${dates}, ${basis} basis, ${currency}`
}

/** A section's heading comes without amounts, its total below its rows unless the next row is just that. Sections without anything are left out. */
function tableRows(rows: readonly ReportRow[]): TableRow[] {
  return rows.flatMap(({ kind, key, label, depth, cells, rows: below }, place): TableRow[] => {
    const amounts: TableRow = {}
    for (const [index, { amount, variance, variance_percent }] of cells.entries()) {
      amounts[`c${index}`] = amount
      if (variance !== undefined) Object.assign(amounts, { [`v${index}`]: variance, [`p${index}`]: variance_percent ?? null })
    }
    const style = { bold: kind !== 'ledger', indent: depth }
    if (below.length === 0) return kind === 'section' && cells.every(({ amount }) => amount === 0) ? [] : [{ label, ...amounts, style }]
    const total = rows[place + 1]?.key === `total_${key}` ? [] : [{ label: `Total ${label}`, ...amounts, style: { bold: true, indent: depth } }]
    return [{ label, style }, ...tableRows(below), ...total]
  })
}
