// Drafts of credit memos: made, made anew and deleted. They post nothing, but what a draft takes back of an invoice no other note can.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { multiplyCents, type Currency } from '../../foundation/money.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import { customersByIds } from '../../directory/customers/operations.ts'
import { locationsByIds } from '../../inventory/locations/operations.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import { plainDecimal } from '../../ledger/posting/rules.ts'
import { openTax } from '../../ledger/tax-calculation/operations.ts'
import { projectsByIds } from '../../projects/projects/operations.ts'
import type { MemoLineRow, MemoRow } from '../credit-memos/contract.ts'
import { creditedOf, insertMemo, lockMemo, removeMemo, type LoadedMemo } from '../credit-memos/operations.ts'
import { isMoney, requireStatus } from '../credit-memos/rules.ts'
import { openShares, type Share, type Shares } from '../credit-notes/rules.ts'
import { codeOf, requireLedgersAndValues, withTax, type Customer } from '../invoice-drafts/operations.ts'
import { depositLedger, lockTransaction } from '../invoice-payments/operations.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { lockInvoices, type LineRow, type Loaded } from '../invoices/operations.ts'
import { isFinalized, money, nameOf } from '../invoices/rules.ts'
import type { SalesLine, TaxMode, Totals } from '../sales-lines/contract.ts'
import { loadCatalogue } from '../sales-lines/operations.ts'
import { draftLines, totalsOf, variantIds } from '../sales-lines/rules.ts'
import type { CreditedPart, CreditLineInput, CreditMemoInput } from './contract.ts'
import { requirePart, requireShape, requireSome, requireWithin } from './rules.ts'

/** A memo that was just made, and the invoice that it credits, which is locked. */
export type Drafted = LoadedMemo & { invoice: Loaded | null }

export async function createDraft(tx: BusinessTx, input: CreditMemoInput): Promise<Drafted> {
  const drafted = await draftMemo(tx, input, null)
  insertMemo(tx, drafted)
  return drafted
}

/** A memo from what is said of it, not written yet. `old` is the draft in whose place it stands. */
export async function draftMemo(tx: BusinessTx, input: CreditMemoInput, old: LoadedMemo | null): Promise<Drafted> {
  requireShape(input)
  const invoice = input.invoice_id ? await lockCredited(tx, input.invoice_id) : null
  const customer = (await customersByIds(tx, [input.customer_id])).get(input.customer_id)
  if (!customer) throw notFound(`customer_id: customer ${input.customer_id}`)
  if (customer.status === 'archived' && !invoice && old?.memo.customer_id !== customer.id) throw invalid(`The customer ${customer.name} is archived: restore it, or choose another.`)
  if (input.order_id && input.order_id !== old?.memo.order_id) await requireRecords(tx, 'order', [input.order_id])
  return isMoney({ kind: input.kind ?? 'credit_note' }) ? draftMoney(tx, input, old) : draftNote(tx, input, old, customer, invoice)
}

export async function lockCredited(tx: BusinessTx, invoice_id: string): Promise<Loaded> {
  try {
    const loaded = (await lockInvoices(tx, [invoice_id])).get(invoice_id) as Loaded
    requireCreditable(loaded.invoice)
    return loaded
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? notFound(`invoice_id: invoice ${invoice_id}`) : error
  }
}

function requireCreditable(invoice: InvoiceRow): void {
  if (!isFinalized(invoice.status)) throw invalid(`${nameOf(invoice)} is ${invoice.status}: only finalized invoices are credited.`)
}

