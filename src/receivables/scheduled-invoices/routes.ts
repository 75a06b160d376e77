// What will become an invoice by itself, over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const scheduledInvoiceRoutes = [
  on(contract.listScheduledInvoices, (tx, { query }) => operations.listScheduledInvoices(tx, query)),
]
