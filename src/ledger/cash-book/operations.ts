// The primitives of the cash book: rows are recorded, claimed by documents, and released again.
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { addCents } from '../../foundation/money.ts'
import { notFound } from '../../foundation/refusal.ts'
import { readBooks } from '../books/operations.ts'
import type { Books } from '../books/contract.ts'
import {
  CATEGORY, transactionResource, type CashRow, type Claim, type NewBankRow, type NewBookRow, type NewClaim, type Released, type TransactionRow, type TransactionSummary,
} from './contract.ts'
import { reclaimed, requireAmount, requireCashLedger, requireClaimable, shown, statusOf, withClaims } from './rules.ts'
import * as store from './store.ts'

type TransactionEvent = (typeof transactionResource.events)[number]

/** Book rows: cash that documents post without a row of the bank. In their order; claim them in the same transaction. */
export async function recordTransactions(tx: BusinessTx, rows: readonly NewBookRow[]): Promise<CashRow[]> {
  if (rows.length === 0) return []
  const { books } = await readBooks(tx)
  return writeRows(tx, rows.map((row) => newRow(tx, books, { source: 'document', ...row }, 'book')))
}

/** A bank row that is sound by itself, not written yet; refuses by throwing. */
export function newBankRow(tx: BusinessTx, books: Books, row: NewBankRow): CashRow {
  return newRow(tx, books, row, 'bank')
}

/** Writes rows that newBankRow gave. */
export function writeRows(tx: BusinessTx, rows: readonly CashRow[]): CashRow[] {
  if (rows.length === 0) return []
  tx.queue(store.insertRows, { rows: JSON.stringify(rows) })
  for (const row of rows) tx.record(transactionResource, 'transaction.created', { before: null, after: shown(row) })
  return [...rows]
}

