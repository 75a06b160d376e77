// Bank transactions: what the bank says happened on a cash ledger, and what the books say.
import { Type, type Static } from 'typebox'
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, partial, shape, text } from '../../foundation/shapes.ts'
import { EXCLUDE_REASONS, external_id, fields, KINDS, SOURCES, STATUSES } from '../../ledger/cash-book/contract.ts'
import { currency } from '../../ledger/ledgers/contract.ts'
import { BankTransaction } from '../transaction-views/contract.ts'

export const VIEWS = ['register', 'bank', 'book', 'all'] as const

/** What the list, and the file made from it, can be narrowed to. */
export const transactionFilters = {
  view: optional(oneOf(VIEWS, {
    default: 'register', description: 'register: bank rows, and book rows that no bank row proves yet. bank, book: the rows of that kind. all: every row.',
  })),
  ledger_id: optional(id()),
  status: optional(list(oneOf(STATUSES), { maxItems: STATUSES.length, description: 'One or more.' })),
  kind: optional(oneOf(KINDS)),
  source: optional(oneOf(SOURCES)),
  start_date: optional(date()),
  end_date: optional(date()),
  min_amount: optional(cents({ description: 'Of the amount with its sign, so withdrawals are below 0.' })),
  max_amount: optional(cents()),
  flow: optional(oneOf(['in', 'out'], { description: 'in: deposits. out: withdrawals.' })),
  counterparty: optional(text(1, 200, { description: 'The whole name, in upper or lower case.' })),
  customer_id: optional(id()),
  vendor_id: optional(id()),
  category_ledger_id: optional(id({ description: 'Rows with a line of this ledger.' })),
  needs_category: optional(boolean({ description: 'true: rows that are in the books but still to be decided.' })),
  q: optional(text(1, 200, { description: 'Words of the counterparty, the description, the reference or the note.' })),
}
const TransactionFilters = Type.Object(transactionFilters)
export type TransactionFilters = Static<typeof TransactionFilters>

const { ledger_id, amount, datetime, ...remarks } = fields

export const TransactionInput = shape('TransactionInput', {
  ledger_id, amount, datetime,
  ...partial('TransactionRemarks', remarks).properties,
  external_id: optional(nullable(external_id)),
})
export type TransactionInput = Static<typeof TransactionInput>

export const TransactionUpdate = partial('TransactionUpdate', fields)
export type TransactionUpdate = Static<typeof TransactionUpdate>

export const TransactionBulk = shape('TransactionBulk', { transactions: list(TransactionInput, { minItems: 1, maxItems: MOST_ITEMS }), atomic })
export type TransactionBulk = Static<typeof TransactionBulk>

export const TransactionExclusion = shape('TransactionExclusion', { reason: optional(oneOf(EXCLUDE_REASONS, { default: 'other' })) })

const StatusFigures = shape('TransactionStatusFigures', {
  status: oneOf(STATUSES), count: integer(0), total: cents({ description: 'The sum of the amounts.' }),
})

export const LedgerTransactions = shape('LedgerTransactions', {
  ledger_id: id(),
  ledger_name: Type.String(),
  currency,
  statuses: list(StatusFigures, { description: 'Of the rows of the register; a status without rows is left out.' }),
  unreviewed_count: integer(0, undefined, { description: 'Bank rows of which something is neither claimed by documents nor categorized, and that are not excluded.' }),
  oldest_unreviewed: nullable(date({ description: 'The day of the oldest of these.' })),
  book_balance: cents({ description: 'What the books say of the ledger, in its currency; money owed is negative.' }),
})
export type LedgerTransactions = Static<typeof LedgerTransactions>

const endpoint = endpointsOf('transactions', 'business')
const params = shape('TransactionParams', { transaction_id: id() })

const rowRefusals = ['The amount is 0.', 'The ledger is no cash ledger, or archived.', 'The external id stands for something else on this ledger.']

export const listTransactions = endpoint({
  id: 'list_transactions', method: 'GET', path: '', summary: 'List bank transactions',
  query: listQuery(['datetime', 'amount', 'counterparty', 'created_at'], transactionFilters),
  reply: pageOf(BankTransaction),
})

