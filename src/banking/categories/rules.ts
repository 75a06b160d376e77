// What a category takes of a transaction, how it is split, and the entry that it yields. Pure.
import { canonicalJson } from '../../foundation/canonical.ts'
import { addCents, formatCents, parseDecimal, splitCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import { requireCategoryLedger } from '../../directory/counterparty-defaults/rules.ts'
import type { Books } from '../../ledger/books/contract.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { nameOfRow, ownersOf } from '../../ledger/cash-book/rules.ts'
import type { Posting, PostingLine } from '../../ledger/posting/contract.ts'
import { nameOf, requireLedgers, requireOpenDate, type Override } from '../../ledger/posting/rules.ts'
import type { TaxedLine } from '../../ledger/tax-calculation/contract.ts'
import type { Category, CategoryFields, TransactionLine, Wanted, WantedLine } from './contract.ts'

/** What a category may take: all that documents leave. */
export function availableOf(row: CashRow): number {
  return row.remaining + row.categorized
}

/** Refuses a row that is in the books by a document, or that stays out of them. */
export function requireCategorizable(row: CashRow): void {
  const name = nameOfRow(row)
  if (row.kind === 'book') throw invalid(`${name} is in the books already, posted by ${ownersOf(row) ?? 'a document'}: change that instead.`)
  if (row.exclude_reason !== null) throw invalid(`${name} is excluded: restore it first.`)
  if (availableOf(row) === 0) throw invalid(`${name} is matched by ${ownersOf(row)}: nothing is left of it to categorize.`)
}

/** The amounts of the lines; they add up to the whole. */
export function partsOf(row: CashRow, lines: readonly WantedLine[]): number[] {
  const whole = availableOf(row)
  const money = (cents: number) => `${formatCents(cents, row.currency)} ${row.currency}`
  const [first] = lines
  if (lines.length === 1 && first?.amount === undefined && first?.percent === undefined) return [whole]
  for (const [index, { amount, percent }] of lines.entries()) {
    if ((amount === undefined) === (percent === undefined)) throw invalid(`Line ${index + 1} needs either an amount or a percent.`)
  }
  const percents = lines.flatMap(({ percent }) => percent ?? [])
  if (percents.length > 0 && percents.length < lines.length) throw invalid('Give every line an amount, or every line a percent.')
  const parts = percents.length > 0 ? splitCents(whole, weightsOf(percents)) : lines.map(({ amount = 0 }) => amount)
  const empty = parts.indexOf(0)
  if (empty >= 0) throw invalid(`Line ${empty + 1} comes to ${money(0)}: leave it out, or give it more.`)
  const sum = addCents(...parts)
  if (sum !== whole) throw invalid(`The lines add up to ${money(sum)}, and ${money(whole)} of the transaction is to be split.`)
  return parts
}

/** As whole numbers that add up to a hundred percent. */
function weightsOf(percents: readonly string[]): bigint[] {
  const weights = percents.map((text) => {
    const { units, scale } = parseDecimal(text)
    return units * 10n ** BigInt(PERCENT_DECIMALS - scale)
  })
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  if (sum !== 100n * 10n ** BigInt(PERCENT_DECIMALS)) throw invalid('The percents of the lines do not add up to 100.')
  return weights
}

export const PERCENT_DECIMALS = 4

/** A line with everything known but its tax. */
export type FullLine = Omit<TransactionLine, 'tax_amount'>

export function fullLines({ transaction, lines }: Wanted): FullLine[] {
  const parts = partsOf(transaction, lines)
  return lines.map((line, index): FullLine => ({
    ledger_id: line.ledger_id,
    amount: parts[index] ?? 0,
    tax_code_id: line.tax_code_id ?? null,
    memo: line.memo ?? null,
    customer_id: line.customer_id === undefined ? transaction.customer_id : line.customer_id,
    vendor_id: line.vendor_id === undefined ? transaction.vendor_id : line.vendor_id,
    project_id: line.project_id ?? null,
    dimension_value_ids: [...new Set(line.dimension_value_ids ?? [])],
  }))
}

/** Cash and what documents keep is no category; whether a ledger takes lines at all, the posting function says. */
export function requireCategories(books: Books, row: CashRow, lines: readonly FullLine[]): void {
  for (const { ledger_id } of lines) {
    const ledger = books.ledgers.get(ledger_id)
    if (ledger && ledger.id === row.ledger_id) throw invalid(`${nameOf(ledger)} is where this money was: choose the ledger that says what it was for.`)
    requireCategoryLedger(books, ledger_id)
  }
}

export type TaxLedgers = { payable: () => string; recoverable: () => string }

/** Money that went out debits its lines, money that came in credits them; the cash ledger stands against them whole. `taxes` go by line, null without a code. */
export function postingOf(
  row: CashRow, category: Pick<Category, 'amount' | 'memo' | 'posting_date'>, lines: readonly FullLine[], taxes: readonly (TaxedLine | null)[], ledgers: TaxLedgers,
): Posting {
  const out = row.amount < 0
  const signed = (cents: number) => (out ? cents : 0 - cents)
  const own = lines.map(({ amount, ...line }, index): PostingLine => ({ ...line, amount: signed(taxes[index]?.cost ?? amount) }))
  const tax = lines.flatMap((line, index) => taxLinesOf(line, taxes[index] ?? null, out, ledgers))
  const summed = [...Map.groupBy(tax, ({ ledger_id, tax_code_id, memo, customer_id }) => `${ledger_id} ${tax_code_id} ${memo} ${customer_id}`).values()]
    .map((same): PostingLine => ({ ...(same[0] as PostingLine), amount: addCents(...same.map(({ amount }) => amount)) }))
  return {
    date: category.posting_date,
    memo: category.memo ?? row.counterparty ?? row.description,
    source_type: 'transaction',
    source_id: row.id,
    area: 'banking',
    currency: row.currency,
    lines: [{ ledger_id: row.ledger_id, amount: signed(0 - category.amount) }, ...own, ...summed].filter(({ amount }) => amount !== 0),
  }
}

/** Of what was bought the part of the tax that comes back; of what was sold the tax. A buyer accounts for a reversed charge on both sides. */
function taxLinesOf({ tax_code_id, customer_id, vendor_id }: FullLine, taxed: TaxedLine | null, out: boolean, ledgers: TaxLedgers): PostingLine[] {
  if (!taxed || (!out && taxed.reverse_charge)) return []
  const tagged = { tax_code_id, customer_id, vendor_id }
  return taxed.components.flatMap(({ name, tax, recoverable_tax }): PostingLine[] => {
    const named = { ...tagged, memo: name.slice(0, 500) }
    if (!out) return [{ ...named, ledger_id: ledgers.payable(), amount: 0 - tax }]
    const back = { ...named, ledger_id: ledgers.recoverable(), amount: recoverable_tax }
    return taxed.reverse_charge ? [back, { ...named, ledger_id: ledgers.payable(), amount: 0 - tax }] : [back]
  }).filter(({ amount }) => amount !== 0)
}

/** Refuses where the entry of a category cannot be reversed on this day. */
export function requireReversible(books: Books, row: CashRow, category: Category, reversal_date: string | undefined, override: Override): void {
  if (reversal_date !== undefined && reversal_date < category.posting_date) {
    throw invalid(`reversal_date cannot be before ${category.posting_date}, the day of the entry.`)
  }
  requireOpen(books, reversal_date ?? category.posting_date, override)
  requireLedgers(books, [{ ledger_id: row.ledger_id, amount: 0 }, ...category.lines], row.currency)
}

/** Beyond the last period new ones are made, which are open. */
export function requireOpen({ periods }: Books, date: string, override: Override): void {
  if (date <= (periods.at(-1)?.end_date ?? '')) requireOpenDate(periods, date, 'banking', override)
}

/** Whether it says what is there already: then nothing is posted again. */
export function saysTheSame(category: Category, wanted: Pick<Category, 'amount' | 'memo' | 'posting_date' | 'lines'>): boolean {
  const said = ({ amount, memo, posting_date, lines }: typeof wanted) => canonicalJson({
    amount, memo, posting_date, lines: lines.map((line) => ({ ...line, dimension_value_ids: line.dimension_value_ids.toSorted() })),
  })
  return said(category) === said(wanted)
}

/** A category as it is shown with its transaction. */
export function shownCategory(category: Category | undefined): CategoryFields {
  return {
    lines: category?.lines ?? [],
    category_source: category?.source ?? null,
    category_memo: category?.memo ?? null,
    default_id: category?.default_id ?? null,
    posting_date: category?.posting_date ?? null,
    journal_entry_ids: category ? [category.journal_entry_id] : [],
    needs_category: category?.source === 'uncategorized',
  }
}
