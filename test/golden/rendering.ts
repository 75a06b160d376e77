// A statement as the golden cases write it: one line per row, its label and its amounts.
import { formatCents, type Currency } from '../../src/foundation/money.ts'
import type { Report, ReportCell, ReportRow } from '../../src/insight/report-shape/contract.ts'
import type { GeneralLedger } from '../../src/insight/general-ledger/contract.ts'

/** Rows with an amount, and the last row in any case; several columns come first. With `sections` their sums too, with `totals` nothing but totals. */
export function rendered(answer: Report | GeneralLedger, shown: readonly string[]): string[] {
  if ('items' in answer) return renderedLedgers(answer)
  const { columns, rows, currency } = answer
  const header = columns.length > 1 ? [lineOf('Columns:', columns.map(({ label }) => label))] : []
  return [...header, ...rows.flatMap((row, index) => renderedRow(row, currency, shown, index === rows.length - 1))]
}

function renderedRow(row: ReportRow, currency: Currency, shown: readonly string[], last = false): string[] {
  const below = row.rows.flatMap((each) => renderedRow(each, currency, shown))
  const moved = row.cells.some(({ amount, variance = 0 }) => amount !== 0 || variance !== 0)
  const kinds = shown.includes('totals') ? ['total'] : shown.includes('sections') ? ['total', 'subtotal', 'ledger', 'section'] : ['total', 'subtotal', 'ledger']
  return last || (moved && kinds.includes(row.kind)) ? [lineOf(row.label, row.cells.flatMap((cell) => renderedCell(cell, currency))), ...below] : below
}

/** A comparison has its variance and percentage beside it. */
function renderedCell({ amount, variance, variance_percent }: ReportCell, currency: Currency): string[] {
  const own = formatCents(amount, currency)
  return variance === undefined ? [own] : [own, formatCents(variance, currency), variance_percent ? `${variance_percent}%` : 'n/a']
}

/** Per ledger what it opens with, each line with the balance after it, and what moved and stands at the end. */
function renderedLedgers({ ledgers, items, currency }: GeneralLedger): string[] {
  const money = (...cents: number[]) => cents.map((each) => formatCents(each, currency))
  const lineOfItem = ({ date, memo, debit, credit, balance }: GeneralLedger['items'][number]) => lineOf(date, [memo ?? '-', ...money(debit, credit, balance)])
  return ledgers.flatMap(({ ledger_id, number, name, opening, debit, credit, closing }) => [
    lineOf(`${number === null ? '' : `${number} `}${name}`, ['opening', ...money(opening)]),
    ...items.filter((item) => item.ledger_id === ledger_id).map(lineOfItem),
    lineOf('closing', money(debit, credit, closing)),
  ])
}

function lineOf(label: string, cells: readonly string[]): string {
  return [label, ...cells].join('  ')
}