async function draftNote(tx: BusinessTx, input: CreditMemoInput, old: LoadedMemo | null, customer: Customer, invoice: Loaded | null): Promise<Drafted> {
  const credited = invoice?.invoice
  const currency = (credited?.currency ?? input.currency ?? customer.currency) as Currency
  if (credited && credited.customer_id !== customer.id) throw invalid(`${nameOf(credited)} is one of another customer.`)
  if (input.currency && input.currency !== currency) throw invalid(`${nameOf(credited as InvoiceRow)} is in ${currency}: credit it in that currency, not in ${input.currency}.`)
  const [settings, { books }, before] = await Promise.all([getSettings(tx), readBooks(tx), credited ? creditedOf(tx, credited.id, old?.memo.id) : { lines: [], total: 0 }])
  const tax_mode = credited?.tax_mode ?? input.tax_mode ?? (settings.tax.prices_include_tax ? 'inclusive' : 'exclusive')
  const id = old?.memo.id ?? newId()
  const memo = newMemo(tx, { ...input, id, currency, tax_mode, fx_rate: rateOf(tx, currency, input.fx_rate, credited) }, old)
  const given = input.line_items ?? []
  const free = given.filter((line) => !line.invoice_line_id)
  const priced = await freeLines(tx, books, memo, customer, free, settings.tax.default_sales_code_id)
  const shares = invoice && openShares(invoice.lines, invoice.invoice.tax_mode, before.lines, (cents) => money(cents, currency), nameOf(invoice.invoice))
  await requireLocations(tx, given)
  let place = 0
  const lines = given.map((line, index): MemoLineRow => {
    const numbered = { id: newId(), position: index + 1, credit_memo_id: id }
    if (line.invoice_line_id) return { ...creditedLine(books, invoice as Loaded, shares as Shares, line), ...numbered }
    return { ...(priced[place++] as SalesLine), invoice_line_id: null, quantity_credited: 0, restock: false, quantity_returned: 0, ...numbered }
  })
  const totals = totalsOf(lines, tax_mode)
  if (credited) requireWithin(credited, before.total, totals.total)
  return { memo: withTotals(memo, totals), lines, invoice }
}

/** A line that credits one of the invoice, as a person gives it. */
function creditedLine(books: Books, invoice: Loaded, shares: Shares, line: CreditLineInput): Omit<MemoLineRow, 'id' | 'position' | 'credit_memo_id'> {
  const sold = soldLine(invoice, line.invoice_line_id ?? '')
  const price = line.unit_price ?? line.amount ?? null
  if (price !== null && line.restock) throw invalid(`Line ${sold.position} of ${nameOf(invoice.invoice)}: only units come back into stock; leave unit_price out.`)
  const share = price === null ? shares.byQuantity(sold.id, line.quantity ?? 1) : shares.byAmount(sold.id, multiplyCents(price, line.quantity ?? 1))
  return {
    ...lineOf(books, invoice.invoice, sold, share, line.restock ?? false),
    location_id: line.location_id ?? null,
    description: line.description?.trim() || sold.description,
    note: line.note ?? sold.note,
  }
}

function soldLine({ invoice, lines }: Loaded, line_id: string): LineRow {
  const sold = lines.find(({ id }) => id === line_id)
  if (!sold) throw notFound(`invoice_line_id: line ${line_id} of ${nameOf(invoice)}`)
  return sold
}

function lineOf(books: Books, invoice: InvoiceRow, sold: LineRow, share: Share, restock: boolean): Omit<MemoLineRow, 'id' | 'position' | 'credit_memo_id'> {
  const { variant_id, catalog_item_id, description, note, deferred, tax_code_id, service_date, service_end_date } = sold
  return {
    variant_id, catalog_item_id, description, note, deferred, tax_code_id, service_date, service_end_date, ...share,
    price_source: 'override', discount_percent: null, discount_amount: null, location_id: null,
    ledger_id: sold.ledger_id ?? ledgerOfRole(books, 'sales').id,
    project_id: sold.project_id ?? invoice.project_id,
    dimension_value_ids: sold.dimension_value_ids.length > 0 ? sold.dimension_value_ids : invoice.dimension_value_ids,
    invoice_line_id: sold.id,
    restock: restock && sold.variant_id !== null && share.quantity_credited > 0,
    quantity_returned: 0,
  }
}

