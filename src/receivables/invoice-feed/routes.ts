// The feed over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceFeedRoutes = [
  on(contract.feedInvoices, (tx, { query }) => operations.feedInvoices(tx, query)),
]
