// What can be done with invoices of plans: they are the processor's, and kept here as it last told them.
import type { Surroundings } from '../../foundation/database/context.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { PlanInvoice } from '../../foundation/processor/plans.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { BillingInvoice, InvoiceRow } from './contract.ts'
import * as store from './store.ts'

export function listInvoices(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.invoices, query)
}

export async function getInvoice(tx: BusinessTx, invoice_id: string): Promise<BillingInvoice> {
  const { processor_invoice_id: _id, subscription_id: _subscription, ...invoice } = await tx.get(store.findInvoice, { id: invoice_id }, 'Invoice')
  return invoice
}

export const getInvoiceFile = {
  async read(tx: BusinessTx, { params: { invoice_id } }: { params: { invoice_id: string } }): Promise<string> {
    return (await tx.get(store.findInvoice, { id: invoice_id }, 'Invoice')).processor_invoice_id
  },
  call: ({ processor }: Surroundings, invoice: string): Promise<string> => processor.plans.invoiceFile(invoice),
  async write(_tx: BusinessTx, _input: unknown, _plan: string, url: string | null): Promise<{ url: string }> {
    if (url === null) throw notFound('File')
    return { url }
  },
}

export type InvoiceNews = { failed: InvoiceRow[]; paid: InvoiceRow[] }

/** What the processor says of invoices now. News is what was tried in vain since, and what was paid since. */
export async function applyInvoices(tx: BusinessTx, found: readonly PlanInvoice[]): Promise<InvoiceNews> {
  const before = new Map((await tx.many(store.lockInvoices, { ids: found.map(({ id }) => id) })).map((row) => [row.processor_invoice_id, row]))
  const rows = found.map((invoice) => ({ was: before.get(invoice.id) ?? null, is: rowOf(tx, invoice, before.get(invoice.id) ?? null) }))
  const made = rows.filter(({ was }) => was === null).map(({ is }) => is)
  const moved = rows.filter(({ was, is }) => was !== null && was.version !== is.version).map(({ is }) => is)
  if (made.length > 0) await tx.run(store.insertInvoices, { rows: JSON.stringify(made) })
  if (moved.length > 0) await tx.run(store.updateInvoices, { rows: JSON.stringify(moved) })
  return {
    failed: rows.filter(({ was, is }) => is.status === 'open' && is.attempts > (was?.attempts ?? 0)).map(({ is }) => is),
    paid: rows.filter(({ was, is }) => is.status === 'paid' && was?.status !== 'paid').map(({ is }) => is),
  }
}

/** The payment of what a session began went back. */
export function refundInvoices(tx: BusinessTx, subscription_id: string): void {
  tx.queue(store.refundInvoices, { subscription_id })
}

function rowOf(tx: BusinessTx, { id, ...told }: PlanInvoice, was: InvoiceRow | null): InvoiceRow {
  if (was === null) return { ...told, id: newId(), business_id: tx.business_id, processor_invoice_id: id, created_at: tx.now, updated_at: tx.now, version: 1 }
  // That the money went back is known here only.
  const status: InvoiceRow['status'] = was.status === 'refunded' && told.status === 'paid' ? 'refunded' : told.status
  const now = { ...told, status }
  const same = Object.entries(now).every(([name, value]) => was[name as keyof typeof now] === value)
  return same ? was : changed(was, now, tx.now)
}
