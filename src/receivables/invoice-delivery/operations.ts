// Goods that leave for a customer.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { issueStock } from '../../inventory/stock/operations.ts'
import { paidOn } from '../invoice-payments/rules.ts'
import type { Invoice } from '../invoices/contract.ts'
import { linkOf, lockInvoice, present, save, tieEntries, writeLines } from '../invoices/operations.ts'
import { nameOf, requireStatus } from '../invoices/rules.ts'

export async function deliverInvoice(tx: BusinessTx, invoice_id: string, input: { delivered_on?: string | null }): Promise<Invoice> {
  const loaded = await lockInvoice(tx, invoice_id)
  const { invoice, lines } = loaded
  requireStatus(invoice, ['open', 'partially_paid', 'manual_paid', 'processor_paid'], 'only finalized invoices are delivered')
  if (invoice.delivered) return present(tx, loaded)
  const { paid_on: moment, posted_on: day } = input.delivered_on ? paidOn(input.delivered_on, tx.today, tx.business.timezone) : { paid_on: tx.now, posted_on: tx.today }
  const goods = lines.filter(({ variant_id, quantity }) => variant_id !== null && quantity > 0)
  const { entry } = goods.length === 0 ? { entry: null } : await issueStock(tx, {
    source_type: 'invoice', source_id: invoice.id, date: day, memo: `Delivery of ${nameOf(invoice)}`,
    lines: goods.map((line) => ({
      source_line_id: line.id, variant_id: line.variant_id ?? '', location_id: line.location_id ?? invoice.fulfillment_location_id, quantity: line.quantity,
      customer_id: invoice.customer_id, project_id: line.project_id ?? invoice.project_id,
      dimension_value_ids: line.dimension_value_ids.length > 0 ? line.dimension_value_ids : invoice.dimension_value_ids,
    })),
  })
  if (entry) tieEntries(tx, [{ invoice_id, entry, role: 'delivery' }])
  const delivered = lines.map((line) => (line.variant_id ? { ...line, quantity_delivered: line.quantity } : line))
  if (goods.length > 0) writeLines(tx, delivered)
  const after = save(tx, { ...loaded, lines: delivered }, { delivered: true, delivered_on: moment }, 'invoice.delivered')
  return present(tx, entry ? { ...after, entries: [...after.entries, linkOf(invoice_id, entry, 'delivery')] } : after)
}
