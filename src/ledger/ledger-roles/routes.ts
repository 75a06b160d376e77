// Roles over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const ledgerRoleRoutes = [
  on(contract.listRoles, (tx) => operations.listRoles(tx)),
  on(contract.setRole, (tx, { params, body }) => operations.setRole(tx, params.role, body.ledger_id)),
]
