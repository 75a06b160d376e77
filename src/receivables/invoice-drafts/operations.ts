// Drafts of invoices: made, changed and deleted; they post nothing. Many are made at once: what they name is read for all of them together.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { customersByIds } from '../../directory/customers/operations.ts'
import { termsByIds } from '../../directory/payment-terms/operations.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { nameOf as ledgerName, plainDecimal } from '../../ledger/posting/rules.ts'
import { openTax } from '../../ledger/tax-calculation/operations.ts'
import type { TaxCalculation, TaxCalculationInput } from '../../ledger/tax-calculation/contract.ts'
import { locationsByIds } from '../../inventory/locations/operations.ts'
import { contractsByIds } from '../../projects/contracts/operations.ts'
import { requireBillable } from '../../projects/contracts/rules.ts'
import { projectsByIds } from '../../projects/projects/operations.ts'
import type { InvoiceRow, Origin } from '../invoices/contract.ts'
import { insertInvoices, invoicesByExternalIds, invoicesByNumbers, lockInvoice, removeInvoice, type LineRow, type Loaded } from '../invoices/operations.ts'
import { numberKey, requireDueAfter, requireStatus } from '../invoices/rules.ts'
import type { LineInput, SalesLine, TaxMode } from '../sales-lines/contract.ts'
import { loadCatalogue, type Catalogue } from '../sales-lines/operations.ts'
import { draftLines, requireLineShapes, taxed, taxQuestion, totalsOf, variantIds, type Sellables } from '../sales-lines/rules.ts'
import type { InvoiceInput } from './contract.ts'

export type Customer = NonNullable<Awaited<ReturnType<typeof customersByIds>> extends Map<string, infer Row> ? Row : never>

/** What drafts are made from: everything that the inputs name. */
export type Workshop = {
  books: Books
  customers: Map<string, Customer>
  catalogue: Catalogue
  draft(input: InvoiceInput, options: DraftOptions): Loaded
}

export type DraftOptions = { origin: Origin; origin_id?: string | null; ai_job_id?: string | null; recurring_template_id?: string | null; is_opening_balance?: boolean; instead_of?: Loaded }

/** Where in the body an input stands. */
type PlaceOf = (index: number) => (string | number)[]

/** Makes drafts: in their order, all or none. */
export async function createDrafts(tx: BusinessTx, inputs: readonly InvoiceInput[], options: DraftOptions, placeOf?: PlaceOf): Promise<Loaded[]> {
  for (const [index, { line_items }] of inputs.entries()) requireLineShapes(line_items ?? [], [...(placeOf?.(index) ?? ['body']), 'line_items'])
  const { draft } = await openWorkshop(tx, inputs)
  return writeDrafts(tx, inputs.map((input) => draft(input, options)))
}

