// What can be done with checkouts of plans: people open them, the processor says what became of them.
import type { Surroundings } from '../../foundation/database/context.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { NewPlanCustomer, NewPlanSession, PlanSession, Subscription } from '../../foundation/processor/plans.ts'
import { invalid } from '../../foundation/refusal.ts'
import { requirePrice } from '../billing-plans/rules.ts'
import { keepCustomer, lockBilling, readBilling, saveBilling, type Held } from '../billing/operations.ts'
import { requireWebAddresses } from '../billing/rules.ts'
import type { BillingSession, PlanCheckout, PlanCheckoutInput, SessionRow } from './contract.ts'
import { inOrderOfPayment, requireBuyable, requireMigratable } from './rules.ts'
import * as store from './store.ts'

/** The job that ends a session at the processor, and the one that gives a second payment back. */
export const EXPIRE_SESSION = 'billing.expire_session'
export const REFUND_SESSION = 'billing.refund_session'

type Input = { body: PlanCheckoutInput }
type Plan = { customer_id: string | null; buyer: NewPlanCustomer; wanted: Omit<NewPlanSession, 'customer'>; open: string | null }
type Found = { customer_id: string; session: PlanSession }

const opening = (kind: SessionRow['kind'], requireAllowed: (held: Held) => void) => ({
  async read(tx: BusinessTx, { body: { target_plan, success_url, cancel_url, billing_interval = 'month' } }: Input): Promise<Plan> {
    requireWebAddresses({ success_url, cancel_url })
    const [held, buyer, open] = await Promise.all([readBilling(tx), tx.get(store.buyer, {}, 'Business'), tx.find(store.openSession)])
    requireAllowed(held)
    return {
      customer_id: held.account.customer_id,
      buyer: { ...buyer, reference: tx.business_id, idempotency_key: `customer-${tx.business_id}` },
      wanted: { plan: target_plan, billing_interval, reference: tx.business_id, success_url, cancel_url, idempotency_key: newId() },
      open: open?.session_id ?? null,
    }
  },
  async call({ processor: { plans } }: Surroundings, { customer_id, buyer, wanted, open }: Plan): Promise<Found> {
    requirePrice(await plans.prices(), wanted)
    // First of all nobody shall pay the old one any more; if somebody just has, there is nothing to open.
    const before = open === null ? null : await plans.expireSession(open)
    if (before?.status === 'complete') throw invalid('An earlier checkout was paid just now: the plan changes as soon as the processor has confirmed it.')
    const customer = customer_id ?? await plans.createCustomer(buyer)
    return { customer_id: customer, session: await plans.createSession({ ...wanted, customer }) }
  },
  async write(tx: BusinessTx, _input: Input, { wanted: { plan: target_plan, billing_interval } }: Plan, found: Found | null): Promise<PlanCheckout> {
    if (!found) return { checkout_url: null, session_id: null, target_plan, billing_interval, expires_at: null }
    const held = await lockBilling(tx)
    // Where another was paid in between, nobody is told of this one.
    requireAllowed(held)
    const { id: session_id, url, expires_at } = found.session
    const before = await tx.find(store.openSession)
    if (before) {
      await tx.run(store.updateSession, changed(before, { status: 'expired' }, tx.now))
      tx.enqueue(EXPIRE_SESSION, { business_id: tx.business_id, session_id: before.session_id })
    }
    const session: SessionRow = {
      id: newId(), business_id: tx.business_id, session_id, kind, target_plan, billing_interval, status: 'open', checkout_url: url ?? '', subscription_id: null,
      outcome: null, settled: false, expires_at, completed_at: null, created_at: tx.now, updated_at: tx.now, version: 1,
    }
    tx.queue(store.insertSession, session)
    keepCustomer(tx, found.customer_id)
    const account = { ...held.account, customer_id: held.account.customer_id ?? found.customer_id }
    saveBilling(tx, held, { plan: held.plan, account }, ['billing.checkout_started'], { session_id, target_plan, billing_interval })
    return { checkout_url: url, session_id, target_plan, billing_interval, expires_at }
  },
})

export const migrate = opening('migration', ({ plan }) => requireMigratable(plan.plan_tier))
export const checkout = opening('checkout', ({ plan, account }) => requireBuyable(plan.plan_tier, account))

export async function getSession(tx: BusinessTx, session_id: string): Promise<BillingSession> {
  const session = await tx.get(store.findSession, { session_id }, 'Session')
  const { target_plan, billing_interval, checkout_url, outcome, expires_at, completed_at, created_at } = session
  const status = session.status === 'open' && expires_at <= tx.now ? 'expired' : session.status
  return {
    session_id, status, target_plan, billing_interval, checkout_url: status === 'open' ? checkout_url : null,
    refunded: outcome === 'refunding' || outcome === 'refunded', expires_at, completed_at, created_at,
  }
}

/** A session of this business, for whoever was given its name. */
export function findSession(tx: BusinessTx, session_id: string): Promise<SessionRow | null> {
  return tx.find(store.findSession, { session_id })
}

/** Those of which the processor has not yet said how they ended. */
export function unsettledSessions(tx: BusinessTx): Promise<SessionRow[]> {
  return tx.many(store.unsettledSessions)
}

export type ReadSession = { session: PlanSession; subscription: Subscription | null }

/**
 * What the processor says of sessions now. Of those that were paid, the one paid first begins the plan unless one runs already; the payment of
 * every other goes back. Nobody shall pay one that is still open beside it.
 */
export async function applySessions(tx: BusinessTx, found: readonly ReadSession[], running: boolean): Promise<Subscription | null> {
  const said = new Map(found.map((one) => [one.session.id, one]))
  const rows = await tx.many(store.lockSessions, { session_ids: [...said.keys()] })
  const current = rows.map((row) => ({ row, now: settled(row, said.get(row.session_id)) }))
  const paid = inOrderOfPayment(current.filter(({ now }) => now.status === 'completed' && now.outcome === null).map(({ now }) => now))
  const [first] = paid
  const winner = running ? null : first ?? null
  for (const { row, now } of current) {
    const outcome = now.outcome ?? (now.status !== 'completed' ? null : now.session_id === winner?.session_id ? 'applied' : 'refunding')
    if (outcome === row.outcome && now.status === row.status && now.settled === row.settled) continue
    await tx.run(store.updateSession, changed(row, { ...now, outcome }, tx.now))
    if (outcome === 'refunding' && row.outcome === null) tx.enqueue(REFUND_SESSION, { business_id: tx.business_id, session_id: row.session_id })
  }
  for (const { now } of current) {
    if (winner && now.status === 'open') tx.enqueue(EXPIRE_SESSION, { business_id: tx.business_id, session_id: now.session_id })
  }
  return winner ? said.get(winner.session_id)?.subscription ?? null : null
}

/** The second payment went back; true where this is news. */
export async function closeRefund(tx: BusinessTx, session_id: string): Promise<SessionRow | null> {
  const session = await tx.find(store.lockSession, { session_id })
  if (session?.outcome !== 'refunding') return null
  const after = changed(session, { outcome: 'refunded' }, tx.now)
  tx.queue(store.updateSession, after)
  return after
}

function settled(row: SessionRow, said: ReadSession | undefined): SessionRow {
  if (!said || said.session.status === 'open') return row
  if (said.session.status === 'expired') return { ...row, status: 'expired', settled: true }
  const { session: { subscription_id }, subscription } = said
  return { ...row, status: 'completed', settled: true, subscription_id, completed_at: subscription?.created_at ?? row.completed_at }
}
