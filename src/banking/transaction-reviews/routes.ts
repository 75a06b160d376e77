// Reviewing bank transactions over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const transactionReviewRoutes = [
  on(contract.categorizeTransactions, (tx, { body }) => operations.categorizeTransactions(tx, body)),
  on(contract.undoTransactions, (tx, { body }) => operations.undoTransactions(tx, body)),
  on(contract.autoCategorize, (tx, { body }) => operations.autoCategorize(tx, body)),
  on(contract.postUncategorized, (tx, { body }) => operations.postUncategorized(tx, body)),
  on(contract.categorizeTransaction, (tx, { params, body }) => operations.categorizeTransaction(tx, params.transaction_id, body)),
  on(contract.splitTransaction, (tx, { params, body }) => operations.splitTransaction(tx, params.transaction_id, body)),
  on(contract.acceptSuggestion, (tx, { params, body }) => operations.acceptSuggestion(tx, params.transaction_id, body.suggestion_id)),
  on(contract.undoTransaction, (tx, { params, body }) => operations.undoTransaction(tx, params.transaction_id, body.reversal_date)),
]
