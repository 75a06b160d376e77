// What a credit memo must say, by its kind.
import { addCents } from '../../foundation/money.ts'
import { invalid, unprocessable, type Problem } from '../../foundation/refusal.ts'
import type { MemoLineRow } from '../credit-memos/contract.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { money, nameOf } from '../invoices/rules.ts'
import { requireLineShapes } from '../sales-lines/rules.ts'
import type { CreditedPart, CreditLineInput, CreditMemoInput } from './contract.ts'

/** null counts as absent. */
const given = (value: unknown): boolean => value !== undefined && value !== null

/** What a schema cannot say of the body, all at once. */
export function requireShape(input: CreditMemoInput): void {
  const problems: Problem[] = []
  const add = (field: string, type: Problem['type'], msg: string) => problems.push({ loc: ['body', field], msg, type })
  if ((input.kind ?? 'credit_note') === 'credit_note') {
    for (const field of ['amount', 'transaction_id', 'deposit_ledger_id'] as const) if (given(input[field])) add(field, 'value_error', 'A credit note has line_items, and no money of its own.')
  } else {
    if (given(input.invoice_id)) add('invoice_id', 'value_error', 'Money is no credit of an invoice: apply it instead.')
    if ((input.line_items ?? []).length > 0) add('line_items', 'value_error', 'Money has an amount, and no lines.')
    if (!given(input.amount) && !given(input.transaction_id)) add('amount', 'missing', 'Required without a transaction.')
  }
  if (problems.length > 0) throw unprocessable(problems)
  requireLineShapes((input.line_items ?? []).map(withStandIns))
  const stray = (input.line_items ?? []).findIndex((line) => line.invoice_line_id && !input.invoice_id)
  if (stray >= 0) throw unprocessable([{ loc: ['body', 'line_items', stray, 'invoice_line_id'], msg: 'Needs invoice_id, the invoice it belongs to.', type: 'value_error' }])
}

/** A line of the invoice says by itself what it sells and at which price. */
function withStandIns(line: CreditLineInput): CreditLineInput {
  if (!line.invoice_line_id) return line
  return { ...line, description: line.description ?? '-', ...(!given(line.unit_price) && !given(line.amount) ? { unit_price: 0 } : {}) }
}

export function requirePart({ mode, lines, amount, restock }: CreditedPart): void {
  const problems: Problem[] = []
  if (mode === 'amount' && !given(amount)) problems.push({ loc: ['body', 'amount'], msg: 'Required with this mode.', type: 'missing' })
  if (mode === 'amount' && restock) problems.push({ loc: ['body', 'restock'], msg: 'An amount has no units that could come back: choose them with mode lines.', type: 'value_error' })
  if (mode === 'lines' && (lines ?? []).length === 0) problems.push({ loc: ['body', 'lines'], msg: 'Required with this mode.', type: 'missing' })
  for (const [index, line] of (mode === 'lines' ? lines ?? [] : []).entries()) {
    if (!given(line.quantity) && !given(line.amount)) problems.push({ loc: ['body', 'lines', index, 'quantity'], msg: 'Give quantity or amount.', type: 'missing' })
    if (given(line.quantity) && given(line.amount)) problems.push({ loc: ['body', 'lines', index, 'amount'], msg: 'Give quantity or amount, not both.', type: 'value_error' })
  }
  if (problems.length > 0) throw unprocessable(problems)
}

/** All credit notes of an invoice together are no more than the invoice. */
export function requireWithin(invoice: InvoiceRow, credited: number, total: number): void {
  const left = invoice.total - credited
  if (total <= left) return
  throw invalid(`${nameOf(invoice)} has ${money(Math.max(0, left), invoice.currency)} left to credit, less than ${money(total, invoice.currency)}.`)
}

export function requireSome(lines: readonly MemoLineRow[], invoice: InvoiceRow): void {
  const total = addCents(...lines.map((line) => line.amount + line.tax_amount))
  if (total === 0) throw invalid(`Nothing of ${nameOf(invoice)} is left to credit.`)
}

/** A stored line as it would be given. */
export function asInput(line: MemoLineRow): CreditLineInput {
  const { invoice_line_id, quantity_credited, restock, location_id, description, note } = line
  if (invoice_line_id && quantity_credited > 0) return { invoice_line_id, quantity: quantity_credited, restock, location_id, description, note }
  if (invoice_line_id) return { invoice_line_id, quantity: 1, unit_price: line.amount, description, note }
  const { variant_id, catalog_item_id, quantity, unit_price, deferred, ledger_id, tax_code_id, discount_percent, discount_amount } = line
  const { service_date, service_end_date, project_id, dimension_value_ids } = line
  return {
    variant_id, catalog_item_id, quantity, unit_price, description, note, deferred, ledger_id, tax_code_id, discount_percent, discount_amount,
    service_date, service_end_date, project_id, dimension_value_ids,
  }
}
