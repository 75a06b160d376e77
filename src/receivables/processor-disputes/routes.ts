// Disputes over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorDisputeRoutes = [
  on(contract.listDisputes, (tx, { query }) => operations.listDisputes(tx, query)),
]
