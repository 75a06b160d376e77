// Collection activities over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const collectionActivityRoutes = (keepPromise: operations.PromiseKeeper | null) => [
  on(contract.listActivities, (tx, { params, query }) => operations.listActivities(tx, params.customer_id, query)),
  on(contract.createActivity, (tx, { params, body }) => operations.createActivity(tx, params.customer_id, body, keepPromise)),
]
