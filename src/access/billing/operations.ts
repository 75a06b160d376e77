// What can be done with the plan of a business. What it costs and whether it runs, the processor says; it is asked between transactions.
import { today } from '../../foundation/calendar.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { formatCents, type Currency } from '../../foundation/money.ts'
import type { Interval, Plan, PlanChange, PlanPrice, PlanQuote, Subscription } from '../../foundation/processor/plans.ts'
import { changeMoment } from '../../foundation/processor/proration.ts'
import { limitsOf, requirePrice, whenOf, type Terms } from '../billing-plans/rules.ts'
import { findPlan, lockPlan, savePlan, type BusinessPlan } from '../businesses/operations.ts'
import { planReason } from '../read-only.ts'
import { billingResource, type AccountRow, type Billing, type BillingRecord, type PlanPreview, type Usage } from './contract.ts'
import { accountFields, endOf, isRunning, paidUntil, requireChangeable, requireRunning, requireWebAddresses, statusOf } from './rules.ts'
import * as store from './store.ts'

/** The plan of a business, and what is kept of how it is paid. */
export type Held = { plan: BusinessPlan; account: AccountRow }
export type BillingEvent = (typeof billingResource.events)[number]

export async function readBilling(tx: BusinessTx): Promise<Held> {
  const [plan, account] = await Promise.all([findPlan(tx), tx.find(store.findAccount)])
  return { plan, account: account ?? blank(tx) }
}

/** Held until the transaction ends, so that one thing happens to a plan at a time. */
export async function lockBilling(tx: BusinessTx): Promise<Held> {
  await tx.run(store.insertAccount, blank(tx))
  const account = await tx.lock(store.lockAccount, {}, 'Billing')
  return { account, plan: await lockPlan(tx) }
}

/** Writes what has changed and tells it by these events; where access came or went, that is told too. Nothing new is nothing written. */
export function saveBilling(tx: BusinessTx, before: Held, wanted: Held, events: readonly BillingEvent[], more: object = {}): Held {
  const access = planReason(wanted.plan, tx.now) === null ? ('full' as const) : ('read_only' as const)
  const told: BillingEvent[] = access === before.account.access ? [...events] : [...events, 'billing.access_changed']
  const same = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)
  const kept = { ...wanted.account, access }
  const moved = !same(before.plan, wanted.plan)
  if (!moved && told.length === 0 && same(before.account, kept)) return before
  const after: Held = { plan: wanted.plan, account: changed(before.account, kept, tx.now) }
  tx.queue(store.updateAccount, after.account)
  if (moved) savePlan(tx, after.plan)
  const change = { before: recorded(tx, before), after: { ...recorded(tx, after), ...more } }
  for (const event of told.length === 0 ? (['billing.updated'] as const) : told) tx.record(billingResource, event, change)
  return after
}

export async function getBilling(tx: BusinessTx): Promise<Billing> {
  return shown(tx, await readBilling(tx))
}

export async function shown(tx: BusinessTx, held: Held): Promise<Billing> {
  const pending_session = tx.actor.permissions.has('billing:manage') ? await tx.find(store.openSession) : null
  return { ...recorded(tx, held), limits: limitsOf(held.plan.plan_tier), pending_session }
}

export async function getUsage(tx: BusinessTx): Promise<Usage> {
  const [{ plan_tier }, used] = await Promise.all([findPlan(tx), tx.get(store.usage, {}, 'Usage')])
  const limits = limitsOf(plan_tier)
  return {
    plan_tier,
    usage: (['members', 'api_tokens'] as const).map((metric) => {
      const limit = limits[metric]
      return { metric, used: used[metric], limit, over: limit !== null && used[metric] > limit }
    }),
  }
}

type Wanted = { target_plan: Plan; billing_interval?: Interval }
type Quoted = { prices: PlanPrice[]; quote: PlanQuote | null }
type PreviewPlan = { wanted: Terms; change: PlanChange | null; effect: PlanPreview['effect']; effective_at: string }

