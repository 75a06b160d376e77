// Payments of invoices: money of bank transactions allocated to what customers owe, and what is given up.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, partial, shape, text } from '../../foundation/shapes.ts'
import { endpoint, Invoice, InvoicePayment, METHODS, params, STATUSES } from '../invoices/contract.ts'

const amount = integer(1, Number.MAX_SAFE_INTEGER, { description: 'Integer cents in the currency of the invoice.' })
const paid_on = Type.String({ anyOf: [{ format: 'date' }, { format: 'date-time' }], description: 'A date, or a date-time, which is posted on its day where the business is.' })

const how = {
  paid_on: optional(nullable(paid_on)),
  transaction_id: optional(nullable(id({ description: 'The deposit it comes from. Without one a transaction is recorded on the deposit ledger.' }))),
  deposit_ledger_id: optional(nullable(id({ description: 'Default: by the settings, else undeposited funds.' }))),
  method: optional(oneOf(METHODS, { default: 'other' })),
  reference: optional(nullable(text(0, 200))),
}

export const PaymentInput = shape('InvoicePaymentInput', {
  amount: optional(nullable({ ...amount, description: 'Default: the balance, or what is left of the transaction if that is less.' })),
  ...how,
  note: optional(nullable(text(0, 2000))),
  transaction_amount: optional(nullable(integer(1, Number.MAX_SAFE_INTEGER, { description: 'What it takes of a transaction in another currency. Default: by the rate of the day.' }))),
  take_discount: optional(nullable(boolean({ description: 'Pays the whole rest less the discount for early payment, which becomes a credit note that settles the invoice.' }))),
})
export type PaymentInput = Static<typeof PaymentInput>

export const MarkPaid = shape('InvoiceMarkPaid', how)
export type MarkPaid = Static<typeof MarkPaid>

const paymentParams = shape('InvoicePaymentParams', { invoice_id: id(), payment_id: id() })
const reversal_date = optional(nullable(date({ description: 'Where the date of the entry is closed: a later one.' })))
const closed = 'The date lies in a closed period.'

export const listPayments = endpoint({
  id: 'list_invoice_payments', method: 'GET', path: '/{invoice_id}/payments', summary: 'List the payments of an invoice',
  params,
  query: listQuery(['created_at'], { include_superseded: optional(boolean({ description: 'Also those that were reversed.' })) }),
  reply: pageOf(InvoicePayment),
})

export const addPayment = endpoint({
  id: 'add_invoice_payment', method: 'POST', path: '/{invoice_id}/payments', summary: 'Add a payment to an invoice',
  description: 'After a write-off it is a recovery.',
  params,
  body: PaymentInput,
  reply: InvoicePayment,
  refusals: [
    'The amount is above the balance, or above what is left of the transaction.', 'The invoice is a draft or void.', 'The transaction is a withdrawal, excluded or dismissed.',
    'There is no exchange rate.', 'The time for the discount is over, or another amount than the rest less the discount is paid.', closed,
  ],
  example: { amount: 100 },
})

export const updatePayment = endpoint({
  id: 'update_invoice_payment', method: 'PATCH', path: '/{invoice_id}/payments/{payment_id}', summary: 'Change a payment',
  description: 'Another amount, date or transaction reverses its entry and posts it anew.',
  params: paymentParams,
  body: partial('InvoicePaymentUpdate', {
    amount, paid_on, transaction_id: id(), method: oneOf(METHODS), reference: nullable(text(0, 200)), note: nullable(text(0, 2000)),
    transaction_amount: integer(1, Number.MAX_SAFE_INTEGER),
  }),
  reply: InvoicePayment,
  refusals: ['It came from the processor: refund the charge.', 'It is reversed.', 'The amount is above the balance, or above what is left of the transaction.', closed],
  example: { note: 'Check 1042' },
})

export const removePayment = endpoint({
  id: 'remove_invoice_payment', method: 'DELETE', path: '/{invoice_id}/payments/{payment_id}', summary: 'Remove a payment',
  description: 'Reverses its entry and gives the transaction its amount back.',
  params: paymentParams,
  query: shape('InvoicePaymentRemoval', { reversal_date: optional(date()) }),
  reply: Invoice,
  refusals: ['It came from the processor: refund the charge.', closed],
})

export const markPaid = endpoint({
  id: 'mark_invoice_paid', method: 'PUT', path: '/{invoice_id}/paid', summary: 'Mark an invoice paid',
  description: 'One payment of the whole balance.',
  params,
  body: MarkPaid,
  reply: Invoice,
  refusals: ['The invoice is a draft or void.', 'The transaction has less left than the balance.', closed],
  example: {},
})

export const markUnpaid = endpoint({
  id: 'mark_invoice_unpaid', method: 'PUT', path: '/{invoice_id}/unpaid', summary: 'Mark an invoice unpaid',
  description: 'Reverses every payment by hand; those of the processor and credits stay. Of an invoice that was written off it undoes the write-off alone.',
  params,
  body: shape('InvoiceMarkUnpaid', { reversal_date }),
  reply: Invoice,
  refusals: ['The invoice is a draft or void.', 'There is nothing to undo.', 'It was written off and something was recovered: remove the recovery first.', closed],
  example: {},
})

export const markUncollectible = endpoint({
  id: 'mark_invoice_uncollectible', method: 'PUT', path: '/{invoice_id}/uncollectible', summary: 'Write off an invoice',
  description: 'The claim stays, the books give it up: the balance goes to bad debt and out of aging and collections. A later payment is a recovery.',
  permission: 'documents:correct',
  params,
  body: shape('InvoiceWriteOff', { uncollectible_on: optional(nullable(date({ description: 'Default: today.' }))), reason: optional(nullable(text(0, 500))) }),
  reply: Invoice,
  refusals: ['The invoice is a draft, paid or void.', closed],
  example: {},
})

export const BulkPayments = shape('InvoiceBulkPayments', {
  payments: list(shape('InvoiceBulkPayment', { invoice_id: id(), amount: optional(nullable(amount)) }), { minItems: 1, maxItems: 500 }),
  ...how,
  one_transaction: optional(boolean({ default: true, description: 'Without transaction_id: one transaction of the sum, or one for each invoice.' })),
})
export type BulkPayments = Static<typeof BulkPayments>

export const addBulkPayments = endpoint({
  id: 'bulk_pay_invoices', method: 'POST', path: '/bulk-payments', summary: 'Pay many invoices at once',
  description: 'All or nothing.',
  body: BulkPayments,
  reply: shape('InvoiceBulkPaymentsResult', {
    payments: list(InvoicePayment),
    invoices: list(shape('PaidInvoice', { id: id(), status: oneOf(STATUSES), balance_due: cents() })),
    transaction_ids: list(id()),
  }),
  refusals: ['An invoice is named twice or not payable.', 'They are in several currencies.', 'The sum is above what is left of the transaction.', closed],
})
