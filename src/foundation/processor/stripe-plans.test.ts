// Plans at Stripe through its own package, against a server that speaks its wire: what is asked, and how answers are read.
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startStripe, type StripeServer } from '../../../test/support/stripe.ts'
import type { PlanProcessor } from './plans.ts'
import { openStripe } from './stripe.ts'

const SECRET = 'whsec_plans'
const prices = { self_directed: { month: 'price_sm', year: 'price_sy' }, managed: { month: 'price_mm', year: null } }

let server: StripeServer
let plans: PlanProcessor
beforeAll(async () => {
  server = await startStripe()
  plans = openStripe({ key: 'sk_test_123', webhook_secret: 'whsec_charges', url: server.url, plans: { prices, webhook_secret: SECRET } }).plans
})
afterAll(() => server.stop())
beforeEach(() => {
  server.asked.length = 0
})

const asked = () => server.asked.map(({ method, path }) => `${method} ${path}`)
const created = Date.parse('2026-03-01T12:00:00Z') / 1000
const DAY = 86_400
const session = { id: 'cs_1', object: 'checkout.session', url: 'https://checkout.stripe.com/c/pay/cs_1', status: 'open', payment_status: 'unpaid', subscription: null, expires_at: created + DAY }
const subscription = {
  id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'active', currency: 'usd', cancel_at_period_end: false, ended_at: null, created, metadata: { reference: 'biz-1', plan: 'self_directed' }, schedule: null,
  default_payment_method: { id: 'pm_1', object: 'payment_method', card: { brand: 'visa', last4: '4242', exp_month: 3, exp_year: 2031 } },
  items: { object: 'list', data: [{ id: 'si_1', object: 'subscription_item', price: { id: 'price_sm', object: 'price', unit_amount: 4_900, recurring: { interval: 'month' } }, current_period_start: created, current_period_end: created + 31 * DAY }] },
}
const read = {
  id: 'sub_1', customer_id: 'cus_1', status: 'active', plan: 'self_directed', billing_interval: 'month', currency: 'USD', current_period_start: '2026-03-01T12:00:00.000Z', current_period_end: '2026-04-01T12:00:00.000Z',
  cancel_at_period_end: false, ended_at: null, pending: null, next_amount: 4_900, card: { brand: 'visa', last4: '4242', exp: '03/31' }, created_at: '2026-03-01T12:00:00.000Z',
}

