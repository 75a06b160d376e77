// Payments of invoices over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import { listPayments } from '../invoices/operations.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoicePaymentRoutes = [
  on(contract.addBulkPayments, (tx, { body }) => operations.addBulkPayments(tx, body)),
  on(contract.listPayments, (tx, { params, query }) => listPayments(tx, params.invoice_id, query)),
  on(contract.updatePayment, (tx, { params, body }) => operations.updatePayment(tx, params.invoice_id, params.payment_id, body)),
  on(contract.removePayment, (tx, { params, query }) => operations.removePayment(tx, params.invoice_id, params.payment_id, query.reversal_date)),
  on(contract.markPaid, (tx, { params, body }) => operations.markPaid(tx, params.invoice_id, body)),
  on(contract.markUnpaid, (tx, { params, body }) => operations.markUnpaid(tx, params.invoice_id, body)),
  on(contract.markUncollectible, (tx, { params, body }) => operations.markUncollectible(tx, params.invoice_id, body)),
]
