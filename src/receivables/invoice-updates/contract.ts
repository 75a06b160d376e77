// Changing an invoice: the contract's update, to the letter.
import type { Static } from 'typebox'
import { date, id, list, nullable, optional, shape, text } from '../../foundation/shapes.ts'
import { RecurringConfig } from '../../directory/recurring-templates/contract.ts'
import { draftFields } from '../invoice-drafts/contract.ts'
import { endpoint, Invoice, params } from '../invoices/contract.ts'
import { LineInput, MOST_LINES } from '../sales-lines/contract.ts'

export const InvoiceUpdate = shape('InvoiceUpdate', {
  id: id({ description: 'The invoice to update, as in the path.' }),
  customer_id: optional(nullable(id({ description: 'Changes the customer. Of a finalized invoice only while it has no payment and no credit.' }))),
  line_items: optional(nullable(list(LineInput, { maxItems: MOST_LINES, description: 'Replaces all lines; drafts only.' }))),
  due_date: optional(nullable(date())),
  invoice_date: optional(nullable(date({ description: 'Of a finalized invoice: its entry is re-dated.' }))),
  invoice_number: optional(nullable(text(1, 40, { description: 'Unique in the business; not for invoices that the processor issued.' }))),
  ...draftFields,
  recurring: optional(nullable(RecurringConfig)),
})
export type InvoiceUpdate = Static<typeof InvoiceUpdate>

export const updateInvoice = endpoint({
  id: 'update_invoice', method: 'PUT', path: '/{invoice_id}', summary: 'Update an invoice',
  description: 'An absent field is left alone. null clears a field that can be empty and is ignored for customer_id, line_items, invoice_date, invoice_number and recurring. '
    + 'Drafts take every field; finalized invoices everything but lines, terms and dimensions; void ones description and revenue_treatment. All in one transaction.',
  params,
  body: InvoiceUpdate,
  reply: Invoice,
  refusals: [
    'The id of the body is not that of the path.', 'Lines of an invoice that is not a draft.', 'The number is used already, or the processor issued the invoice.',
    'The customer of an invoice with payments or credits.', 'A contract of another customer, or one that would be billed above its value.',
    'The old or the new date lies in a closed period.', 'The due date lies before the invoice date.', 'The invoice has a recurring template already, or the recurrence has no occurrence.',
  ],
})
