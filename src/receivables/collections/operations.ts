// Who to ask for money, what they have promised, and what became late.
import { addDays, firstDayOfMonth } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { PromiseKeeper } from '../../directory/collection-activities/operations.ts'
import { figuresOf, requireCustomer, withAliases } from '../../directory/customers/operations.ts'
import { ledgersOfRole } from '../../directory/customer-activity/rules.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { invoiceResource } from '../invoices/contract.ts'
import { lockInvoices, saveAll } from '../invoices/operations.ts'
import { requireStatus } from '../invoices/rules.ts'
import type { Collections, CollectionsQuery } from './contract.ts'
import { daysOfSales, riskOf, SALES_DAYS } from './rules.ts'
import * as store from './store.ts'

export async function getCollections(tx: BusinessTx, { overdue, customer_id, ...query }: CollectionsQuery): Promise<Collections> {
  const customer = customer_id ? await requireCustomer(tx, customer_id) : null
  const asked = {
    ...query,
    today: tx.today,
    ...(customer ? { customer_id: customer.merged_into ?? customer.id } : {}),
    ...(overdue === undefined ? {} : overdue ? { is_overdue: true } : { is_not_overdue: true }),
  }
  const [page, summary, dso_days] = await Promise.all([tx.page(store.cases, asked), tx.get(store.summary, {}, 'Summary'), salesOutstanding(tx, tx.today)])
  const ids = page.items.map((row) => row.customer_id)
  const [figures, contacts] = ids.length === 0 ? [null, []]
    : await Promise.all([figuresOf(tx, ids), tx.many(store.contacts, { ids, timezone: tx.business.timezone })])
  const contactOf = new Map(contacts.map((contact) => [contact.customer_id, contact]))
  return {
    ...page,
    items: page.items.map((row) => ({
      ...row,
      // A promise that names no invoice is told here alone.
      promised_on: row.promised_on ?? contactOf.get(row.customer_id)?.promised_on ?? null,
      last_payment_on: figures?.get(row.customer_id)?.last_payment_on ?? null,
      last_contact_on: contactOf.get(row.customer_id)?.last_contact_on ?? null,
      risk: riskOf(row),
    })),
    summary: { ...summary, dso_days },
  }
}

/** Days of sales that are still to be paid at a day. */
export async function salesOutstanding(tx: BusinessTx, as_of: string, currency: string | null = null): Promise<number | null> {
  const { books } = await readBooks(tx)
  const ledger_ids = ledgersOfRole(books.ledgers, 'accounts_receivable')
  const [{ balance }, { sales }] = await Promise.all([
    tx.get(store.receivableAt, { ledger_ids, as_of, month: firstDayOfMonth(as_of), currency }, 'Balance'),
    tx.get(store.salesBetween, { from: addDays(as_of, 1 - SALES_DAYS), to: as_of, currency }, 'Sales'),
  ])
  return daysOfSales(balance, sales, SALES_DAYS)
}

/** What was promised stands on the invoices it was promised for. Whatever an activity is about must be this customer's. */
export const keepPromise: PromiseKeeper = async (tx, { customer_id, invoice_ids, kind, promised_on }) => {
  const [invoices, customer_ids] = await Promise.all([tx.many(store.invoicesByIds, { ids: invoice_ids }), withAliases(tx, customer_id)])
  const foreign = invoices.find((invoice) => !customer_ids.includes(invoice.customer_id))
  if (foreign) throw notFound(`Invoice ${foreign.id} of this customer`)
  if (kind !== 'promise') return
  const locked = await lockInvoices(tx, invoice_ids)
  for (const { invoice } of locked.values()) requireStatus(invoice, ['open', 'partially_paid'], 'only open invoices are promised to be paid')
  saveAll(tx, [...locked.values()].filter(({ invoice }) => invoice.promised_on !== promised_on)
    .map((loaded) => ({ loaded, changes: { promised_on }, event: 'invoice.updated' })))
}

/** Records what became overdue by the date of the business, once per due date; true while there may be more. */
export async function recordOverdue(tx: BusinessTx): Promise<boolean> {
  const invoices = await tx.many(store.noteOverdue)
  for (const invoice of invoices) tx.record(invoiceResource, 'invoice.overdue', { before: invoice, after: invoice })
  return invoices.length > 0
}
