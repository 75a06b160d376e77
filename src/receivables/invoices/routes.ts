// Reading invoices over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceRoutes = [
  on(contract.listInvoices, (tx, { query }) => operations.listInvoices(tx, query)),
  on(contract.getInvoice, (tx, { params, query }) => operations.getInvoice(tx, params.invoice_id, query.include_superseded)),
]
