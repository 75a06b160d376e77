// The embedded processor as the seller of plans: without a network, with pages served by Daybook and events that are signed.
import { plainRequest, transact, type Database } from '../database/transact.ts'
import type { PublicTx } from '../database/transaction.ts'
import type { Message } from '../message.ts'
import { unauthenticated } from '../refusal.ts'
import { seal } from '../secrets.ts'
import type { PlanEvent, PlanInvoice, PlanProcessor, PlanSession, Subscription } from './plans.ts'
import {
  changePlan, expireSession, lockSubscription, refundSession, requireSession, setCancel, type Held, type InvoiceRow, type SessionRow,
} from './sandbox-plan-records.ts'
import { priceOf, quoteFor, SANDBOX_PRICES, titleOf } from './sandbox-plan-rules.ts'
import * as store from './sandbox-plan-store.ts'
import { named } from './sandbox-records.ts'
import { planSigningKey, requireSignature, sign } from './signature.ts'

export const SANDBOX_PLAN_SIGNATURE = 'daybook-plan-signature'

/** What the address of a portal page holds, sealed. */
export const PORTAL = 'plan portal'

const SESSION_HOURS = 24
const PORTAL_HOURS = 1

export function openSandboxPlans(database: () => Database): PlanProcessor {
  const within = <T>(work: (tx: PublicTx) => Promise<T>): Promise<T> =>
    transact(database(), { business_id: null, read_only: false, request: plainRequest }, ({ tx }) => work(tx))
  const inHours = (tx: PublicTx, hours: number): string => new Date(Date.parse(tx.now) + hours * 3_600_000).toISOString()
  return {
    prices: async () => [...SANDBOX_PRICES],

    createCustomer: ({ name, email, reference, idempotency_key }) => within(async (tx) => {
      await tx.run(store.insertCustomer, {
        id: named('cus'), name, email, reference, credit: 0, card_brand: null, card_last4: null, card_exp: null, idempotency_key, created_at: tx.now,
      })
      return (await tx.get(store.customerByKey, { idempotency_key }, 'Customer')).id
    }),

    createSession: ({ customer, plan, billing_interval, success_url, cancel_url, idempotency_key }) => within(async (tx) => {
      const terms = { plan, billing_interval }
      await tx.run(store.insertSession, {
        ...terms, id: named('ps'), customer_id: customer, amount: priceOf(terms), currency: 'USD', description: titleOf(terms), success_url, cancel_url,
        status: 'open', subscription_id: null, idempotency_key, expires_at: inHours(tx, SESSION_HOURS), created_at: tx.now,
      })
      return sessionOf(await tx.get(store.sessionByKey, { idempotency_key }, 'Session'), tx)
    }),
    readSession: (session) => within(async (tx) => sessionOf(await requireSession(tx, session), tx)),
    expireSession: (session) => within(async (tx) => sessionOf(await expireSession(tx, session), tx)),
    refundSession: ({ session }) => within((tx) => refundSession(tx, session)),

    readSubscription: (subscription) => within(async (tx) => subscriptionOf(await lockSubscription(tx, subscription))),
    preview: ({ subscription, plan, billing_interval, when, at }) => within(async (tx) => {
      const held = await lockSubscription(tx, subscription)
      return when === 'now' ? quoteFor(held.subscription, { plan, billing_interval }, at) : { amount: 0, tax: 0, currency: 'USD', lines: [] }
    }),
    change: (given) => within(async (tx) => subscriptionOf(await changePlan(tx, given))),
    setCancel: ({ subscription, at_period_end }) => within(async (tx) => subscriptionOf(await setCancel(tx, subscription, at_period_end))),

    createPortal: ({ customer, return_url }) => within(async (tx) => {
      const text = JSON.stringify({ customer, return_url, until: inHours(tx, PORTAL_HOURS) })
      return `${tx.surroundings.public_url}/sandbox/portal?of=${seal(tx.surroundings.encryption_key, text, PORTAL).toString('base64url')}`
    }),

    listInvoices: (customer) => within(async (tx) => (await tx.many(store.invoicesOf, { customer_id: customer })).map(invoiceOf)),
    invoiceFile: (invoice) => within(async (tx) => {
      const { id } = await tx.get(store.findInvoice, { id: invoice }, 'Invoice')
      return `${tx.surroundings.public_url}/sandbox/plan-invoices/${id}/pdf`
    }),

    async verifyEvent({ body, headers }, now) {
      requireSignature(planSigningKey(database().surroundings.encryption_key), body, [headers[SANDBOX_PLAN_SIGNATURE]].flat()[0], now)
      try {
        return JSON.parse(body.toString('utf8')) as PlanEvent
      } catch {
        throw unauthenticated('This event cannot be read.')
      }
    },
  }
}

/** An event about a plan as the embedded processor sends it. */
export function signedPlanMessage(encryption_key: Buffer, event: PlanEvent, now: Date): Message {
  const body = Buffer.from(JSON.stringify(event))
  return { body, headers: { [SANDBOX_PLAN_SIGNATURE]: sign(planSigningKey(encryption_key), body, now) } }
}

function sessionOf({ id, status, subscription_id, expires_at }: SessionRow, tx: PublicTx): PlanSession {
  return { id, url: `${tx.surroundings.public_url}/sandbox/plan/${id}`, status, subscription_id, expires_at }
}

function subscriptionOf({ customer, subscription }: Held): Subscription {
  const { id, customer_id, status, plan, billing_interval, current_period_start, current_period_end, cancel_at_period_end, ended_at, created_at } = subscription
  const next = { plan: subscription.pending_plan ?? plan, billing_interval: subscription.pending_interval ?? billing_interval }
  const { card_brand, card_last4, card_exp } = customer
  return {
    id, customer_id, status, plan, billing_interval, currency: 'USD', current_period_start, current_period_end, cancel_at_period_end, ended_at, created_at,
    pending: subscription.pending_plan === null ? null : next,
    next_amount: cancel_at_period_end || status === 'canceled' ? null : Math.max(priceOf(next) - customer.credit, 0),
    card: card_brand === null || card_last4 === null ? null : { brand: card_brand, last4: card_last4, exp: card_exp ?? '' },
  }
}

function invoiceOf({ customer_id: _customer, refunded: _refunded, created_at, ...invoice }: InvoiceRow): PlanInvoice {
  return { ...invoice, subtotal: invoice.total, tax: 0, issued_at: created_at }
}
