// Delivery of what an invoice sells.
import { Type } from 'typebox'
import { nullable, optional, shape } from '../../foundation/shapes.ts'
import { endpoint, Invoice, params } from '../invoices/contract.ts'

export const deliverInvoice = endpoint({
  id: 'deliver_invoice', method: 'PUT', path: '/{invoice_id}/delivered', summary: 'Mark an invoice delivered',
  description: 'Stock leaves from the location of each line, else of the invoice, else the default one, and its cost is posted. Lines without stock only get the flag.',
  params,
  body: shape('InvoiceDelivery', {
    delivered_on: optional(nullable(Type.String({ anyOf: [{ format: 'date' }, { format: 'date-time' }], description: 'A date or a date-time. Default: now.' }))),
  }),
  reply: Invoice,
  refusals: ['The invoice is a draft or void.', 'There is not enough stock, or no location to take it from.', 'The date lies in a closed period.'],
  example: {},
})
