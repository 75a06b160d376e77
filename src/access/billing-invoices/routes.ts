// Invoices of plans over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const billingInvoiceRoutes = [
  on(contract.listInvoices, (tx, { query }) => operations.listInvoices(tx, query)),
  on(contract.getInvoice, (tx, { params }) => operations.getInvoice(tx, params.invoice_id)),
  onOutside(contract.getInvoiceFile, operations.getInvoiceFile),
]
