// Values of dimensions over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dimensionValueRoutes = [
  on(contract.listValues, (tx, { params, query }) => operations.listValues(tx, params.dimension_id, query)),
  on(contract.createValue, (tx, { params, body }) => operations.createValue(tx, params.dimension_id, body)),
  on(contract.importValues, (tx, { params, body }) => operations.importValues(tx, params.dimension_id, body)),
  on(contract.getValue, (tx, { params }) => operations.getValue(tx, params.dimension_id, params.value_id)),
  on(contract.updateValue, (tx, { params, body }) => operations.updateValue(tx, params.dimension_id, params.value_id, body)),
  on(contract.deleteValue, (tx, { params }) => operations.deleteValue(tx, params.dimension_id, params.value_id)),
  on(contract.archiveValue, (tx, { params }) => operations.archiveValue(tx, params.dimension_id, params.value_id)),
  on(contract.restoreValue, (tx, { params }) => operations.restoreValue(tx, params.dimension_id, params.value_id)),
  on(contract.mergeValue, (tx, { params, body }) => operations.mergeValue(tx, params.dimension_id, params.value_id, body.into_id)),
]
