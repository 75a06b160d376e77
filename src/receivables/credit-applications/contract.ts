// Applying credits: what of a credit memo settles which invoice.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { boolean, cents, date, id, list, nullable, oneOf, optional, shape, timestamp } from '../../foundation/shapes.ts'
import { amount } from '../credit-drafts/contract.ts'
import { CreditMemo, endpoint, params } from '../credit-memos/contract.ts'

export const CreditApplication = shape('CreditApplication', {
  id: id(),
  credit_memo_id: id(),
  invoice_id: id(),
  invoice_number: nullable(Type.String()),
  amount: cents(),
  currency: oneOf(CURRENCIES),
  applied_on: date(),
  journal_entry_id: id(),
  created_at: timestamp(),
  reversed_at: nullable(timestamp()),
})
export type CreditApplication = Static<typeof CreditApplication>

export const allocations = list(shape('CreditAllocation', { invoice_id: id(), amount }), { minItems: 1, maxItems: 500 })
const applied_on = optional(nullable(date({ description: 'Default: today.' })))
const closed = 'The date lies in a closed period.'

export const applyMemo = endpoint({
  id: 'apply_credit_memo', method: 'POST', path: '/{memo_id}/apply', summary: 'Apply a credit memo to invoices',
  description: 'All or nothing. The invoices are of the same customer, or of its parent or child, and in the same currency.',
  params,
  body: shape('CreditMemoApply', { allocations, applied_on }),
  reply: CreditMemo,
  refusals: [
    'The amount is above what remains of the credit memo, or above the balance of the invoice.', 'The invoice is one of another customer or currency, not open, or written off.',
    'applied_on lies before the credit memo or the invoice.', 'The credit memo is a draft or void.', closed,
  ],
})

export const autoApply = endpoint({
  id: 'auto_apply_credit_memos', method: 'POST', path: '/auto-apply', summary: 'Apply the open credits of a customer',
  description: 'The oldest credit to the invoice that has been due for longest, currency by currency, until one of them is used up. What is dated after applied_on is left alone.',
  body: shape('CreditAutoApply', { customer_id: id(), applied_on }),
  reply: shape('CreditAutoApplied', { applications: list(CreditApplication) }),
  refusals: [closed],
})

export const listApplications = endpoint({
  id: 'list_credit_applications', method: 'GET', path: '/{memo_id}/applications', summary: 'List what a credit memo settles',
  params,
  query: listQuery(['created_at'], { include_superseded: optional(boolean({ description: 'Also those that were taken back.' })) }),
  reply: pageOf(CreditApplication),
})

export const removeApplication = endpoint({
  id: 'remove_credit_application', method: 'DELETE', path: '/{memo_id}/applications/{application_id}', summary: 'Take an application back',
  description: 'Reverses its entry; the invoice is open again for as much, and so is the credit memo.',
  params: shape('CreditApplicationParams', { memo_id: id(), application_id: id() }),
  query: shape('CreditApplicationRemoval', { reversal_date: optional(date()) }),
  reply: CreditMemo,
  refusals: [closed],
})
