// The running balance of a register.
import { addCents } from '../../foundation/money.ts'
import type { LedgerType } from '../ledgers/contract.ts'
import { signOf } from '../ledgers/rules.ts'
import type { LineRow, RegisterLine } from './contract.ts'

/** Debit positive. */
export type Opening = { amount: number; base_amount: number }

/** Earliest line first; the others in whatever order they are shown. */
export function earliestOf(lines: readonly LineRow[]): LineRow | null {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return null
  return first.date < last.date || (first.date === last.date && first.id <= last.id) ? first : last
}

/** Each line with the balance after it, in the order given: that of the page, either way round. */
export function withBalances(lines: readonly LineRow[], opening: Opening, ledger: { type: LedgerType; currency: string }): RegisterLine[] {
  const sign = signOf(ledger.type)
  const upward = lines[0] === earliestOf(lines)
  let { amount: balance, base_amount: base_balance } = opening
  const running = (upward ? [...lines] : lines.toReversed()).map((line): RegisterLine => {
    if (line.currency === ledger.currency) balance = addCents(balance, line.amount)
    base_balance = addCents(base_balance, line.base_amount)
    return { ...line, debit: Math.max(line.amount, 0), credit: Math.max(-line.amount, 0), balance: sign * balance + 0, base_balance: sign * base_balance + 0 }
  })
  return upward ? running : running.reverse()
}
