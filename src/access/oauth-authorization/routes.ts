// Consent over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const oauthAuthorizationRoutes = [
  on(contract.getAuthorizationRequest, (tx, { query }) => operations.getAuthorizationRequest(tx, query.request_id)),
  on(contract.decideAuthorization, (tx, { body }) => operations.decideAuthorization(tx, body)),
]
