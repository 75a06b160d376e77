// Kit components over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const kitComponentRoutes = [
  on(contract.getKitComponents, (tx, { params }) => operations.getKitComponents(tx, params.product_id)),
  on(contract.replaceKitComponents, (tx, { params, body }) => operations.replaceKitComponents(tx, params.product_id, body.components)),
]
