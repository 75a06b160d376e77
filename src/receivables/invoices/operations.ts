// Reading invoices, and what every change of one has in common: it is locked with all that belongs to it, and shown as it is afterwards.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { Statement } from '../../foundation/database/statement.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { PostedEntry } from '../../ledger/journal/contract.ts'
import { linkToken } from '../../workspace/document-links/operations.ts'
import { settlementsOf } from '../processor-settlements/operations.ts'
import { CUSTOM, type LineItem } from '../sales-lines/contract.ts'
import { invoiceResource, type CreditRow, type EntryRole, type Invoice, type InvoiceEntry, type InvoicePayment, type InvoiceRow, type PaymentRow } from './contract.ts'
import { balanceOf, daysOverdue } from './rules.ts'
import * as store from './store.ts'

export type LineRow = Omit<LineItem, 'variant_id'> & { variant_id: string | null; invoice_id: string }
export type EntryLink = InvoiceEntry & { invoice_id: string; standing: boolean }
export type Names = Pick<Invoice, 'customer_name' | 'customer_email' | 'project_name' | 'project_code'>

/** An invoice with all that belongs to it. Operations change these values along with the rows, so that they can be shown without being read again. */
export type Loaded = { invoice: InvoiceRow; names: Names; lines: LineRow[]; payments: InvoicePayment[]; credits: CreditRow[]; entries: EntryLink[] }