/** Locks transactions until the end of this one: before the journal, after the documents that want them. Those that do not exist are left out. */
export async function lockTransactions(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, CashRow>> {
  if (ids.length === 0) return new Map()
  // Sent together, and run one after the other: what the second sees is as new as the locks.
  const [rows, claims] = await Promise.all([tx.many(store.lockRows, { ids }), tx.many(store.claimsOfRows, { ids })])
  return byId(rows, claims)
}

/** Without a lock, for reading. */
export async function transactionsByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, CashRow>> {
  if (ids.length === 0) return new Map()
  const [rows, claims] = await Promise.all([tx.many(store.rowsByIds, { ids }), tx.many(store.claimsOfRows, { ids })])
  return byId(rows, claims)
}

/** Rows that were read elsewhere, with their claims. */
export async function withTheirClaims(tx: BusinessTx, rows: readonly TransactionRow[]): Promise<CashRow[]> {
  if (rows.length === 0) return []
  const claims = await tx.many(store.claimsOfRows, { ids: rows.map(({ id }) => id) })
  return [...byId(rows, claims).values()]
}

/** The transactions that have these external ids on these ledgers, locked against anybody who would add one. */
export async function lockExternalIds(tx: BusinessTx, wanted: readonly { ledger_id: string; external_id: string }[]): Promise<CashRow[]> {
  if (wanted.length === 0) return []
  await tx.exclusive(`external ids of transactions in ${tx.business_id}`)
  const rows = await tx.many(store.rowsByExternalIds, {
    ledger_ids: wanted.map(({ ledger_id }) => ledger_id), external_ids: wanted.map(({ external_id }) => external_id),
  })
  return withTheirClaims(tx, rows)
}

/**
 * Documents take their part of transactions that are locked or were recorded just now. More than is left is refused, naming what is. The rows
 * that were handed in are changed along, so that the next claim on one sees what is left.
 */
export function claim(tx: BusinessTx, claims: readonly NewClaim[]): void {
  if (claims.length === 0) return
  const added = new Map<CashRow, Claim[]>()
  for (const { id, transaction, document_type, document_id, amount } of claims) {
    const taken = added.get(transaction) ?? []
    requireClaimable({ ...transaction, remaining: transaction.remaining - sumOf(taken) }, amount)
    added.set(transaction, [...taken, { id, transaction_id: transaction.id, document_type, document_id, amount }])
  }
  tx.queue(store.insertClaims, { claims: JSON.stringify([...added.values()].flat()) })
  for (const [row, taken] of added) {
    const before = { ...row }
    const claimed = row.claimed + sumOf(taken)
    Object.assign(row, { claims: [...row.claims, ...taken], claimed, remaining: row.remaining - sumOf(taken), updated_at: tx.now, version: row.version + 1 })
    row.status = statusOf(row)
    tx.record(transactionResource, 'transaction.matched', { before: shown(before), after: shown(row) })
  }
}

/**
 * Gives back what these claims took. A book row is what its documents posted: it shrinks by what is released, and one on which no claim is
 * left is removed, as `removed` says.
 */
export async function release(tx: BusinessTx, claim_ids: readonly string[]): Promise<Released> {
  const { rows, claims } = await lockClaims(tx, claim_ids)
  const gone = new Set(claims.map(({ id }) => id))
  const changes = rows.map((row) => ({ row, left: row.claims.filter(({ id }) => !gone.has(id)) }))
  const removed = changes.filter(({ row, left }) => row.kind === 'book' && left.length === 0).map(({ row }) => row)
  const kept = changes.filter(({ row }) => !removed.includes(row)).map(({ row, left }) => ({ row, after: reclaimed(row, left, tx.now) }))
  if (claims.length > 0) tx.queue(store.deleteClaims, { ids: [...gone], removed_ids: removed.map(({ id }) => id) })
  removeRows(tx, removed)
  for (const { row, after } of kept) tx.record(transactionResource, 'transaction.released', { before: shown(row), after: shown(after) })
  return { claims, transactions: kept.map(({ after }) => after), removed }
}

/** A claim takes another amount of its transaction. Of a bank row no more than is left; the amount of a book row moves along. */
export async function changeClaim(tx: BusinessTx, claim_id: string, amount: number): Promise<CashRow> {
  const { rows: [row], claims: [before] } = await lockClaims(tx, [claim_id])
  if (!row || !before) throw notFound(`Claim ${claim_id}`)
  if (before.amount === amount) return row
  const difference = amount - before.amount
  requireClaimable({ ...row, remaining: row.kind === 'book' ? Infinity : row.remaining + before.amount }, amount)
  const after = reclaimed(row, row.claims.map((one) => (one.id === claim_id ? { ...one, amount } : one)), tx.now)
  tx.queue(store.changeClaims, { changes: JSON.stringify([{ id: claim_id, amount, difference }]) })
  tx.record(transactionResource, 'transaction.updated', { before: shown(row), after: shown(after) })
  return after
}

/** A row as it was and as it is: whoever changed it tells of the change. */
export type ChangedRow = { before: CashRow; after: CashRow }

/** Categories take what documents leave of rows that are locked or new, or take it anew: `id` is that of the category and of its claim. In their order. */
export function categorizeRows(tx: BusinessTx, given: readonly { id: string; transaction: CashRow }[]): ChangedRow[] {
  if (given.length === 0) return []
  const changes = given.map(({ id, transaction: before }) => {
    const documents = before.claims.filter(({ document_type }) => document_type !== CATEGORY)
    const taken: Claim = { id, transaction_id: before.id, document_type: CATEGORY, document_id: id, amount: before.remaining + before.categorized }
    requireClaimable({ ...before, remaining: taken.amount }, taken.amount)
    return { taken, before, after: reclaimed(before, [...documents, taken], tx.now) }
  })
  tx.queue(store.categorizeRows, { claims: JSON.stringify(changes.map(({ taken }) => taken)) })
  return changes
}

/** Gives back what categories took of rows that are locked. In their order. */
export function uncategorizeRows(tx: BusinessTx, rows: readonly CashRow[]): ChangedRow[] {
  if (rows.length === 0) return []
  const gone = rows.flatMap((row) => row.claims.filter(({ document_type }) => document_type === CATEGORY)).map(({ id }) => id)
  tx.queue(store.uncategorizeRows, { ids: gone })
  return rows.map((before) => ({ before, after: reclaimed(before, before.claims.filter(({ document_type }) => document_type !== CATEGORY), tx.now) }))
}

/** Writes what banking has changed of a row that is locked. */
export function saveRow(tx: BusinessTx, event: TransactionEvent, before: CashRow, changes: Partial<TransactionRow>): CashRow {
  const moved = changed<CashRow>(before, changes, tx.now)
  const after = { ...moved, status: statusOf(moved), remaining: Math.abs(moved.amount) - moved.claimed }
  tx.queue(store.updateRow, after)
  tx.record(transactionResource, event, { before: shown(before), after: shown(after) })
  return after
}

/** Gives rows that are locked another name for their counterparty; nothing else of them changes. */
export function renameRows(tx: BusinessTx, given: readonly { transaction: CashRow; counterparty: string }[]): void {
  if (given.length === 0) return
  tx.queue(store.renameRows, { ids: given.map(({ transaction }) => transaction.id), names: given.map(({ counterparty }) => counterparty) })
  for (const { transaction: before, counterparty } of given) {
    tx.record(transactionResource, 'transaction.updated', { before: shown(before), after: shown(changed<CashRow>(before, { counterparty }, tx.now)) })
  }
}

/** Removes rows that are locked and on which nobody has a claim. */
export function removeRows(tx: BusinessTx, rows: readonly CashRow[]): void {
  if (rows.length === 0) return
  tx.queue(store.deleteRows, { ids: rows.map(({ id }) => id) })
  for (const row of rows) tx.record(transactionResource, 'transaction.deleted', { before: shown(row), after: null })
}

/** Transactions in short, for the payments that show them. */
export async function transactionSummaries(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, TransactionSummary>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.many(store.summariesByIds, { ids: [...new Set(ids)] })
  return new Map(rows.map((row) => [row.id, row]))
}

/** The claims with their transactions, both as they are once these are locked. */
async function lockClaims(tx: BusinessTx, claim_ids: readonly string[]): Promise<{ rows: CashRow[]; claims: Claim[] }> {
  if (claim_ids.length === 0) return { rows: [], claims: [] }
  const found = await tx.many(store.claimsByIds, { ids: claim_ids })
  const rows = [...(await lockTransactions(tx, [...new Set(found.map(({ transaction_id }) => transaction_id))])).values()]
  const standing = new Map(rows.flatMap((row) => row.claims).map((one) => [one.id, one]))
  const claims = [...new Set(claim_ids)].map((id) => {
    const one = standing.get(id)
    // Released by somebody else meanwhile, or never there.
    if (!one) throw notFound(`Claim ${id}`)
    return one
  })
  return { rows, claims }
}

function sumOf(claims: readonly Claim[]): number {
  return addCents(...claims.map(({ amount }) => amount))
}

function byId(rows: readonly TransactionRow[], claims: readonly Claim[]): Map<string, CashRow> {
  const ofRow = Map.groupBy(claims, ({ transaction_id }) => transaction_id)
  return new Map(rows.map((row) => [row.id, withClaims(row, ofRow.get(row.id) ?? [])]))
}

function newRow(tx: BusinessTx, books: Books, row: NewBookRow | NewBankRow, kind: 'bank' | 'book'): CashRow {
  const ledger = requireCashLedger(books, row.ledger_id)
  requireAmount(row)
  const made: Omit<TransactionRow, 'status'> = {
    id: row.id ?? newId(),
    business_id: tx.business_id,
    ledger_id: row.ledger_id,
    amount: row.amount,
    currency: ledger.currency,
    datetime: row.datetime,
    kind,
    source: row.source ?? 'document',
    counterparty: row.counterparty ?? null,
    counterparty_raw: row.counterparty_raw ?? null,
    description: row.description ?? null,
    reference: row.reference ?? null,
    external_id: row.external_id ?? null,
    customer_id: row.customer_id ?? null,
    vendor_id: row.vendor_id ?? null,
    note: row.note ?? null,
    exclude_reason: null,
    bank_transaction_id: null,
    claimed: 0,
    categorized: 0,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  return withClaims({ ...made, status: statusOf(made) }, [])
}
