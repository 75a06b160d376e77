// Who may buy a plan which way, and which of several payments counts.
import { invalid } from '../../foundation/refusal.ts'
import type { AccountRow } from '../billing/contract.ts'
import { isPaid, isRunning } from '../billing/rules.ts'
import type { SessionRow } from './contract.ts'

export function requireMigratable(plan_tier: string): void {
  if (plan_tier === 'grandfathered') return
  const way = isPaid(plan_tier) ? 'change its plan by PUT /billing/plan' : 'buy a plan by POST /billing/checkout'
  throw invalid(`This business is on the tier ${plan_tier}, not grandfathered: ${way}.`)
}

/** A trial, or a plan that has ended. */
export function requireBuyable(plan_tier: string, account: AccountRow): void {
  if (plan_tier === 'grandfathered') throw invalid('This business is grandfathered: it gets a paid plan by POST /billing/migrate-from-grandfathered.')
  const paid = isPaid(plan_tier) && account.status !== 'canceled'
  if (paid || isRunning(account)) throw invalid(`This business has the plan ${plan_tier}: change it by PUT /billing/plan.`)
}

type Paid = Pick<SessionRow, 'session_id' | 'completed_at'>

/** In the order in which they were paid, whoever tells of them first. */
export function inOrderOfPayment<S extends Paid>(sessions: readonly S[]): S[] {
  const key = ({ completed_at, session_id }: Paid) => `${completed_at ?? ''} ${session_id}`
  return sessions.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}
