// What follows from a plan: its status, until when things can be changed, and what may be done with it.
import { invalid, unprocessable, type Problem } from '../../foundation/refusal.ts'
import type { Interval, Plan, Subscription } from '../../foundation/processor/plans.ts'
import { PLANS } from '../../foundation/processor/plans.ts'
import { graceAfter } from '../read-only.ts'
import type { AccountRow, BillingRecord } from './contract.ts'

export type PlanState = { plan_tier: 'grandfathered' | 'trial' | Plan; trial_ends_at: string | null; plan_ends_at: string | null }

export const isPaid = (plan_tier: string): plan_tier is Plan => PLANS.some((plan) => plan === plan_tier)

/** The processor charges for it, or tries to. */
export function isRunning({ subscription_id, status }: Pick<AccountRow, 'subscription_id' | 'status'>): boolean {
  return subscription_id !== null && (status === 'active' || status === 'past_due')
}

export function statusOf({ plan_tier, trial_ends_at }: PlanState, { status, subscription_id }: AccountRow, now: string): BillingRecord['billing_status'] {
  if (plan_tier === 'trial') return trial_ends_at !== null && now < trial_ends_at ? 'trialing' : 'none'
  if (plan_tier === 'grandfathered') return 'none'
  // A plan that nobody charges for was given.
  return subscription_id === null ? 'active' : status
}

/** From when nothing can be changed any more, unless something is done; null: nothing is to end. */
export function endOf({ plan_tier, trial_ends_at, plan_ends_at }: PlanState): string | null {
  if (plan_tier === 'trial') return trial_ends_at && graceAfter(trial_ends_at)
  return plan_tier === 'grandfathered' ? null : plan_ends_at
}

/** The same for what the processor says of a paid plan. */
export function paidUntil(account: AccountRow, ended_at: string | null): string | null {
  const { status, past_due_since, cancel_at_period_end, current_period_end } = account
  if (status === 'canceled') return ended_at ?? current_period_end
  const ends = [...(cancel_at_period_end ? [current_period_end] : []), ...(past_due_since === null ? [] : [graceAfter(past_due_since)])]
  return ends.filter((end) => end !== null).toSorted()[0] ?? null
}

/** What the processor says of a subscription, as it is kept. */
export function accountFields(subscription: Subscription, past_due_since: string | null): Partial<AccountRow> {
  const { id, customer_id, status, billing_interval, current_period_start, current_period_end, cancel_at_period_end } = subscription
  const { pending, card, next_amount, currency } = subscription
  return {
    subscription_id: id, customer_id, status, billing_interval, current_period_start, current_period_end, cancel_at_period_end, next_amount, currency,
    past_due_since: status === 'past_due' ? past_due_since : null,
    pending_plan: pending?.plan ?? null, pending_interval: pending?.billing_interval ?? null, pending_at: pending && current_period_end,
    card_brand: card?.brand ?? null, card_last4: card?.last4 ?? null, card_exp: card?.exp ?? null,
  }
}

type Changeable = { subscription: string; plan: Plan; billing_interval: Interval; period_start: string }

/** A subscription that can be changed: its name at the processor, and its terms. */
export function requireChangeable(plan: PlanState, account: AccountRow): Changeable {
  if (plan.plan_tier === 'grandfathered') throw invalid('This business is grandfathered: it gets a paid plan by POST /billing/migrate-from-grandfathered.')
  const { subscription_id, billing_interval, status, current_period_start } = account
  if (!isPaid(plan.plan_tier) || status === 'canceled') {
    throw invalid(`This business has no paid plan (${plan.plan_tier}): it gets one by POST /billing/checkout.`)
  }
  if (subscription_id === null || billing_interval === null || current_period_start === null) {
    throw invalid(`Nothing is charged for the plan ${plan.plan_tier} of this business, so it cannot be changed here.`)
  }
  if (status === 'past_due') throw invalid('A payment is overdue: change the card by POST /billing/portal first.')
  if (account.cancel_at_period_end) throw invalid('The plan was canceled: resume it by PUT /billing/resume first.')
  return { subscription: subscription_id, plan: plan.plan_tier, billing_interval, period_start: current_period_start }
}

/** A subscription that can be canceled or resumed. */
export function requireRunning({ subscription_id, status }: AccountRow, action: string): string {
  if (subscription_id === null || status === 'none') throw invalid(`There is no paid plan to ${action}.`)
  if (status === 'canceled') throw invalid('The plan has ended: a new one is bought by POST /billing/checkout.')
  return subscription_id
}

/** Where a person is sent back to: an address of the web, whole, or a 422 that names the field. */
export function requireWebAddresses(given: Record<string, string>): void {
  const problems = Object.entries(given).filter(([, url]) => !isWebAddress(url)).map(([name]): Problem => ({
    loc: ['body', name], msg: 'Must be an absolute http or https URL.', type: 'value_error',
  }))
  if (problems.length > 0) throw unprocessable(problems)
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s/\\]/i.test(text) || /[\s\\]/.test(text)) return false
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' && url.username === '' && url.password === ''
}
