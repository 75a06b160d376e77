// Stripe's objects read as ours.
import type Stripe from 'stripe'
import type { Account, Charge, Checkout, Dispute, Payout, PayoutItem, ProcessorEvent, Refund } from './processor.ts'
import { idOf, objectOf, time } from './stripe-values.ts'

export function accountOf(account: Stripe.Account, livemode: boolean): Account {
  return {
    id: account.id,
    livemode,
    charges_enabled: account.charges_enabled,
    payouts_enabled: account.payouts_enabled,
    requirements: account.requirements?.currently_due ?? [],
    payout_mode: account.settings?.payouts?.schedule.interval === 'manual' ? 'manual' : 'automatic',
  }
}

export function checkoutOf(session: Stripe.Checkout.Session): Checkout {
  const intent = objectOf(session.payment_intent)
  return {
    id: session.id,
    url: session.url,
    status: session.status === 'complete' ? 'complete' : session.status === 'expired' ? 'expired' : 'open',
    reference: session.client_reference_id,
    amount: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
    charge_id: intent ? idOf(intent.latest_charge) : null,
    expires_at: time(session.expires_at),
  }
}

export function chargeOf(charge: Stripe.Charge): Charge {
  const settled = objectOf(charge.balance_transaction)
  const card = charge.payment_method_details?.card
  return {
    id: charge.id,
    reference: charge.metadata['reference'] ?? null,
    checkout_id: null,
    status: charge.status === 'succeeded' ? 'succeeded' : charge.status === 'failed' ? 'failed' : 'pending',
    failure_reason: charge.failure_message,
    amount: charge.amount,
    currency: charge.currency.toUpperCase(),
    settled: settled && { amount: settled.amount, currency: settled.currency.toUpperCase(), fee: settled.fee },
    card: card ? { brand: card.brand ?? 'unknown', last4: card.last4 ?? '' } : null,
    disputed: charge.disputed,
    refunds: (charge.refunds?.data ?? []).map(refundOf),
    created_at: time(charge.created),
  }
}

export function refundOf(refund: Stripe.Refund): Refund {
  const settled = objectOf(refund.balance_transaction)
  return {
    id: refund.id,
    charge_id: idOf(refund.charge) ?? '',
    reference: refund.metadata?.['reference'] ?? null,
    amount: refund.amount,
    settled_amount: settled && -settled.amount,
    status: refund.status === 'succeeded' ? 'succeeded' : refund.status === 'failed' || refund.status === 'canceled' ? 'failed' : 'pending',
    failure_reason: refund.failure_reason ?? null,
    created_at: time(refund.created),
  }
}

export function disputeOf(dispute: Stripe.Dispute): Dispute {
  const [withdrawn] = dispute.balance_transactions
  const due_by = dispute.evidence_details.due_by
  return {
    id: dispute.id,
    charge_id: idOf(dispute.charge) ?? '',
    amount: dispute.amount,
    settled_amount: withdrawn ? -withdrawn.amount : null,
    fee: withdrawn?.fee ?? 0,
    // An inquiry that was closed, or a dispute that was prevented, has taken nothing.
    status: dispute.status === 'won' || dispute.status === 'warning_closed' || dispute.status === 'prevented' ? 'won' : dispute.status === 'lost' ? 'lost' : 'open',
    reason: dispute.reason,
    due_by: due_by === null ? null : time(due_by),
    created_at: time(dispute.created),
  }
}

const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const

export function payoutOf(payout: Stripe.Payout, items: PayoutItem[], account: string): Payout {
  return {
    id: payout.id,
    status: PAYOUT_STATUSES.find((status) => status === payout.status) ?? 'pending',
    amount: payout.amount,
    currency: payout.currency.toUpperCase(),
    arrival_date: time(payout.arrival_date).slice(0, 10),
    automatic: payout.automatic,
    failure_reason: payout.failure_message,
    dashboard_url: `https://dashboard.stripe.com/${account}/${payout.livemode ? '' : 'test/'}payouts/${payout.id}`,
    items,
    created_at: time(payout.created),
  }
}

const KINDS: Record<string, PayoutItem['kind']> = {
  charge: 'charge',
  refund: 'refund',
  // Money of a failed refund, or of a charge that failed later, comes back the way it went.
  refund_failure: 'refund',
  partial_capture_reversal: 'refund',
  charge_failure: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
  fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  risk_reserved_funds: 'reserve',
  connect_reserved_funds: 'reserve',
}

/** None for the payout's own movement. */
export function itemOf(moved: Stripe.BalanceTransaction): PayoutItem[] {
  if (moved.type === 'payout') return []
  const kind = KINDS[moved.reporting_category] ?? 'adjustment'
  // A fee of its own has its amount as what it takes, and no fee on top.
  return [{ id: moved.id, kind, amount: moved.amount, fee: moved.fee, net: moved.net, charge_id: chargeIdOf(moved.source) }]
}

function chargeIdOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (source === null || typeof source === 'string') return null
  const { object, id, charge } = source as { object: string; id: string; charge?: string | { id: string } | null }
  if (object === 'charge') return id
  return object === 'refund' || object === 'dispute' ? idOf(charge ?? null) : null
}

const SUBJECTS: [RegExp, ProcessorEvent['subject']][] = [
  [/^checkout\.session\./, 'checkout'], [/^charge\.dispute\./, 'dispute'], [/^charge\./, 'charge'], [/^refund\./, 'charge'], [/^payout\./, 'payout'],
  [/^account\./, 'account'],
]

/** A refund's event is about its charge, and any event of an account is about that account. */
export function eventOf(event: Stripe.Event): ProcessorEvent {
  const subject = SUBJECTS.find(([pattern]) => pattern.test(event.type))?.[1] ?? null
  const object = event.data.object as unknown as { id?: string; object?: string; charge?: string | { id: string } | null }
  const account = event.account ?? null
  const about = subject === 'account' ? account ?? object.id ?? null : object.object === 'refund' ? idOf(object.charge ?? null) : object.id ?? null
  return { id: event.id, type: event.type, subject, object_id: about, account: account ?? (subject === 'account' ? about : null), created_at: time(event.created) }
}
