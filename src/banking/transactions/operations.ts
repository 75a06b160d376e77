// What can be done with bank transactions by hand.
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Download } from '../../foundation/endpoint.ts'
import { addCents } from '../../foundation/money.ts'
import { knownRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { csvStream, downloadOf, type TableRow } from '../../foundation/sheets.ts'
import type { CloseCheck } from '../../ledger/accounting-periods/operations.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import {
  lockExternalIds, lockTransactions, newBankRow, removeRows, saveRow, transactionsByIds, withTheirClaims,
} from '../../ledger/cash-book/operations.ts'
import { requireAmount, requireCashLedger } from '../../ledger/cash-book/rules.ts'
import { isCashLedger } from '../../ledger/posting/rules.ts'
import { arrive } from '../arrivals/operations.ts'
import type { BankTransaction } from '../transaction-views/contract.ts'
import { viewed, viewedOne } from '../transaction-views/operations.ts'
import {
  MOST_SHEET_ROWS, type LedgerTransactions, type TransactionBulk, type TransactionFilters, type TransactionInput, type TransactionUpdate,
} from './contract.ts'
import { changesOf, columns, requireChangeable, requireDeletable, requireExcludable, requireRestorable, requireSame, rowOf } from './rules.ts'
import * as store from './store.ts'

export async function listTransactions(tx: BusinessTx, { view = 'register', flow, ...query }: PageQuery & TransactionFilters): Promise<Page<BankTransaction>> {
  const page = await tx.page(store.transactions, {
    ...query,
    uncovered: view === 'register' || undefined,
    view_kind: view === 'bank' || view === 'book' ? view : undefined,
    money_in: flow === 'in' || undefined,
    money_out: flow === 'out' || undefined,
  } as PageQuery)
  return { ...page, items: await viewed(tx, await withTheirClaims(tx, page.items)) }
}

export async function getTransaction(tx: BusinessTx, transaction_id: string): Promise<BankTransaction> {
  const row = (await transactionsByIds(tx, [transaction_id])).get(transaction_id)
  if (!row) throw notFound('Transaction')
  return viewedOne(tx, row)
}

export async function createTransaction(tx: BusinessTx, input: TransactionInput): Promise<BankTransaction> {
  const [make, requireKnown] = [await entering(tx, [input]), await partiesOf(tx, [input])]
  requireKnown(input)
  const { row, is_new } = make(input)
  const [arrived] = is_new ? await arrive(tx, [row]) : [row]
  return viewedOne(tx, arrived ?? row)
}

export async function createTransactions(tx: BusinessTx, { transactions, atomic = true }: TransactionBulk): Promise<BulkResult> {
  const [make, requireKnown] = [await entering(tx, transactions), await partiesOf(tx, transactions)]
  const made: CashRow[] = []
  const result = attemptEach(transactions, atomic, (input) => {
    requireKnown(input)
    const { row, is_new } = make(input)
    if (is_new) made.push(row)
    return row.id
  })
  await arrive(tx, made)
  return result
}

export async function updateTransaction(tx: BusinessTx, transaction_id: string, input: TransactionUpdate): Promise<BankTransaction> {
  const before = await lockTransaction(tx, transaction_id)
  const changes = changesOf(before, input)
  if (Object.keys(changes).length === 0) return viewedOne(tx, before)
  const requireKnown = await partiesOf(tx, [changes])
  requireKnown(changes)
  const { books } = await readBooks(tx)
  const currency = changes.ledger_id === undefined ? before.currency : requireCashLedger(books, changes.ledger_id).currency
  requireChangeable(before, changes)
  requireAmount({ ...before, ...changes })
  return viewedOne(tx, saveRow(tx, 'transaction.updated', before, { ...changes, currency }))
}

export async function deleteTransaction(tx: BusinessTx, transaction_id: string): Promise<BankTransaction> {
  const row = await lockTransaction(tx, transaction_id)
  requireDeletable(row)
  removeRows(tx, [row])
  return viewedOne(tx, row)
}

export async function excludeTransaction(tx: BusinessTx, transaction_id: string, reason: CashRow['exclude_reason'] = 'other'): Promise<BankTransaction> {
  const before = await lockTransaction(tx, transaction_id)
  if (before.status === 'excluded') return viewedOne(tx, before)
  requireExcludable(before)
  return viewedOne(tx, saveRow(tx, 'transaction.excluded', before, { exclude_reason: reason }))
}

export async function restoreTransaction(tx: BusinessTx, transaction_id: string): Promise<BankTransaction> {
  const before = await lockTransaction(tx, transaction_id)
  if (before.status === 'unreviewed') return viewedOne(tx, before)
  requireRestorable(before)
  return viewedOne(tx, saveRow(tx, 'transaction.restored', before, { exclude_reason: null }))
}

