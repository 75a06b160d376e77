// The states of document requests over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentRequestStateRoutes = [
  on(contract.sendRequest, (tx, { params }) => operations.sendRequest(tx, params.request_id)),
  on(contract.remindRequest, (tx, { params, body }) => operations.remindRequest(tx, params.request_id, body.force ?? false)),
  on(contract.completeRequest, (tx, { params }) => operations.completeRequest(tx, params.request_id)),
  on(contract.cancelRequest, (tx, { params, body }) => operations.cancelRequest(tx, params.request_id, body.reason)),
  on(contract.reopenRequest, (tx, { params }) => operations.reopenRequest(tx, params.request_id)),
]
