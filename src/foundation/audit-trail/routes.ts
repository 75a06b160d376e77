// The audit trail over HTTP: contract → operation.
import { on } from '../endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const auditTrailRoutes = [
  on(contract.listAuditTrail, (tx, { query }) => operations.listAuditTrail(tx, query)),
  on(contract.verifyAuditTrail, (tx, { query }) => operations.verifyAuditTrail(tx, query)),
  on(contract.listRecordHistory, (tx, { params, query }) => operations.listRecordHistory(tx, params, query)),
  on(contract.getAuditEntry, (tx, { params }) => operations.getAuditEntry(tx, params.entry_id)),
]