describe('sessions', () => {
  it('prices are asked for once, and only those that are set', async () => {
    for (const [id, amount] of [['sm', 4_900], ['sy', 49_000], ['mm', 29_900]]) server.tell(`GET /v1/prices/price_${id}`, { body: { id: `price_${id}`, object: 'price', unit_amount: amount, currency: 'usd' } })
    const found = await plans.prices()
    expect(found.map(({ plan, billing_interval, amount, currency }) => [plan, billing_interval, amount, currency])).toEqual([['self_directed', 'month', 4_900, 'USD'], ['self_directed', 'year', 49_000, 'USD'], ['managed', 'month', 29_900, 'USD']])
    expect(await plans.prices()).toBe(found)
    expect(asked()).toHaveLength(3)
  })

  it('a customer and a session, each once under its key, on our own account', async () => {
    server.tell('POST /v1/customers', { body: { id: 'cus_1', object: 'customer' } })
    server.tell('POST /v1/checkout/sessions', { body: session })
    expect(await plans.createCustomer({ name: 'Bakery', email: 'a@example.com', reference: 'biz-1', idempotency_key: 'key-1' })).toBe('cus_1')
    const made = await plans.createSession({ customer: 'cus_1', plan: 'self_directed', billing_interval: 'year', reference: 'biz-1', success_url: 'https://a.example/s', cancel_url: 'https://a.example/c', idempotency_key: 'key-2' })
    expect(made).toEqual({ id: 'cs_1', url: session.url, status: 'open', subscription_id: null, expires_at: '2026-03-02T12:00:00.000Z' })
    const [customer, checkout] = server.asked
    expect(customer).toMatchObject({ form: { name: 'Bakery', email: 'a@example.com', 'metadata[reference]': 'biz-1' }, headers: { 'idempotency-key': 'key-1' } })
    expect(checkout).toMatchObject({
      form: {
        mode: 'subscription', customer: 'cus_1', client_reference_id: 'biz-1', success_url: 'https://a.example/s', cancel_url: 'https://a.example/c', 'line_items[0][price]': 'price_sy', 'line_items[0][quantity]': '1',
        'subscription_data[metadata][plan]': 'self_directed', 'subscription_data[metadata][reference]': 'biz-1',
      },
      headers: { 'idempotency-key': 'key-2' },
    })
    expect(checkout?.headers['stripe-account']).toBeUndefined()
    await expect(plans.createSession({ customer: 'cus_1', plan: 'managed', billing_interval: 'year', reference: 'r', success_url: 's', cancel_url: 'c', idempotency_key: 'k' })).rejects.toMatchObject({ status: 503, detail: expect.stringContaining('DAYBOOK_BILLING_PRICE_MANAGED_YEAR') })
  })

  it.each([
    ['complete', 'paid', 'complete', 'sub_1'], ['complete', 'no_payment_required', 'complete', 'sub_1'], ['complete', 'unpaid', 'open', null], ['expired', 'unpaid', 'expired', null], ['open', 'unpaid', 'open', null],
  ])('%s and %s is %s', async (status, payment_status, ours, subscription_id) => {
    server.tell('GET /v1/checkout/sessions/cs_1', { body: { ...session, status, payment_status, subscription: status === 'complete' ? 'sub_1' : null } })
    expect(await plans.readSession('cs_1')).toMatchObject({ status: ours, subscription_id })
  })

  it('only an open one is expired', async () => {
    server.tell('GET /v1/checkout/sessions/cs_1', { body: session }, { body: { ...session, status: 'complete', payment_status: 'paid', subscription: 'sub_1' } })
    server.tell('POST /v1/checkout/sessions/cs_1/expire', { body: { ...session, status: 'expired' } })
    expect((await plans.expireSession('cs_1')).status).toBe('expired')
    expect((await plans.expireSession('cs_1')).status).toBe('complete')
    expect(asked()).toEqual(['GET /v1/checkout/sessions/cs_1', 'POST /v1/checkout/sessions/cs_1/expire', 'GET /v1/checkout/sessions/cs_1'])
  })

  it('a second payment: the subscription ends at once, every payment goes back under one key each', async () => {
    server.tell('GET /v1/checkout/sessions/cs_2', { body: { ...session, id: 'cs_2', status: 'complete', payment_status: 'paid', subscription: 'sub_2' } })
    const paid = { ...subscription, id: 'sub_2', latest_invoice: { id: 'in_2', object: 'invoice', payments: { object: 'list', data: [{ id: 'inpay_1', object: 'invoice_payment', payment: { type: 'payment_intent', payment_intent: 'pi_2' } }] } } }
    server.tell('GET /v1/subscriptions/sub_2', { body: paid }, { body: { ...paid, status: 'canceled' } })
    server.tell('DELETE /v1/subscriptions/sub_2', { body: { ...paid, status: 'canceled' } })
    server.tell('POST /v1/refunds', { body: { id: 're_1', object: 'refund', amount: 4_900 } })
    const refund = () => plans.refundSession({ session: 'cs_2', idempotency_key: 'refund-cs_2' })
    expect(await refund()).toEqual({ amount: 4_900, currency: 'USD' })
    expect(asked()).toEqual(['GET /v1/checkout/sessions/cs_2', 'GET /v1/subscriptions/sub_2', 'DELETE /v1/subscriptions/sub_2', 'POST /v1/refunds'])
    expect(server.asked.at(-1)).toMatchObject({ form: { payment_intent: 'pi_2' }, headers: { 'idempotency-key': 'refund-cs_2-pi_2' } })
    expect(await refund()).toEqual({ amount: 4_900, currency: 'USD' })
    expect(asked().filter((one) => one.startsWith('DELETE'))).toHaveLength(1)
  })
})

