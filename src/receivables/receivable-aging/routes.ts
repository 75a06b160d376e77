// Aging over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const receivableAgingRoutes = [
  on(contract.getAging, (tx, { query }) => operations.getAging(tx, query)),
]
