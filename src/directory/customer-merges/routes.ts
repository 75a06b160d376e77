// Duplicates and merges over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const customerMergeRoutes = [
  on(contract.listDuplicates, (tx, { query }) => operations.listDuplicates(tx, query)),
  on(contract.mergeCustomers, (tx, { params, body }) => operations.mergeCustomers(tx, params.customer_id, body.source_ids)),
]
