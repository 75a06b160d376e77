// The calls by which people say what bank transactions were for, and take it back. Each answers the transaction as it is then.
import { api, dataOf, type Schemas } from '../api.ts'
import { bulkLine, categoryBody, splitBody, type CategoryLine } from './category-draft.ts'
import type { Transaction } from './transaction-status.tsx'

/** How a choice is to count for others of the same counterparty: not at all, proposed, or applied without asking. */
export type Always = 'no' | 'propose' | 'apply'
/** `others`: transactions of the same counterparty that wait and get the same. */
export type Category = { lines: CategoryLine[]; posting_date: string | null; always: Always; others: readonly Transaction[] }

const at = (transaction_id: string) => ({ params: { path: { transaction_id } } })

export const nameOf = ({ counterparty, counterparty_raw }: Transaction): string => counterparty ?? counterparty_raw ?? 'The transaction'

export async function categorize(transaction: Transaction, { lines, posting_date, always, others }: Category): Promise<Transaction> {
  const [line] = lines
  if (!line || lines.length > 1) {
    return dataOf(api.PUT('/api/v1/transactions/{transaction_id}/split', { ...at(transaction.id), body: splitBody(lines, posting_date) }))
  }
  const body = categoryBody(line, posting_date, always === 'propose')
  const done = await dataOf(api.PUT('/api/v1/transactions/{transaction_id}/categorize', { ...at(transaction.id), body }))
  if (always === 'apply') await keepDefault(transaction, line)
  if (others.length > 0) await categorizeMany(others.map(({ id }) => bulkLine(id, line)), false)
  return done
}

/** Where the counterparty has a default for this direction already, that one is changed. */
async function keepDefault({ counterparty, amount }: Transaction, line: CategoryLine): Promise<void> {
  const name = counterparty ?? ''
  const direction = amount > 0 ? 'in' as const : 'out' as const
  const { ledger_id, tax_code_id, customer_id, project_id, dimension_value_ids, memo } = line
  const body = {
    counterparty: name, direction, ledger_id: ledger_id as string, tax_code_id, customer_id, project_id, dimension_value_ids, memo: memo.trim() || null,
    auto_apply: true,
  }
  const { items } = await dataOf(api.GET('/api/v1/counterparty-defaults', { params: { query: { counterparty: name, direction, limit: 100 } } }))
  const known = items.find(({ bank_ledger_id }: Schemas['CounterpartyDefault']) => bank_ledger_id === null)
  if (known) await api.PATCH('/api/v1/counterparty-defaults/{default_id}', { params: { path: { default_id: known.id } }, body })
  else await api.POST('/api/v1/counterparty-defaults', { body })
}

export const accept = ({ id }: Transaction, suggestion_id: string): Promise<Transaction> =>
  dataOf(api.PUT('/api/v1/transactions/{transaction_id}/accept-suggestion', { ...at(id), body: { suggestion_id } }))

export const undo = (transaction_id: string, reversal_date?: string | null): Promise<Transaction> =>
  dataOf(api.PUT('/api/v1/transactions/{transaction_id}/undo', { ...at(transaction_id), body: reversal_date ? { reversal_date } : {} }))

export const exclude = (transaction_id: string, reason: NonNullable<Schemas['TransactionExclusion']['reason']>): Promise<Transaction> =>
  dataOf(api.PUT('/api/v1/transactions/{transaction_id}/exclude', { ...at(transaction_id), body: { reason } }))

/** Those that cannot be done are told apart and leave the others alone. On a dry run nothing is kept. */
export const categorizeMany = (transactions: Schemas['TransactionBulkCategory'][], dry_run: boolean): Promise<Schemas['BulkResult']> =>
  dataOf(api.POST('/api/v1/transactions/bulk-categorize', { params: { query: dry_run ? { dry_run } : {} }, body: { transactions, atomic: false } }))

export const undoMany = (transaction_ids: string[]): Promise<Schemas['BulkResult']> =>
  dataOf(api.POST('/api/v1/transactions/bulk-undo', { body: { transaction_ids, atomic: false } }))

/** Others of the same counterparty and direction of which nobody has said anything. */
export async function waitingLike({ id, counterparty, amount, currency }: Transaction): Promise<Transaction[]> {
  const query = { view: 'bank', status: ['unreviewed'], counterparty: counterparty ?? '', flow: amount > 0 ? 'in' : 'out', limit: 1000 } as const
  const { items } = await dataOf(api.GET('/api/v1/transactions', { params: { query: { ...query, status: [...query.status] } } }))
  return items.filter((one: Transaction) => one.id !== id && one.currency === currency)
}
