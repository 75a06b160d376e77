// The hosted link of an invoice: replaced where it fell into wrong hands.
import { endpoint } from '../../foundation/endpoint.ts'
import { id, shape } from '../../foundation/shapes.ts'
import { Invoice } from '../invoices/contract.ts'

export const rotateInvoiceLink = endpoint({
  id: 'rotate_invoice_link', method: 'PUT', path: '/processor/invoices/{invoice_id}/rotate-link', summary: 'Give an invoice another link', scope: 'business',
  permission: 'processor:write',
  description: 'The old hosted_invoice_url and pdf_url open nothing any more, and a checkout that was opened by them ends. Each call makes another link.',
  params: shape('RotatedInvoiceParams', { invoice_id: id() }),
  reply: Invoice,
  refusals: ['The invoice is a draft or void: it has no link.'],
})
