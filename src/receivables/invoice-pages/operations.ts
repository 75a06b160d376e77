// Showing an invoice to whoever has its link: the page, its PDF and its logo.
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import { Download } from '../../foundation/endpoint.ts'
import { Page } from '../../foundation/page.ts'
import { notFound } from '../../foundation/refusal.ts'
import { findLogo } from '../../access/business-logo/operations.ts'
import { openLink } from '../../workspace/document-links/operations.ts'
import { pdfOf } from '../invoice-documents/operations.ts'
import { viewInvoice } from '../invoice-views/operations.ts'
import { loadInvoices, lockInvoices, save, type Loaded } from '../invoices/operations.ts'
import { isFinalized } from '../invoices/rules.ts'
import { onlinePayment } from '../processor-checkouts/operations.ts'
import { invoicePage, pageStyle, pageTitle } from './rules.ts'

export async function showInvoice(tx: PublicTx, token: string, paid: string | undefined): Promise<Page> {
  const { inside, loaded } = await openInvoice(tx, token)
  const [view, { payable, reason }] = await Promise.all([viewInvoice(inside, loaded), onlinePayment(inside, loaded)])
  if (loaded.invoice.viewed_at === null) await markViewed(inside, loaded.invoice.id)
  const body = invoicePage(view, {
    path: `/pay/${token}`, payable, reason, allow_partial: loaded.invoice.allow_partial_payments, just_paid: /^\d{1,15}$/.test(paid ?? '') ? Number(paid) : null,
  })
  return new Page({ title: pageTitle(view), body, style: pageStyle, form_targets: tx.surroundings.processor.origins })
}

export async function showPdf(tx: PublicTx, token: string): Promise<Download> {
  const { inside, loaded } = await openInvoice(tx, token)
  return pdfOf(await viewInvoice(inside, loaded))
}

export async function showLogo(tx: PublicTx, token: string): Promise<Download> {
  const { inside } = await openInvoice(tx, token)
  const logo = await findLogo(inside)
  if (!logo) throw notFound('Document')
  return new Download(logo.content_type, 'logo', logo.content)
}

/** Unknown, rotated, void: the same 404. */
async function openInvoice(tx: PublicTx, token: string): Promise<{ inside: BusinessTx; loaded: Loaded }> {
  const { tx: inside, document_type, document_id } = await openLink(tx, token)
  const loaded = document_type === 'invoice' ? (await loadInvoices(inside, [document_id])).get(document_id) : undefined
  if (!loaded || !isFinalized(loaded.invoice.status)) throw notFound('Document')
  return { inside, loaded }
}

/** The first look counts. A business that nobody may change is left as it is. */
async function markViewed(tx: BusinessTx, invoice_id: string): Promise<void> {
  if (tx.business.read_only !== null) return
  const locked = (await lockInvoices(tx, [invoice_id])).get(invoice_id)
  if (locked && locked.invoice.viewed_at === null) save(tx, locked, { viewed_at: tx.now }, 'invoice.viewed')
}
