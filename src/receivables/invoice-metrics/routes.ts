// Metrics over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceMetricsRoutes = [
  on(contract.getMetrics, (tx, { query }) => operations.getMetrics(tx, query)),
]
