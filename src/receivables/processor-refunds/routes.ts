// Refunds of charges over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorRefundRoutes = [
  on(contract.refundCharge, (tx, { params, body }) => operations.refundCharge(tx, params.charge_id, body)),
]
