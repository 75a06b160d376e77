// What a charge is after all that has happened to it.
import { addCents, divideRounded, formatCents, toCents, type Currency } from '../../foundation/money.ts'
import type { Charge, Refund } from '../../foundation/processor/processor.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { ChargeRow, RefundRow } from './contract.ts'

type Standing = { status: Charge['status']; amount: number; refunded: number; disputed: boolean }

export function statusOf({ status, amount, refunded, disputed }: Standing): ChargeRow['status'] {
  if (status !== 'succeeded') return status
  if (disputed) return 'disputed'
  if (refunded === 0) return 'succeeded'
  return refunded === amount ? 'refunded' : 'partially_refunded'
}

/** Whether money was taken, whatever became of it. */
export function hasSucceeded({ status }: Pick<ChargeRow, 'status'>): boolean {
  return status !== 'pending' && status !== 'failed'
}

/** What was given back or is about to be. Of what both sides ask for at once the processor will refuse what is too much. */
export function refundedOf(refunds: readonly Pick<RefundRow, 'amount' | 'status'>[], most: number): number {
  return Math.min(most, refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0))
}

/** The refund that the processor speaks of among those we know: by its own name, or by ours where we asked for it. */
export function knownRefund(refunds: readonly RefundRow[], found: Pick<Refund, 'id' | 'reference'>): RefundRow | null {
  return refunds.find(({ processor_refund_id }) => processor_refund_id === found.id)
    ?? refunds.find(({ id, processor_refund_id }) => processor_refund_id === null && id === found.reference) ?? null
}

/** The amount to give back: what was asked for, or all that is left. */
export function requireRefundable(charge: ChargeRow, asked: number | undefined): number {
  if (!hasSucceeded(charge)) throw invalid(`This charge is ${charge.status}: no money was taken.`)
  if (charge.status === 'disputed') throw invalid('This charge is disputed: the dispute decides whose the money is.')
  const left = charge.amount - charge.refunded
  const amount = asked ?? left
  if (left === 0) throw invalid('This charge was given back in full.')
  if (amount > left) throw invalid(`Of this charge ${formatCents(left, charge.currency as Currency)} ${charge.currency} are left to be given back.`)
  return amount
}

/** What a refund is expected to take of the money at the processor until it says so: its part of the charge, the last one what is left. */
export function settledPart(
  charge: Pick<ChargeRow, 'amount' | 'settled_amount'>, refunds: readonly Pick<RefundRow, 'amount' | 'settled_amount' | 'status'>[], amount: number,
): number | null {
  if (charge.settled_amount === null) return null
  const before = refunds.filter(({ status }) => status !== 'failed')
  const left = charge.settled_amount - addCents(...before.map(({ settled_amount }) => settled_amount ?? 0))
  if (addCents(amount, ...before.map((refund) => refund.amount)) === charge.amount) return left
  return Math.min(left, toCents(divideRounded(BigInt(charge.settled_amount) * BigInt(amount), BigInt(charge.amount))))
}
