// How the embedded processor sells plans: its prices, what a change costs, and what time does to a subscription.
import type { Interval, Plan, PlanPrice, PlanQuote } from './plans.ts'
import { periodOf, unusedPart } from './proration.ts'

export const SANDBOX_PRICES: readonly PlanPrice[] = [
  { plan: 'self_directed', billing_interval: 'month', amount: 4_900, currency: 'USD' },
  { plan: 'self_directed', billing_interval: 'year', amount: 49_000, currency: 'USD' },
  { plan: 'managed', billing_interval: 'month', amount: 29_900, currency: 'USD' },
  { plan: 'managed', billing_interval: 'year', amount: 299_000, currency: 'USD' },
]

/** A card that pays once and is declined ever after. */
const FAILING_LATER = '0341'

const NAMES = { self_directed: 'Self-directed', managed: 'Managed' }

type Terms = { plan: string; billing_interval: string }

export function priceOf({ plan, billing_interval }: Terms): number {
  const price = SANDBOX_PRICES.find((one) => one.plan === plan && one.billing_interval === billing_interval)
  if (!price) throw new Error(`There is no price for ${plan} by the ${billing_interval}.`)
  return price.amount
}

export function titleOf({ plan, billing_interval }: Terms): string {
  return `Daybook ${NAMES[plan as Plan]}, ${billing_interval === 'year' ? 'yearly' : 'monthly'}`
}

export function paysAgain(card_last4: string | null): boolean {
  return card_last4 !== null && card_last4 !== FAILING_LATER
}

type Running = Terms & { current_period_start: string; current_period_end: string }

/** For the same interval the period goes on and the difference for its rest is charged; for another one a new period begins. */
export function quoteFor(running: Running, wanted: { plan: Plan; billing_interval: Interval }, at: string): PlanQuote {
  const period = { start: running.current_period_start, end: running.current_period_end }
  const back = -unusedPart(priceOf(running), period, at)
  const due = wanted.billing_interval === running.billing_interval ? unusedPart(priceOf(wanted), period, at) : priceOf(wanted)
  if (wanted.plan === running.plan && wanted.billing_interval === running.billing_interval) return { amount: 0, tax: 0, currency: 'USD', lines: [] }
  return {
    amount: due + back, tax: 0, currency: 'USD',
    lines: [{ description: `Unused time of ${titleOf(running)}`, amount: back }, { description: titleOf(wanted), amount: due }],
  }
}

export type Turn = Running & {
  status: 'active' | 'past_due' | 'canceled'
  anchor_at: string
  period: number
  cancel_at_period_end: boolean
  pending_plan: string | null
  pending_interval: string | null
  ended_at: string | null
}

/** What the end of its period makes of a subscription: its last day, or its next period. Null while there is time, or a bill is open. */
export function turned(subscription: Turn, now: string): Turn | null {
  if (subscription.status === 'canceled' || subscription.current_period_end > now) return null
  const nothing_pending = { pending_plan: null, pending_interval: null }
  if (subscription.cancel_at_period_end) return { ...subscription, ...nothing_pending, status: 'canceled', ended_at: subscription.current_period_end }
  if (subscription.status === 'past_due') return null
  const plan = subscription.pending_plan ?? subscription.plan
  const billing_interval = subscription.pending_interval ?? subscription.billing_interval
  const other = billing_interval !== subscription.billing_interval
  const anchor_at = other ? subscription.current_period_end : subscription.anchor_at
  const period = other ? 0 : subscription.period + 1
  const { start, end } = periodOf(anchor_at, billing_interval as Interval, period)
  return { ...subscription, plan, billing_interval, anchor_at, period, current_period_start: start, current_period_end: end, ...nothing_pending }
}
