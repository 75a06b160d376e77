// What customers owe over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const customerActivityRoutes = [
  on(contract.getBalance, (tx, { params, query }) => operations.getBalance(tx, params.customer_id, query)),
  on(contract.getActivity, (tx, { params, query }) => operations.getActivity(tx, params.customer_id, query)),
]
