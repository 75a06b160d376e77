// The reconciliation over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorReconciliationRoutes = [
  on(contract.getReconciliation, (tx) => operations.getReconciliation(tx)),
]
