// People of projects over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const projectMemberRoutes = [
  on(contract.listMembers, (tx, { params, query }) => operations.listMembers(tx, params.project_id, query)),
  on(contract.replaceMembers, (tx, { params, body }) => operations.replaceMembers(tx, params.project_id, body.members)),
]
