// Credit memos and the journal over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const creditPostingRoutes = [
  on(contract.updateMemo, (tx, { params, body }) => operations.updateMemo(tx, params.memo_id, body)),
  on(contract.finalizeMemo, (tx, { params, body }) => operations.finalizeMemo(tx, params.memo_id, body)),
  on(contract.voidMemo, (tx, { params, body }) => operations.voidMemo(tx, params.memo_id, body)),
]
