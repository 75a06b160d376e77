// Invoices and the journal: finalizing, voiding, and the entry that stands for an invoice.
import type { Static } from 'typebox'
import { boolean, date, id, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { JournalEntry } from '../../ledger/journal/contract.ts'
import { endpoint, Invoice, params } from '../invoices/contract.ts'

export const Finalization = shape('InvoiceFinalization', {
  invoice_date: optional(nullable(date({ description: 'Default: that of the draft, else today.' }))),
  due_date: optional(nullable(date({ description: 'Default: that of the draft, else by the payment terms.' }))),
  invoice_number: optional(nullable(text(1, 40))),
  override_credit_limit: optional(boolean({ description: 'Of an admin: above the credit limit of the customer all the same.' })),
})
export type Finalization = Static<typeof Finalization>

export const finalizeInvoice = endpoint({
  id: 'finalize_invoice', method: 'PUT', path: '/{invoice_id}/finalize', summary: 'Finalize an invoice',
  description: 'Gives it its number and dates, reads catalog prices once more, posts its entry and moves its contract. A total of 0 is paid at once and posts nothing.',
  params,
  body: Finalization,
  reply: Invoice,
  refusals: [
    'It has no line, or a line without a price.', 'The customer or a ledger is archived.', 'There is no exchange rate.', 'The date lies in a closed period.',
    'The number is used already.', 'The credit limit of the customer is exceeded.', 'The contract would be billed above its value.', 'The invoice is void.',
  ],
  example: {},
})

export const voidInvoice = endpoint({
  id: 'void_invoice', method: 'PUT', path: '/{invoice_id}/void', summary: 'Void an invoice',
  description: 'Reverses its entry, returns delivered goods and takes it off its contract. The number stays used.',
  permission: 'documents:correct',
  params,
  body: shape('InvoiceVoid', {
    reason: optional(nullable(text(0, 500))),
    reversal_date: optional(nullable(date({ description: 'Where the date of the entry is closed: a later one.' }))),
  }),
  reply: Invoice,
  refusals: ['It has payments or credits: remove them first.', 'It is a draft: delete it.', 'It is written off: undo that first.', 'The date lies in a closed period.'],
  example: {},
})

const EntryAndInvoice = shape('InvoiceAndEntry', { journal_entry: JournalEntry, invoice: Invoice })

export const generateEntry = endpoint({
  id: 'generate_invoice_journal_entry', method: 'POST', path: '/{invoice_id}/journal-entry', summary: 'Post the missing entry of an invoice',
  description: 'For invoices that were imported without one.',
  params,
  body: shape('InvoiceEntryInput', { date: optional(nullable(date({ description: 'Default: the date of the invoice.' }))) }),
  reply: EntryAndInvoice,
  refusals: ['It has its entry.', 'It is a draft, void, or comes to 0.', 'The date lies in a closed period.'],
  example: {},
})

export const linkEntry = endpoint({
  id: 'link_invoice_journal_entry', method: 'POST', path: '/{invoice_id}/journal-entry/link', summary: 'Tie a journal entry to an invoice',
  params,
  body: shape('InvoiceEntryLink', {
    journal_entry_id: id(),
    role: optional(oneOf(['finalization', 'related'], { default: 'related', description: 'finalization: this entry stands for the invoice, and payments settle it.' })),
  }),
  reply: EntryAndInvoice,
  refusals: [
    'As finalization: the invoice has its entry, the entry has no receivable line of this customer and total, or it belongs to another document.', 'The invoice is a draft or void.',
  ],
})
