// The stock ledger over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const stockMovementRoutes = [
  on(contract.listMovements, (tx, { query }) => operations.listMovements(tx, query)),
  on(contract.listProductMovements, (tx, { params, query }) => operations.listProductMovements(tx, params.product_id, query)),
]
