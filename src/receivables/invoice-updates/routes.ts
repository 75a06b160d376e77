// The update of invoices over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceUpdateRoutes = [
  on(contract.updateInvoice, (tx, { params, body }) => operations.updateInvoice(tx, params.invoice_id, body)),
]
