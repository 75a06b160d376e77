// Cash receipts over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const cashReceiptRoutes = [
  on(contract.getCashReceipts, (tx, { query }) => operations.getCashReceipts(tx, query)),
  on(contract.getWeekDetail, (tx, { query }) => operations.getWeekDetail(tx, query)),
  on(contract.dismissCashReceipt, (tx, { body }) => operations.dismissCashReceipt(tx, body)),
  on(contract.restoreCashReceipt, (tx, { body }) => operations.restoreCashReceipt(tx, body.transaction_id)),
]
