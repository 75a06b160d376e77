// Making document requests over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentRequestDraftRoutes = [
  on(contract.createRequest, (tx, { body }) => operations.createRequest(tx, body)),
  on(contract.bulkRequests, (tx, { body }) => operations.bulkRequests(tx, body)),
  on(contract.updateRequest, (tx, { params, body }) => operations.updateRequest(tx, params.request_id, body)),
  on(contract.deleteRequest, (tx, { params }) => operations.deleteRequest(tx, params.request_id)),
]
