// Applying credits over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const creditApplicationRoutes = [
  on(contract.autoApply, (tx, { body }) => operations.autoApply(tx, body)),
  on(contract.applyMemo, (tx, { params, body }) => operations.applyMemo(tx, params.memo_id, body)),
  on(contract.listApplications, (tx, { params, query }) => operations.listApplications(tx, params.memo_id, query)),
  on(contract.removeApplication, (tx, { params, query }) => operations.removeApplication(tx, params.memo_id, params.application_id, query.reversal_date)),
]
