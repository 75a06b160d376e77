// Refunds over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const creditRefundRoutes = [
  on(contract.refundMemo, (tx, { params, body }) => operations.refundMemo(tx, params.memo_id, body)),
  on(contract.listRefunds, (tx, { params, query }) => operations.listRefunds(tx, params.memo_id, query)),
  on(contract.removeRefund, (tx, { params, query }) => operations.removeRefund(tx, params.memo_id, params.refund_id, query.reversal_date)),
]
