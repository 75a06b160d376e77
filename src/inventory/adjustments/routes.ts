// Adjustments over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const adjustmentRoutes = [
  on(contract.listAdjustments, (tx, { query }) => operations.listAdjustments(tx, query)),
  on(contract.createAdjustment, (tx, { body }) => operations.createAdjustment(tx, body)),
  on(contract.getAdjustment, (tx, { params }) => operations.getAdjustment(tx, params.adjustment_id)),
  on(contract.updateAdjustment, (tx, { params, body }) => operations.updateAdjustment(tx, params.adjustment_id, body)),
  on(contract.deleteAdjustment, (tx, { params }) => operations.deleteAdjustment(tx, params.adjustment_id)),
  on(contract.postAdjustment, (tx, { params }) => operations.postAdjustment(tx, params.adjustment_id)),
  on(contract.reverseAdjustment, (tx, { params, body }) => operations.reverseAdjustment(tx, params.adjustment_id, body.reversal_date)),
]
