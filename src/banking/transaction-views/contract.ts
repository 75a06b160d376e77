// A bank transaction as it is shown: the row of the cash book, its category, and what is proposed for it.
import { Type, type Static } from 'typebox'
import { id, nullable, shape } from '../../foundation/shapes.ts'
import { Transaction } from '../../ledger/cash-book/contract.ts'
import { analysis } from '../../ledger/journal/contract.ts'
import { categoryFields } from '../categories/contract.ts'

export const TransactionSuggestion = shape('TransactionSuggestion', {
  id: id({ description: 'For PUT /transactions/{transaction_id}/accept-suggestion: that of the counterparty default.' }),
  ledger_id: id(),
  tax_code_id: nullable(id()),
  ...analysis,
  memo: nullable(Type.String()),
  reason: Type.String(),
})
export type TransactionSuggestion = Static<typeof TransactionSuggestion>

export const BankTransaction = shape('BankTransaction', {
  ...Transaction.properties,
  ...categoryFields,
  suggestion: nullable(TransactionSuggestion),
  possible_duplicate_of: nullable(id({
    description: 'A book row of the same ledger and amount within 10 days that no bank row proves yet: the same money may be in the books already.',
  })),
})
export type BankTransaction = Static<typeof BankTransaction>
