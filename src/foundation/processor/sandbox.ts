// The embedded card processor: everything a real one does, in tables of its own, without a network. Its hosted page is served by
// Daybook, its events are signed and delivered like any other's.
import { plainRequest, transact, type Database } from '../database/transact.ts'
import type { PublicTx } from '../database/transaction.ts'
import type { Message } from '../message.ts'
import { notFound, unauthenticated } from '../refusal.ts'
import type { Account, CardProcessor, Charge, Checkout, Dispute, Payout, PayoutItem, ProcessorEvent, Refund } from './processor.ts'
import {
  expireCheckout, named, refundCharge, requireCheckout, type ChargeRow, type CheckoutRow, type DisputeRow, type PayoutRow, type RefundRow,
} from './sandbox-records.ts'
import { openSandboxPlans } from './sandbox-plans.ts'
import * as store from './sandbox-store.ts'
import { requireSignature, sign, signingKey } from './signature.ts'

export const SANDBOX_SIGNATURE = 'daybook-sandbox-signature'

const CHECKOUT_HOURS = 24

/** The database is asked for when it is needed: it carries the surroundings that this processor is part of. */
export function openSandbox(database: () => Database): CardProcessor {
  const within = <T>(work: (tx: PublicTx) => Promise<T>): Promise<T> =>
    transact(database(), { business_id: null, read_only: false, request: plainRequest }, ({ tx }) => work(tx))
  return {
    name: 'sandbox',
    origins: [],
    plans: openSandboxPlans(database),

    createAccount: ({ name, currency, reference, idempotency_key }) => within(async (tx) => {
      await tx.run(store.insertAccount, { id: named('acct'), name, currency, reference, idempotency_key, created_at: tx.now })
      return accountOf((await tx.get(store.accountByKey, { idempotency_key }, 'Account')).id)
    }),
    readAccount: (account) => within(async (tx) => accountOf((await tx.get(store.findAccount, { id: account }, 'Account')).id)),
    // Nothing is asked of a business here: it is sent back at once.
    createAccountLink: async ({ return_url }) => return_url,

    createCheckout: (given) => within(async (tx) => {
      const expires_at = new Date(Date.parse(tx.now) + CHECKOUT_HOURS * 3_600_000).toISOString()
      await tx.run(store.insertCheckout, { ...given, id: named('cs'), status: 'open', charge_id: null, expires_at, created_at: tx.now })
      return checkoutOf(await tx.get(store.checkoutByKey, { idempotency_key: given.idempotency_key }, 'Checkout'), tx)
    }),
    readCheckout: (account, checkout) => within(async (tx) => checkoutOf(own(account, await requireCheckout(tx, checkout), 'Checkout'), tx)),
    expireCheckout: (account, checkout) => within(async (tx) => {
      own(account, await requireCheckout(tx, checkout), 'Checkout')
      return checkoutOf(await expireCheckout(tx, checkout), tx)
    }),

    readCharge: (account, charge) => within(async (tx) => {
      const found = own(account, await tx.get(store.findCharge, { id: charge }, 'Charge'), 'Charge')
      const [refunds, disputes] = await Promise.all([tx.many(store.refundsOf, { charge_id: charge }), tx.many(store.disputesOf, { charge_id: charge })])
      return chargeOf(found, refunds, disputes)
    }),
    refund: (given) => within(async (tx) => refundOf(await refundCharge(tx, given))),
    readDispute: (account, dispute) => within(async (tx) => {
      const found = await tx.get(store.findDispute, { id: dispute }, 'Dispute')
      own(account, await tx.get(store.findCharge, { id: found.charge_id }, 'Dispute'), 'Dispute')
      return disputeOf(found)
    }),

    listPayouts: (account, from) => within(async (tx) => (await tx.many(store.payoutsSince, { account, from })).map((payout) => payoutOf(payout, []))),
    readPayout: (account, payout) => within(async (tx) => {
      const found = await tx.get(store.findPayout, { account, id: payout }, 'Payout')
      const moved = await tx.many(store.movementsOf, { payout_id: payout })
      return payoutOf(found, moved.map(({ id, kind, amount, fee, charge_id }): PayoutItem => ({ id, kind, amount, fee, net: amount - fee, charge_id })))
    }),

    async verifyEvent({ body, headers }, now) {
      requireSignature(signingKey(database().surroundings.encryption_key), body, [headers[SANDBOX_SIGNATURE]].flat()[0], now)
      try {
        return JSON.parse(body.toString('utf8')) as ProcessorEvent
      } catch {
        throw unauthenticated('This event cannot be read.')
      }
    },
  }
}

/** An event as the embedded processor sends it. */
export function signedMessage(encryption_key: Buffer, event: ProcessorEvent, now: Date): Message {
  const body = Buffer.from(JSON.stringify(event))
  return { body, headers: { [SANDBOX_SIGNATURE]: sign(signingKey(encryption_key), body, now) } }
}

function own<Row extends { account: string | null }>(account: string | null, row: Row, what: string): Row {
  if (row.account !== account) throw notFound(what)
  return row
}

function accountOf(id: string): Account {
  return { id, livemode: false, charges_enabled: true, payouts_enabled: true, requirements: [], payout_mode: 'automatic' }
}

function checkoutOf({ id, status, reference, amount, currency, charge_id, expires_at }: CheckoutRow, tx: PublicTx): Checkout {
  return { id, url: `${tx.surroundings.public_url}/sandbox/checkout/${id}`, status, reference, amount, currency, charge_id, expires_at }
}

function chargeOf(charge: ChargeRow, refunds: readonly RefundRow[], disputes: readonly DisputeRow[]): Charge {
  const { id, reference, checkout_id, status, failure_reason, amount, currency, settled_amount, settled_currency, fee, card_brand, card_last4, created_at } = charge
  return {
    id, reference, checkout_id, status, failure_reason, amount, currency, created_at,
    settled: settled_amount === null || settled_currency === null ? null : { amount: settled_amount, currency: settled_currency, fee: fee ?? 0 },
    card: { brand: card_brand, last4: card_last4 },
    disputed: disputes.some((dispute) => dispute.status !== 'won'),
    refunds: refunds.map(refundOf),
  }
}

function refundOf({ id, charge_id, reference, amount, settled_amount, created_at }: RefundRow): Refund {
  return { id, charge_id, reference, amount, settled_amount, status: 'succeeded', failure_reason: null, created_at }
}

function disputeOf({ id, charge_id, amount, settled_amount, fee, status, due_by, created_at }: DisputeRow): Dispute {
  return { id, charge_id, amount, settled_amount, fee, status, reason: 'general', due_by, created_at }
}

function payoutOf({ id, status, amount, currency, arrival_date, failure_reason, created_at }: PayoutRow, items: PayoutItem[]): Payout {
  return { id, status, amount, currency, arrival_date, automatic: true, failure_reason, dashboard_url: null, items, created_at }
}