export async function summarizeTransactions(tx: BusinessTx, { ledger_id }: { ledger_id?: string }): Promise<LedgerTransactions[]> {
  const { books } = await readBooks(tx)
  if (ledger_id !== undefined && !books.ledgers.has(ledger_id)) throw notFound('Ledger')
  const ledger_ids = ledger_id === undefined ? [...books.ledgers.keys()] : [ledger_id]
  const [figures, balances] = await Promise.all([tx.many(store.figures, { ledger_ids }), tx.many(store.bookBalances, { ledger_ids })])
  const ofLedger = Map.groupBy(figures, (row) => row.ledger_id)
  const ledgers = ledger_ids.flatMap((id) => books.ledgers.get(id) ?? [])
    .filter((ledger) => ofLedger.has(ledger.id) || (isCashLedger(ledger) && !ledger.archived))
  const balanceOf = new Map(balances.map((row) => [row.ledger_id, row.amount]))
  return ledgers.map(({ id, name, currency }): LedgerTransactions => {
    const rows = ofLedger.get(id) ?? []
    const open = rows.filter(({ status }) => status === 'unreviewed' || status === 'partially_allocated')
    return {
      ledger_id: id,
      ledger_name: name,
      currency,
      statuses: rows.map(({ status, count, total }) => ({ status, count, total })),
      unreviewed_count: addCents(...open.map(({ count }) => count)),
      oldest_unreviewed: open.map(({ oldest }) => oldest).toSorted()[0] ?? null,
      book_balance: balanceOf.get(id) ?? 0,
    }
  })
}

type Piece = { rows: TableRow[]; next_cursor: string | null }

/** The first piece is read at once, so that a refusal is still an answer; of a CSV file the others are read while it is sent. */
export async function exportTransactions(tx: BusinessTx, { format = 'csv', ...query }: TransactionFilters & { format?: 'csv' | 'xlsx' }): Promise<Download> {
  const first = await readPiece(tx, query, undefined)
  if (format === 'csv') {
    return new Download('text/csv; charset=utf-8', 'transactions.csv', (read) =>
      csvStream(columns, rowsFrom(first, (cursor) => read((later) => readPiece(later, query, cursor)))))
  }
  const rows: TableRow[] = []
  for await (const row of rowsFrom(first, (cursor) => readPiece(tx, query, cursor))) {
    if (rows.push(row) > MOST_SHEET_ROWS) throw invalid(`There are more than ${MOST_SHEET_ROWS} rows: ask for CSV, or narrow the filters.`)
  }
  return downloadOf({ title: 'Transactions', columns, rows }, 'xlsx', 'transactions')
}

/** Evidence that nobody has looked at may still change what a closed period says. */
export const unreviewedTransactionsCheck: CloseCheck = async (tx, { start_date, end_date, name }) => {
  const { count, oldest } = await tx.get(store.openBetween, { start_date, end_date }, 'Count')
  const detail = count === 0 ? `Every bank transaction of ${name} is categorized, matched or excluded.`
    : `${count === 1 ? '1 bank transaction waits' : `${count} bank transactions wait`} to be categorized, matched or excluded, the oldest of ${oldest}.`
  const href = `/transactions?status=unreviewed&status=partially_allocated&start_date=${start_date}&end_date=${end_date}`
  return [{ key: 'unreviewed_transactions', severity: 'warning', ok: count === 0, count, detail, href }]
}

/** Found and locked for this request; If-Match is held against it. */
async function lockTransaction(tx: BusinessTx, transaction_id: string): Promise<CashRow> {
  const row = (await lockTransactions(tx, [transaction_id])).get(transaction_id)
  if (!row) throw notFound('Transaction')
  tx.checkMatch(row.version)
  return row
}

/** Reads what these lines are held against, and gives what makes a row of each: a new one, or the one that has its external id already. */
async function entering(tx: BusinessTx, inputs: readonly TransactionInput[]): Promise<(input: TransactionInput) => { row: CashRow; is_new: boolean }> {
  const wanted = inputs.flatMap(({ ledger_id, external_id }) => (external_id ? [{ ledger_id, external_id }] : []))
  const known = new Map((await lockExternalIds(tx, wanted)).map((row) => [keyOf(row), row]))
  const { books } = await readBooks(tx)
  return (input) => {
    const there = input.external_id ? known.get(keyOf(input)) : undefined
    if (there) requireSame(there, input)
    const row = there ?? newBankRow(tx, books, { ...input, source: 'manual' })
    if (row.external_id) known.set(keyOf(row), row)
    return { row, is_new: there === undefined }
  }
}

function keyOf({ ledger_id, external_id }: { ledger_id: string; external_id?: string | null | undefined }): string {
  return `${ledger_id} ${external_id}`
}

type Parties = { customer_id?: string | null | undefined; vendor_id?: string | null | undefined }
const PARTIES = [['customer_id', 'customer'], ['vendor_id', 'vendor']] as const

/** Looks up every customer and vendor that is named, and gives what refuses a line that names another. */
async function partiesOf(tx: BusinessTx, inputs: readonly Parties[]): Promise<(input: Parties) => void> {
  const [customers, vendors] = await Promise.all(PARTIES.map(([field, type]) => knownRecords(tx, type, inputs.flatMap((input) => input[field] ?? []))))
  return ({ customer_id, vendor_id }) => {
    if (customer_id && !customers?.has(customer_id)) throw notFound(`Customer ${customer_id}`)
    if (vendor_id && !vendors?.has(vendor_id)) throw notFound(`Vendor ${vendor_id}`)
  }
}

const PIECE = 500

async function readPiece(tx: BusinessTx, query: TransactionFilters, cursor: string | undefined): Promise<Piece> {
  const [{ books }, page] = await Promise.all([
    readBooks(tx), listTransactions(tx, { ...query, descending: false, limit: PIECE, ...(cursor !== undefined && { cursor }) }),
  ])
  return { rows: page.items.map((transaction) => rowOf(transaction, books)), next_cursor: page.next_cursor }
}

async function* rowsFrom(first: Piece, next: (cursor: string) => Promise<Piece>): AsyncGenerator<TableRow> {
  for (let piece = first; ; piece = await next(piece.next_cursor)) {
    yield* piece.rows
    if (piece.next_cursor === null) return
  }
}
