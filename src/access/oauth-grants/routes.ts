// Grants over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const oauthGrantRoutes = [
  on(contract.listGrants, (tx, { query }) => operations.listGrants(tx, query)),
  on(contract.getGrant, (tx, { params }) => operations.getGrant(tx, params.grant_id)),
  on(contract.revokeGrant, (tx, { params, body }) => operations.revokeGrant(tx, params.grant_id, body)),
  on(contract.removeGrantBusiness, (tx, { params }) => operations.removeGrantBusiness(tx, params.grant_id, params.business_id)),
  on(contract.listActivity, (tx, { params, query }) => operations.listActivity(tx, params.grant_id, query)),
]
