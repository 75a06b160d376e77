// Stripe's objects about plans read as ours.
import type Stripe from 'stripe'
import type { Interval, Plan, PlanEvent, PlanInvoice, PlanQuote, PlanSession, Subscription } from './plans.ts'
import { INTERVALS, PLANS } from './plans.ts'
import { idOf, objectOf, time } from './stripe-values.ts'

/** Which price stands for which plan and interval. */
export type PriceIds = Record<Plan, Record<Interval, string | null>>

export function termsOf(prices: PriceIds, price: Stripe.Price | string, metadata: Stripe.Metadata | null): { plan: Plan; billing_interval: Interval } {
  const id = typeof price === 'string' ? price : price.id
  for (const plan of PLANS) {
    const billing_interval = INTERVALS.find((interval) => prices[plan][interval] === id)
    if (billing_interval) return { plan, billing_interval }
  }
  // A price that is no longer sold: the subscription knows its plan.
  const interval = typeof price === 'string' ? metadata?.['billing_interval'] : price.recurring?.interval
  return { plan: PLANS.find((plan) => plan === metadata?.['plan']) ?? 'self_directed', billing_interval: interval === 'year' ? 'year' : 'month' }
}

export function planSessionOf(session: Stripe.Checkout.Session): PlanSession {
  const paid = session.status === 'complete' && session.payment_status !== 'unpaid'
  return {
    id: session.id,
    url: session.url,
    status: paid ? 'complete' : session.status === 'expired' ? 'expired' : 'open',
    subscription_id: paid ? idOf(session.subscription) : null,
    expires_at: time(session.expires_at),
  }
}

const STATUSES: Record<string, Subscription['status']> = {
  active: 'active', trialing: 'active', paused: 'active', past_due: 'past_due', unpaid: 'past_due', incomplete: 'past_due',
}

export function subscriptionOf(prices: PriceIds, subscription: Stripe.Subscription): Subscription {
  const [item] = subscription.items.data
  if (!item) throw new Error(`Subscription ${subscription.id} has no price.`)
  const terms = termsOf(prices, item.price, subscription.metadata)
  const schedule = objectOf(subscription.schedule)
  const following = schedule?.phases.find(({ start_date }) => start_date >= item.current_period_end)
  const next = following?.items[0]
  const next_price = next && typeof next.price !== 'string' && 'unit_amount' in next.price ? next.price : item.price
  const canceled = !(subscription.status in STATUSES)
  const card = objectOf(subscription.default_payment_method)?.card
  return {
    id: subscription.id,
    customer_id: idOf(subscription.customer) ?? '',
    status: STATUSES[subscription.status] ?? 'canceled',
    ...terms,
    currency: subscription.currency.toUpperCase(),
    current_period_start: time(item.current_period_start),
    current_period_end: time(item.current_period_end),
    cancel_at_period_end: subscription.cancel_at_period_end,
    ended_at: subscription.ended_at === null ? null : time(subscription.ended_at),
    pending: next ? termsOf(prices, next.price as Stripe.Price | string, following.metadata) : null,
    next_amount: canceled || subscription.cancel_at_period_end ? null : next_price.unit_amount,
    card: card ? { brand: card.brand, last4: card.last4, exp: `${String(card.exp_month).padStart(2, '0')}/${String(card.exp_year).slice(-2)}` } : null,
    created_at: time(subscription.created),
  }
}

export function quoteOf(invoice: Stripe.Invoice): PlanQuote {
  return {
    amount: invoice.total,
    tax: taxOf(invoice),
    currency: invoice.currency.toUpperCase(),
    lines: invoice.lines.data.map(({ description, amount }) => ({ description: description ?? 'Plan', amount })),
  }
}

const INVOICE_STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const

/** None for a draft: it is nobody's bill yet. */
export function planInvoiceOf(invoice: Stripe.Invoice): PlanInvoice[] {
  const status = INVOICE_STATUSES.find((one) => one === invoice.status)
  if (!status) return []
  const [line] = invoice.lines.data
  const paid_at = invoice.status_transitions.paid_at
  return [{
    id: invoice.id,
    subscription_id: idOf(invoice.parent?.subscription_details?.subscription ?? null),
    number: invoice.number,
    status,
    description: invoice.description ?? line?.description ?? 'Daybook',
    subtotal: invoice.subtotal,
    tax: taxOf(invoice),
    total: invoice.total,
    amount_paid: invoice.amount_paid,
    currency: invoice.currency.toUpperCase(),
    period_start: time(line?.period?.start ?? invoice.period_start),
    period_end: time(line?.period?.end ?? invoice.period_end),
    issued_at: time(invoice.created),
    paid_at: paid_at === null ? null : time(paid_at),
    attempts: invoice.attempt_count,
  }]
}

export function planEventOf(event: Stripe.Event): PlanEvent {
  const object = event.data.object as unknown as { id?: string; object?: string; customer?: string | { id: string } | null }
  const customer_id = object.object === 'customer' ? object.id ?? null : idOf(object.customer ?? null)
  return { id: event.id, type: event.type, object_id: object.id ?? null, customer_id, created_at: time(event.created) }
}

/** The payments behind a subscription's invoice, as they can be given back. */
export function intentsOf(invoice: Stripe.Invoice | string | null): string[] {
  const payments = objectOf(invoice)?.payments?.data ?? []
  return payments.map(({ payment }) => idOf(payment.payment_intent ?? null)).filter((id) => id !== null)
}

function taxOf(invoice: Stripe.Invoice): number {
  return (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
}
