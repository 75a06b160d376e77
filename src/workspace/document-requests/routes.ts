// Document requests over HTTP, as they are read: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentRequestRoutes = [
  on(contract.listRequests, (tx, { query }) => operations.listRequests(tx, query)),
  on(contract.summarizeRequests, (tx) => operations.summarizeRequests(tx)),
  on(contract.getRequest, (tx, { params }) => operations.getRequest(tx, params.request_id)),
]
