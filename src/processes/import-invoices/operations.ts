// Invoices from files: drafts, with a line for each row.
import { deleteInvoice } from '../../receivables/invoice-drafts/operations.ts'
import { InvoiceImportRow } from '../../receivables/invoice-intake/contract.ts'
import { importInvoices } from '../../receivables/invoice-intake/operations.ts'
import { invoicesByExternalIds } from '../../receivables/invoices/operations.ts'
import { ok, refused, type Handler } from '../import-handlers/contract.ts'
import * as store from './store.ts'

export const invoiceHandler: Handler = {
  schema: InvoiceImportRow,
  batch: 200,
  complete({ input, unit }, { options, import_id }) {
    const { line_items, ...invoice } = input as { line_items?: (object | undefined)[]; external_id?: string; invoice_number?: string }
    // By what a second import knows it again: its own name elsewhere, else its number.
    const external_id = invoice.external_id ?? invoice.invoice_number ?? `${import_id}-${unit}`
    // A row that says nothing of a line only adds to the invoice.
    return { ...(options.currency && { currency: options.currency }), ...invoice, external_id,
      line_items: Array.from(line_items ?? []).filter((line) => line !== undefined) }
  },
  async known(tx, inputs) {
    const found = new Map((await invoicesByExternalIds(tx, inputs.map(({ external_id }) => String(external_id)))).map(({ external_id, id }) => [external_id,
      id]))
    return inputs.map(({ external_id }) => found.get(String(external_id)) ?? null)
  },
  async save(tx, inputs) {
    const { results } = await importInvoices(tx, { rows: inputs as InvoiceImportRow[], atomic: false, on_duplicate: 'error' })
    return results.map(({ status, id, detail }) => (status === 'error' ? refused(detail ?? '') : ok('created', id)))
  },
  remove: deleteInvoice,
  worth: (tx, record_ids) => tx.many(store.totals, { ids: [...record_ids] }),
}
