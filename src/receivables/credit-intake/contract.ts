// New credit memos: made, and where asked finalized and applied, in one transaction.
import type { Static } from 'typebox'
import { boolean, id, nullable, optional, shape } from '../../foundation/shapes.ts'
import { allocations } from '../credit-applications/contract.ts'
import { creditedPart, creditMemoInput, draftFields } from '../credit-drafts/contract.ts'
import { CreditMemo, endpoint } from '../credit-memos/contract.ts'

const { credit_date, fx_rate, reason, description } = draftFields
const finalize = optional(boolean({ default: false }))

export const NewCreditMemo = shape('NewCreditMemo', {
  ...creditMemoInput,
  finalize,
  apply: optional(nullable({ ...allocations, minItems: 0, description: 'With finalize: what of it settles which invoices.' })),
})
export type NewCreditMemo = Static<typeof NewCreditMemo>

export const createMemo = endpoint({
  id: 'create_credit_memo', method: 'POST', path: '', summary: 'Create a credit memo',
  description: 'A draft; with `finalize` it is finalized, with `apply` also applied, in the same transaction. '
    + 'What remains of a payment beyond the balance of an invoice is an overpayment with the same transaction_id.',
  body: NewCreditMemo,
  reply: CreditMemo,
  refusals: [
    'The customer is archived.', 'More would be credited than is left of the invoice or of a line.', 'Less is left of the transaction, or it is a withdrawal or dismissed.',
    'What is applied cannot be.', 'There is no exchange rate.', 'The date lies in a closed period.',
  ],
})

export const NoteFromInvoice = shape('CreditNoteFromInvoice', {
  invoice_id: id(),
  ...creditedPart,
  credit_date, fx_rate, reason, description,
  finalize,
  apply: optional(boolean({ default: false, description: 'With finalize: applied to the invoice as far as that is open.' })),
})
export type NoteFromInvoice = Static<typeof NoteFromInvoice>

export const createFromInvoice = endpoint({
  id: 'create_credit_memo_from_invoice', method: 'POST', path: '/from-invoice', summary: 'Credit an invoice',
  description: 'Takes back units or amounts of its lines with their tax in proportion; what takes the last of a line takes what rounding left. Drafts count: what one takes back no other note can.',
  body: NoteFromInvoice,
  reply: CreditMemo,
  refusals: ['The invoice is a draft or void.', 'More would be credited than is left of the invoice or of a line.', 'The date lies in a closed period.'],
})