export const createTransaction = endpoint({
  id: 'create_transaction', method: 'POST', path: '', summary: 'Type a line of a bank statement',
  description: [
    'A bank row, which posts nothing until a document claims it or it is categorized; where the default of its counterparty is applied without asking,',
    'that happens at once. The currency is that of its ledger.',
    'An external id that the ledger knows already answers the transaction that has it.',
  ].join(' '),
  body: TransactionInput,
  reply: BankTransaction,
  refusals: rowRefusals,
})

export const createTransactions = endpoint({
  id: 'bulk_create_transactions', method: 'POST', path: '/bulk', summary: 'Type many lines of bank statements',
  description: 'An external id makes a line come in once per ledger, however often it is sent: the result names the transaction that has it.',
  body: TransactionBulk,
  reply: BulkResult,
  refusals: rowRefusals,
})

export const summarizeTransactions = endpoint({
  id: 'get_transaction_summary', method: 'GET', path: '/summary', summary: 'Count and add up transactions by ledger and status',
  description: 'Every cash ledger that is not archived, and every ledger that has transactions.',
  query: shape('TransactionSummaryQuery', { ledger_id: optional(id()) }),
  reply: list(LedgerTransactions),
})

/** More than this and a sheet takes too much memory to be made at once. */
export const MOST_SHEET_ROWS = 50_000

export const exportTransactions = endpoint({
  id: 'export_transactions', method: 'GET', path: '/export', summary: 'Take transactions away as a file',
  description: [
    'What the list shows with the same filters, by day. A CSV file is made while it is sent, however large it is;',
    `an XLSX file has at most ${MOST_SHEET_ROWS.toLocaleString('en')} rows.`,
  ].join(' '),
  query: shape('TransactionExportQuery', { format: optional(oneOf(['csv', 'xlsx'], { default: 'csv' })), ...transactionFilters }),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' }),
  refusals: [`There are more than ${MOST_SHEET_ROWS.toLocaleString('en')} rows, and XLSX is asked for.`],
})

export const getTransaction = endpoint({
  id: 'get_transaction', method: 'GET', path: '/{transaction_id}', summary: 'Get a transaction',
  live: true,
  params,
  reply: BankTransaction,
})

export const updateTransaction = endpoint({
  id: 'update_transaction', method: 'PUT', path: '/{transaction_id}', summary: 'Change a transaction',
  description: [
    'Counterparty, description, reference, customer, vendor and note of a bank row can always change; amount, day and ledger while it was typed by',
    'hand and neither a document nor a category has taken anything of it. Of a book row only the note: the rest is changed with the document that posted it.',
  ].join(' '),
  params,
  body: TransactionUpdate,
  reply: BankTransaction,
  refusals: [...rowRefusals, 'A document has a claim on it or posted it, or it is categorized.', 'The bank reported it, so its amount, day and ledger stay.'],
  example: { description: 'Card terminal, March' },
})

export const deleteTransaction = endpoint({
  id: 'delete_transaction', method: 'DELETE', path: '/{transaction_id}', summary: 'Delete a transaction',
  params,
  reply: BankTransaction,
  refusals: ['A document has a claim on it or posted it, or it is categorized.', 'It came through a connection to the bank: exclude it instead.'],
})

export const excludeTransaction = endpoint({
  id: 'exclude_transaction', method: 'PUT', path: '/{transaction_id}/exclude', summary: 'Leave a transaction out of the books',
  params,
  body: TransactionExclusion,
  reply: BankTransaction,
  refusals: ['A document has a claim on it or posted it, or it is categorized.'],
  example: { reason: 'duplicate' },
})

export const restoreTransaction = endpoint({
  id: 'restore_transaction', method: 'PUT', path: '/{transaction_id}/restore', summary: 'Take an excluded transaction back',
  params,
  reply: BankTransaction,
  refusals: ['It is matched or partly allocated, so there is nothing to take back.'],
})
