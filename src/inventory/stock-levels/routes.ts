// Stock levels over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const stockLevelRoutes = [
  on(contract.listAvailability, (tx, { query }) => operations.listAvailability(tx, query)),
  on(contract.getProductStock, (tx, { params }) => operations.getProductStock(tx, params.product_id)),
  on(contract.listLocationStock, (tx, { params, query }) => operations.listLocationStock(tx, params.location_id, query)),
]
