// The weekly reconciliation of deposits, and deposits that are no receipts.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addDays } from '../../foundation/calendar.ts'
import { notFound } from '../../foundation/refusal.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { lockTransactions } from '../../ledger/cash-book/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import type { DepositCandidate } from '../deposit-candidates/contract.ts'
import { getDepositCandidate } from '../deposit-candidates/operations.ts'
import {
  dismissalResource, type CashReceiptRow, type CashReceiptsQuery, type CashReceiptWeek, type DismissalRow, type DismissInput, type WeekDetailQuery,
} from './contract.ts'
import { rangeOf, requireDismissible, requireMonday, rowStatus, totalsOf, weeksOf } from './rules.ts'
import * as store from './store.ts'

export async function getCashReceipts(tx: BusinessTx, query: CashReceiptsQuery) {
  const range = rangeOf(query, tx.today)
  const { ledger_id, currency, ...ledgers } = await scopeOf(tx, query)
  const weeks = weeksOf(range, await tx.many(store.weeks, { ...range, ...ledgers }))
  return { ...range, currency, ledger_id, weeks, totals: totalsOf(weeks) }
}

export async function getWeekDetail(tx: BusinessTx, query: WeekDetailQuery) {
  const { week_start } = query
  requireMonday(week_start)
  const range = { from: week_start, to: addDays(week_start, 6) }
  const asked = { ...range, ...(await scopeOf(tx, query)) }
  const [figures, rows, undeposited] = await Promise.all([
    tx.many(store.weeks, asked), tx.many(store.weekRows, asked), tx.many(store.weekUndeposited, asked),
  ])
  const [week] = weeksOf(range, figures)
  return {
    week: week as CashReceiptWeek,
    rows: rows.map(({ reason, note, dismissed_by, dismissed_at, ...row }): CashReceiptRow => {
      const dismissal = reason && dismissed_at ? { reason, note, dismissed_by, dismissed_at } : null
      return { ...row, dismissal, status: rowStatus({ ...row, dismissal }) }
    }),
    undeposited,
  }
}

type Asked = { ledger_id?: string; currency?: CashRow['currency'] }

/** Ledgers of one currency, for amounts of several do not add up: where deposits come in, and of those where money waits for the bank. */
async function scopeOf(tx: BusinessTx, { ledger_id, ...asked }: Asked) {
  const { books } = await readBooks(tx)
  const ledger = ledger_id === undefined ? null : books.ledgers.get(ledger_id)
  if (ledger === undefined) throw notFound('Ledger')
  const currency = asked.currency ?? ledger?.currency ?? (tx.business.base_currency as CashRow['currency'])
  // Money onto a card or a loan is no receipt.
  const ledgers = [...books.ledgers.values()].filter((each) => each.type === 'asset' && each.currency === currency && (ledger === null || each === ledger))
  const transit = ledgers.filter(({ role }) => role === 'undeposited_funds' || role === 'processor_clearing')
  return { ledger_id: ledger_id ?? null, currency, ledger_ids: ledgers.map(({ id }) => id), transit_ids: transit.map(({ id }) => id) }
}

/** The lock of the transaction keeps payments out meanwhile: whoever comes second meets what the first has done. */
export async function dismissCashReceipt(tx: BusinessTx, { transaction_id, reason, note }: DismissInput): Promise<DepositCandidate> {
  const row = await lockDeposit(tx, transaction_id)
  if (await tx.find(store.findDismissal, { transaction_id })) return getDepositCandidate(tx, transaction_id)
  requireDismissible(row)
  const dismissal: DismissalRow = { transaction_id, reason, note: note || null, dismissed_by: tx.actor.user_id, dismissed_at: tx.now }
  tx.queue(store.insertDismissal, dismissal)
  tx.record(dismissalResource, 'cash_receipt.dismissed', { before: null, after: recorded(dismissal) })
  return getDepositCandidate(tx, transaction_id)
}

export async function restoreCashReceipt(tx: BusinessTx, transaction_id: string): Promise<DepositCandidate> {
  await lockDeposit(tx, transaction_id)
  const dismissal = await tx.find(store.findDismissal, { transaction_id })
  if (dismissal) {
    tx.queue(store.deleteDismissal, { transaction_id })
    tx.record(dismissalResource, 'cash_receipt.restored', { before: recorded(dismissal), after: null })
  }
  return getDepositCandidate(tx, transaction_id)
}

async function lockDeposit(tx: BusinessTx, transaction_id: string): Promise<CashRow> {
  const row = (await lockTransactions(tx, [transaction_id])).get(transaction_id)
  if (!row) throw notFound(`transaction_id: transaction ${transaction_id}`)
  return row
}

function recorded({ transaction_id, ...dismissal }: DismissalRow) {
  return { id: transaction_id, ...dismissal }
}