export const previewPlan = {
  async read(tx: BusinessTx, { query }: { query: Wanted }): Promise<PreviewPlan> {
    const { plan, account } = await readBilling(tx)
    const wanted = { plan: query.target_plan, billing_interval: query.billing_interval ?? account.billing_interval ?? 'month' }
    if (!isRunning(account)) return { wanted, change: null, effect: 'start', effective_at: tx.now }
    const { change, effect } = changeOf(tx, { plan, account }, wanted)
    return { wanted, change, effect, effective_at: effect === 'downgrade' ? account.current_period_end ?? tx.now : tx.now }
  },
  async call({ processor }: Surroundings, { change }: PreviewPlan): Promise<Quoted> {
    const [prices, quote] = await Promise.all([processor.plans.prices(), change && processor.plans.preview(change)])
    return { prices, quote }
  },
  async write(_tx: BusinessTx, _input: unknown, { wanted, effect, effective_at }: PreviewPlan, found: Quoted | null): Promise<PlanPreview> {
    const price = requirePrice(found?.prices ?? [], wanted)
    const { amount, tax, currency, lines } = found?.quote ?? { ...price, tax: 0, lines: [] }
    const { plan: target_plan, billing_interval } = wanted
    return { target_plan, billing_interval, effect, amount, tax, currency, effective_at, next_amount: price.amount, lines }
  },
}

type ChangeInput = { body: Wanted & { expected_amount: number } }
type ChangePlan = { change: PlanChange; nothing: boolean; expected: number }

export const changePlan = {
  async read(tx: BusinessTx, { body }: ChangeInput): Promise<ChangePlan> {
    const held = await readBilling(tx)
    tx.checkMatch(held.account.version)
    const wanted = { plan: body.target_plan, billing_interval: body.billing_interval ?? held.account.billing_interval ?? 'month' }
    const { change, effect } = changeOf(tx, held, wanted)
    return { change, nothing: effect === 'none' && held.account.pending_plan === null, expected: body.expected_amount }
  },
  async call({ processor }: Surroundings, { change, nothing, expected }: ChangePlan): Promise<Subscription | null> {
    const { amount, currency } = await processor.plans.preview(change)
    if (amount !== expected) {
      const money = (cents: number) => `${formatCents(cents, currency as Currency)} ${currency}`
      throw invalid(`The change costs ${money(amount)} (${amount} cents), not the expected ${money(expected)}. Look at the preview again.`)
    }
    return nothing ? null : processor.plans.change({ ...change, idempotency_key: newId() })
  },
  async write(tx: BusinessTx, _input: ChangeInput, { change, nothing }: ChangePlan, found: Subscription | null): Promise<Billing> {
    const held = await lockBilling(tx)
    if (nothing || !found || found.id !== held.account.subscription_id) return shown(tx, held)
    // The tier waits for the signed word of the processor; until then the change is one to come.
    const moved = found.plan !== held.plan.plan_tier || found.billing_interval !== held.account.billing_interval
    const pending = moved ? { pending_plan: change.plan, pending_interval: change.billing_interval, pending_at: tx.now } : {}
    const { billing_interval } = held.account
    const account = { ...held.account, ...accountFields(found, held.account.past_due_since), billing_interval, ...pending }
    return shown(tx, saveBilling(tx, held, { plan: held.plan, account }, []))
  },
}

/** At the end of its period the plan ends, or it goes on after all. */
const setCancel = (at_period_end: boolean) => ({
  async read(tx: BusinessTx): Promise<{ subscription: string; nothing: boolean }> {
    const { account } = await readBilling(tx)
    tx.checkMatch(account.version)
    const subscription = requireRunning(account, at_period_end ? 'cancel' : 'resume')
    return { subscription, nothing: account.cancel_at_period_end === at_period_end }
  },
  async call({ processor }: Surroundings, { subscription, nothing }: { subscription: string; nothing: boolean }): Promise<Subscription | null> {
    return nothing ? null : processor.plans.setCancel({ subscription, at_period_end, idempotency_key: newId() })
  },
  async write(tx: BusinessTx, _input: unknown, _plan: unknown, found: Subscription | null): Promise<Billing> {
    const held = await lockBilling(tx)
    if (!found || found.id !== held.account.subscription_id) return shown(tx, held)
    const { cancel_at_period_end, next_amount, current_period_end } = found
    const dropped = at_period_end ? { pending_plan: null, pending_interval: null, pending_at: null } : {}
    const account = { ...held.account, cancel_at_period_end, next_amount, current_period_end, ...dropped }
    const plan = { ...held.plan, plan_ends_at: paidUntil(account, found.ended_at) }
    return shown(tx, saveBilling(tx, held, { plan, account }, []))
  },
})