/** Lines that credit nothing in particular: priced and taxed as on an invoice of this date. */
async function freeLines(tx: BusinessTx, books: Books, memo: MemoRow, customer: Customer, inputs: readonly CreditLineInput[], default_code: string | null): Promise<SalesLine[]> {
  if (inputs.length === 0) return []
  requireLedgersAndValues(books, { line_items: [...inputs] })
  const project_ids = inputs.flatMap((line) => line.project_id ?? [])
  const [catalogue, projects] = await Promise.all([
    loadCatalogue(tx, variantIds(inputs), inputs.flatMap((line) => line.catalog_item_id ?? [])),
    project_ids.length > 0 ? projectsByIds(tx, project_ids) : new Map<string, never>(),
  ])
  const unknown = project_ids.find((id) => !projects.has(id))
  if (unknown) throw notFound(`project_id: ${unknown}`)
  const sellables = catalogue.in(memo.currency)
  const drafts = draftLines(inputs, sellables)
  const unpriced = drafts.find(({ unit_price }) => unit_price === null)
  if (unpriced) throw invalid(`${unpriced.description ?? 'A line'} has no price in ${memo.currency}: give unit_price.`)
  const tax = await openTax(tx, [
    { direction: 'sale', lines: drafts.map((line) => ({ tax_code_id: codeOf(line, customer, catalogue) })) }, { direction: 'sale', customer_id: customer.id, lines: [] },
  ])
  return withTax(books, tax, { customer_id: memo.customer_id, invoice_date: memo.credit_date, tax_mode: memo.tax_mode }, drafts, customer, catalogue, tx.today).map((line) => {
    const sold = line.variant_id ? sellables.variant(line.variant_id) : line.catalog_item_id ? sellables.catalogItem(line.catalog_item_id) : null
    return {
      ...line,
      price_source: 'override' as const,
      ledger_id: line.ledger_id ?? sold?.ledger_id ?? ledgerOfRole(books, 'sales').id,
      tax_code_id: codeOf(line, customer, catalogue) ?? (line.tax_components.length > 0 ? default_code : null),
    }
  })
}

async function requireLocations(tx: BusinessTx, lines: readonly CreditLineInput[]): Promise<void> {
  const ids = lines.flatMap((line) => line.location_id ?? [])
  const known = ids.length > 0 ? await locationsByIds(tx, [...new Set(ids)]) : new Map<string, unknown>()
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw notFound(`location_id: ${missing}`)
}

/** What is said of a note beside how much it takes back. */
export type NoteWords = Pick<CreditMemoInput, 'credit_date' | 'fx_rate' | 'reason' | 'description'>

/** A credit note on an invoice that is locked, not written yet. */
export async function draftFromInvoice(tx: BusinessTx, invoice: Loaded, part: CreditedPart, words: NoteWords): Promise<Drafted> {
  requirePart(part)
  const { invoice: row, lines: sold } = invoice
  requireCreditable(row)
  const [{ books }, before] = await Promise.all([readBooks(tx), creditedOf(tx, row.id)])
  const shares = openShares(sold, row.tax_mode, before.lines, (cents) => money(cents, row.currency), nameOf(row))
  const taken = partsOf(part, shares, invoice)
  const memo = newMemo(tx, {
    ...words, id: newId(), customer_id: row.customer_id, invoice_id: row.id, currency: row.currency as Currency, tax_mode: row.tax_mode, fx_rate: rateOf(tx, row.currency, words.fx_rate, row),
  }, null)
  const lines = taken.map(({ line_id, share }, index): MemoLineRow => ({
    ...lineOf(books, row, soldLine(invoice, line_id), share, part.restock ?? false), id: newId(), position: index + 1, credit_memo_id: memo.id,
  }))
  requireSome(lines, row)
  const totals = totalsOf(lines, row.tax_mode)
  requireWithin(row, before.total, totals.total)
  return { memo: withTotals(memo, totals), lines, invoice }
}

