// What people do with bank transactions: say what the money was for, in one line or several, and take it back.
import { Type, type Static } from 'typebox'
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, optional, shape } from '../../foundation/shapes.ts'
import { analysis } from '../../ledger/journal/contract.ts'
import { memo, MOST_LINES } from '../categories/contract.ts'
import { BankTransaction } from '../transaction-views/contract.ts'

const choice = {
  ledger_id: id({ description: 'What the money was for: no cash ledger, and none that documents keep.' }),
  tax_code_id: optional(nullable(id({ description: 'The amount contains this tax. Without a code there is none.' }))),
  memo: optional(nullable(memo)),
  customer_id: optional(nullable({ ...analysis.customer_id, description: 'Absent: the customer of the transaction.' })),
  vendor_id: optional(nullable({ ...analysis.vendor_id, description: 'Absent: the vendor of the transaction.' })),
  project_id: optional(analysis.project_id),
  dimension_value_ids: optional(list(id(), { maxItems: 20, description: 'At most one value of each dimension.' })),
}

const posting_date = optional(date({ description: 'The day of the entry, where that of the transaction is closed; never before it.' }))

export const CategoryInput = shape('TransactionCategoryInput', {
  ...choice,
  posting_date,
  learn: optional(boolean({ default: false, description: 'Also make it what this counterparty usually is; needs counterparty-defaults:write.' })),
})
export type CategoryInput = Static<typeof CategoryInput>

const SplitLine = shape('TransactionSplitLine', {
  ...choice,
  amount: optional(cents({ description: 'With tax and without the sign of the transaction; below 0 for what goes the other way, such as a fee.' })),
  percent: optional(Type.String({ pattern: '^(100(\\.0{1,4})?|[0-9]{1,2}(\\.[0-9]{1,4})?)$', description: 'Of what is to be split.' })),
})

export const SplitInput = shape('TransactionSplitInput', {
  lines: list(SplitLine, { minItems: 2, maxItems: MOST_LINES, description: 'All by amount, which add up to what no document has taken, or all by percent, which add up to 100.' }),
  memo: optional(nullable(memo)),
  posting_date,
})
export type SplitInput = Static<typeof SplitInput>

const BulkCategory = shape('TransactionBulkCategory', { transaction_id: id(), ...choice, posting_date })
export const BulkCategorization = shape('TransactionBulkCategorization', {
  transactions: list(BulkCategory, { minItems: 1, maxItems: MOST_ITEMS }), atomic,
})
export type BulkCategorization = Static<typeof BulkCategorization>

const reversal_date = optional(date({ description: 'The day of the reversal, where that of the entry is closed; never before it.' }))

export const UndoInput = shape('TransactionUndoInput', { reversal_date })

export const BulkUndo = shape('TransactionBulkUndo', { transaction_ids: list(id(), { minItems: 1, maxItems: MOST_ITEMS }), reversal_date, atomic })
export type BulkUndo = Static<typeof BulkUndo>

export const UncategorizedInput = shape('TransactionUncategorizedInput', {
  through: date({ description: 'Rows up to this day.' }),
  ledger_ids: optional(list(id(), { minItems: 1, maxItems: 100, description: 'Only those of these cash ledgers.' })),
})
export type UncategorizedInput = Static<typeof UncategorizedInput>

export const AutoInput = shape('TransactionAutoInput', {
  ledger_id: optional(id({ description: 'Only rows of this cash ledger.' })),
  start_date: optional(date()),
  end_date: optional(date()),
})
export type AutoInput = Static<typeof AutoInput>

export const Posted = shape('TransactionsPosted', {
  posted: integer(0),
  skipped: integer(0, undefined, { description: 'Those that could not be posted, as in a closed period.' }),
  more: boolean({ description: `There are more than ${MOST_ITEMS.toLocaleString('en')}: call again.` }),
})
export type Posted = Static<typeof Posted>

