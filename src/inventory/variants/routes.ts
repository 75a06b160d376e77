// Variants over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const variantRoutes = [
  on(contract.lookupVariant, (tx, { query }) => operations.lookupVariant(tx, query)),
  on(contract.listVariants, (tx, { params }) => operations.listVariants(tx, params.product_id)),
  on(contract.addVariant, (tx, { params, body }) => operations.addVariant(tx, params.product_id, body)),
  on(contract.updateVariant, (tx, { params, body }) => operations.updateVariant(tx, params.product_id, params.variant_id, body)),
  on(contract.deleteVariant, (tx, { params }) => operations.deleteVariant(tx, params.product_id, params.variant_id)),
  on(contract.archiveVariant, (tx, { params }) => operations.archiveVariant(tx, params.product_id, params.variant_id)),
  on(contract.unarchiveVariant, (tx, { params }) => operations.unarchiveVariant(tx, params.product_id, params.variant_id)),
]
