// API tokens over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const apiTokenRoutes = [
  on(contract.listApiTokens, (tx, { query }) => operations.listApiTokens(tx, query)),
  on(contract.createApiToken, (tx, { body }) => operations.createApiToken(tx, body)),
  on(contract.getCurrentCredential, (tx) => operations.getCurrentCredential(tx)),
  on(contract.listScopes, () => operations.listScopes()),
  on(contract.getApiToken, (tx, { params }) => operations.getApiToken(tx, params.api_token_id)),
  on(contract.updateApiToken, (tx, { params, body }) => operations.updateApiToken(tx, params.api_token_id, body)),
  on(contract.revokeApiToken, (tx, { params }) => operations.revokeApiToken(tx, params.api_token_id)),
  on(contract.rotateApiToken, (tx, { params, body }) => operations.rotateApiToken(tx, params.api_token_id, body)),
]