function partsOf({ mode, lines, amount }: CreditedPart, shares: Shares, invoice: Loaded): { line_id: string; share: Share }[] {
  switch (mode) {
    case 'full':
      return invoice.lines.flatMap(({ id }) => {
        const share = shares.byRest(id)
        return share ? [{ line_id: id, share }] : []
      })
    case 'amount':
      return shares.byTotal(amount ?? 0)
    case 'lines':
      return (lines ?? []).map(({ invoice_line_id, quantity, amount: cents }) => {
        const line_id = soldLine(invoice, invoice_line_id).id
        return { line_id, share: quantity ? shares.byQuantity(line_id, quantity) : shares.byAmount(line_id, cents ?? 0) }
      })
  }
}

/** Money has the currency it came in. */
async function draftMoney(tx: BusinessTx, input: CreditMemoInput, old: LoadedMemo | null): Promise<Drafted> {
  const transaction = input.transaction_id ? await lockTransaction(tx, input.transaction_id) : null
  const ledger_id = transaction ? null : await depositLedger(tx, input.deposit_ledger_id)
  const { books } = await readBooks(tx)
  const currency = (transaction?.currency ?? books.ledgers.get(ledger_id ?? '')?.currency) as Currency
  if (input.currency && input.currency !== currency) throw invalid(`The money came in ${currency}: give that currency, not ${input.currency}.`)
  if (transaction && transaction.remaining === 0) throw invalid(`The transaction of ${transaction.datetime} is used up: choose another.`)
  const total = input.amount ?? transaction?.remaining ?? 0
  const credit_date = input.credit_date ?? transaction?.datetime ?? null
  const memo = newMemo(tx, {
    ...input, credit_date, id: old?.memo.id ?? newId(), currency, tax_mode: 'none', deposit_ledger_id: ledger_id, fx_rate: rateOf(tx, currency, input.fx_rate, undefined),
  }, old)
  return { memo: withTotals(memo, { subtotal: total, discount_total: 0, tax_total: 0, total }), lines: [], invoice: null }
}

/** The rate that is given, else that of the invoice that is credited; the others are looked up when the memo is finalized. */
function rateOf(tx: BusinessTx, currency: string, given: string | null | undefined, invoice: InvoiceRow | undefined): string | null {
  if (currency === tx.business.base_currency) return null
  return given ? plainDecimal(given) : invoice?.fx_rate ?? null
}

const withTotals = (memo: MemoRow, { subtotal, tax_total, total }: Totals): MemoRow => ({ ...memo, subtotal, tax_total, total })

type Known = Omit<CreditMemoInput, 'currency' | 'tax_mode' | 'fx_rate'> & { id: string; currency: Currency; tax_mode: TaxMode; fx_rate: string | null }

function newMemo(tx: BusinessTx, input: Known, old: LoadedMemo | null): MemoRow {
  return {
    id: input.id,
    business_id: tx.business_id,
    kind: input.kind ?? 'credit_note',
    status: 'draft',
    customer_id: input.customer_id,
    number: null,
    credit_date: input.credit_date ?? tx.today,
    currency: input.currency,
    fx_rate: input.fx_rate,
    invoice_id: input.invoice_id ?? null,
    contract_id: null,
    order_id: input.order_id ?? null,
    transaction_id: input.transaction_id ?? null,
    deposit_ledger_id: input.deposit_ledger_id ?? null,
    reason: input.reason ?? null,
    description: input.description ?? null,
    tax_mode: input.tax_mode,
    subtotal: 0, tax_total: 0, total: 0, applied_total: 0, refunded_total: 0, base_total: null, base_remaining: null,
    journal_entry_id: null,
    receivable_line_id: null,
    finalized_at: null,
    voided_at: null,
    created_at: old?.memo.created_at ?? tx.now,
    updated_at: tx.now,
    version: old?.memo.version ?? 1,
  }
}

export async function deleteMemo(tx: BusinessTx, memo_id: string): Promise<{ id: string; deleted: boolean }> {
  const { memo } = await lockMemo(tx, memo_id)
  requireStatus(memo, ['draft'], 'only drafts are deleted; void it instead')
  removeMemo(tx, memo)
  return { id: memo_id, deleted: true }
}
