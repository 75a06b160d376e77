// What happens at the embedded processor: its records change here, each change announced by an event, in the transaction of the
// caller, so that test doors and pages work like any other operation. The processor itself calls the same functions.
import type { Static } from 'typebox'
import type { Tx } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import { addCents } from '../money.ts'
import { invalid, notFound } from '../refusal.ts'
import { DISPUTE_FEE, exchanged, feeOf, judge, settledPart, type Card } from './sandbox-rules.ts'
import * as store from './sandbox-store.ts'

export type CheckoutRow = Static<typeof store.CheckoutRow>
export type ChargeRow = Static<typeof store.ChargeRow>
export type RefundRow = Static<typeof store.RefundRow>
export type DisputeRow = Static<typeof store.DisputeRow>
export type PayoutRow = Static<typeof store.PayoutRow>

/** The job that brings an event to whom it concerns. */
export const SANDBOX_EVENT = 'processor.sandbox_event'

const DAY_MS = 86_400_000

/** The account's balance is changed by one at a time, in the order of the movements. */
export async function requireCheckout(tx: Tx, id: string, locking = false): Promise<CheckoutRow> {
  const checkout = await tx.get(locking ? store.lockCheckout : store.findCheckout, { id }, 'Checkout')
  return checkout.status === 'open' && checkout.expires_at <= tx.now ? { ...checkout, status: 'expired' } : checkout
}

export type Payment = { paid: boolean; message: string | null; checkout: CheckoutRow }

/** A person pays on the hosted page. */
export async function payCheckout(tx: Tx, id: string, card: Card): Promise<Payment> {
  const checkout = await requireCheckout(tx, id, true)
  if (checkout.status !== 'open') return { paid: checkout.status === 'complete', message: checkout.status === 'expired' ? 'This page has expired.' : null, checkout }
  const verdict = judge(card, tx.now)
  if (verdict.mistake !== null) return { paid: false, message: verdict.mistake, checkout }
  const { declined, brand, last4 } = verdict
  const settled_currency = await currencyOf(tx, checkout)
  const settled = declined === null ? exchanged(checkout.amount, checkout.currency, settled_currency) : null
  const charge: ChargeRow = {
    id: named('ch'), account: checkout.account, checkout_id: id, reference: checkout.reference, status: declined === null ? 'succeeded' : 'failed',
    failure_reason: declined,
    amount: checkout.amount, currency: checkout.currency, settled_amount: settled, settled_currency: settled === null ? null : settled_currency,
    fee: settled === null ? null : feeOf(settled), card_brand: brand, card_last4: last4, created_at: tx.now,
  }
  tx.queue(store.insertCharge, charge)
  const after: CheckoutRow = { ...checkout, status: declined === null ? 'complete' : 'open', charge_id: charge.id }
  tx.queue(store.updateCheckout, after)
  if (settled !== null) move(tx, charge, 'charge', settled, charge.fee ?? 0)
  announce(tx, charge.account, declined === null ? 'charge.succeeded' : 'charge.failed', 'charge', charge.id)
  if (declined === null) announce(tx, charge.account, 'checkout.completed', 'checkout', id)
  return { paid: declined === null, message: declined, checkout: after }
}

export async function expireCheckout(tx: Tx, id: string): Promise<CheckoutRow> {
  const checkout = await requireCheckout(tx, id, true)
  if (checkout.status === 'complete') return checkout
  const after: CheckoutRow = { ...checkout, status: 'expired' }
  tx.queue(store.updateCheckout, after)
  announce(tx, checkout.account, 'checkout.expired', 'checkout', id)
  return after
}

type RefundRequest = { account: string | null; charge: string; amount: number; reference: string | null; idempotency_key: string }

/** Under its key once; the money goes out of the balance at once. */
export async function refundCharge(tx: Tx, given: RefundRequest): Promise<RefundRow> {
  const charge = await lockCharge(tx, given.account, given.charge)
  const refunds = await tx.many(store.refundsOf, { charge_id: charge.id })
  const known = refunds.find(({ idempotency_key }) => idempotency_key === given.idempotency_key)
  if (known) return known
  const before = sumOf(refunds)
  if (given.amount > charge.amount - before.amount) throw invalid(`Of this charge ${charge.amount - before.amount} cents are left to be refunded.`)
  const refund: RefundRow = {
    id: named('re'), charge_id: charge.id, reference: given.reference, amount: given.amount,
    settled_amount: settledPart(given.amount, settledOf(charge), before),
    idempotency_key: given.idempotency_key, created_at: tx.now,
  }
  tx.queue(store.insertRefund, refund)
  move(tx, charge, 'refund', -refund.settled_amount, 0)
  announce(tx, charge.account, 'charge.refunded', 'charge', charge.id)
  return refund
}

