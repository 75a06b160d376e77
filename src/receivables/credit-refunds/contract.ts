// Refunds: money of a credit memo that goes back to the customer.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { boolean, cents, date, id, integer, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { amount } from '../credit-drafts/contract.ts'
import { CreditMemo, endpoint, params } from '../credit-memos/contract.ts'

export const CreditRefund = shape('CreditRefund', {
  ...record,
  credit_memo_id: id(),
  amount: cents({ description: 'Integer cents in the currency of the credit memo.' }),
  currency: oneOf(CURRENCIES),
  base_amount: cents({ description: 'What of the credit it takes off, in the base currency.' }),
  method: oneOf(['bank', 'processor']),
  refunded_on: date(),
  transaction_id: id(),
  transaction_amount: cents({ description: 'Integer cents taken of the transaction, in its currency.' }),
  realized_fx: cents({ description: 'Integer cents in the base currency; positive is a gain.' }),
  reference: nullable(text(0, 200)),
  note: nullable(text(0, 2000)),
  processor_refund_id: nullable(Type.String()),
  journal_entry_id: id(),
  reversed_at: nullable(timestamp()),
})
export type CreditRefund = Static<typeof CreditRefund>

export const CreditRefundInput = shape('CreditRefundInput', {
  amount,
  method: oneOf(['bank'], { description: 'Card payments are refunded through their charge.' }),
  transaction_id: optional(nullable(id({ description: 'The withdrawal it went out with.' }))),
  ledger_id: optional(nullable(id({ description: 'Instead of transaction_id: a transaction is recorded on this ledger.' }))),
  transaction_amount: optional(nullable(integer(1, Number.MAX_SAFE_INTEGER, { description: 'What it takes of a transaction in another currency. Default: by the rate of the day.' }))),
  refunded_on: optional(nullable(date({ description: 'Default: the date of the transaction, else today.' }))),
  reference: optional(nullable(text(0, 200))),
  note: optional(nullable(text(0, 2000))),
})
export type CreditRefundInput = Static<typeof CreditRefundInput>

const closed = 'The date lies in a closed period.'

export const refundMemo = endpoint({
  id: 'refund_credit_memo', method: 'POST', path: '/{memo_id}/refund', summary: 'Refund a credit memo',
  permission: 'documents:correct',
  params,
  body: CreditRefundInput,
  reply: CreditRefund,
  refusals: [
    'The amount is above what remains of the credit memo, or above what is left of the transaction.', 'The credit memo is a draft or void.', 'The transaction is a deposit.',
    'refunded_on lies before the credit memo.', 'There is no exchange rate.', closed,
  ],
})

export const listRefunds = endpoint({
  id: 'list_credit_refunds', method: 'GET', path: '/{memo_id}/refunds', summary: 'List the refunds of a credit memo',
  params,
  query: listQuery(['created_at'], { include_superseded: optional(boolean({ description: 'Also those that were taken back.' })) }),
  reply: pageOf(CreditRefund),
})

export const removeRefund = endpoint({
  id: 'remove_credit_refund', method: 'DELETE', path: '/{memo_id}/refunds/{refund_id}', summary: 'Take a refund back',
  description: 'Reverses its entry and gives the transaction its amount back.',
  permission: 'documents:correct',
  params: shape('CreditRefundParams', { memo_id: id(), refund_id: id() }),
  query: shape('CreditRefundRemoval', { reversal_date: optional(date()) }),
  reply: CreditMemo,
  refusals: ['It went through the processor and cannot be taken back.', closed],
})
