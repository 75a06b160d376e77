// What happens to plans at the embedded processor: people pay, time passes, cards are changed. Each change is announced by an event, in
// the transaction of the caller. The customer is locked first, so that one thing happens to them at a time.
import type { Static } from 'typebox'
import type { Tx } from '../database/transaction.ts'
import { invalid } from '../refusal.ts'
import type { PlanChange, PlanEvent } from './plans.ts'
import { periodOf } from './proration.ts'
import { paysAgain, priceOf, quoteFor, titleOf, turned } from './sandbox-plan-rules.ts'
import * as store from './sandbox-plan-store.ts'
import { named } from './sandbox-records.ts'
import { judge, type Card } from './sandbox-rules.ts'

export type CustomerRow = Static<typeof store.CustomerRow>
export type SessionRow = Static<typeof store.SessionRow>
export type SubscriptionRow = Static<typeof store.SubscriptionRow>
export type InvoiceRow = Static<typeof store.InvoiceRow>

/** The job that brings an event about a plan to us. */
export const SANDBOX_PLAN_EVENT = 'billing.sandbox_event'

export async function requireSession(tx: Tx, id: string, locking = false): Promise<SessionRow> {
  const session = await tx.get(locking ? store.lockSession : store.findSession, { id }, 'Session')
  return session.status === 'open' && session.expires_at <= tx.now ? { ...session, status: 'expired' } : session
}

export type PlanPayment = { paid: boolean; message: string | null; session: SessionRow }

/** A person pays for the plan on the hosted page: the subscription begins. */
export async function paySession(tx: Tx, id: string, card: Card): Promise<PlanPayment> {
  const { customer_id } = await requireSession(tx, id)
  const customer = await tx.get(store.lockCustomer, { id: customer_id }, 'Customer')
  const session = await requireSession(tx, id, true)
  if (session.status === 'complete') return { paid: true, message: null, session }
  if (session.status === 'expired') return { paid: false, message: 'This page has expired.', session }
  const verdict = judge(card, tx.now)
  const problem = verdict.mistake ?? verdict.declined
  if (problem !== null || verdict.mistake !== null) return { paid: false, message: problem, session }
  const { plan, billing_interval } = session
  const period = periodOf(tx.now, billing_interval, 0)
  const subscription: SubscriptionRow = {
    id: named('sub'), customer_id, status: 'active', plan, billing_interval, anchor_at: tx.now, period: 0, current_period_start: period.start,
    current_period_end: period.end, cancel_at_period_end: false, pending_plan: null, pending_interval: null, ended_at: null, created_at: tx.now,
  }
  const after: SessionRow = { ...session, status: 'complete', subscription_id: subscription.id }
  tx.queue(store.insertSubscription, subscription)
  tx.queue(store.updateSession, after)
  const paying = { ...customer, card_brand: verdict.brand, card_last4: verdict.last4, card_exp: card.expiry.replaceAll(/\s/g, '') }
  const { customer: paid } = issue(tx, paying, subscription, session.description, session.amount, true)
  tx.queue(store.updateCustomer, paid)
  announce(tx, customer, 'session.completed', id)
  return { paid: true, message: null, session: after }
}

export async function expireSession(tx: Tx, id: string): Promise<SessionRow> {
  const session = await requireSession(tx, id, true)
  if (session.status === 'complete') return session
  const after: SessionRow = { ...session, status: 'expired' }
  tx.queue(store.updateSession, after)
  announce(tx, await tx.get(store.findCustomer, { id: session.customer_id }, 'Customer'), 'session.expired', id)
  return after
}

/** What a session began ends at once, and its payment goes back; a second call finds it done. */
export async function refundSession(tx: Tx, id: string): Promise<{ amount: number; currency: string }> {
  const { subscription_id, currency } = await requireSession(tx, id)
  if (subscription_id === null) throw invalid('This session was not paid.')
  const { customer } = await lockSubscription(tx, subscription_id)
  const [subscription, invoices] = await Promise.all([
    tx.get(store.findSubscription, { id: subscription_id }, 'Subscription'), tx.many(store.invoicesOfSubscription, { subscription_id }),
  ])
  if (subscription.status !== 'canceled') {
    tx.queue(store.updateSubscription, { ...subscription, status: 'canceled', ended_at: tx.now, pending_plan: null, pending_interval: null })
    announce(tx, customer, 'subscription.ended', subscription.id)
  }
  for (const invoice of invoices.filter(({ refunded, amount_paid }) => refunded < amount_paid)) {
    tx.queue(store.updateInvoice, { ...invoice, refunded: invoice.amount_paid })
    announce(tx, customer, 'invoice.refunded', invoice.id)
  }
  return { amount: invoices.reduce((sum, { amount_paid }) => sum + amount_paid, 0), currency }
}

export type Held = { customer: CustomerRow; subscription: SubscriptionRow }

/** The subscription as it stands now: what time has done to it happens here, whoever asks. */
export async function lockSubscription(tx: Tx, id: string): Promise<Held> {
  const { customer_id } = await tx.get(store.findSubscription, { id }, 'Subscription')
  const customer = await tx.get(store.lockCustomer, { id: customer_id }, 'Customer')
  return advance(tx, { customer, subscription: await tx.get(store.findSubscription, { id }, 'Subscription') })
}

