// Foreign balances over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const revaluationRoutes = [
  on(contract.getFxExposure, (tx, { query }) => operations.getFxExposure(tx, query)),
  on(contract.revalueFx, (tx, { body }) => operations.revalueFx(tx, body)),
]
