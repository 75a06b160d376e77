// Charges over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorChargeRoutes = [
  on(contract.listCharges, (tx, { query }) => operations.listCharges(tx, query)),
  on(contract.getCharge, (tx, { params }) => operations.getCharge(tx, params.charge_id)),
]
