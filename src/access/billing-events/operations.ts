// How events about plans are received, and how the plan of a business is brought to where the processor says it is.
import { system } from '../../foundation/database/transact.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Message } from '../../foundation/message.ts'
import type { PlanInvoice, PlanProcessor, Subscription } from '../../foundation/processor/plans.ts'
import { applySessions, closeRefund, unsettledSessions, type ReadSession } from '../billing-checkouts/operations.ts'
import type { InvoiceRow } from '../billing-invoices/contract.ts'
import { applyInvoices, refundInvoices } from '../billing-invoices/operations.ts'
import { lockBilling, readBilling, saveBilling, type BillingEvent, type Held } from '../billing/operations.ts'
import { accountFields, isRunning, paidUntil } from '../billing/rules.ts'
import type { EventRow } from './contract.ts'
import { isAboutPlan, overdueSince } from './rules.ts'
import * as store from './store.ts'

/** The job that an event leads to. */
export const BILLING_EVENT = 'billing.event'

/** Kept in the business whose customer it names, once; an event of nobody here is taken and forgotten. */
export async function receiveEvent(tx: PublicTx, message: Message): Promise<{ received: boolean }> {
  const event = await tx.surroundings.processor.plans.verifyEvent(message, new Date(tx.now))
  const business = event.customer_id === null ? null : await tx.find(store.businessOfCustomer, { customer_id: event.customer_id })
  if (!business) return { received: true }
  const inside = tx.enter({ ...business, read_only: null }, system)
  const concerns = isAboutPlan(event.type)
  const row: EventRow = {
    id: newId(), business_id: business.id, processor_event_id: event.id, type: event.type, object_id: event.object_id, body: message.body.toString('utf8'),
    signature: JSON.stringify(Object.fromEntries(Object.entries(message.headers).filter(([name]) => name.endsWith('signature')))),
    outcome: concerns ? 'pending' : 'ignored', processed_at: null, created_at: tx.now,
  }
  // One after another: what one has read is written before the next one reads.
  if (await inside.run(store.insertEvent, row) > 0 && concerns) {
    inside.enqueue(BILLING_EVENT, { business_id: business.id, event_id: row.id }, { queue_name: `billing ${business.id}` })
  }
  return { received: true }
}

/** What has to be asked of the processor. */
export type Question = { sessions: string[]; subscription: string | null; customer: string | null }

/** Null where the event was applied already. */
export async function questionFor(tx: BusinessTx, event_id: string): Promise<Question | null> {
  if (!await tx.find(store.pendingEvent, { id: event_id })) return null
  const [{ account }, sessions] = await Promise.all([readBilling(tx), unsettledSessions(tx)])
  return { sessions: sessions.map(({ session_id }) => session_id), subscription: account.subscription_id, customer: account.customer_id }
}

export type Standing = { sessions: ReadSession[]; subscription: Subscription | null; invoices: PlanInvoice[] }

/** Asks how everything stands; outside any transaction. */
export async function readStanding(plans: PlanProcessor, { sessions, subscription, customer }: Question): Promise<Standing> {
  const readSession = async (id: string): Promise<ReadSession> => {
    const session = await plans.readSession(id)
    return { session, subscription: session.subscription_id === null ? null : await plans.readSubscription(session.subscription_id) }
  }
  const [read, running] = await Promise.all([Promise.all(sessions.map(readSession)), subscription === null ? null : plans.readSubscription(subscription)])
  // After the subscriptions: what reading them has made due is billed by now.
  return { sessions: read, subscription: running, invoices: customer === null ? [] : await plans.listInvoices(customer) }
}

/** Brings the plan to where the processor is; doing it again changes nothing. */
export async function applyStanding(tx: BusinessTx, event_id: string, { sessions, subscription, invoices }: Standing): Promise<void> {
  const before = await lockBilling(tx)
  const begun = await applySessions(tx, sessions, isRunning(before.account) && subscription?.status !== 'canceled')
  const current = begun ?? (subscription?.id === before.account.subscription_id ? subscription : null)
  const news = await applyInvoices(tx, invoices)
  const after = current ? follow(before, current, overdueSince(current, invoices)) : before
  const events: BillingEvent[] = []
  const moved = after.plan.plan_tier !== before.plan.plan_tier || after.account.billing_interval !== before.account.billing_interval
  if (moved || begun || after.account.status !== before.account.status && after.account.status === 'canceled') events.push('billing.plan_changed')
  const saved = saveBilling(tx, before, after, events)
  tell(tx, tell(tx, saved, 'billing.payment_failed', news.failed), 'billing.payment_succeeded', news.paid)
  tx.queue(store.closeEvent, { id: event_id })
}

/** The plan as this subscription has it. */
function follow({ plan, account }: Held, subscription: Subscription, past_due_since: string | null): Held {
  const after = { ...account, ...accountFields(subscription, past_due_since) }
  return { account: after, plan: { ...plan, plan_tier: subscription.plan, plan_ends_at: paidUntil(after, subscription.ended_at) } }
}

/** An event for each invoice, with what a person wants to know of it. */
function tell(tx: BusinessTx, held: Held, event: BillingEvent, invoices: readonly InvoiceRow[]): Held {
  return invoices.reduce((before, { id: invoice_id, number, total, currency }) =>
    saveBilling(tx, before, before, [event], { invoice_id, invoice_number: number, amount: total, invoice_currency: currency }), held)
}

/** The second payment went back, and everybody concerned shall know. */
export async function tellRefund(tx: BusinessTx, session_id: string, { amount, currency }: { amount: number; currency: string }): Promise<void> {
  const held = await lockBilling(tx)
  const session = await closeRefund(tx, session_id)
  if (!session) return
  if (session.subscription_id !== null) refundInvoices(tx, session.subscription_id)
  const { target_plan, billing_interval } = session
  const told = { session_id, target_plan, refunded_interval: billing_interval, amount, refund_currency: currency }
  saveBilling(tx, held, held, ['billing.second_payment_refunded'], told)
}