export const cancelPlan = setCancel(true)
export const resumePlan = setCancel(false)

export const openPortal = {
  async read(tx: BusinessTx, { body: { return_url } }: { body: { return_url: string } }): Promise<{ customer: string; return_url: string }> {
    requireWebAddresses({ return_url })
    const { account: { customer_id } } = await readBilling(tx)
    if (customer_id === null) throw invalid('Nothing was ever paid for: choose a plan first, by POST /billing/checkout.')
    return { customer: customer_id, return_url }
  },
  call: ({ processor }: Surroundings, plan: { customer: string; return_url: string }): Promise<string> => processor.plans.createPortal(plan),
  async write(_tx: BusinessTx, _input: unknown, _plan: unknown, url: string | null): Promise<{ url: string | null }> {
    return { url }
  },
}

/** Tells what time alone has done: a trial that is about to end, access that has ended. */
export async function tellNews(tx: BusinessTx): Promise<void> {
  const held = await lockBilling(tx)
  const { plan_tier, trial_ends_at } = held.plan
  const ending = plan_tier === 'trial' && trial_ends_at !== null && !held.account.trial_ending_told && tx.now < trial_ends_at
    && Date.parse(trial_ends_at) - Date.parse(tx.now) <= TOLD_BEFORE_MS
  const account = ending ? { ...held.account, trial_ending_told: true } : held.account
  saveBilling(tx, held, { plan: held.plan, account }, ending ? ['billing.trial_ending'] : [])
}

const TOLD_BEFORE_MS = 7 * 86_400_000

/** The customer at the processor stands for this business from now on. */
export function keepCustomer(tx: BusinessTx, customer_id: string): void {
  tx.queue(store.insertCustomer, { customer_id })
}

function changeOf(tx: BusinessTx, { plan, account }: Held, wanted: Terms): { change: PlanChange; effect: PlanPreview['effect'] } {
  const present = requireChangeable(plan, account)
  const when = whenOf(present, wanted)
  const at = changeMoment(tx.now, present.period_start)
  const change = { subscription: present.subscription, ...wanted, when: when === 'period_end' ? when : ('now' as const), at }
  return { change, effect: when === 'same' ? 'none' : when === 'now' ? 'upgrade' : 'downgrade' }
}

function blank(tx: BusinessTx): AccountRow {
  return {
    id: tx.business_id, business_id: tx.business_id, customer_id: null, subscription_id: null, billing_interval: null, status: 'none',
    current_period_start: null, current_period_end: null, cancel_at_period_end: false, past_due_since: null, pending_plan: null, pending_interval: null,
    pending_at: null, card_brand: null, card_last4: null, card_exp: null, next_amount: null, currency: null, trial_ending_told: false, access: 'full',
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
}

/** As history tells it: nothing that belongs to the processor. */
function recorded(tx: BusinessTx, { plan, account }: Held): BillingRecord {
  const { id, business_id, billing_interval, current_period_end, cancel_at_period_end, next_amount, currency, version } = account
  const { card_brand, card_last4, card_exp, pending_plan, pending_interval, pending_at } = account
  return {
    id, business_id, plan_tier: plan.plan_tier, billing_interval, billing_status: statusOf(plan, account, tx.now),
    trial_ends_on: plan.plan_tier === 'trial' && plan.trial_ends_at !== null ? today(new Date(plan.trial_ends_at), tx.business.timezone) : null,
    current_period_end, cancel_at_period_end, access: planReason(plan, tx.now) === null ? 'full' : 'read_only', read_only_from: endOf(plan),
    payment_method: card_brand === null || card_last4 === null ? null : { brand: card_brand, last4: card_last4, exp: card_exp ?? '' },
    next_amount, currency, version,
    pending_change: pending_plan === null || pending_interval === null || pending_at === null
      ? null : { target_plan: pending_plan, billing_interval: pending_interval, effective_at: pending_at },
  }
}
