// Reviewing bank transactions: one by one, many at a time, or all that wait.
import { attemptEach, MOST_ITEMS, type BulkResult } from '../../foundation/bulk.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { forbidden, invalid, notFound } from '../../foundation/refusal.ts'
import { createDefault, defaultsFor, updateDefault } from '../../directory/counterparty-defaults/operations.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { lockTransactions } from '../../ledger/cash-book/operations.ts'
import { nameOfRow } from '../../ledger/cash-book/rules.ts'
import { applyDefaults, wantedBy } from '../arrivals/operations.ts'
import type { Wanted } from '../categories/contract.ts'
import { openCategorizing, openUndoing, type Work } from '../categories/operations.ts'
import type { BankTransaction } from '../transaction-views/contract.ts'
import { defaultsOf, viewedOne } from '../transaction-views/operations.ts'
import type { AutoInput, BulkCategorization, BulkUndo, CategoryInput, Posted, SplitInput, UncategorizedInput } from './contract.ts'
import * as store from './store.ts'

export async function categorizeTransaction(
  tx: BusinessTx, transaction_id: string, { posting_date, learn = false, memo, ...line }: CategoryInput,
): Promise<BankTransaction> {
  const transaction = await lockTransaction(tx, transaction_id)
  if (learn) requireTeachable(tx, transaction)
  const after = await categorizeOne(tx, { transaction, lines: [line], memo, posting_date, source: 'person' })
  if (learn) await teach(tx, after, line)
  return viewedOne(tx, after)
}

export async function splitTransaction(tx: BusinessTx, transaction_id: string, { lines, memo, posting_date }: SplitInput): Promise<BankTransaction> {
  const transaction = await lockTransaction(tx, transaction_id)
  return viewedOne(tx, await categorizeOne(tx, { transaction, lines, memo, posting_date, source: 'person' }))
}

export async function acceptSuggestion(tx: BusinessTx, transaction_id: string, suggestion_id: string): Promise<BankTransaction> {
  const transaction = await lockTransaction(tx, transaction_id)
  const found = (await defaultsOf(tx, [transaction])).get(transaction.id)
  if (found?.id !== suggestion_id) throw invalid(`This is no longer what is proposed for ${nameOfRow(transaction).replace('The', 'the')}: read it again.`)
  return viewedOne(tx, await categorizeOne(tx, wantedBy(transaction, found)))
}

export async function undoTransaction(tx: BusinessTx, transaction_id: string, reversal_date: string | undefined): Promise<BankTransaction> {
  const row = await lockTransaction(tx, transaction_id)
  return viewedOne(tx, await carriedOut(await openUndoing(tx, [row], reversal_date)))
}

export async function categorizeTransactions(tx: BusinessTx, { transactions, atomic = true }: BulkCategorization): Promise<BulkResult> {
  const rows = await lockTransactions(tx, transactions.map(({ transaction_id }) => transaction_id))
  const known = transactions.flatMap(({ transaction_id, posting_date, memo, ...line }): Wanted[] => {
    const transaction = rows.get(transaction_id)
    return transaction ? [{ transaction, lines: [line], memo, posting_date, source: 'person' }] : []
  })
  return attemptKnown(await openCategorizing(tx, known), transactions.map(({ transaction_id }) => transaction_id), rows, atomic)
}

export async function undoTransactions(tx: BusinessTx, { transaction_ids, reversal_date, atomic = true }: BulkUndo): Promise<BulkResult> {
  const rows = await lockTransactions(tx, transaction_ids)
  const known = transaction_ids.flatMap((id) => rows.get(id) ?? [])
  return attemptKnown(await openUndoing(tx, known, reversal_date), transaction_ids, rows, atomic)
}

export async function autoCategorize(tx: BusinessTx, { ledger_id, start_date, end_date }: AutoInput): Promise<Posted> {
  const { rows, more } = await lockWaiting(tx, { statuses: ['unreviewed'], ledger_ids: ledger_id === undefined ? null : [ledger_id], start_date, end_date })
  const applied = await applyDefaults(tx, rows, () => true)
  return { posted: applied.size, skipped: rows.length - applied.size, more }
}

