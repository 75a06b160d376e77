// Handing out the papers of an invoice.
import { Readable } from 'node:stream'
import { toTimestamp } from '../../foundation/calendar.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import { Download } from '../../foundation/endpoint.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { fileTicket, openFileTicket } from '../../workspace/document-links/operations.ts'
import type { InvoiceView } from '../invoice-views/contract.ts'
import { hostedUrl, viewInvoice } from '../invoice-views/operations.ts'
import { loadInvoices, type Loaded } from '../invoices/operations.ts'
import { balanceOf, nameOf } from '../invoices/rules.ts'
import { onlinePayment } from '../processor-checkouts/operations.ts'
import { activeConnection } from '../processor-connections/operations.ts'
import { PDF_MINUTES, type PaymentLink, type PdfLink } from './contract.ts'
import { printInvoice } from './rules.ts'

export async function getPaymentLink(tx: BusinessTx, invoice_id: string): Promise<PaymentLink> {
  const loaded = await load(tx, invoice_id)
  const { invoice } = loaded
  const url = hostedUrl(tx, loaded)
  if (url === null) throw invalid(`${nameOf(invoice)} is ${invoice.status}: only a finalized invoice that is not void has a link.`)
  const [{ payable, reason }, connection] = await Promise.all([onlinePayment(tx, loaded), activeConnection(tx)])
  return {
    url, payable, reason, amount_due: balanceOf(invoice), currency: invoice.currency, online_payment: connection !== null && invoice.collect_online, allow_partial: invoice.allow_partial_payments,
  }
}

export async function getPdfLink(tx: BusinessTx, invoice_id: string): Promise<PdfLink> {
  const { invoice } = await load(tx, invoice_id)
  const expires_at = toTimestamp(new Date(Date.parse(tx.now) + PDF_MINUTES * 60_000))
  return { pdf_url: `${tx.surroundings.public_url}/files/invoices/${fileTicket(tx, 'invoice', invoice.id, expires_at)}`, expires_at, source: 'service' }
}

export async function downloadPdf(tx: BusinessTx, invoice_id: string): Promise<Download> {
  return pdfOf(await viewInvoice(tx, await load(tx, invoice_id)))
}

/** For whoever has an address that has not run out. */
export async function openPdf(tx: PublicTx, ticket: string): Promise<Download> {
  const { tx: inside, document_id } = await openFileTicket(tx, 'invoice', ticket)
  return downloadPdf(inside, document_id)
}

/** Printed when the answer is sent: the transaction is over by then. */
export function pdfOf(view: InvoiceView): Download {
  return new Download('application/pdf', fileNameOf(view), Readable.from(printed(view), { objectMode: false }))
}

async function* printed(view: InvoiceView): AsyncGenerator<Buffer> {
  yield await printInvoice(view)
}

export function fileNameOf({ number, invoice_id }: InvoiceView): string {
  return `Invoice-${number === null ? `draft-${invoice_id}` : number.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')}.pdf`
}

async function load(tx: BusinessTx, invoice_id: string): Promise<Loaded> {
  const loaded = (await loadInvoices(tx, [invoice_id])).get(invoice_id)
  if (!loaded) throw notFound('Invoice')
  return loaded
}
