// The SQL of invoices of plans.
import { list } from '../../foundation/database/list.ts'
import { changing, insertions, selectionById, updatings } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { BillingInvoice, InvoiceRow } from './contract.ts'

export const insertInvoices = insertions('billing_invoices', InvoiceRow)
export const updateInvoices = updatings('billing_invoices', changing(InvoiceRow, 'processor_invoice_id'))
export const findInvoice = selectionById('billing_invoices', InvoiceRow)
export const lockInvoices = statement(InvoiceRow,
  `select ${columns(InvoiceRow)} from billing_invoices where business_id = :business_id and processor_invoice_id = any(:ids) order by id for update`)
export const refundInvoices = command(
  `update billing_invoices set status = 'refunded', updated_at = :now, version = version + 1
   where business_id = :business_id and subscription_id = :subscription_id and status = 'paid'`)

export const invoices = list({
  item: BillingInvoice,
  from: 'billing_invoices t',
  where: 't.business_id = :business_id',
  sorts: { issued_at: { column: 't.issued_at', type: 'timestamptz' } },
  filters: { status: 't.status = :status' },
})
