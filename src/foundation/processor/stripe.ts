// Stripe as the card processor, through its own package. Businesses are connected accounts that charge their customers directly.
import type Stripe from 'stripe'
import { invalid, Refusal, unauthenticated, unavailable } from '../refusal.ts'
import { accountOf, chargeOf, checkoutOf, disputeOf, eventOf, itemOf, payoutOf, refundOf } from './stripe-objects.ts'
import type { CardProcessor } from './processor.ts'
import { TOLERANCE_SECONDS } from './signature.ts'
import { openStripePlans } from './stripe-plans.ts'
import type { PriceIds } from './stripe-plan-objects.ts'

export type StripeOptions = {
  key: string
  webhook_secret: string | null
  /** Another address than Stripe's own, such as http://127.0.0.1:12111, for tests. */
  url?: string | null
  /** What plans of Daybook itself cost, and the secret of the events about them; without them none are sold. */
  plans?: { prices: PriceIds; webhook_secret: string | null }
}

const NO_PRICES: PriceIds = { self_directed: { month: null, year: null }, managed: { month: null, year: null } }

/** The version of the API that the objects below are read as. */
export const API_VERSION = '2026-10-28.endive'

const TIMEOUT_MS = 20_000

export function openStripe({ key, webhook_secret, url = null, plans = { prices: NO_PRICES, webhook_secret: null } }: StripeOptions): CardProcessor {
  // Loaded when first used: a start does not wait for it.
  let opened: Promise<Stripe> | null = null
  const client = () => (opened ??= import('stripe').then(({ default: Client }) => new Client(key, {
    apiVersion: API_VERSION, maxNetworkRetries: 2, timeout: TIMEOUT_MS, telemetry: false, ...(url === null ? {} : addressOf(url)),
  })))
  const ask = async <T>(question: (stripe: Stripe) => Promise<T>): Promise<T> => {
    const stripe = await client()
    try {
      return await question(stripe)
    } catch (error) {
      throw refusalOf(error)
    }
  }
  const livemode = key.startsWith('sk_live_') || key.startsWith('rk_live_')
  const readCharge: CardProcessor['readCharge'] = (account, charge) => ask(async (stripe) =>
    chargeOf(await stripe.charges.retrieve(charge, { expand: ['balance_transaction', 'refunds.data.balance_transaction'] }, on(account))))

  return {
    name: 'stripe',
    origins: ['https://checkout.stripe.com'],
    plans: openStripePlans({ ...plans, client, ask }),

    createAccount: ({ name, email, country, currency, reference, idempotency_key }) => ask(async (stripe) => accountOf(await stripe.accounts.create({
      type: 'standard', country, default_currency: currency.toLowerCase(), business_profile: { name }, metadata: { reference },
      ...(email === null ? {} : { email }),
    }, { idempotencyKey: idempotency_key }), livemode)),

    readAccount: (account) => ask(async (stripe) => accountOf(await stripe.accounts.retrieve(account), livemode)),

    createAccountLink: ({ account, return_url, refresh_url }) => ask(async (stripe) =>
      (await stripe.accountLinks.create({ account, return_url, refresh_url, type: 'account_onboarding' })).url),

    createCheckout: ({ account, reference, amount, currency, description, customer_email, success_url, cancel_url, idempotency_key }) => ask(async (stripe) =>
      checkoutOf(await stripe.checkout.sessions.create({
        mode: 'payment', success_url, cancel_url, client_reference_id: reference, metadata: { reference },
        line_items: [{ quantity: 1, price_data: { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: description } } }],
        // On the payment too: the charge takes it over, and says by it what was paid for.
        payment_intent_data: { description, metadata: { reference } },
        ...(customer_email === null ? {} : { customer_email }),
      }, { ...on(account), idempotencyKey: idempotency_key }))),

    readCheckout: (account, checkout) => ask(async (stripe) => checkoutOf(await stripe.checkout.sessions.retrieve(checkout, { expand: ['payment_intent'] }, on(account)))),

    expireCheckout: (account, checkout) => ask(async (stripe) => {
      const found = await stripe.checkout.sessions.retrieve(checkout, { expand: ['payment_intent'] }, on(account))
      return checkoutOf(found.status === 'open' ? await stripe.checkout.sessions.expire(checkout, {}, on(account)) : found)
    }),

    readCharge,

    refund: ({ account, charge, amount, reference, idempotency_key }) => ask(async (stripe) => refundOf(await stripe.refunds.create(
      { charge, amount, metadata: { reference }, expand: ['balance_transaction'] }, { ...on(account), idempotencyKey: idempotency_key }))),

    readDispute: (account, dispute) => ask(async (stripe) => disputeOf(await stripe.disputes.retrieve(dispute, {}, on(account)))),

    listPayouts: (account, from) => ask(async (stripe) => {
      const created = { gte: Date.parse(`${from}T00:00:00Z`) / 1000 }
      const found = await Array.fromAsync(stripe.payouts.list({ created, limit: 100 }, on(account)))
      return found.map((payout) => payoutOf(payout, [], account)).toReversed()
    }),

    readPayout: (account, id) => ask(async (stripe) => {
      const payout = await stripe.payouts.retrieve(id, {}, on(account))
      // Of a payout made by hand Stripe cannot say which movements it carries.
      if (!payout.automatic) return payoutOf(payout, [], account)
      const moved = await Array.fromAsync(stripe.balanceTransactions.list({ payout: id, limit: 100, expand: ['data.source'] }, on(account)))
      return payoutOf(payout, moved.flatMap(itemOf), account)
    }),

    async verifyEvent({ body, headers }, now) {
      if (webhook_secret === null) throw unauthenticated('Events of the card processor cannot be checked: DAYBOOK_STRIPE_WEBHOOK_SECRET is not set.')
      const stripe = await client()
      try {
        const header = headers['stripe-signature'] ?? ''
        return eventOf(stripe.webhooks.constructEvent(body, header as string, webhook_secret, TOLERANCE_SECONDS, undefined, now.getTime()))
      } catch {
        throw unauthenticated('The signature of this event is missing, wrong or older than five minutes.')
      }
    },
  }
}

/** The account that a call is made for. */
function on(account: string | null): { stripeAccount?: string } {
  return account === null ? {} : { stripeAccount: account }
}

function addressOf(url: string): { protocol: 'http' | 'https'; host: string; port: string } {
  const { protocol, hostname, port } = new URL(url)
  return { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, port: port === '' ? (protocol === 'http:' ? '80' : '443') : port }
}

/** What Stripe says to the caller it is about, in a sentence; what is wrong between Stripe and us is not the caller's. */
function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const { type, message, statusCode } = error as Partial<Stripe.errors.StripeError>
  switch (type) {
    case 'StripeCardError':
      return invalid(`The card was declined: ${sentence(message)}`)
    case 'StripeInvalidRequestError':
      return statusCode === 404 ? new Refusal(404, 'The card processor does not know this.') : invalid(`The card processor refused: ${sentence(message)}`)
    case 'StripeIdempotencyError':
      return unavailable('The card processor is still busy with the same request. Try again in a moment.', 2)
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return unavailable('The card processor does not accept the key of this installation, or no longer lets it act for this account.', 60)
    case 'StripeRateLimitError':
    case 'StripeConnectionError':
    case 'StripeAPIError':
      return unavailable('The card processor does not answer right now. Try again in a moment.', 5)
    default:
      return error
  }
}

function sentence(message: string | undefined): string {
  const text = (message ?? 'no reason was given').trim()
  return text.endsWith('.') ? text : `${text}.`
}
