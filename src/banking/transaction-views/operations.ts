// Rows of the cash book as they are shown, with whatever belongs to them read once for all of them.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { CounterpartyDefault } from '../../directory/counterparty-defaults/contract.ts'
import { defaultsFor } from '../../directory/counterparty-defaults/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { shown } from '../../ledger/cash-book/rules.ts'
import { categoriesOf } from '../categories/operations.ts'
import { shownCategory } from '../categories/rules.ts'
import type { BankTransaction, TransactionSuggestion } from './contract.ts'
import * as store from './store.ts'

export async function viewed(tx: BusinessTx, rows: readonly CashRow[]): Promise<BankTransaction[]> {
  const waiting = rows.filter(waits)
  const [categories, defaults, duplicates] = await Promise.all([
    categoriesOf(tx, rows.filter(({ categorized }) => categorized > 0).map(({ id }) => id)), defaultsOf(tx, waiting), uncoveredLike(tx, waiting),
  ])
  return rows.map((row) => ({
    ...shown(row),
    ...shownCategory(categories.get(row.id)),
    suggestion: suggestionOf(defaults.get(row.id)),
    possible_duplicate_of: duplicates.get(row.id) ?? null,
  }))
}

export async function viewedOne(tx: BusinessTx, row: CashRow): Promise<BankTransaction> {
  const [one] = await viewed(tx, [row])
  return one as BankTransaction
}

/** The default that counts for each row that names a counterparty, by the id of the row. */
export async function defaultsOf(tx: BusinessTx, rows: readonly CashRow[]): Promise<Map<string, CounterpartyDefault>> {
  const named = rows.flatMap((row) => (row.counterparty === null ? [] : { row, counterparty: row.counterparty }))
  const found = await defaultsFor(tx, named.map(({ row, counterparty }) => ({
    counterparty, direction: row.amount < 0 ? 'out' as const : 'in' as const, bank_ledger_id: row.ledger_id,
  })))
  return new Map(named.flatMap(({ row }, index) => (found[index] ? [[row.id, found[index]]] : [])))
}

/** Rows whose money may be in the books already, by a document or by hand: nobody but a person puts it there again. */
export async function maybeBooked(tx: BusinessTx, rows: readonly CashRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const [covered, by_hand] = await Promise.all([uncoveredLike(tx, rows), tx.many(store.postedByHandLike, factsOf(rows))])
  return new Set([...covered.keys(), ...by_hand.map(({ transaction_id }) => transaction_id)])
}

/** A bank row of which something is left. */
export function waits({ kind, exclude_reason, remaining }: CashRow): boolean {
  return kind === 'bank' && exclude_reason === null && remaining > 0
}

async function uncoveredLike(tx: BusinessTx, rows: readonly CashRow[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const found = await tx.many(store.uncoveredLike, factsOf(rows))
  return new Map(found.map(({ transaction_id, book_id }) => [transaction_id, book_id]))
}

function factsOf(rows: readonly CashRow[]) {
  return {
    ids: rows.map(({ id }) => id), ledger_ids: rows.map(({ ledger_id }) => ledger_id), amounts: rows.map(({ amount }) => amount), dates: rows.map(({ datetime }) => datetime),
  }
}

function suggestionOf(found: CounterpartyDefault | undefined): TransactionSuggestion | null {
  if (!found) return null
  const { id, counterparty, ledger_id, tax_code_id, customer_id, vendor_id, project_id, dimension_value_ids, memo } = found
  return { id, ledger_id, tax_code_id, customer_id, vendor_id, project_id, dimension_value_ids, memo, reason: `Usual for ${counterparty}.` }
}
