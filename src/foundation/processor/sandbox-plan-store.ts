// The SQL of plans at the embedded processor.
import { Type } from 'typebox'
import { columns, command, statement } from '../database/statement.ts'
import { boolean, cents, integer, nullable, oneOf, timestamp } from '../shapes.ts'
import { INTERVALS, PLANS } from './plans.ts'

const words = Type.String()
const terms = { plan: oneOf(PLANS), billing_interval: oneOf(INTERVALS) }

export const CustomerRow = Type.Object({
  id: words, name: words, email: nullable(words), reference: words, credit: cents(), card_brand: nullable(words), card_last4: nullable(words),
  card_exp: nullable(words), idempotency_key: words, created_at: timestamp(),
})

export const SessionRow = Type.Object({
  id: words, customer_id: words, ...terms, amount: cents(), currency: words, description: words, success_url: words, cancel_url: words,
  status: oneOf(['open', 'complete', 'expired']), subscription_id: nullable(words), idempotency_key: words, expires_at: timestamp(), created_at: timestamp(),
})

export const SubscriptionRow = Type.Object({
  id: words, customer_id: words, status: oneOf(['active', 'past_due', 'canceled']), ...terms, anchor_at: timestamp(), period: integer(0),
  current_period_start: timestamp(), current_period_end: timestamp(), cancel_at_period_end: boolean(),
  pending_plan: nullable(terms.plan), pending_interval: nullable(terms.billing_interval), ended_at: nullable(timestamp()), created_at: timestamp(),
})

export const InvoiceRow = Type.Object({
  id: words, customer_id: words, subscription_id: words, number: words, status: oneOf(['open', 'paid', 'void']), description: words, total: cents(),
  amount_paid: cents(), currency: words, period_start: timestamp(), period_end: timestamp(), attempts: integer(0), refunded: cents(),
  paid_at: nullable(timestamp()), created_at: timestamp(),
})

const insert = (table: string, row: { properties: object }) => {
  const names = Object.keys(row.properties)
  return `insert into ${table} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`
}

// A request that is repeated under its key is the same request.
export const insertCustomer = command(`${insert('sandbox_plan_customers', CustomerRow)} on conflict (idempotency_key) do nothing`)
export const customerByKey = statement(CustomerRow, `select ${columns(CustomerRow)} from sandbox_plan_customers where idempotency_key = :idempotency_key`)
export const findCustomer = statement(CustomerRow, `select ${columns(CustomerRow)} from sandbox_plan_customers where id = :id`)
export const lockCustomer = statement(CustomerRow, `select ${columns(CustomerRow)} from sandbox_plan_customers where id = :id for update`)
export const updateCustomer = command(
  `update sandbox_plan_customers set credit = :credit, card_brand = :card_brand, card_last4 = :card_last4, card_exp = :card_exp where id = :id`)

export const insertSession = command(`${insert('sandbox_plan_sessions', SessionRow)} on conflict (idempotency_key) do nothing`)
export const sessionByKey = statement(SessionRow, `select ${columns(SessionRow)} from sandbox_plan_sessions where idempotency_key = :idempotency_key`)
export const findSession = statement(SessionRow, `select ${columns(SessionRow)} from sandbox_plan_sessions where id = :id`)
export const lockSession = statement(SessionRow, `select ${columns(SessionRow)} from sandbox_plan_sessions where id = :id for update`)
export const updateSession = command('update sandbox_plan_sessions set status = :status, subscription_id = :subscription_id where id = :id')

export const insertSubscription = command(insert('sandbox_plan_subscriptions', SubscriptionRow))
export const findSubscription = statement(SubscriptionRow, `select ${columns(SubscriptionRow)} from sandbox_plan_subscriptions where id = :id`)
export const subscriptionsOf = statement(SubscriptionRow,
  `select ${columns(SubscriptionRow)} from sandbox_plan_subscriptions where customer_id = :customer_id order by created_at, id`)
export const updateSubscription = command(
  `update sandbox_plan_subscriptions set status = :status, plan = :plan, billing_interval = :billing_interval, anchor_at = :anchor_at, period = :period,
     current_period_start = :current_period_start, current_period_end = :current_period_end, cancel_at_period_end = :cancel_at_period_end,
     pending_plan = :pending_plan, pending_interval = :pending_interval, ended_at = :ended_at where id = :id`)
export const dueSubscriptions = statement(Type.Object({ id: words }),
  `select id from sandbox_plan_subscriptions where status <> 'canceled' and current_period_end <= :now::timestamptz order by current_period_end limit 1000`)

export const insertInvoice = command(insert('sandbox_plan_invoices', InvoiceRow))
export const updateInvoice = command(
  `update sandbox_plan_invoices set status = :status, amount_paid = :amount_paid, attempts = :attempts, refunded = :refunded, paid_at = :paid_at
   where id = :id`)
export const findInvoice = statement(InvoiceRow, `select ${columns(InvoiceRow)} from sandbox_plan_invoices where id = :id`)
export const invoicesOf = statement(InvoiceRow,
  `select * from (select ${columns(InvoiceRow)} from sandbox_plan_invoices where customer_id = :customer_id order by created_at desc, id desc limit 100) latest
   order by created_at, id`)
export const invoicesOfSubscription = statement(InvoiceRow,
  `select ${columns(InvoiceRow)} from sandbox_plan_invoices where subscription_id = :subscription_id order by created_at, id`)
