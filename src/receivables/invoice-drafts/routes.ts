// Drafts of invoices over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceDraftRoutes = [
  on(contract.deleteInvoice, (tx, { params }) => operations.deleteInvoice(tx, params.invoice_id)),
]
