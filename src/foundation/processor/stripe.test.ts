// Stripe through its own package, against a server that speaks its wire: what is asked, how answers are read, what failures mean.
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startStripe, type StripeServer } from '../../../test/support/stripe.ts'
import type { CardProcessor } from './processor.ts'
import { API_VERSION, openStripe } from './stripe.ts'

const SECRET = 'whsec_test'
const ACCOUNT = 'acct_1'

let server: StripeServer
let processor: CardProcessor
beforeAll(async () => {
  server = await startStripe()
  processor = openStripe({ key: 'sk_test_123', webhook_secret: SECRET, url: server.url })
})
afterAll(() => server.stop())
beforeEach(() => {
  server.asked.length = 0
})

const last = () => server.asked.at(-1)
const created = Date.parse('2026-03-01T12:00:00Z') / 1000

const charge = {
  id: 'ch_1', object: 'charge', amount: 10_000, currency: 'eur', status: 'succeeded', failure_message: null, metadata: { reference: 'inv-1' }, disputed: false, created,
  balance_transaction: { id: 'txn_1', object: 'balance_transaction', amount: 11_000, fee: 349, net: 10_651, currency: 'usd' },
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
  refunds: { object: 'list', data: [{ id: 're_1', object: 'refund', charge: 'ch_1', amount: 1_000, status: 'succeeded', metadata: { reference: 'ref-1' }, created, balance_transaction: { object: 'balance_transaction', amount: -1_100 } }] },
}
const session = {
  id: 'cs_1', object: 'checkout.session', url: 'https://checkout.stripe.com/c/pay/cs_1', status: 'open', client_reference_id: 'inv-1', amount_total: 10_000, currency: 'eur',
  payment_intent: null, expires_at: created + 86_400,
}
const payout = {
  id: 'po_1', object: 'payout', amount: 97_070, currency: 'usd', status: 'paid', arrival_date: Date.parse('2026-03-05T00:00:00Z') / 1000, automatic: true, failure_message: null, livemode: false, created,
}

