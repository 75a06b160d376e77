// Products over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const productRoutes = [
  on(contract.listProducts, (tx, { query }) => operations.listProducts(tx, query)),
  on(contract.createProduct, (tx, { body }) => operations.createProduct(tx, body)),
  on(contract.exportProducts, (tx, { query }) => operations.exportProducts(tx, query)),
  on(contract.getProduct, (tx, { params }) => operations.getProduct(tx, params.product_id)),
  on(contract.updateProduct, (tx, { params, body }) => operations.updateProduct(tx, params.product_id, body)),
  on(contract.deleteProduct, (tx, { params }) => operations.deleteProduct(tx, params.product_id)),
  on(contract.archiveProduct, (tx, { params }) => operations.archiveProduct(tx, params.product_id)),
  on(contract.unarchiveProduct, (tx, { params }) => operations.unarchiveProduct(tx, params.product_id)),
]