describe('subscriptions', () => {
  it.each([['active', 'active'], ['trialing', 'active'], ['past_due', 'past_due'], ['unpaid', 'past_due'], ['canceled', 'canceled'], ['incomplete_expired', 'canceled']])('one that is %s is %s', async (status, ours) => {
    server.tell('GET /v1/subscriptions/sub_1', { body: { ...subscription, status } })
    expect(await plans.readSubscription('sub_1')).toEqual({ ...read, status: ours, next_amount: ours === 'canceled' ? null : 4_900 })
    expect(server.asked.at(-1)?.query).toEqual({ 'expand[0]': 'schedule', 'expand[1]': 'default_payment_method' })
  })

  it('what is to come stands in its schedule; a price that is no longer sold is known by its plan', async () => {
    const phases = [{ start_date: created, items: [{ price: 'price_mm' }], metadata: {} }, { start_date: created + 31 * DAY, items: [{ price: 'price_sy' }], metadata: {} }]
    const [item] = subscription.items.data
    server.tell('GET /v1/subscriptions/sub_1', { body: { ...subscription, metadata: { plan: 'managed' }, schedule: { id: 'sched_1', object: 'subscription_schedule', phases }, items: { object: 'list', data: [{ ...item, price: { ...item?.price, id: 'price_old' } }] } } })
    expect(await plans.readSubscription('sub_1')).toMatchObject({ plan: 'managed', billing_interval: 'month', pending: { plan: 'self_directed', billing_interval: 'year' } })
  })

  it('an upgrade: previewed from a moment and changed from the same one; nothing changes where the card does not pay', async () => {
    server.tell('GET /v1/subscriptions/sub_1', { body: subscription })
    server.tell('POST /v1/invoices/create_preview', { body: { id: 'upcoming_1', object: 'invoice', total: 12_872, currency: 'usd', total_taxes: [{ amount: 100 }], lines: { object: 'list', data: [{ description: 'Unused', amount: -2_523 }, { description: null, amount: 15_395 }] } } })
    server.tell('POST /v1/subscriptions/sub_1', { body: subscription })
    const change = { subscription: 'sub_1', plan: 'managed', billing_interval: 'month', when: 'now', at: '2026-03-14T00:00:00.000Z' } as const
    expect(await plans.preview(change)).toEqual({ amount: 12_872, tax: 100, currency: 'USD', lines: [{ description: 'Unused', amount: -2_523 }, { description: 'Plan', amount: 15_395 }] })
    const proration_date = String(Date.parse(change.at) / 1000)
    expect(server.asked.at(-1)?.form).toMatchObject({ subscription: 'sub_1', 'subscription_details[items][0][id]': 'si_1', 'subscription_details[items][0][price]': 'price_mm', 'subscription_details[proration_behavior]': 'always_invoice', 'subscription_details[proration_date]': proration_date })
    await plans.change({ ...change, idempotency_key: 'key-3' })
    expect(server.asked.find(({ method, path }) => method === 'POST' && path === '/v1/subscriptions/sub_1')).toMatchObject({
      form: { 'items[0][id]': 'si_1', 'items[0][price]': 'price_mm', proration_behavior: 'always_invoice', proration_date, payment_behavior: 'error_if_incomplete', 'metadata[plan]': 'managed' }, headers: { 'idempotency-key': 'key-3' },
    })
    server.tell('POST /v1/subscriptions/sub_1', { status: 402, body: { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } } })
    await expect(plans.change({ ...change, idempotency_key: 'key-4' })).rejects.toMatchObject({ status: 400, detail: 'The card was declined: Your card was declined.' })
  })

  it('a downgrade: a schedule with two phases; what was scheduled before is released', async () => {
    server.tell('GET /v1/subscriptions/sub_1', { body: { ...subscription, schedule: 'sched_0' } })
    server.tell('POST /v1/subscription_schedules/sched_0/release', { body: { id: 'sched_0', object: 'subscription_schedule' } })
    server.tell('POST /v1/subscription_schedules', { body: { id: 'sched_1', object: 'subscription_schedule', phases: [{ start_date: created }] } })
    server.tell('POST /v1/subscription_schedules/sched_1', { body: { id: 'sched_1', object: 'subscription_schedule' } })
    const change = { subscription: 'sub_1', plan: 'self_directed', billing_interval: 'year', when: 'period_end', at: '2026-03-14T00:00:00.000Z' } as const
    expect(await plans.preview(change)).toEqual({ amount: 0, tax: 0, currency: 'USD', lines: [] })
    server.asked.length = 0
    await plans.change({ ...change, idempotency_key: 'key-5' })
    expect(asked()).toEqual([
      'GET /v1/subscriptions/sub_1', 'POST /v1/subscription_schedules/sched_0/release', 'POST /v1/subscription_schedules', 'POST /v1/subscription_schedules/sched_1', 'GET /v1/subscriptions/sub_1',
    ])
    expect(server.asked[3]?.form).toMatchObject({
      end_behavior: 'release', 'phases[0][items][0][price]': 'price_sm', 'phases[0][start_date]': String(created), 'phases[0][end_date]': String(created + 31 * DAY), 'phases[1][items][0][price]': 'price_sy',
      'phases[1][duration][interval]': 'year', 'phases[1][proration_behavior]': 'none',
    })
  })

  it('canceled at the end of its period, and resumed', async () => {
    server.tell('GET /v1/subscriptions/sub_1', { body: subscription })
    server.tell('POST /v1/subscriptions/sub_1', { body: { ...subscription, cancel_at_period_end: true } }, { body: subscription })
    expect(await plans.setCancel({ subscription: 'sub_1', at_period_end: true, idempotency_key: 'key-6' })).toMatchObject({ cancel_at_period_end: true, next_amount: null })
    expect(server.asked.at(-1)).toMatchObject({ form: { cancel_at_period_end: 'true' }, headers: { 'idempotency-key': 'key-6' } })
    expect(await plans.setCancel({ subscription: 'sub_1', at_period_end: false, idempotency_key: 'key-7' })).toEqual(read)
  })
})

