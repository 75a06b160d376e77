// Stripe as the seller of plans: on the account of the installation itself, with prices that stand in the settings.
import type Stripe from 'stripe'
import { unauthenticated, unavailable } from '../refusal.ts'
import { INTERVALS, PLANS, type Interval, type Plan, type PlanPrice, type PlanProcessor } from './plans.ts'
import { TOLERANCE_SECONDS } from './signature.ts'
import { intentsOf, planEventOf, planInvoiceOf, planSessionOf, quoteOf, subscriptionOf, type PriceIds } from './stripe-plan-objects.ts'

export type StripePlanOptions = {
  prices: PriceIds
  webhook_secret: string | null
  client: () => Promise<Stripe>
  ask: <T>(question: (stripe: Stripe) => Promise<T>) => Promise<T>
}

/** How long prices are believed to be what they were. */
const PRICES_MS = 10 * 60_000

const whole = { expand: ['schedule', 'default_payment_method'] }

export function openStripePlans({ prices, webhook_secret, client, ask }: StripePlanOptions): PlanProcessor {
  let known: { at: number; prices: Promise<PlanPrice[]> } | null = null
  const priceId = (plan: Plan, interval: Interval): string => {
    const id = prices[plan][interval]
    const setting = `DAYBOOK_BILLING_PRICE_${plan.toUpperCase()}_${interval.toUpperCase()}`
    if (id === null) throw unavailable(`This installation sells no plan ${plan} by the ${interval}: ${setting} is not set.`, 3_600)
    return id
  }
  const sold = PLANS.flatMap((plan) => INTERVALS.map((billing_interval) => ({ plan, billing_interval, id: prices[plan][billing_interval] })))
  const readPrices = () => ask((stripe) => Promise.all(sold.flatMap(({ plan, billing_interval, id }) => (id === null ? [] : [stripe.prices.retrieve(id)
    .then(({ unit_amount, currency }): PlanPrice => ({ plan, billing_interval, amount: unit_amount ?? 0, currency: currency.toUpperCase() }))]))))
  const release = async (stripe: Stripe, subscription: Stripe.Subscription, key: string): Promise<void> => {
    const { schedule } = subscription
    if (schedule === null) return
    await stripe.subscriptionSchedules.release(typeof schedule === 'string' ? schedule : schedule.id, {}, { idempotencyKey: `${key}-release` })
  }
  const itemOf = ({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem => {
    const [item] = items.data
    if (!item) throw new Error(`Subscription ${id} has no price.`)
    return item
  }

  return {
    prices() {
      // Prices are asked for by everybody who looks at the plans, and hardly ever change.
      if (known === null || performance.now() - known.at > PRICES_MS) {
        const asked = { at: performance.now(), prices: readPrices() }
        asked.prices.catch(() => (known = known === asked ? null : known))
        known = asked
      }
      return known.prices
    },

    createCustomer: ({ name, email, reference, idempotency_key }) => ask(async (stripe) => (await stripe.customers.create(
      { name, metadata: { reference }, ...(email === null ? {} : { email }) }, { idempotencyKey: idempotency_key })).id),

    createSession: ({ customer, plan, billing_interval, reference, success_url, cancel_url, idempotency_key }) => ask(async (stripe) => {
      const metadata = { reference, plan, billing_interval }
      return planSessionOf(await stripe.checkout.sessions.create({
        mode: 'subscription', customer, success_url, cancel_url, client_reference_id: reference, metadata, subscription_data: { metadata },
        line_items: [{ quantity: 1, price: priceId(plan, billing_interval) }],
      }, { idempotencyKey: idempotency_key }))
    }),
    readSession: (session) => ask(async (stripe) => planSessionOf(await stripe.checkout.sessions.retrieve(session))),
    expireSession: (session) => ask(async (stripe) => {
      const found = await stripe.checkout.sessions.retrieve(session)
      return planSessionOf(found.status === 'open' ? await stripe.checkout.sessions.expire(session) : found)
    }),
    refundSession: ({ session, idempotency_key }) => ask(async (stripe) => {
      const { subscription_id } = planSessionOf(await stripe.checkout.sessions.retrieve(session))
      if (subscription_id === null) return { amount: 0, currency: 'USD' }
      const found = await stripe.subscriptions.retrieve(subscription_id, { expand: ['latest_invoice.payments'] })
      if (found.status !== 'canceled') {
        await stripe.subscriptions.cancel(subscription_id, { prorate: false, invoice_now: false }, { idempotencyKey: `${idempotency_key}-cancel` })
      }
      const refunds = await Promise.all(intentsOf(found.latest_invoice).map((payment_intent) =>
        stripe.refunds.create({ payment_intent, metadata: { reference: session } }, { idempotencyKey: `${idempotency_key}-${payment_intent}` })))
      return { amount: refunds.reduce((sum, { amount }) => sum + amount, 0), currency: found.currency.toUpperCase() }
    }),

    readSubscription: (subscription) => ask(async (stripe) => subscriptionOf(prices, await stripe.subscriptions.retrieve(subscription, whole))),
    preview: ({ subscription, plan, billing_interval, when, at }) => ask(async (stripe) => {
      const found = await stripe.subscriptions.retrieve(subscription)
      const price = priceId(plan, billing_interval)
      const { id, price: present } = itemOf(found)
      if (when === 'period_end' || present.id === price) return { amount: 0, tax: 0, currency: found.currency.toUpperCase(), lines: [] }
      return quoteOf(await stripe.invoices.createPreview({
        subscription, subscription_details: { items: [{ id, price }], proration_behavior: 'always_invoice', proration_date: seconds(at) },
      }))
    }),
    change: ({ subscription, plan, billing_interval, when, at, idempotency_key }) => ask(async (stripe) => {
      const found = await stripe.subscriptions.retrieve(subscription)
      const price = priceId(plan, billing_interval)
      const item = itemOf(found)
      const metadata = { ...found.metadata, plan, billing_interval }
      await release(stripe, found, idempotency_key)
      if (when === 'now' && item.price.id !== price) {
        await stripe.subscriptions.update(subscription, {
          // Nothing changes where the card does not pay.
          items: [{ id: item.id, price }], proration_behavior: 'always_invoice', proration_date: seconds(at), payment_behavior: 'error_if_incomplete', metadata,
        }, { idempotencyKey: idempotency_key })
      }
      if (when === 'period_end') {
        const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription }, { idempotencyKey: `${idempotency_key}-schedule` })
        const start_date = schedule.phases[0]?.start_date ?? item.current_period_start
        await stripe.subscriptionSchedules.update(schedule.id, {
          end_behavior: 'release', proration_behavior: 'none',
          phases: [
            { items: [{ price: item.price.id, quantity: 1 }], start_date, end_date: item.current_period_end, proration_behavior: 'none' },
            { items: [{ price, quantity: 1 }], duration: { interval: billing_interval, interval_count: 1 }, proration_behavior: 'none', metadata },
          ],
        }, { idempotencyKey: `${idempotency_key}-phases` })
      }
      return subscriptionOf(prices, await stripe.subscriptions.retrieve(subscription, whole))
    }),
    setCancel: ({ subscription, at_period_end, idempotency_key }) => ask(async (stripe) => {
      if (at_period_end) await release(stripe, await stripe.subscriptions.retrieve(subscription), idempotency_key)
      const given = { cancel_at_period_end: at_period_end, ...whole }
      return subscriptionOf(prices, await stripe.subscriptions.update(subscription, given, { idempotencyKey: idempotency_key }))
    }),

    createPortal: ({ customer, return_url }) => ask(async (stripe) => (await stripe.billingPortal.sessions.create({ customer, return_url })).url),

    listInvoices: (customer) => ask(async (stripe) => (await stripe.invoices.list({ customer, limit: 100 })).data.flatMap(planInvoiceOf).toReversed()),
    invoiceFile: (invoice) => ask(async (stripe) => {
      const { invoice_pdf } = await stripe.invoices.retrieve(invoice)
      if (!invoice_pdf) throw unavailable('The card processor has no file of this invoice yet. Try again in a moment.', 10)
      return invoice_pdf
    }),

    async verifyEvent({ body, headers }, now) {
      if (webhook_secret === null) throw unauthenticated('Events about plans cannot be checked: DAYBOOK_BILLING_WEBHOOK_SECRET is not set.')
      const stripe = await client()
      try {
        const header = headers['stripe-signature'] ?? ''
        return planEventOf(stripe.webhooks.constructEvent(body, header as string, webhook_secret, TOLERANCE_SECONDS, undefined, now.getTime()))
      } catch {
        throw unauthenticated('The signature of this event is missing, wrong or older than five minutes.')
      }
    },
  }
}

function seconds(moment: string): number {
  return Math.floor(Date.parse(moment) / 1000)
}