/** Reads what the inputs name; `draft` then weighs each by itself, and refuses by throwing. */
export async function openWorkshop(tx: BusinessTx, inputs: readonly InvoiceInput[]): Promise<Workshop> {
  const lines = inputs.flatMap(({ line_items }) => line_items ?? [])
  const ids = (pick: (input: InvoiceInput) => string | null | undefined) => [...new Set(inputs.flatMap((input) => pick(input) ?? []))]
  const line_ids = (pick: (line: LineInput) => string | null | undefined) => lines.flatMap((line) => pick(line) ?? [])
  const attachment_ids = inputs.flatMap((input) => input.attachment_ids ?? [])
  const external_ids = ids((input) => input.external_id)
  const keys = ids((input) => input.invoice_number).map(numberKey)
  const [settings, { books }, customers, terms, projects, contracts, locations, catalogue, numbered, known] = await Promise.all([
    getSettings(tx),
    readBooks(tx),
    customersByIds(tx, ids((input) => input.customer_id)),
    none(ids((input) => input.payment_terms_id), (wanted) => termsByIds(tx, wanted)),
    none([...ids((input) => input.project_id), ...line_ids((line) => line.project_id)], (wanted) => projectsByIds(tx, wanted)),
    none(ids((input) => input.contract_id), (wanted) => contractsByIds(tx, wanted)),
    none([...ids((input) => input.fulfillment_location_id), ...line_ids((line) => line.location_id)], (wanted) => locationsByIds(tx, wanted)),
    loadCatalogue(tx, variantIds(lines), line_ids((line) => line.catalog_item_id)),
    invoicesByNumbers(tx, keys),
    invoicesByExternalIds(tx, external_ids),
  ])
  if (attachment_ids.length > 0) await requireRecords(tx, 'document', attachment_ids)
  const taken = new Set(numbered.map(({ number }) => numberKey(number ?? '')))
  const external = new Map(known.map((row) => [row.external_id, row]))
  const codes = codesOf(inputs, customers, catalogue)
  const tax = await openTax(tx, [{ direction: 'sale', lines: codes.map((tax_code_id) => ({ tax_code_id })) }, ...[...customers.keys()].map((customer_id) => ({ direction: 'sale' as const, customer_id, lines: [] }))])

  return {
    books, customers, catalogue,
    draft(input, options) {
      requireLineShapes(input.line_items ?? [])
      const customer = customers.get(input.customer_id)
      if (!customer) throw notFound(`customer_id: customer ${input.customer_id}`)
      const old = options.instead_of
      if (customer.status === 'archived' && old?.invoice.customer_id !== customer.id) throw invalid(`The customer ${customer.name} is archived: restore it, or choose another.`)
      const currency = input.currency ?? (customer.currency as Currency)
      for (const [field, known_rows, id] of [
        ['payment_terms_id', terms, input.payment_terms_id], ['fulfillment_location_id', locations, input.fulfillment_location_id],
        ['project_id', projects, input.project_id],
        ...(input.line_items ?? []).flatMap((line): [string, Map<string, unknown>, string | null | undefined][] => [['project_id', projects, line.project_id], ['location_id', locations, line.location_id]]),
      ] as [string, Map<string, unknown>, string | null | undefined][]) if (id && !known_rows.has(id)) throw notFound(`${field}: ${id}`)
      requireLedgersAndValues(books, input)
      const contract = input.contract_id ? contracts.get(input.contract_id) : null
      if (input.contract_id && !contract) throw invalid(`There is no contract ${input.contract_id} in this business.`)
      if (contract) requireBillable(contract, { customer_id: input.customer_id, currency })
      requireDueAfter(input.invoice_date ?? null, input.due_date ?? null)
      const number = input.invoice_number?.trim() || null
      const own_number = old?.invoice.number ? numberKey(old.invoice.number) : null
      if (number && numberKey(number) !== own_number && taken.has(numberKey(number))) throw invalid(`The invoice number ${number} is used already in this business: choose another.`)
      const twin = input.external_id ? external.get(input.external_id) : undefined
      if (twin && twin.id !== old?.invoice.id) throw invalid(`external_id ${input.external_id} belongs to invoice ${twin.number ?? twin.id} already.`)
      if (number) taken.add(numberKey(number))
      const tax_mode: TaxMode = input.tax_mode ?? (settings.tax.prices_include_tax ? 'inclusive' : 'exclusive')
      const fresh = draftLines(input.line_items ?? [], catalogue.in(currency), new Set(old?.lines.map((line) => line.id)))
      const id = old?.invoice.id ?? newId()
      const row = newRow(tx, id, input, { number, currency, tax_mode, ...options })
      if (row.external_id) external.set(row.external_id, { id, number, external_id: row.external_id })
      const lines_taxed = withTax(books, tax, { ...row, tax_mode }, fresh, customer, catalogue, tx.today)
      const project = input.project_id ? projects.get(input.project_id) : null
      return {
        invoice: { ...row, ...totalsOf(lines_taxed, tax_mode) },
        names: { customer_name: customer.name, customer_email: customer.email, project_name: project?.name ?? null, project_code: project?.code ?? null },
        lines: asRows(id, lines_taxed, catalogue.in(currency)),
        payments: [], credits: [], entries: [],
      }
    },
  }
}

const none = async <Row>(ids: string[], read: (ids: string[]) => Promise<Map<string, Row>>): Promise<Map<string, Row>> => (ids.length > 0 ? read([...new Set(ids)]) : new Map())

export function writeDrafts(tx: BusinessTx, drafts: Loaded[]): Loaded[] {
  if (drafts.length === 0) return drafts
  insertInvoices(tx, drafts)
  return drafts
}

/** The tax of lines, whose code is the line's, else that of what is sold, else the customer's, else that of the settings. */
export function withTax(
  books: Books, tax: (input: TaxCalculationInput) => TaxCalculation, invoice: Pick<InvoiceRow, 'customer_id' | 'invoice_date' | 'tax_mode'>, lines: readonly SalesLine[],
  customer: Customer, catalogue: Catalogue, today: string,
): SalesLine[] {
  const calculation = invoice.tax_mode === 'none' || lines.length === 0 ? null
    : tax(taxQuestion({ date: invoice.invoice_date ?? today, customer_id: invoice.customer_id, tax_mode: invoice.tax_mode }, lines, (line) => codeOf(line, customer, catalogue)))
  return taxed(lines, calculation, () => ledgerOfRole(books, 'sales_tax_payable').id)
}

export function codeOf(line: Pick<SalesLine, 'tax_code_id' | 'variant_id' | 'catalog_item_id'>, customer: Customer | undefined, catalogue: Catalogue): string | null {
  return line.tax_code_id ?? catalogue.taxCodeOf(line) ?? customer?.default_tax_code_id ?? null
}

