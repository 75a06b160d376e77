// Members over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const memberRoutes = [
  on(contract.listMembers, (tx, { query }) => operations.listMembers(tx, query)),
  on(contract.leaveBusiness, (tx) => operations.leaveBusiness(tx)),
  on(contract.getMember, (tx, { params }) => operations.getMember(tx, params.user_id)),
  on(contract.updateMember, (tx, { params, body }) => operations.changeRole(tx, params.user_id, body.role)),
  on(contract.removeMember, (tx, { params }) => operations.removeMember(tx, params.user_id)),
  on(contract.suspendMember, (tx, { params }) => operations.suspendMember(tx, params.user_id)),
  on(contract.reactivateMember, (tx, { params }) => operations.reactivateMember(tx, params.user_id)),
  on(contract.transferOwnership, (tx, { body }) => operations.transferOwnership(tx, body.user_id, body.keep_role)),
  on(contract.listRoles, () => operations.listRoles()),
  on(contract.getAccess, (tx) => operations.getAccess(tx)),
]
