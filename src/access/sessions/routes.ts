// Sessions over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const sessionRoutes = [
  on(contract.signOut, (tx) => operations.signOut(tx)),
  on(contract.listSessions, (tx, { query }) => operations.listSessions(tx, query)),
  on(contract.endOtherSessions, (tx) => operations.endOtherSessions(tx)),
  on(contract.endSession, (tx, { params }) => operations.endSession(tx, params.session_id)),
]
