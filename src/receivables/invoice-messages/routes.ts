// Mailing invoices over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceMessageRoutes = [
  on(contract.sendInvoice, (tx, { params, body }) => operations.sendInvoice(tx, params.invoice_id, body)),
]
