// Dimensions over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dimensionRoutes = [
  on(contract.listDimensions, (tx, { query }) => operations.listDimensions(tx, query)),
  on(contract.createDimension, (tx, { body }) => operations.createDimension(tx, body)),
  on(contract.getDimension, (tx, { params }) => operations.getDimension(tx, params.dimension_id)),
  on(contract.updateDimension, (tx, { params, body }) => operations.updateDimension(tx, params.dimension_id, body)),
  on(contract.deleteDimension, (tx, { params }) => operations.deleteDimension(tx, params.dimension_id)),
  on(contract.archiveDimension, (tx, { params }) => operations.archiveDimension(tx, params.dimension_id)),
  on(contract.restoreDimension, (tx, { params }) => operations.restoreDimension(tx, params.dimension_id)),
]
