// Delivery over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceDeliveryRoutes = [
  on(contract.deliverInvoice, (tx, { params, body }) => operations.deliverInvoice(tx, params.invoice_id, body)),
]
