// Bank rows on their way in: they get a clean name, are written, and go where their counterparty's default sends them, in one transaction.
import { attemptEach } from '../../foundation/bulk.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { cleanNames } from '../../directory/counterparty-aliases/operations.ts'
import type { CounterpartyDefault } from '../../directory/counterparty-defaults/contract.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { lockTransactions, writeRows } from '../../ledger/cash-book/operations.ts'
import { openCategorizing } from '../categories/operations.ts'
import type { Wanted } from '../categories/contract.ts'
import { defaultsOf, maybeBooked, waits } from '../transaction-views/operations.ts'
import * as store from './store.ts'

/** Writes rows that newBankRow gave, and gives them as they are then, in their order. */
export async function arrive(tx: BusinessTx, rows: readonly CashRow[]): Promise<CashRow[]> {
  const written = writeRows(tx, await named(tx, rows))
  const applied = await applyDefaults(tx, written, ({ auto_apply }) => auto_apply)
  return written.map((row) => applied.get(row.id) ?? row)
}

/** Text of the bank becomes the name that the business knows; a name that somebody gave stays. */
async function named(tx: BusinessTx, rows: readonly CashRow[]): Promise<CashRow[]> {
  const raw = (row: CashRow) => (row.counterparty === null ? row.counterparty_raw : null)
  const names = await cleanNames(tx, rows.flatMap((row) => raw(row) ?? []))
  return rows.map((row) => {
    const name = names.get(raw(row) ?? '')?.trim().slice(0, LONGEST_NAME)
    return name ? { ...row, counterparty: name } : row
  })
}

const LONGEST_NAME = 200

/**
 * Categorizes rows, locked or new, by the defaults that count for them and are wanted. What cannot be posted, and what may be in the books
 * already, waits for a person. Gives the rows that were categorized.
 */
export async function applyDefaults(
  tx: BusinessTx, rows: readonly CashRow[], wanted: (found: CounterpartyDefault) => boolean,
): Promise<Map<string, CashRow>> {
  const waiting = rows.filter((row) => waits(row) && row.claimed === 0)
  const defaults = await defaultsOf(tx, waiting)
  const candidates = waiting.flatMap((row) => {
    const found = defaults.get(row.id)
    return found && wanted(found) ? [{ row, found }] : []
  })
  if (candidates.length === 0) return new Map()
  const booked = await maybeBooked(tx, candidates.map(({ row }) => row))
  const chosen = candidates.filter(({ row }) => !booked.has(row.id)).map(({ row, found }) => wantedBy(row, found))
  if (chosen.length === 0) return new Map()
  const work = await openCategorizing(tx, chosen)
  attemptEach(chosen, false, (_one, index) => work.attempt(index))
  return new Map((await work.finish()).map((row) => [row.id, row]))
}

/** What a default makes of a row. */
export function wantedBy(transaction: CashRow, found: CounterpartyDefault): Wanted {
  const { id, ledger_id, tax_code_id, customer_id, vendor_id, project_id, dimension_value_ids, memo } = found
  const line = {
    ledger_id, tax_code_id, project_id, dimension_value_ids,
    // A default without a party leaves that of the transaction.
    customer_id: customer_id ?? undefined, vendor_id: vendor_id ?? undefined,
  }
  return { transaction, lines: [line], memo, source: 'default', default_id: id }
}

/**
 * One chunk of the rows that wait, in the order of their ids: those for which this default counts are categorized by it. Gives the id from
 * which to go on, null at the end.
 */
export async function applyToWaiting(tx: BusinessTx, default_id: string, after: string | null): Promise<string | null> {
  const found = await tx.many(store.waitingAfter, { after: after ?? NONE, limit: CHUNK })
  const rows = await lockTransactions(tx, found.map(({ id }) => id))
  await applyDefaults(tx, [...rows.values()], ({ id }) => id === default_id)
  return found.length < CHUNK ? null : found.at(-1)?.id ?? null
}

const NONE = '00000000-0000-0000-0000-000000000000'
const CHUNK = 500