export async function postUncategorized(tx: BusinessTx, { through, ledger_ids }: UncategorizedInput): Promise<Posted> {
  const { rows, more } = await lockWaiting(tx, { statuses: ['unreviewed', 'partially_allocated'], ledger_ids: ledger_ids ?? null, end_date: through })
  // A rest beside a category is for whoever chose that category.
  const whole = rows.filter(({ categorized }) => categorized === 0)
  const { books } = await readBooks(tx)
  const [income, expense] = [ledgerOfRole(books, 'uncategorized_income').id, ledgerOfRole(books, 'uncategorized_expense').id]
  const wanted = whole.map((transaction): Wanted => ({ transaction, lines: [{ ledger_id: transaction.amount < 0 ? expense : income }], source: 'uncategorized' }))
  const work = await openCategorizing(tx, wanted)
  const { succeeded } = attemptEach(wanted, false, (_one, index) => work.attempt(index))
  await work.finish()
  return { posted: succeeded, skipped: rows.length - succeeded, more }
}

async function categorizeOne(tx: BusinessTx, wanted: Wanted): Promise<CashRow> {
  return carriedOut(await openCategorizing(tx, [wanted]))
}

async function carriedOut(work: Work): Promise<CashRow> {
  work.attempt(0)
  const [row] = await work.finish()
  return row as CashRow
}

/** The work was opened for the transactions that are there; the others are refused in their place. */
async function attemptKnown(work: Work, ids: readonly string[], rows: ReadonlyMap<string, CashRow>, atomic: boolean): Promise<BulkResult> {
  let place = 0
  const result = attemptEach(ids, atomic, (id) => {
    if (!rows.has(id)) throw notFound(`Transaction ${id}`)
    return work.attempt(place++)
  })
  await work.finish()
  return result
}

/** Found and locked for this request; If-Match is held against it. */
async function lockTransaction(tx: BusinessTx, transaction_id: string): Promise<CashRow> {
  const row = (await lockTransactions(tx, [transaction_id])).get(transaction_id)
  if (!row) throw notFound('Transaction')
  tx.checkMatch(row.version)
  return row
}

type Waiting = { statuses: string[]; ledger_ids: string[] | null; start_date?: string | undefined; end_date?: string | undefined }

async function lockWaiting(tx: BusinessTx, { start_date = '', end_date = '', ...wanted }: Waiting): Promise<{ rows: CashRow[]; more: boolean }> {
  const found = await tx.many(store.waitingThrough, { ...wanted, start_date: start_date || null, end_date: end_date || null, limit: MOST_ITEMS + 1 })
  const rows = await lockTransactions(tx, found.slice(0, MOST_ITEMS).map(({ id }) => id))
  return { rows: [...rows.values()], more: found.length > MOST_ITEMS }
}

function requireTeachable(tx: BusinessTx, { counterparty, ...row }: CashRow): void {
  if (!tx.actor.permissions.has('counterparty-defaults:write')) throw forbidden('To make it what the counterparty usually is, you need counterparty-defaults:write.')
  if (counterparty === null) throw invalid(`${nameOfRow(row)} names no counterparty: name one before it is learned from.`)
}

/** Makes it what the counterparty usually is in this direction, on every cash ledger. */
async function teach(tx: BusinessTx, row: CashRow, line: Omit<CategoryInput, 'memo' | 'posting_date' | 'learn'>): Promise<void> {
  const counterparty = (row.counterparty ?? '').slice(0, 120)
  const direction = row.amount < 0 ? 'out' as const : 'in' as const
  const [found] = await defaultsFor(tx, [{ counterparty, direction, bank_ledger_id: row.ledger_id }])
  const said = { ledger_id: line.ledger_id, tax_code_id: line.tax_code_id ?? null, project_id: line.project_id ?? null, dimension_value_ids: line.dimension_value_ids ?? [] }
  if (found && found.direction === direction && found.bank_ledger_id === null) await updateDefault(tx, found.id, said)
  else await createDefault(tx, { counterparty, direction, ...said })
}