describe('what is asked', () => {
  it('an account and the page on which it is completed', async () => {
    const account = { id: ACCOUNT, object: 'account', charges_enabled: false, payouts_enabled: false, requirements: { currently_due: ['tos_acceptance.date'] }, settings: { payouts: { schedule: { interval: 'manual' } } } }
    server.tell('POST /v1/accounts', { body: account })
    server.tell('GET /v1/accounts/acct_1', { body: { ...account, charges_enabled: true, settings: { payouts: { schedule: { interval: 'daily' } } } } })
    server.tell('POST /v1/account_links', { body: { object: 'account_link', url: 'https://connect.stripe.com/setup/1' } })
    const made = await processor.createAccount({ name: 'Bakery', email: 'a@example.com', country: 'US', currency: 'USD', reference: 'biz-1', idempotency_key: 'key-1' })
    expect(made).toEqual({ id: ACCOUNT, livemode: false, charges_enabled: false, payouts_enabled: false, requirements: ['tos_acceptance.date'], payout_mode: 'manual' })
    expect(last()).toMatchObject({
      form: { type: 'standard', country: 'US', default_currency: 'usd', email: 'a@example.com', 'business_profile[name]': 'Bakery', 'metadata[reference]': 'biz-1' },
      headers: { 'idempotency-key': 'key-1', 'stripe-version': API_VERSION, authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(await processor.readAccount(ACCOUNT)).toMatchObject({ charges_enabled: true, payout_mode: 'automatic' })
    expect(await processor.createAccountLink({ account: ACCOUNT, return_url: 'https://a.example/r', refresh_url: 'https://a.example/f' })).toBe('https://connect.stripe.com/setup/1')
    expect(last()?.form).toEqual({ account: ACCOUNT, return_url: 'https://a.example/r', refresh_url: 'https://a.example/f', type: 'account_onboarding' })
  })

  it('a checkout, for the connected account, once under its key', async () => {
    server.tell('POST /v1/checkout/sessions', { body: session })
    const made = await processor.createCheckout({
      account: ACCOUNT, reference: 'inv-1', amount: 10_000, currency: 'EUR', description: 'Invoice 7', customer_email: 'c@example.com', success_url: 'https://a.example/s', cancel_url: 'https://a.example/c', idempotency_key: 'key-2',
    })
    expect(made).toEqual({ id: 'cs_1', url: session.url, status: 'open', reference: 'inv-1', amount: 10_000, currency: 'EUR', charge_id: null, expires_at: '2026-03-02T12:00:00.000Z' })
    expect(last()).toMatchObject({
      form: {
        mode: 'payment', client_reference_id: 'inv-1', customer_email: 'c@example.com', success_url: 'https://a.example/s', cancel_url: 'https://a.example/c', 'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'eur', 'line_items[0][price_data][unit_amount]': '10000', 'line_items[0][price_data][product_data][name]': 'Invoice 7',
        'payment_intent_data[metadata][reference]': 'inv-1', 'metadata[reference]': 'inv-1',
      },
      headers: { 'idempotency-key': 'key-2', 'stripe-account': ACCOUNT },
    })
  })

  it('a checkout is read with its charge, and expired only while it is open', async () => {
    server.tell('GET /v1/checkout/sessions/cs_1', { body: session }, { body: { ...session, status: 'complete', payment_intent: { id: 'pi_1', object: 'payment_intent', latest_charge: 'ch_1' } } })
    server.tell('POST /v1/checkout/sessions/cs_1/expire', { body: { ...session, status: 'expired' } })
    expect(await processor.expireCheckout(ACCOUNT, 'cs_1')).toMatchObject({ status: 'expired' })
    expect(last()).toMatchObject({ path: '/v1/checkout/sessions/cs_1/expire', headers: { 'stripe-account': ACCOUNT } })
    expect(await processor.expireCheckout(ACCOUNT, 'cs_1')).toMatchObject({ status: 'complete', charge_id: 'ch_1' })
    expect(last()).toMatchObject({ method: 'GET', query: { 'expand[0]': 'payment_intent' } })
  })

  it('a charge with what it settled and its refunds', async () => {
    server.tell('GET /v1/charges/ch_1', { body: charge })
    expect(await processor.readCharge(ACCOUNT, 'ch_1')).toEqual({
      id: 'ch_1', reference: 'inv-1', checkout_id: null, status: 'succeeded', failure_reason: null, amount: 10_000, currency: 'EUR', settled: { amount: 11_000, currency: 'USD', fee: 349 },
      card: { brand: 'visa', last4: '4242' }, disputed: false, created_at: '2026-03-01T12:00:00.000Z',
      refunds: [{ id: 're_1', charge_id: 'ch_1', reference: 'ref-1', amount: 1_000, settled_amount: 1_100, status: 'succeeded', failure_reason: null, created_at: '2026-03-01T12:00:00.000Z' }],
    })
    expect(last()).toMatchObject({ query: { 'expand[0]': 'balance_transaction', 'expand[1]': 'refunds.data.balance_transaction' }, headers: { 'stripe-account': ACCOUNT } })
  })

  it('a refund, on our own account without naming one', async () => {
    server.tell('POST /v1/refunds', { body: { id: 're_2', object: 'refund', charge: 'ch_1', amount: 500, status: 'pending', metadata: {}, created, balance_transaction: 'txn_2' } })
    const refund = await processor.refund({ account: null, charge: 'ch_1', amount: 500, reference: 'ref-2', idempotency_key: 'key-3' })
    expect(refund).toMatchObject({ id: 're_2', status: 'pending', settled_amount: null, reference: null })
    expect(last()).toMatchObject({ form: { charge: 'ch_1', amount: '500', 'metadata[reference]': 'ref-2' }, headers: { 'idempotency-key': 'key-3' } })
    expect(last()?.headers['stripe-account']).toBeUndefined()
  })

  it.each([
    ['needs_response', 'open'], ['under_review', 'open'], ['won', 'won'], ['lost', 'lost'], ['warning_closed', 'won'],
  ])('a dispute that is %s is %s', async (status, ours) => {
    server.tell('GET /v1/disputes/dp_1', { body: {
      id: 'dp_1', object: 'dispute', charge: 'ch_1', amount: 10_000, status, reason: 'fraudulent', created, evidence_details: { due_by: created + 86_400 },
      balance_transactions: status.startsWith('warning') ? [] : [{ amount: -11_000, fee: 1_500, net: -12_500 }],
    } })
    expect(await processor.readDispute(ACCOUNT, 'dp_1')).toEqual({
      id: 'dp_1', charge_id: 'ch_1', amount: 10_000, settled_amount: status.startsWith('warning') ? null : 11_000, fee: status.startsWith('warning') ? 0 : 1_500, status: ours, reason: 'fraudulent',
      due_by: '2026-03-02T12:00:00.000Z', created_at: '2026-03-01T12:00:00.000Z',
    })
  })

  it('payouts over several pages, and what one carries', async () => {
    const list = (data: object[], has_more: boolean) => ({ body: { object: 'list', data, has_more, url: '/v1/x' } })
    server.tell('GET /v1/payouts', list([{ ...payout, id: 'po_2' }], true), list([payout], false))
    expect((await processor.listPayouts(ACCOUNT, '2026-03-01')).map(({ id }) => id)).toEqual(['po_1', 'po_2'])
    expect(server.asked.map(({ query }) => [query['created[gte]'], query['starting_after']])).toEqual([['1772323200', undefined], ['1772323200', 'po_2']])

    const moved = (id: string, reporting_category: string, amount: number, fee: number, source: object | null, type = reporting_category) => ({ id, object: 'balance_transaction', type, reporting_category, amount, fee, net: amount - fee, source })
    server.tell('GET /v1/payouts/po_1', { body: payout })
    server.tell('GET /v1/balance_transactions', list([
      moved('txn_0', 'payout', -97_070, 0, null), moved('txn_1', 'charge', 100_000, 2_930, { object: 'charge', id: 'ch_1' }), moved('txn_2', 'refund', -500, 0, { object: 'refund', id: 're_1', charge: 'ch_1' }),
      moved('txn_3', 'dispute', -800, 1_500, { object: 'dispute', id: 'dp_1', charge: { id: 'ch_2' } }, 'adjustment'), moved('txn_4', 'fee', -20, 0, null, 'stripe_fee'),
      moved('txn_5', 'risk_reserved_funds', -10, 0, null), moved('txn_6', 'other_adjustment', 7, 0, null),
    ], false))
    const read = await processor.readPayout(ACCOUNT, 'po_1')
    expect(read).toMatchObject({ id: 'po_1', status: 'paid', amount: 97_070, currency: 'USD', arrival_date: '2026-03-05', automatic: true, dashboard_url: 'https://dashboard.stripe.com/acct_1/test/payouts/po_1' })
    expect(read.items.map(({ id, kind, net, charge_id }) => [id, kind, net, charge_id])).toEqual([
      ['txn_1', 'charge', 97_070, 'ch_1'], ['txn_2', 'refund', -500, 'ch_1'], ['txn_3', 'dispute', -2_300, 'ch_2'], ['txn_4', 'fee', -20, null], ['txn_5', 'reserve', -10, null], ['txn_6', 'adjustment', 7, null],
    ])
    expect(last()).toMatchObject({ query: { payout: 'po_1', 'expand[0]': 'data.source' }, headers: { 'stripe-account': ACCOUNT } })

    server.tell('GET /v1/payouts/po_3', { body: { ...payout, id: 'po_3', automatic: false } })
    expect(await processor.readPayout(ACCOUNT, 'po_3')).toMatchObject({ automatic: false, items: [] })
  })
})

describe('what failures mean', () => {
  const error = (status: number, type: string, message: string, more: object = {}) => ({ status, body: { error: { type, message, ...more } } })
  it.each([
    ['a card that is declined', [error(402, 'card_error', 'Your card was declined.', { code: 'card_declined' })], 400, 'The card was declined: Your card was declined.'],
    ['a wrong request', [error(400, 'invalid_request_error', 'Amount must be at least 50 cents')], 400, 'The card processor refused: Amount must be at least 50 cents.'],
    ['something unknown', [error(404, 'invalid_request_error', 'No such charge')], 404, 'The card processor does not know this.'],
    ['a key that is not good', [error(401, 'invalid_request_error', 'Invalid API Key')], 503, /does not accept the key/],
    ['an account that has left us', [error(403, 'invalid_request_error', 'No access')], 503, /no longer lets it act/],
    ['too many calls', [error(429, 'invalid_request_error', 'Slow down')], 503, /does not answer right now/],
    ['a fault at Stripe', [error(500, 'api_error', 'Oops')], 503, /does not answer right now/],
    ['a connection that breaks', ['hang up' as const], 503, /does not answer right now/],
  ])('%s', async (_, answers, status, detail) => {
    server.tell('POST /v1/refunds', ...answers)
    await expect(processor.refund({ account: ACCOUNT, charge: 'ch_1', amount: 1, reference: 'r', idempotency_key: 'k' })).rejects.toMatchObject({ status, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) })
  })

  it('a fault that passes is asked again, under the same key', async () => {
    server.tell('POST /v1/refunds', 'hang up', { body: { id: 're_3', object: 'refund', charge: 'ch_1', amount: 1, status: 'succeeded', metadata: { reference: 'r' }, created, balance_transaction: null } })
    expect(await processor.refund({ account: ACCOUNT, charge: 'ch_1', amount: 1, reference: 'r', idempotency_key: 'same' })).toMatchObject({ id: 're_3', status: 'succeeded' })
    expect(server.asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['same', 'same'])
  })
})

describe('events', () => {
  const stripe = new Stripe('sk_test_123')
  const now = new Date('2026-03-01T12:00:00Z')
  const message = (event: object, secret = SECRET, timestamp = created) => {
    const payload = JSON.stringify({ object: 'event', id: 'evt_1', created, account: ACCOUNT, ...event })
    return { body: Buffer.from(payload), headers: { 'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) } }
  }

  it.each([
    ['charge.succeeded', { object: 'charge', id: 'ch_1' }, 'charge', 'ch_1'],
    ['charge.refunded', { object: 'charge', id: 'ch_1' }, 'charge', 'ch_1'],
    ['refund.failed', { object: 'refund', id: 're_1', charge: 'ch_1' }, 'charge', 'ch_1'],
    ['charge.dispute.created', { object: 'dispute', id: 'dp_1', charge: 'ch_1' }, 'dispute', 'dp_1'],
    ['checkout.session.completed', { object: 'checkout.session', id: 'cs_1' }, 'checkout', 'cs_1'],
    ['payout.paid', { object: 'payout', id: 'po_1' }, 'payout', 'po_1'],
    ['account.application.deauthorized', { object: 'application', id: 'ca_1' }, 'account', ACCOUNT],
    ['customer.created', { object: 'customer', id: 'cus_1' }, null, 'cus_1'],
  ])('%s', async (type, object, subject, object_id) => {
    expect(await processor.verifyEvent(message({ type, data: { object } }), now)).toEqual({ id: 'evt_1', type, subject, object_id, account: ACCOUNT, created_at: '2026-03-01T12:00:00.000Z' })
  })

  it('a wrong, missing or old signature is a 401', async () => {
    const event = { type: 'payout.paid', data: { object: { object: 'payout', id: 'po_1' } } }
    for (const wrong of [message(event, 'whsec_other'), message(event, SECRET, created - 301), { ...message(event), headers: {} }, { ...message(event), body: Buffer.from('{}') }]) {
      await expect(processor.verifyEvent(wrong, now)).rejects.toMatchObject({ status: 401 })
    }
    await expect(openStripe({ key: 'sk_test_123', webhook_secret: null }).verifyEvent(message(event), now)).rejects.toMatchObject({ status: 401 })
  })
})
