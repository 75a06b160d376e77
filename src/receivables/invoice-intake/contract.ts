// New invoices: one, a batch, or an import.
import type { Static } from 'typebox'
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { invoiceInput } from '../invoice-drafts/contract.ts'
import { endpoint, Invoice, METHODS } from '../invoices/contract.ts'

const goes_on = {
  finalize: optional(boolean({ description: 'Finalize it in the same transaction.' })),
  send: optional(boolean({ description: 'Finalize it in the same transaction, and mail it once that is done.' })),
}

export const NewInvoice = shape('NewInvoice', { ...invoiceInput, ...goes_on })
export type NewInvoice = Static<typeof NewInvoice>

const refusals = [
  'The number or the external_id is used already.', 'The customer is archived.', 'The due date lies before the invoice date.', 'The contract belongs to another customer.',
  'With `finalize`: whatever refuses to finalize.',
]

export const createInvoice = endpoint({
  id: 'create_invoice', method: 'POST', path: '', summary: 'Create an invoice',
  description: 'A draft posts nothing. Lines of a catalog item or variant take its price; lines by hand need a description and a unit_price.',
  body: NewInvoice,
  reply: Invoice,
  refusals,
})

export const InvoiceBatch = shape('InvoiceBatch', { invoices: list(shape('BatchInvoice', invoiceInput), { minItems: 1, maxItems: 100 }), ...goes_on })
export type InvoiceBatch = Static<typeof InvoiceBatch>

export const createBatch = endpoint({
  id: 'batch_create_invoices', method: 'POST', path: '/batch', summary: 'Create a batch of invoices',
  description: 'All or nothing, up to 100.',
  body: InvoiceBatch,
  reply: shape('InvoiceBatchResult', { invoices: list(Invoice), count: integer(0) }),
  refusals,
})

const { customer_id: _customer, external_id: _external, ...imported } = invoiceInput

export const InvoiceImportRow = shape('InvoiceImportRow', {
  ...imported,
  external_id: text(1, 200, { description: 'What the invoice is called where it comes from: imported once.' }),
  customer_id: optional(nullable(id())),
  customer_external_id: optional(nullable(text(1, 200))),
  customer_name: optional(nullable(text(1, 200, { description: 'Its exact name; one that several have is refused.' }))),
  finalize: optional(boolean()),
  is_opening_balance: optional(boolean({ description: 'Posted against opening balances instead of income and tax.' })),
  post_entry: optional(boolean({ default: true, description: 'false: its entry is in the books already, and is linked afterwards.' })),
  payments: optional(list(shape('InvoiceImportPayment', { amount: integer(1), paid_on: optional(nullable(date())), method: optional(oneOf(METHODS)) }), { maxItems: 50 })),
})
export type InvoiceImportRow = Static<typeof InvoiceImportRow>

export const InvoiceImport = shape('InvoiceImport', {
  rows: list(InvoiceImportRow, { minItems: 1, maxItems: MOST_ITEMS }),
  atomic,
  on_duplicate: optional(oneOf(['skip', 'error'], { default: 'skip', description: 'What becomes of a row whose external_id is there already.' })),
})
export type InvoiceImport = Static<typeof InvoiceImport>

export const InvoiceImportResult = shape('InvoiceImportResult', {
  ...BulkResult.properties,
  created: integer(0),
  skipped: integer(0, undefined, { description: 'Rows that were there already; they count as succeeded.' }),
})
export type InvoiceImportResult = Static<typeof InvoiceImportResult>

export const importInvoices = endpoint({
  id: 'bulk_create_invoices', method: 'POST', path: '/bulk', summary: 'Import invoices',
  description: 'Up to 1,000 rows, each with its own result; by default all or nothing.',
  large_body: true,
  body: InvoiceImport,
  reply: InvoiceImportResult,
  refusals: ['With `atomic`: the first row that is refused.'],
})

/** Row numbers are part of what went wrong. */
export const rowPlace = (index: number) => ['body', 'invoices', index]
