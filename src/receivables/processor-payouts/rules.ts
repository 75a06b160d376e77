// What a payout means in the books.
import { addCents } from '../../foundation/money.ts'
import type { PayoutItem } from '../../foundation/processor/processor.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { nameOfRow, ownersOf } from '../../ledger/cash-book/rules.ts'
import type { PostingLine } from '../../ledger/posting/contract.ts'
import type { PayoutRow } from './contract.ts'

type Moved = Pick<PayoutItem, 'kind' | 'amount' | 'fee'>
export type Figures = { gross: number; fee: number; charge_fee: number }

/** The charges before fees, all fees, and those of charges alone. A fee of its own is a movement whose whole amount is one. */
export function figuresOf(items: readonly Moved[]): Figures {
  const charges = items.filter(({ kind }) => kind === 'charge')
  const separate = items.filter(({ kind }) => kind === 'fee').map(({ amount }) => -amount)
  return {
    gross: addCents(...charges.map(({ amount }) => amount)),
    fee: addCents(...items.map(({ fee }) => fee), ...separate),
    charge_fee: addCents(...charges.map(({ fee }) => fee)),
  }
}

type Ledgers = { bank: string; fees: string; clearing: string }

/** Bank and fees against clearing; `fee` is what was not booked with the charges already. */
export function payoutLines(amount: number, fee: number, { bank, fees, clearing }: Ledgers): PostingLine[] {
  return [
    ...(amount === 0 ? [] : [{ ledger_id: bank, amount }]),
    ...(fee === 0 ? [] : [{ ledger_id: fees, amount: fee }]),
    ...(amount + fee === 0 ? [] : [{ ledger_id: clearing, amount: -(amount + fee) }]),
  ]
}

/** The deposit that a payout may be tied to. */
export function requireDeposit(row: CashRow, payout: PayoutRow, bank_ledger_id: string): void {
  if (row.kind !== 'bank') throw invalid(`${nameOfRow(row)} is no row of the bank.`)
  if (row.ledger_id !== bank_ledger_id) throw invalid(`${nameOfRow(row)} is on another account than the one this payout arrived on.`)
  if (row.amount !== payout.amount_cents) throw invalid(`${nameOfRow(row)} has another amount than the payout.`)
  const owners = ownersOf(row)
  if (owners !== null) throw invalid(`${nameOfRow(row)} belongs to ${owners}: undo that first.`)
}
