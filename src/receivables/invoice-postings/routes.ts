// Invoices and the journal over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoicePostingRoutes = [
  on(contract.finalizeInvoice, (tx, { params, body }) => operations.finalizeInvoice(tx, params.invoice_id, body)),
  on(contract.voidInvoice, (tx, { params, body }) => operations.voidInvoice(tx, params.invoice_id, body)),
  on(contract.generateEntry, (tx, { params, body }) => operations.generateEntry(tx, params.invoice_id, body)),
  on(contract.linkEntry, (tx, { params, body }) => operations.linkEntry(tx, params.invoice_id, body)),
]
