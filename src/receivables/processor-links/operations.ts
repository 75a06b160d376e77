// Replacing the hosted link of an invoice.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { rotateLink } from '../../workspace/document-links/operations.ts'
import type { Invoice } from '../invoices/contract.ts'
import { lockInvoice, present, save } from '../invoices/operations.ts'
import { requireStatus } from '../invoices/rules.ts'
import { endCheckout } from '../processor-checkouts/operations.ts'

export async function rotateInvoiceLink(tx: BusinessTx, invoice_id: string): Promise<Invoice> {
  const loaded = await lockInvoice(tx, invoice_id)
  requireStatus(loaded.invoice, ['open', 'partially_paid', 'manual_paid', 'processor_paid'], 'it has no link')
  const { generation } = await rotateLink(tx, 'invoice', invoice_id)
  // It would lead back to the link that is dead now.
  await endCheckout(tx, invoice_id)
  return present(tx, save(tx, loaded, { link_generation: generation }, 'invoice.updated'))
}
