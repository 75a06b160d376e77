// Drafts of credit memos over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const creditDraftRoutes = [
  on(contract.deleteMemo, (tx, { params }) => operations.deleteMemo(tx, params.memo_id)),
]