/** Every tax code that a line of these could have; null where one has none and the default of the settings counts. */
function codesOf(inputs: readonly InvoiceInput[], customers: Map<string, Customer>, catalogue: Catalogue): (string | null)[] {
  return inputs.flatMap(({ customer_id, line_items }) => (line_items ?? []).map((line) => {
    const [variant_id = null] = variantIds([line])
    return codeOf({ tax_code_id: line.tax_code_id ?? null, variant_id, catalog_item_id: line.catalog_item_id ?? null }, customers.get(customer_id), catalogue)
  }))
}

export function requireLedgersAndValues(books: Books, input: Pick<InvoiceInput, 'line_items' | 'dimension_value_ids'>): void {
  for (const [index, line] of (input.line_items ?? []).entries()) {
    const ledger = line.ledger_id ? books.ledgers.get(line.ledger_id) : null
    if (line.ledger_id && !ledger) throw notFound(`ledger_id: ledger ${line.ledger_id}`)
    if (ledger && ledger.type !== 'income') throw invalid(`Line ${index + 1}: ${ledgerName(ledger)} is no income ledger.`)
    if (ledger?.archived || ledger?.posting === false) throw invalid(`Line ${index + 1}: ${ledgerName(ledger)} takes no lines: choose another income ledger.`)
  }
  const values = [...(input.dimension_value_ids ?? []), ...(input.line_items ?? []).flatMap((line) => line.dimension_value_ids ?? [])]
  const missing = values.find((id) => !books.dimensions.values.has(id))
  if (missing) throw notFound(`dimension_value_ids: value ${missing}`)
}

/** Lines as they are kept, with the name of what they sell. */
export function asRows(invoice_id: string, lines: readonly SalesLine[], sellables: Sellables): LineRow[] {
  return lines.map((line) => ({
    ...line, invoice_id, quantity_delivered: 0, quantity_credited: 0, variant_name: line.variant_id ? sellables.variant(line.variant_id).name : null,
  }))
}

function newRow(tx: BusinessTx, id: string, input: InvoiceInput, given: DraftOptions & { number: string | null; currency: Currency; tax_mode: TaxMode }): InvoiceRow {
  return {
    id,
    business_id: tx.business_id,
    status: 'draft',
    currency: given.currency,
    customer_id: input.customer_id,
    invoice_date: input.invoice_date ?? null,
    due_date: input.due_date ?? null,
    number: given.number,
    description: input.description ?? null,
    customer_message: input.customer_message ?? null,
    internal_note: input.internal_note ?? null,
    purchase_order_number: input.purchase_order_number ?? null,
    billing_address: input.billing_address ?? null,
    shipping_address: input.shipping_address ?? null,
    payment_terms_id: input.payment_terms_id ?? null,
    fulfillment_location_id: input.fulfillment_location_id ?? null,
    project_id: input.project_id ?? null,
    contract_id: input.contract_id ?? null,
    revenue_treatment: input.revenue_treatment || null,
    dimension_value_ids: [...new Set(input.dimension_value_ids ?? [])],
    attachment_ids: input.attachment_ids ?? [],
    collect_online: input.collect_online ?? true,
    allow_partial_payments: input.allow_partial_payments ?? false,
    reminders_paused: input.reminders_paused ?? false,
    promised_on: input.promised_on ?? null,
    external_id: input.external_id ?? null,
    tax_mode: given.tax_mode,
    subtotal: 0, discount_total: 0, tax_total: 0, total: 0, total_paid: 0, total_credited: 0, written_off: 0,
    fx_rate: input.fx_rate ? plainDecimal(input.fx_rate) : null,
    base_total: null,
    base_balance: null,
    is_opening_balance: given.is_opening_balance ?? false,
    delivered: false, delivered_on: null, paid_on: null, finalized_at: null, sent_at: null, viewed_at: null, voided_at: null,
    send_at: input.send_at ?? null,
    uncollectible: false, uncollectible_on: null, disputed: false,
    origin: given.origin,
    origin_id: given.origin_id ?? null,
    ai_job_id: given.ai_job_id ?? null,
    recurring_template_id: given.recurring_template_id ?? null,
    issued_by: 'service',
    processor_invoice_id: null,
    processor_sync_status: 'none',
    link_generation: 1,
    receivable_line_id: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

export async function deleteInvoice(tx: BusinessTx, invoice_id: string): Promise<{ id: string; deleted: boolean }> {
  const { invoice } = await lockInvoice(tx, invoice_id)
  requireStatus(invoice, ['draft'], 'only drafts are deleted; void it instead')
  removeInvoice(tx, invoice)
  return { id: invoice_id, deleted: true }
}
