// Payments of invoices over HTTP, with the discount for paying early: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import { addPayment } from '../invoice-payments/contract.ts'
import * as operations from './operations.ts'

export const earlyPaymentRoutes = [
  on(addPayment, (tx, { params, body }) => operations.addPayment(tx, params.invoice_id, body)),
]
