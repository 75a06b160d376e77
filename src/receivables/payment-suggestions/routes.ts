// Payment suggestions over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const paymentSuggestionRoutes = [
  on(contract.matchPayments, (tx, { body }) => operations.matchPayments(tx, body)),
  on(contract.listSuggestions, (tx, { query }) => operations.listSuggestions(tx, query)),
  on(contract.acceptSuggestion, (tx, { params, body }) => operations.acceptSuggestion(tx, params.suggestion_id, body)),
  on(contract.rejectSuggestion, (tx, { params, body }) => operations.rejectSuggestion(tx, params.suggestion_id, body)),
  on(contract.listInvoiceSuggestions, (tx, { params, query }) => operations.listInvoiceSuggestions(tx, params.invoice_id, query)),
]
