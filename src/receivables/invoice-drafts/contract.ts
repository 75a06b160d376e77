// Drafts of invoices: what one is created from.
import type { Static } from 'typebox'
import { boolean, date, id, list, nullable, oneOf, optional, partial, shape, text, timestamp } from '../../foundation/shapes.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { rate } from '../../ledger/journal/contract.ts'
import { endpoint, params, settable } from '../invoices/contract.ts'
import { LineInput, MOST_LINES, TAX_MODES } from '../sales-lines/contract.ts'

const { dimension_value_ids, attachment_ids, revenue_treatment: _treatment, ...plain } = settable

/** "" clears it, as null does. */
export const treatmentInput = nullable(oneOf(['earned', 'deferred', ''], { description: 'A label; posts nothing. Empty or null clears it.' }))

export const draftFields = {
  ...partial('', plain).properties,
  revenue_treatment: optional(treatmentInput),
  dimension_value_ids: optional(dimension_value_ids),
  attachment_ids: optional(attachment_ids),
}

export const invoiceInput = {
  customer_id: id(),
  line_items: optional(nullable(list(LineInput, { maxItems: MOST_LINES }))),
  invoice_date: optional(nullable(date())),
  due_date: optional(nullable(date())),
  invoice_number: optional(nullable(text(1, 40, { description: 'Reserved at once. Without one the sequence gives it when the invoice is finalized.' }))),
  currency: optional(oneOf(CURRENCIES, { description: 'Default: that of the customer.' })),
  fx_rate: optional(nullable(rate)),
  tax_mode: optional(oneOf(TAX_MODES, { description: 'Default: by the tax settings.' })),
  external_id: optional(nullable(text(1, 200))),
  ...draftFields,
  send_at: optional(nullable(timestamp({ description: 'Finalize and mail it at this time.' }))),
}

export const InvoiceInput = shape('InvoiceInput', invoiceInput)
export type InvoiceInput = Static<typeof InvoiceInput>

const Deleted = shape('DeletedInvoice', { id: id(), deleted: boolean() })

export const deleteInvoice = endpoint({
  id: 'delete_invoice', method: 'DELETE', path: '/{invoice_id}', summary: 'Delete a draft',
  params,
  reply: Deleted,
  refusals: ['The invoice is finalized: void it.'],
})