const endpoint = endpointsOf('transactions', 'business')
const params = shape('TransactionReviewParams', { transaction_id: id() })

const misuse = [
  'It is a book row, excluded, or documents have taken all of it.',
  'The ledger is the cash ledger itself, another cash ledger, one that documents keep, archived or a heading.',
  'The period of its day is closed for banking, and no later posting_date is given.',
  'Its currency has no rate on that day.',
  'A dimension needs a value, or does not take this one.',
]

export const categorizeTransaction = endpoint({
  id: 'categorize_transaction', method: 'PUT', path: '/{transaction_id}/categorize', summary: 'Say what a transaction was for',
  description: [
    'Posts what documents have not taken of it: a withdrawal debits the ledger, a deposit credits it, with the tax of the code within the amount.',
    'Categorized again, the entry is reversed and a new one posted; with the same choice nothing happens.',
  ].join(' '),
  params,
  body: CategoryInput,
  reply: BankTransaction,
  refusals: misuse,
})

export const splitTransaction = endpoint({
  id: 'split_transaction', method: 'PUT', path: '/{transaction_id}/split', summary: 'Say what the parts of a transaction were for',
  description: 'As categorize, by lines. Percents are split by largest remainder, so that the parts are always the whole.',
  params,
  body: SplitInput,
  reply: BankTransaction,
  refusals: [...misuse, 'The lines do not add up to what is to be split, or one comes to 0.'],
})

export const acceptSuggestion = endpoint({
  id: 'accept_transaction_suggestion', method: 'PUT', path: '/{transaction_id}/accept-suggestion', summary: 'Categorize as proposed',
  params,
  body: shape('TransactionSuggestionInput', { suggestion_id: id() }),
  reply: BankTransaction,
  refusals: ['The suggestion is no longer that of the transaction.', ...misuse],
})

export const undoTransaction = endpoint({
  id: 'undo_transaction', method: 'PUT', path: '/{transaction_id}/undo', summary: 'Take the category of a transaction back',
  description: 'Its entry is reversed. What documents have taken stays theirs: a payment is removed there.',
  params,
  body: UndoInput,
  reply: BankTransaction,
  refusals: ['It is matched by documents alone, excluded, or a book row.', 'The day of the entry is closed, and no later reversal_date is given.'],
  example: {},
})

export const categorizeTransactions = endpoint({
  id: 'bulk_categorize_transactions', method: 'POST', path: '/bulk-categorize', summary: 'Say what many transactions were for',
  body: BulkCategorization,
  reply: BulkResult,
  refusals: [...misuse, 'A transaction is in the call twice.'],
})

export const undoTransactions = endpoint({
  id: 'bulk_undo_transactions', method: 'POST', path: '/bulk-undo', summary: 'Take the categories of many transactions back',
  body: BulkUndo,
  reply: BulkResult,
  refusals: undoTransaction.refusals,
})

export const autoCategorize = endpoint({
  id: 'auto_categorize_transactions', method: 'POST', path: '/auto-categorize', summary: 'Categorize what waits by counterparty defaults',
  description: `Every default that counts is applied to at most ${MOST_ITEMS.toLocaleString('en')} unreviewed rows, the oldest first. What may be in the books already waits for a person.`,
  body: AutoInput,
  reply: Posted,
  example: {},
})

export const postUncategorized = endpoint({
  id: 'post_uncategorized_transactions', method: 'POST', path: '/post-uncategorized', summary: 'Post what waits to the uncategorized ledgers',
  description: [
    `At most ${MOST_ITEMS.toLocaleString('en')} rows, the oldest first, to uncategorized income or expense, so that the bank ties.`,
    'They carry needs_category until somebody categorizes them.',
  ].join(' '),
  body: UncategorizedInput,
  reply: Posted,
  refusals: ['No ledger has the role uncategorized_income or uncategorized_expense.'],
  example: { through: '2026-03-31' },
})
