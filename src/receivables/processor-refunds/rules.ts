// Where the money of a refund comes from: how it is shared between credits, and which may be given.
import { invalid } from '../../foundation/refusal.ts'
import type { MemoRow } from '../credit-memos/contract.ts'
import { nameOf, remainingOf, requireStatus } from '../credit-memos/rules.ts'
import { money } from '../invoices/rules.ts'
import { divided } from '../processor-bookings/rules.ts'
import type { ChargeRow, RefundRow } from '../processor-charges/contract.ts'

/** A part of a refund: as the customer gets it, and as it leaves the account at the processor. */
export type Part = { amount: number; settled: number }

/** A credit is kept in the currency of the charge, or in that of the money at the processor. */
export type Measure = keyof Part

export const NOTHING: Part = { amount: 0, settled: 0 }

/** What a credit with this much remaining can give of a refund. Where it cannot give all, at least a cent of both is left for the next. */
export function shareOf(rest: Part, remaining: number, measure: Measure): Part {
  const [measured, other] = measure === 'amount' ? [rest.amount, rest.settled] : [rest.settled, rest.amount]
  if (remaining >= measured) return rest
  const { paid, paid_settled } = divided(measured, other, remaining)
  const along = Math.min(paid_settled, other - 1)
  if (paid === 0 || along === 0) return NOTHING
  return measure === 'amount' ? { amount: paid, settled: along } : { amount: along, settled: paid }
}

export const restOf = (rest: Part, { amount, settled }: Part): Part => ({ amount: rest.amount - amount, settled: rest.settled - settled })

/** How a credit measures what it gives; null where it can give nothing. */
export function measureOf(memo: Pick<MemoRow, 'currency' | 'status'>, charge: Pick<ChargeRow, 'currency' | 'settled_currency'>): Measure | null {
  if (memo.status !== 'open') return null
  if (memo.currency === charge.currency) return 'amount'
  return memo.currency === charge.settled_currency ? 'settled' : null
}

/** What the books should have given up for a refund. */
export function wantedOf(charge: Pick<ChargeRow, 'booked'>, { status, settled_amount }: Pick<RefundRow, 'status' | 'settled_amount'>): number {
  return charge.booked && status !== 'failed' ? settled_amount ?? 0 : 0
}

/** The credit that somebody wants to pay out by a refund of a charge. */
export function requireCredit(memo: MemoRow, charge: ChargeRow, { amount, settled }: Part): void {
  const name = nameOf(memo)
  if (!charge.booked) throw invalid(`This charge is not in the books: ${name} cannot be paid out with it.`)
  requireStatus(memo, ['open', 'closed'], 'only finalized credits are paid out')
  if (memo.customer_id !== charge.customer_id) throw invalid(`${name} is one of another customer than the charge.`)
  const measure = measureOf({ ...memo, status: 'open' }, charge)
  if (measure === null) throw invalid(`${name} is in ${memo.currency}: a charge in ${charge.currency} cannot pay it out.`)
  const wanted = measure === 'amount' ? amount : settled
  if (wanted > remainingOf(memo)) throw invalid(`${name} has ${money(remainingOf(memo), memo.currency)} left, less than ${money(wanted, memo.currency)}.`)
}
