// Bank transactions over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const transactionRoutes = [
  on(contract.listTransactions, (tx, { query }) => operations.listTransactions(tx, query)),
  on(contract.createTransaction, (tx, { body }) => operations.createTransaction(tx, body)),
  on(contract.createTransactions, (tx, { body }) => operations.createTransactions(tx, body)),
  on(contract.summarizeTransactions, (tx, { query }) => operations.summarizeTransactions(tx, query)),
  on(contract.exportTransactions, (tx, { query }) => operations.exportTransactions(tx, query)),
  on(contract.getTransaction, (tx, { params }) => operations.getTransaction(tx, params.transaction_id)),
  on(contract.updateTransaction, (tx, { params, body }) => operations.updateTransaction(tx, params.transaction_id, body)),
  on(contract.deleteTransaction, (tx, { params }) => operations.deleteTransaction(tx, params.transaction_id)),
  on(contract.excludeTransaction, (tx, { params, body }) => operations.excludeTransaction(tx, params.transaction_id, body.reason)),
  on(contract.restoreTransaction, (tx, { params }) => operations.restoreTransaction(tx, params.transaction_id)),
]
