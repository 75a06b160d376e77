// How Daybook sells its own plans at the card processor, on the account of the installation itself: customers, sessions in which a
// plan is paid for, subscriptions, invoices and signed events. Amounts are integer cents.
import type { Message } from '../message.ts'

export const PLANS = ['self_directed', 'managed'] as const
export const INTERVALS = ['month', 'year'] as const
export type Plan = (typeof PLANS)[number]
export type Interval = (typeof INTERVALS)[number]

export type PlanProcessor = {
  /** What each plan costs per interval. */
  prices(): Promise<PlanPrice[]>

  createCustomer(given: NewPlanCustomer): Promise<string>

  createSession(given: NewPlanSession): Promise<PlanSession>
  readSession(session: string): Promise<PlanSession>
  /** One that is complete or expired stays as it is. */
  expireSession(session: string): Promise<PlanSession>
  /** Ends what a session has begun, at once, and gives the whole payment back; under its key once. */
  refundSession(given: { session: string; idempotency_key: string }): Promise<{ amount: number; currency: string }>

  readSubscription(subscription: string): Promise<Subscription>
  /** What the change would cost now; nothing is changed. */
  preview(given: PlanChange): Promise<PlanQuote>
  /** Now, with the charge for the rest of the period, or when the period ends. Back to the present plan, it undoes what was to come. */
  change(given: PlanChange & { idempotency_key: string }): Promise<Subscription>
  setCancel(given: { subscription: string; at_period_end: boolean; idempotency_key: string }): Promise<Subscription>

  /** The address of the page on which cards, addresses and tax numbers are kept. */
  createPortal(given: { customer: string; return_url: string }): Promise<string>

  /** The latest hundred, oldest first. */
  listInvoices(customer: string): Promise<PlanInvoice[]>
  /** Where its PDF can be fetched. */
  invoiceFile(invoice: string): Promise<string>

  /** The one without a call: whether this message is the processor's, and whom it is about. A 401 where it is not. */
  verifyEvent(message: Message, now: Date): Promise<PlanEvent>
}

export type PlanPrice = { plan: Plan; billing_interval: Interval; amount: number; currency: string }

export type NewPlanCustomer = { name: string; email: string | null; reference: string; idempotency_key: string }

export type NewPlanSession = {
  customer: string
  plan: Plan
  billing_interval: Interval
  /** Whose plan it is, as we call it. */
  reference: string
  success_url: string
  cancel_url: string
  idempotency_key: string
}

export type PlanSession = {
  id: string
  url: string | null
  /** `complete`: it was paid. */
  status: 'open' | 'complete' | 'expired'
  subscription_id: string | null
  expires_at: string
}

export type Subscription = {
  id: string
  customer_id: string
  status: 'active' | 'past_due' | 'canceled'
  plan: Plan
  billing_interval: Interval
  currency: string
  current_period_start: string
  current_period_end: string
  cancel_at_period_end: boolean
  ended_at: string | null
  /** What it becomes when the period ends. */
  pending: { plan: Plan; billing_interval: Interval } | null
  /** What the next invoice comes to; null where there is none. */
  next_amount: number | null
  card: { brand: string; last4: string; exp: string } | null
  created_at: string
}

export type PlanChange = {
  subscription: string
  plan: Plan
  billing_interval: Interval
  when: 'now' | 'period_end'
  /** The moment from which the rest of the period counts. */
  at: string
}

/** `amount` is charged now, tax included; below zero it is a credit towards the next invoices. */
export type PlanQuote = { amount: number; tax: number; currency: string; lines: { description: string; amount: number }[] }

export type PlanInvoice = {
  id: string
  subscription_id: string | null
  number: string | null
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  description: string
  subtotal: number
  tax: number
  total: number
  amount_paid: number
  currency: string
  period_start: string
  period_end: string
  issued_at: string
  paid_at: string | null
  /** How often a payment was tried. */
  attempts: number
}

/** Everything that concerns the customer is read again, so neither order nor repetition matters. */
export type PlanEvent = {
  id: string
  /** In the processor's own words. */
  type: string
  object_id: string | null
  customer_id: string | null
  created_at: string
}
