// Credit memos and the journal: finalizing, changing and voiding them.
import type { Static } from 'typebox'
import { date, id, nullable, optional, shape, text } from '../../foundation/shapes.ts'
import { draftFields } from '../credit-drafts/contract.ts'
import { CreditMemo, endpoint, params } from '../credit-memos/contract.ts'

const closed = 'The date lies in a closed period.'

export const CreditMemoUpdate = shape('CreditMemoUpdate', { customer_id: optional(id()), ...draftFields })
export type CreditMemoUpdate = Static<typeof CreditMemoUpdate>

export const updateMemo = endpoint({
  id: 'update_credit_memo', method: 'PUT', path: '/{memo_id}', summary: 'Change a credit memo',
  description: 'Of a draft everything but its kind and currency; of an open one that is not used yet description, reason and credit_date, which re-dates its entry.',
  params,
  body: CreditMemoUpdate,
  reply: CreditMemo,
  refusals: ['It is used, closed or void.', 'The field cannot change once it is finalized.', 'More would be credited than is left of the invoice.', closed],
  example: { description: 'Agreed by phone' },
})

export const finalizeMemo = endpoint({
  id: 'finalize_credit_memo', method: 'PUT', path: '/{memo_id}/finalize', summary: 'Finalize a credit memo',
  description: 'Gives it its number and posts its entry. Goods that are to be restocked come back; money takes its part of the transaction. '
    + 'The rate is the one given, else that of the invoice it credits, else the latest on or before credit_date.',
  params,
  body: shape('CreditMemoFinalization', { credit_date: optional(nullable(date({ description: 'Default: that of the draft.' }))) }),
  reply: CreditMemo,
  refusals: ['It comes to 0.', 'It is void.', 'Less is left of the transaction.', 'There is no exchange rate.', closed],
  example: {},
})

export const voidMemo = endpoint({
  id: 'void_credit_memo', method: 'PUT', path: '/{memo_id}/void', summary: 'Void a credit memo',
  description: 'Reverses its entry, takes restocked goods out again and gives the transaction its amount back. The number stays used.',
  permission: 'documents:correct',
  params,
  body: shape('CreditMemoVoid', {
    reason: optional(nullable(text(0, 500))),
    reversal_date: optional(nullable(date({ description: 'Where the date of the entry is closed: a later one.' }))),
  }),
  reply: CreditMemo,
  refusals: ['It is applied or refunded: undo that first.', 'It is a draft: delete it.', closed],
  example: {},
})
