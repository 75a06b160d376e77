// Reclassification over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const reclassificationRoutes = [
  on(contract.reclassify, (tx, { body }) => operations.reclassify(tx, body)),
]
