// The card processor as Daybook sees it: an outside party with accounts, checkouts, charges, refunds, disputes, payouts and signed
// events. Which one it is, the settings say. Amounts are integer cents; `account` is the connected account, null for our own.
import type { Message } from '../message.ts'
import type { PlanProcessor } from './plans.ts'

export type CardProcessor = {
  readonly name: 'stripe' | 'sandbox'
  /** Other origins that its hosted pages live on, for the forms that lead there. */
  readonly origins: readonly string[]
  /** How it sells the plans of Daybook itself. */
  readonly plans: PlanProcessor

  createAccount(given: NewAccount): Promise<Account>
  readAccount(account: string): Promise<Account>
  /** The address of the page on which the business tells the processor about itself. */
  createAccountLink(given: { account: string; return_url: string; refresh_url: string }): Promise<string>

  createCheckout(given: NewCheckout): Promise<Checkout>
  readCheckout(account: string | null, checkout: string): Promise<Checkout>
  /** One that is complete or expired stays as it is. */
  expireCheckout(account: string | null, checkout: string): Promise<Checkout>

  readCharge(account: string | null, charge: string): Promise<Charge>
  refund(given: NewRefund): Promise<Refund>
  readDispute(account: string | null, dispute: string): Promise<Dispute>

  /** Payouts made on or after this date, oldest first, without their items. */
  listPayouts(account: string, from: string): Promise<Payout[]>
  /** With its items; a payout made by hand has none. */
  readPayout(account: string, payout: string): Promise<Payout>

  /** The one without a call: whether this message is the processor's, and what it is about. A 401 where it is not. */
  verifyEvent(message: Message, now: Date): Promise<ProcessorEvent>
}

export type NewAccount = { name: string; email: string | null; country: string; currency: string; reference: string; idempotency_key: string }

export type Account = {
  id: string
  livemode: boolean
  charges_enabled: boolean
  payouts_enabled: boolean
  /** What the processor still wants to know, in its own words. */
  requirements: string[]
  payout_mode: 'automatic' | 'manual'
}

export type NewCheckout = {
  account: string | null
  /** What is paid for, as we call it: comes back on the charge. */
  reference: string
  amount: number
  currency: string
  description: string
  customer_email: string | null
  success_url: string
  cancel_url: string
  idempotency_key: string
}

export type Checkout = {
  id: string
  url: string | null
  status: 'open' | 'complete' | 'expired'
  reference: string | null
  amount: number
  currency: string
  /** Once it was paid, or a payment was tried. */
  charge_id: string | null
  expires_at: string
}

export type Charge = {
  id: string
  reference: string | null
  checkout_id: string | null
  status: 'pending' | 'succeeded' | 'failed'
  failure_reason: string | null
  amount: number
  currency: string
  /** What reached the account's balance, in its currency, before the fee; null until known. */
  settled: { amount: number; currency: string; fee: number } | null
  card: { brand: string; last4: string } | null
  disputed: boolean
  refunds: Refund[]
  created_at: string
}

export type NewRefund = { account: string | null; charge: string; amount: number; reference: string; idempotency_key: string }

export type Refund = {
  id: string
  charge_id: string
  /** Our own id where we asked for it. */
  reference: string | null
  amount: number
  /** What left the account's balance; null until known. */
  settled_amount: number | null
  status: 'pending' | 'succeeded' | 'failed'
  failure_reason: string | null
  created_at: string
}

export type Dispute = {
  id: string
  charge_id: string
  /** In the currency of the charge. */
  amount: number
  /** What left the account's balance, without the fee; null until known. */
  settled_amount: number | null
  fee: number
  status: 'open' | 'won' | 'lost'
  reason: string | null
  due_by: string | null
  created_at: string
}

export const PAYOUT_ITEM_KINDS = ['charge', 'refund', 'dispute', 'dispute_reversal', 'fee', 'adjustment', 'reserve'] as const

export type Payout = {
  id: string
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
  amount: number
  currency: string
  arrival_date: string
  automatic: boolean
  failure_reason: string | null
  /** Where a person can look at it; null where there is no such page. */
  dashboard_url: string | null
  items: PayoutItem[]
  created_at: string
}

/** One movement of the balance that a payout carries: net = amount − fee. */
export type PayoutItem = { id: string; kind: (typeof PAYOUT_ITEM_KINDS)[number]; amount: number; fee: number; net: number; charge_id: string | null }

/** What an event is about: its object is read again, so the order of events does not matter. */
export type ProcessorEvent = {
  id: string
  /** In the processor's own words. */
  type: string
  subject: 'account' | 'checkout' | 'charge' | 'dispute' | 'payout' | null
  object_id: string | null
  account: string | null
  created_at: string
}
