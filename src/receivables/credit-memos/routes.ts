// Reading credit memos over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const creditMemoRoutes = [
  on(contract.listMemos, (tx, { query }) => operations.listMemos(tx, query)),
  on(contract.exportMemos, (tx, { query }) => operations.exportMemos(tx, query)),
  on(contract.getMemo, (tx, { params }) => operations.getMemo(tx, params.memo_id)),
]