/** The customer's bank takes the money back until it is decided whose it is. */
export async function openDispute(tx: Tx, account: string | null, charge_id: string): Promise<DisputeRow> {
  const charge = await lockCharge(tx, account, charge_id)
  const [refunds, disputes] = await Promise.all([tx.many(store.refundsOf, { charge_id }), tx.many(store.disputesOf, { charge_id })])
  if (disputes.length > 0) throw invalid('This charge was disputed already.')
  const before = sumOf(refunds)
  if (before.amount === charge.amount) throw invalid('This charge was refunded in full: there is nothing to dispute.')
  const amount = charge.amount - before.amount
  const dispute: DisputeRow = {
    id: named('dp'), charge_id, amount, settled_amount: settledPart(amount, settledOf(charge), before), fee: DISPUTE_FEE, status: 'open',
    due_by: new Date(Date.parse(tx.now) + 14 * DAY_MS).toISOString(), created_at: tx.now,
  }
  tx.queue(store.insertDispute, dispute)
  move(tx, charge, 'dispute', -dispute.settled_amount, dispute.fee)
  announce(tx, account, 'dispute.opened', 'dispute', dispute.id)
  return dispute
}

export async function closeDispute(tx: Tx, account: string | null, charge_id: string, status: 'won' | 'lost'): Promise<DisputeRow> {
  const charge = await lockCharge(tx, account, charge_id)
  const [dispute] = await tx.many(store.disputesOf, { charge_id })
  if (!dispute) throw invalid('This charge is not disputed.')
  if (dispute.status === status) return dispute
  if (dispute.status !== 'open') throw invalid(`This dispute was ${dispute.status} already.`)
  const after: DisputeRow = { ...dispute, status }
  tx.queue(store.updateDispute, after)
  if (status === 'won') move(tx, charge, 'dispute_reversal', dispute.settled_amount, -dispute.fee)
  announce(tx, account, 'dispute.closed', 'dispute', dispute.id)
  return after
}

/** Pays out whatever the balance holds. */
export async function payOut(tx: Tx, account: string, arrival_date: string): Promise<PayoutRow> {
  const { currency } = await tx.get(store.lockAccount, { id: account }, 'Account')
  const movements = await tx.many(store.unpaidMovements, { account })
  const amount = addCents(...movements.map(({ amount: moved, fee }) => moved - fee))
  if (amount < 0) throw invalid(`The balance is ${amount} cents: there is nothing to pay out until later charges cover it.`)
  if (amount === 0) throw invalid('There is nothing to pay out.')
  const payout: PayoutRow = { id: named('po'), account, status: 'paid', amount, currency, arrival_date, failure_reason: null, created_at: tx.now }
  tx.queue(store.insertPayout, payout)
  tx.queue(store.payMovements, { payout_id: payout.id, ids: movements.map(({ id }) => id) })
  announce(tx, account, 'payout.paid', 'payout', payout.id)
  return payout
}

/** The bank sends it back: what it carried waits to be paid out again. */
export async function failPayout(tx: Tx, account: string, id: string): Promise<PayoutRow> {
  await tx.get(store.lockAccount, { id: account }, 'Account')
  const payout = await tx.get(store.findPayout, { account, id }, 'Payout')
  if (payout.status === 'failed') return payout
  const after: PayoutRow = { ...payout, status: 'failed', failure_reason: 'The bank account could not be found.' }
  tx.queue(store.updatePayout, after)
  tx.queue(store.releaseMovements, { payout_id: id })
  announce(tx, account, 'payout.failed', 'payout', id)
  return after
}

/** A name as the processor gives them; later ones sort behind earlier ones. */
export function named(kind: string): string {
  return `${kind}_${newId().replaceAll('-', '')}`
}

async function lockCharge(tx: Tx, account: string | null, id: string): Promise<ChargeRow> {
  const charge = await tx.get(store.lockCharge, { id }, 'Charge')
  if (charge.account !== account) throw notFound('Charge')
  if (charge.status !== 'succeeded') throw invalid('This charge failed: no money was taken.')
  return charge
}

async function currencyOf(tx: Tx, checkout: CheckoutRow): Promise<string> {
  if (checkout.account === null) return checkout.currency
  return (await tx.get(store.findAccount, { id: checkout.account }, 'Account')).currency
}

function settledOf(charge: ChargeRow): { amount: number; settled_amount: number } {
  return { amount: charge.amount, settled_amount: charge.settled_amount ?? 0 }
}

function sumOf(refunds: readonly RefundRow[]): { amount: number; settled_amount: number } {
  return { amount: addCents(...refunds.map(({ amount }) => amount)), settled_amount: addCents(...refunds.map(({ settled_amount }) => settled_amount)) }
}

function move(tx: Tx, charge: ChargeRow, kind: 'charge' | 'refund' | 'dispute' | 'dispute_reversal', amount: number, fee: number): void {
  tx.queue(store.insertMovement, { id: named('bt'), account: charge.account, kind, amount, fee, charge_id: charge.id, payout_id: null, created_at: tx.now })
}

function announce(tx: Tx, account: string | null, type: string, subject: 'charge' | 'checkout' | 'dispute' | 'payout', object_id: string): void {
  tx.enqueue(SANDBOX_EVENT, { event: { id: named('evt'), type, account, subject, object_id, created_at: tx.now } })
}
