// New invoices over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceIntakeRoutes = [
  on(contract.createInvoice, (tx, { body }) => operations.createInvoice(tx, body)),
  on(contract.createBatch, (tx, { body }) => operations.createBatch(tx, body)),
  on(contract.importInvoices, (tx, { body }) => operations.importInvoices(tx, body)),
]