export async function changePlan(tx: Tx, { subscription: id, plan, billing_interval, when, at }: PlanChange): Promise<Held> {
  const { customer, subscription } = await lockSubscription(tx, id)
  if (subscription.status !== 'active') throw invalid(`This subscription is ${subscription.status}.`)
  const wanted = { plan, billing_interval }
  const same = plan === subscription.plan && billing_interval === subscription.billing_interval
  if (when === 'period_end' || same) {
    const pending = same ? { pending_plan: null, pending_interval: null } : { pending_plan: plan, pending_interval: billing_interval }
    return { customer, subscription: save(tx, customer, { ...subscription, ...pending }) }
  }
  const { amount } = quoteFor(subscription, wanted, at)
  if (amount > customer.credit && !paysAgain(customer.card_last4)) throw invalid('The card was declined: The bank of this card declined the payment.')
  const other = billing_interval !== subscription.billing_interval
  const period = other ? periodOf(tx.now, billing_interval, 0) : { start: subscription.current_period_start, end: subscription.current_period_end }
  const after = save(tx, customer, {
    ...subscription, ...wanted, ...(other ? { anchor_at: tx.now, period: 0 } : {}), current_period_start: period.start, current_period_end: period.end,
    pending_plan: null, pending_interval: null,
  })
  const { customer: charged } = issue(tx, customer, after, `Change to ${titleOf(wanted)}`, amount, true)
  tx.queue(store.updateCustomer, charged)
  return { customer: charged, subscription: after }
}

export async function setCancel(tx: Tx, id: string, at_period_end: boolean): Promise<Held> {
  const { customer, subscription } = await lockSubscription(tx, id)
  if (subscription.status === 'canceled') throw invalid('This subscription has ended.')
  if (subscription.cancel_at_period_end === at_period_end) return { customer, subscription }
  const changes = at_period_end ? { pending_plan: null, pending_interval: null } : {}
  return { customer, subscription: save(tx, customer, { ...subscription, ...changes, cancel_at_period_end: at_period_end }) }
}

/** Another card; what is open is tried with it at once. */
export async function changeCard(tx: Tx, customer_id: string, card: Card): Promise<{ message: string | null }> {
  const before = await tx.get(store.lockCustomer, { id: customer_id }, 'Customer')
  const verdict = judge(card, tx.now)
  if (verdict.mistake !== null || verdict.declined !== null) return { message: verdict.mistake ?? verdict.declined }
  let customer: CustomerRow = { ...before, card_brand: verdict.brand, card_last4: verdict.last4, card_exp: card.expiry.replaceAll(/\s/g, '') }
  const [subscriptions, invoices] = await Promise.all([tx.many(store.subscriptionsOf, { customer_id }), tx.many(store.invoicesOf, { customer_id })])
  announce(tx, customer, 'customer.updated', customer_id)
  for (const invoice of invoices.filter(({ status }) => status === 'open')) {
    const paid = paysAgain(customer.card_last4)
    tx.queue(store.updateInvoice, {
      ...invoice, attempts: invoice.attempts + 1, ...(paid ? { status: 'paid', paid_at: tx.now, amount_paid: invoice.total } : {}),
    })
    announce(tx, customer, paid ? 'invoice.paid' : 'invoice.payment_failed', invoice.id)
    const owing = subscriptions.find(({ id, status }) => id === invoice.subscription_id && status === 'past_due')
    if (paid && owing) customer = advance(tx, { customer, subscription: save(tx, customer, { ...owing, status: 'active' }) }).customer
  }
  tx.queue(store.updateCustomer, customer)
  return { message: null }
}

/** Period after period up to now. */
function advance(tx: Tx, held: Held): Held {
  let { customer, subscription } = held
  for (let next = turned(subscription, tx.now); next !== null; next = turned(subscription, tx.now)) {
    subscription = next as SubscriptionRow
    if (subscription.status === 'canceled') {
      save(tx, customer, subscription, 'subscription.ended')
      continue
    }
    const charged = issue(tx, customer, subscription, titleOf(subscription), priceOf(subscription), false)
    customer = charged.customer
    subscription = save(tx, customer, { ...subscription, status: charged.paid ? 'active' : 'past_due' })
  }
  if (customer !== held.customer) tx.queue(store.updateCustomer, customer)
  return { customer, subscription }
}

/** An invoice for the period of the subscription, paid with credit and card; `present`: the customer is there and the card was good. */
function issue(
  tx: Tx, customer: CustomerRow, subscription: SubscriptionRow, description: string, total: number, present: boolean,
): { customer: CustomerRow; paid: boolean } {
  const used = Math.min(customer.credit, Math.max(total, 0))
  const due = Math.max(total - used, 0)
  const paid = due === 0 || present || paysAgain(customer.card_last4)
  const id = named('in')
  const created_at = present ? tx.now : subscription.current_period_start
  tx.queue(store.insertInvoice, {
    id, customer_id: customer.id, subscription_id: subscription.id, number: `DB-${id.slice(-8).toUpperCase()}`,
    status: paid ? 'paid' : 'open', description, total,
    amount_paid: paid ? due : 0, currency: 'USD', period_start: subscription.current_period_start, period_end: subscription.current_period_end,
    attempts: due === 0 ? 0 : 1, refunded: 0, paid_at: paid ? created_at : null, created_at,
  } satisfies InvoiceRow)
  announce(tx, customer, paid ? 'invoice.paid' : 'invoice.payment_failed', id)
  return { customer: { ...customer, credit: customer.credit - used + Math.max(-total, 0) }, paid }
}

function save(tx: Tx, customer: CustomerRow, after: SubscriptionRow, type = 'subscription.updated'): SubscriptionRow {
  tx.queue(store.updateSubscription, after)
  announce(tx, customer, type, after.id)
  return after
}

/** The customer's reference is how we call whom it is about: by it the job is found again. */
function announce(tx: Tx, customer: CustomerRow, type: string, object_id: string): void {
  const event: PlanEvent = { id: named('evt'), type, object_id, customer_id: customer.id, created_at: tx.now }
  tx.enqueue(SANDBOX_PLAN_EVENT, { business_id: customer.reference, event })
}
