// Payment terms over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const paymentTermRoutes = [
  on(contract.listPaymentTerms, (tx, { query }) => operations.listPaymentTerms(tx, query)),
  on(contract.createPaymentTerm, (tx, { body }) => operations.createPaymentTerm(tx, body)),
  on(contract.getPaymentTerm, (tx, { params }) => operations.getPaymentTerm(tx, params.term_id)),
  on(contract.updatePaymentTerm, (tx, { params, body }) => operations.updatePaymentTerm(tx, params.term_id, body)),
  on(contract.deletePaymentTerm, (tx, { params }) => operations.deletePaymentTerm(tx, params.term_id)),
  on(contract.archivePaymentTerm, (tx, { params }) => operations.archivePaymentTerm(tx, params.term_id)),
  on(contract.restorePaymentTerm, (tx, { params }) => operations.restorePaymentTerm(tx, params.term_id)),
  on(contract.setDefaultPaymentTerm, (tx, { params }) => operations.setDefaultPaymentTerm(tx, params.term_id)),
  on(contract.getDueDate, (tx, { params, query }) => operations.getDueDate(tx, params.term_id, query.invoice_date)),
]
