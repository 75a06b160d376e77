// Invoices of plans: what Daybook bills the business for.
import { Type, type Static } from 'typebox'
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { cents, id, integer, nullable, oneOf, optional, record, shape, timestamp } from '../../foundation/shapes.ts'

const words = Type.String()
const STATUSES = ['open', 'paid', 'void', 'uncollectible', 'refunded'] as const

const invoice = {
  ...record,
  number: nullable(words),
  status: oneOf(STATUSES),
  description: words,
  subtotal: cents(),
  tax: cents(),
  total: cents(),
  amount_paid: cents(),
  currency: words,
  period_start: timestamp(),
  period_end: timestamp(),
  issued_at: timestamp(),
  paid_at: nullable(timestamp()),
  attempts: integer(0, undefined, { description: 'How often the card was tried.' }),
}

export const InvoiceRow = Type.Object({ ...invoice, processor_invoice_id: words, subscription_id: nullable(words) })
export type InvoiceRow = Static<typeof InvoiceRow>

export const BillingInvoice = shape('BillingInvoice', invoice)
export type BillingInvoice = Static<typeof BillingInvoice>

const managing = { scope: 'business', permission: 'billing:manage', method: 'GET' } as const
const params = shape('BillingInvoiceParams', { invoice_id: id() })

export const listInvoices = endpoint({
  ...managing, id: 'list_billing_invoices', path: '/billing/invoices', summary: 'List the invoices of the plan',
  query: listQuery(['issued_at'], { status: optional(oneOf(STATUSES)) }),
  reply: pageOf(BillingInvoice),
})

export const getInvoice = endpoint({
  ...managing, id: 'get_billing_invoice', path: '/billing/invoices/{invoice_id}', summary: 'Get an invoice of the plan',
  params,
  reply: BillingInvoice,
})

export const getInvoiceFile = endpoint({
  ...managing, id: 'get_billing_invoice_pdf', path: '/billing/invoices/{invoice_id}/pdf', summary: 'Get where the PDF of an invoice can be fetched',
  params,
  reply: shape('BillingInvoiceFile', { url: words }),
})
