// What each plan is called and holds, and which change of plan is one upward.
import type { Interval, Plan, PlanPrice } from '../../foundation/processor/plans.ts'
import { unavailable } from '../../foundation/refusal.ts'
import type { Limits } from './contract.ts'

export const PLAN_TEXTS: Record<Plan, { name: string; description: string }> = {
  self_directed: { name: 'Self-directed', description: 'You keep the books yourselves.' },
  managed: { name: 'Managed', description: 'An advisor keeps the books with you.' },
}

const LIMITS: Record<string, Limits> = {
  trial: { members: 5, api_tokens: 5 },
  self_directed: { members: 10, api_tokens: 20 },
  managed: { members: null, api_tokens: null },
  grandfathered: { members: null, api_tokens: null },
}

export function limitsOf(plan_tier: string): Limits {
  return LIMITS[plan_tier] ?? { members: null, api_tokens: null }
}

export type Terms = { plan: Plan; billing_interval: Interval }

/** What these terms cost; an installation sells only what it has a price for. */
export function requirePrice(prices: readonly PlanPrice[], { plan, billing_interval }: Terms): PlanPrice {
  const price = prices.find((one) => one.plan === plan && one.billing_interval === billing_interval)
  if (!price) throw unavailable(`The plan ${plan} by the ${billing_interval} is not sold here.`, 3_600)
  return price
}

const RANK = { self_directed: 0, managed: 1 }

/** More plan comes now, and so does a longer interval of the same plan; less waits until what was paid for is over. */
export function whenOf(present: Terms, wanted: Terms): 'same' | 'now' | 'period_end' {
  const step = RANK[wanted.plan] - RANK[present.plan]
  if (step !== 0) return step > 0 ? 'now' : 'period_end'
  if (wanted.billing_interval === present.billing_interval) return 'same'
  return wanted.billing_interval === 'year' ? 'now' : 'period_end'
}