/** Locks invoices in the order of their ids and reads what belongs to them; 404 where one is missing. */
export async function lockInvoices(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, Loaded>> {
  return load(tx, [...new Set(ids)], tx.many(store.lockInvoices, { ids: [...new Set(ids)] }))
}

/** The one that this request changes: If-Match is held against it. */
export async function lockInvoice(tx: BusinessTx, id: string): Promise<Loaded> {
  const loaded = only(await lockInvoices(tx, [id]), id)
  tx.checkMatch(loaded.invoice.version)
  return loaded
}

export async function loadInvoices(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, Loaded>> {
  return load(tx, [...new Set(ids)], tx.many(store.findInvoices, { ids: [...new Set(ids)] }))
}

/** The statements travel together: the ones behind the lock see what its last holder left. */
async function load(tx: BusinessTx, ids: string[], reading: Promise<InvoiceRow[]>): Promise<Map<string, Loaded>> {
  const [rows, names, lines, payments, credits, entries] = await Promise.all([
    reading, tx.many(store.namesOf, { ids }), tx.many(store.linesOf, { ids }), tx.many(store.paymentsOf, { ids }), tx.many(store.creditsOf, { ids }), tx.many(store.entriesOf, { ids }),
  ])
  const missing = ids.find((id) => !rows.some((row) => row.id === id))
  if (missing) throw notFound(ids.length === 1 ? 'Invoice' : `Invoice ${missing}`)
  const of = <Row extends { invoice_id: string }>(all: Row[]) => Map.groupBy(all, ({ invoice_id }) => invoice_id)
  const [byLine, byPayment, byCredit, byEntry] = [of(lines), of(payments), of(credits), of(entries)]
  const byName = new Map(names.map(({ id, ...name }) => [id, name]))
  return new Map(rows.map((invoice) => [invoice.id, {
    invoice,
    names: byName.get(invoice.id) ?? { customer_name: null, customer_email: null, project_name: null, project_code: null },
    lines: byLine.get(invoice.id) ?? [],
    payments: byPayment.get(invoice.id) ?? [],
    credits: byCredit.get(invoice.id) ?? [],
    entries: byEntry.get(invoice.id) ?? [],
  }]))
}

function only<Value>(found: Map<string, Value>, id: string): Value {
  const value = found.get(id)
  if (!value) throw notFound('Invoice')
  return value
}

export async function getInvoice(tx: BusinessTx, id: string, include_superseded = false): Promise<Invoice> {
  return present(tx, only(await loadInvoices(tx, [id]), id), include_superseded)
}

/** The whole of it, as it stands in this transaction. */
export async function present(tx: BusinessTx, loaded: Loaded, include_superseded = false): Promise<Invoice> {
  const [invoice] = await presentAll(tx, [loaded], include_superseded)
  return invoice as Invoice
}

export async function presentAll(tx: BusinessTx, all: readonly Loaded[], include_superseded = false): Promise<Invoice[]> {
  const by_processor = all.filter(({ invoice }) => invoice.status === 'processor_paid').map(({ invoice }) => invoice.id)
  const settlements = by_processor.length > 0 ? await settlementsOf(tx, by_processor) : new Map<string, never>()
  return all.map(({ invoice, names, lines, payments, credits, entries }) => ({
    ...shown(tx, invoice, names),
    line_items: lines.map(({ invoice_id: _invoice, ...line }) => ({ ...line, variant_id: line.variant_id ?? (line.catalog_item_id ? null : CUSTOM) })),
    payments: payments.filter(({ reversed_at }) => include_superseded || reversed_at === null),
    credits_applied: credits.filter(({ reversed_at }) => reversed_at === null).map(({ id, credit_memo_id, number, amount, applied_on }) => ({ application_id: id, credit_memo_id, number, amount, applied_on })),
    journal_entries: entries.filter(({ standing }) => include_superseded || standing).map(({ invoice_id: _invoice, standing: _standing, ...entry }) => entry),
    processor_settlement: settlements.get(invoice.id) ?? null,
  }))
}

/** Without what is kept in other tables. */
function shown(tx: BusinessTx, invoice: InvoiceRow, names: Names): Invoice {
  const { link_generation, receivable_line_id: _line, ...row } = invoice
  const days_overdue = daysOverdue(invoice, tx.today)
  // Drafts and void invoices have nothing to show to a customer.
  const public_url = invoice.finalized_at && invoice.status !== 'void' ? `${tx.surroundings.public_url}/pay/${linkToken(tx, 'invoice', invoice.id, link_generation)}` : null
  return {
    ...row,
    customer_name: names.customer_name, customer_email: names.customer_email, project_name: names.project_name, project_code: names.project_code,
    balance_due: balanceOf(invoice),
    is_overdue: days_overdue > 0,
    days_overdue,
    hosted_invoice_url: public_url,
    pdf_url: public_url && `${public_url}/pdf`,
    line_items: null, payments: null, credits_applied: null, journal_entries: null, processor_settlement: null,
  }
}

export type InvoiceQuery = PageQuery & { include?: string[]; overdue?: boolean; has_balance?: boolean }

export async function listInvoices(tx: BusinessTx, query: InvoiceQuery) {
  const page = await tx.page(store.invoices, listed(tx, query))
  const include = new Set(query.include)
  if (include.size === 0 || page.items.length === 0) return { ...page, items: page.items.map((row) => shown(tx, row, row)) }
  const ids = page.items.map(({ id }) => id)
  const none: never[] = []
  const [lines, payments, credits, entries] = await Promise.all([
    include.has('line_items') ? tx.many(store.linesOf, { ids }) : none,
    include.has('payments') ? tx.many(store.paymentsOf, { ids }) : none,
    include.has('payments') ? tx.many(store.creditsOf, { ids }) : none,
    include.has('journal_entries') ? tx.many(store.entriesOf, { ids }) : none,
  ])
  const of = <Row extends { invoice_id: string }>(all: Row[], id: string) => all.filter(({ invoice_id }) => invoice_id === id)
  const whole = await presentAll(tx, page.items.map((row) => {
    const [invoice, names] = split(row)
    return { invoice, names, lines: of(lines, row.id), payments: of(payments, row.id), credits: of(credits, row.id), entries: of(entries, row.id) }
  }))
  const items = whole.map((invoice) => ({
    ...invoice,
    line_items: include.has('line_items') ? invoice.line_items : null,
    payments: include.has('payments') ? invoice.payments : null,
    credits_applied: include.has('payments') ? invoice.credits_applied : null,
    journal_entries: include.has('journal_entries') ? invoice.journal_entries : null,
  }))
  return { ...page, items }
}

function split({ customer_name, customer_email, project_name, project_code, ...invoice }: InvoiceRow & Names): [InvoiceRow, Names] {
  return [invoice, { customer_name, customer_email, project_name, project_code }]
}

/** Filters that are true or false become conditions that an index can serve. */
export function listed(tx: BusinessTx, { overdue, has_balance, ...query }: InvoiceQuery) {
  return {
    ...query,
    ...(overdue === undefined ? {} : overdue ? { is_overdue: tx.today } : { is_not_overdue: tx.today }),
    ...(has_balance === undefined ? {} : has_balance ? { with_balance: true } : { without_balance: true }),
  }
}

/** A changed invoice: written with the commit, and its history with it. Answers it as it is now. */
export function save(tx: BusinessTx, loaded: Loaded, changes: Partial<InvoiceRow>, event: (typeof invoiceResource.events)[number]): Loaded {
  const [after] = saveAll(tx, [{ loaded, changes, event }])
  return after as Loaded
}

export function saveAll(tx: BusinessTx, all: readonly { loaded: Loaded; changes: Partial<InvoiceRow>; event: (typeof invoiceResource.events)[number] }[]): Loaded[] {
  const saved = all.map(({ loaded, changes, event }) => {
    const after = changed(loaded.invoice, changes, tx.now)
    tx.record(invoiceResource, event, { before: loaded.invoice, after })
    return { ...loaded, invoice: after }
  })
  if (saved.length > 0) tx.queue(store.updateInvoices, { rows: JSON.stringify(saved.map(({ invoice }) => invoice)) })
  return saved
}

/** Ties entries to invoices: written with the commit. */
export function tieEntries(tx: BusinessTx, ties: readonly { invoice_id: string; entry: { id: string }; role: EntryRole }[]): void {
  if (ties.length === 0) return
  tx.queue(store.insertEntries, { rows: JSON.stringify(ties.map(({ invoice_id, entry, role }) => ({ invoice_id, entry_id: entry.id, role, standing: true }))) })
}

export function linkOf(invoice_id: string, { id, date, total, memo }: PostedEntry, role: EntryRole): EntryLink {
  return { invoice_id, id, date, role, total, memo, standing: true }
}

/** These entries no longer stand for anything. */
export function endEntries(tx: BusinessTx, entry_ids: readonly string[]): void {
  if (entry_ids.length > 0) tx.queue(store.endEntries, { entry_ids })
}

/** New drafts with their lines. */
export function insertInvoices(tx: BusinessTx, drafts: readonly Loaded[]): void {
  write(tx, store.insertInvoices, drafts.map(({ invoice }) => invoice))
  write(tx, store.insertLines, drafts.flatMap(({ lines }) => lines))
  for (const { invoice } of drafts) tx.record(invoiceResource, 'invoice.created', { before: null, after: invoice })
}

export function removeInvoice(tx: BusinessTx, invoice: InvoiceRow): void {
  tx.queue(store.deleteInvoice, invoice)
  tx.queue(store.insertTombstone, invoice)
  tx.record(invoiceResource, 'invoice.deleted', { before: invoice, after: null })
}

export function replaceLines(tx: BusinessTx, invoice_id: string, lines: readonly LineRow[]): void {
  tx.queue(store.deleteLines, { ids: [invoice_id] })
  write(tx, store.insertLines, lines)
}

export const writeLines = (tx: BusinessTx, lines: readonly LineRow[]): void => write(tx, store.updateLines, lines)
export const insertPayments = (tx: BusinessTx, payments: readonly PaymentRow[]): void => write(tx, store.insertPayments, payments)
export const writePayments = (tx: BusinessTx, payments: readonly PaymentRow[]): void => write(tx, store.updatePayments, payments)
export const insertCredits = (tx: BusinessTx, credits: readonly CreditRow[]): void => write(tx, store.insertCredits, credits)
export const writeCredits = (tx: BusinessTx, credits: readonly CreditRow[]): void => write(tx, store.updateCredits, credits)

function write(tx: BusinessTx, statement: Statement, rows: readonly object[]): void {
  if (rows.length > 0) tx.queue(statement, { rows: JSON.stringify(rows) })
}

/** The keys are as `numberKey` makes them. */
export const invoicesByNumbers = async (tx: BusinessTx, keys: readonly string[]) => (keys.length > 0 ? tx.many(store.byNumbers, { keys }) : [])
export const invoicesByExternalIds = async (tx: BusinessTx, external_ids: readonly string[]) => (external_ids.length > 0 ? tx.many(store.byExternalIds, { external_ids }) : [])
export const invoicesOfEntry = (tx: BusinessTx, entry_id: string) => tx.many(store.invoicesOfEntry, { entry_id })

/** What customers owe, less what they have to their credit. */
export const exposuresOf = async (tx: BusinessTx, ids: readonly string[]) => (ids.length > 0 ? tx.many(store.exposures, { ids }) : [])

/** Which of these transactions were dismissed from cash receipts. */
export const dismissed = (tx: BusinessTx, ids: readonly string[]) => tx.many(store.dismissalsOf, { ids })

export async function listPayments(tx: BusinessTx, invoice_id: string, { include_superseded, ...query }: PageQuery & { include_superseded?: boolean }) {
  const asked = { ...query, invoice_id, ...(include_superseded ? {} : { standing: true }) }
  const [rows, page] = await Promise.all([tx.many(store.findInvoices, { ids: [invoice_id] }), tx.page(store.payments, asked)])
  if (rows.length === 0) throw notFound('Invoice')
  return page
}