it('the portal, invoices without drafts, and their files', async () => {
  server.tell('POST /v1/billing_portal/sessions', { body: { id: 'bps_1', object: 'billing_portal.session', url: 'https://billing.stripe.com/p/1' } })
  expect(await plans.createPortal({ customer: 'cus_1', return_url: 'https://a.example/r' })).toBe('https://billing.stripe.com/p/1')
  const invoice = {
    id: 'in_1', object: 'invoice', number: 'A-1', status: 'paid', description: null, subtotal: 4_900, total: 5_390, amount_paid: 5_390, currency: 'usd', total_taxes: [{ amount: 490 }], attempt_count: 1, created,
    period_start: created, period_end: created, status_transitions: { paid_at: created + 5 }, parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1' } },
    lines: { object: 'list', data: [{ description: 'Self-directed', amount: 4_900, period: { start: created, end: created + 31 * DAY } }] }, invoice_pdf: 'https://pay.stripe.com/invoice/1/pdf',
  }
  server.tell('GET /v1/invoices', { body: { object: 'list', has_more: false, data: [{ ...invoice, id: 'in_3', status: 'draft' }, { ...invoice, id: 'in_2', status: 'open', amount_paid: 0, attempt_count: 2, status_transitions: { paid_at: null } }, invoice] } })
  expect(await plans.listInvoices('cus_1')).toMatchObject([
    {
      id: 'in_1', subscription_id: 'sub_1', number: 'A-1', status: 'paid', description: 'Self-directed', subtotal: 4_900, tax: 490, total: 5_390, amount_paid: 5_390, currency: 'USD', period_end: '2026-04-01T12:00:00.000Z',
      issued_at: '2026-03-01T12:00:00.000Z', paid_at: '2026-03-01T12:00:05.000Z', attempts: 1,
    },
    { id: 'in_2', status: 'open', attempts: 2, paid_at: null },
  ])
  expect(server.asked.at(-1)?.query).toMatchObject({ customer: 'cus_1', limit: '100' })
  server.tell('GET /v1/invoices/in_1', { body: invoice })
  expect(await plans.invoiceFile('in_1')).toBe('https://pay.stripe.com/invoice/1/pdf')
})

describe('events', () => {
  const stripe = new Stripe('sk_test_123')
  const now = new Date('2026-03-01T12:00:00Z')
  const message = (type: string, object: object, secret = SECRET, timestamp = created) => {
    const payload = JSON.stringify({ object: 'event', id: 'evt_1', created, type, data: { object } })
    return { body: Buffer.from(payload), headers: { 'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) } }
  }

  it.each([
    ['checkout.session.completed', { object: 'checkout.session', id: 'cs_1', customer: 'cus_1' }, 'cs_1'], ['invoice.payment_failed', { object: 'invoice', id: 'in_1', customer: { id: 'cus_1' } }, 'in_1'],
    ['customer.subscription.updated', { object: 'subscription', id: 'sub_1', customer: 'cus_1' }, 'sub_1'], ['customer.updated', { object: 'customer', id: 'cus_1' }, 'cus_1'],
  ])('%s', async (type, object, object_id) => {
    expect(await plans.verifyEvent(message(type, object), now)).toEqual({ id: 'evt_1', type, object_id, customer_id: 'cus_1', created_at: '2026-03-01T12:00:00.000Z' })
  })

  it('a wrong, missing or old signature is a 401, and so is that of the other webhook', async () => {
    const object = { object: 'invoice', id: 'in_1', customer: 'cus_1' }
    const good = message('invoice.paid', object)
    for (const wrong of [message('invoice.paid', object, 'whsec_charges'), message('invoice.paid', object, SECRET, created - 301), { ...good, headers: {} }, { ...good, body: Buffer.from('{}') }]) {
      await expect(plans.verifyEvent(wrong, now)).rejects.toMatchObject({ status: 401 })
    }
    await expect(openStripe({ key: 'sk_test_123', webhook_secret: SECRET }).plans.verifyEvent(good, now)).rejects.toMatchObject({ status: 401, detail: expect.stringContaining('DAYBOOK_BILLING_WEBHOOK_SECRET') })
  })
})
