// The papers of an invoice: its PDF, and the link that its customer opens.
import { Type, type Static } from 'typebox'
import { boolean, cents, nullable, oneOf, shape, timestamp } from '../../foundation/shapes.ts'
import { currency, endpoint, params } from '../invoices/contract.ts'

/** How long the address of a PDF works. */
export const PDF_MINUTES = 15

export const PaymentLink = shape('InvoicePaymentLink', {
  url: Type.String({ description: 'The page on which the customer sees the invoice and pays it.' }),
  payable: boolean({ description: 'Whether it can be paid there now.' }),
  reason: nullable(Type.String({ description: 'Why not.' })),
  amount_due: cents(),
  currency,
  online_payment: boolean({ description: 'Card payments are set up, and this invoice takes them.' }),
  allow_partial: boolean(),
})
export type PaymentLink = Static<typeof PaymentLink>

export const PdfLink = shape('InvoicePdfLink', {
  pdf_url: Type.String({ description: 'Opens without a token until expires_at.' }),
  expires_at: timestamp(),
  source: oneOf(['processor', 'service'], { description: 'Who made the PDF.' }),
})
export type PdfLink = Static<typeof PdfLink>

export const getPaymentLink = endpoint({
  id: 'get_invoice_payment_link', method: 'GET', path: '/{invoice_id}/payment-link', summary: 'Get the link under which the customer pays an invoice',
  params,
  live: true,
  reply: PaymentLink,
  refusals: ['The invoice is a draft or void.'],
})

export const getPdfLink = endpoint({
  id: 'get_invoice_pdf', method: 'GET', path: '/{invoice_id}/pdf', summary: 'Get an address of the PDF of an invoice',
  description: `It works for ${PDF_MINUTES} minutes, for whoever has it.`,
  params,
  live: true,
  reply: PdfLink,
})

export const getPdf = endpoint({
  id: 'download_invoice_pdf', method: 'GET', path: '/{invoice_id}/pdf/internal', summary: 'Download the PDF of an invoice',
  description: 'As the service makes it. Drafts are marked DRAFT, void invoices VOID. The same invoice is the same file.',
  params,
  live: true,
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'application/pdf' }),
})
