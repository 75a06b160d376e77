// Billing: Daybook's own plan of the business, paid at the card processor.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { billing_interval, Limits, target_plan, TIERS } from '../billing-plans/contract.ts'

const words = Type.String()

/** What is kept of the plan of a business. */
export const AccountRow = Type.Object({
  ...record,
  customer_id: nullable(words),
  subscription_id: nullable(words),
  billing_interval: nullable(billing_interval),
  status: oneOf(['none', 'active', 'past_due', 'canceled']),
  current_period_start: nullable(timestamp()),
  current_period_end: nullable(timestamp()),
  cancel_at_period_end: boolean(),
  past_due_since: nullable(timestamp()),
  pending_plan: nullable(target_plan),
  pending_interval: nullable(billing_interval),
  pending_at: nullable(timestamp()),
  card_brand: nullable(words),
  card_last4: nullable(words),
  card_exp: nullable(words),
  next_amount: nullable(cents()),
  currency: nullable(words),
  trial_ending_told: boolean(),
  access: oneOf(['full', 'read_only']),
})
export type AccountRow = Static<typeof AccountRow>

const told = {
  id: id(),
  business_id: id(),
  plan_tier: oneOf(TIERS),
  billing_interval: nullable(billing_interval),
  billing_status: oneOf(['none', 'trialing', 'active', 'past_due', 'canceled']),
  trial_ends_on: nullable(date({ description: 'After it there are 14 days of grace.' })),
  current_period_end: nullable(timestamp()),
  cancel_at_period_end: boolean(),
  access: oneOf(['full', 'read_only']),
  read_only_from: nullable(timestamp({ description: 'When nothing can be changed any more, unless something is done before.' })),
  payment_method: nullable(shape('PaymentMethod', { brand: words, last4: words, exp: words })),
  next_amount: nullable(cents({ description: 'What the next invoice comes to, in cents.' })),
  currency: nullable(words),
  pending_change: nullable(shape('PendingPlanChange', { target_plan, billing_interval, effective_at: timestamp() })),
  version: integer(1, 2147483647, { description: 'Counts the changes of this record; the ETag of the answer.' }),
}

/** Billing as its history tells it. */
export const BillingRecord = shape('BillingRecord', told)
export type BillingRecord = Static<typeof BillingRecord>

export const Billing = shape('Billing', {
  ...told,
  limits: Limits,
  pending_session: nullable(shape('PendingSession', {
    session_id: words, target_plan, billing_interval, checkout_url: words, expires_at: timestamp(),
  }, { description: 'A checkout that is open. Seen by those who may manage billing.' })),
})
export type Billing = Static<typeof Billing>

export const billingResource = resource({
  type: 'billing', group: 'businesses', shape: BillingRecord, table: null, label: 'plan_tier',
  events: [
    'billing.checkout_started', 'billing.plan_changed', 'billing.access_changed', 'billing.payment_failed', 'billing.payment_succeeded',
    'billing.trial_ending', 'billing.second_payment_refunded', 'billing.updated',
  ],
})

const reading = { scope: 'business', permission: 'businesses:read', method: 'GET' } as const
const managing = { scope: 'business', permission: 'billing:manage', allow_read_only: true } as const

export const getBilling = endpoint({
  ...reading, id: 'get_billing', path: '/billing', summary: 'Get the plan of the business', live: true,
  description: 'Its tier moves only when the card processor says, signed, that something was paid or has ended.',
  reply: Billing,
})

export const Usage = shape('BillingUsage', {
  plan_tier: oneOf(TIERS),
  usage: list(shape('UsageOfLimit', {
    metric: oneOf(['members', 'api_tokens']), used: integer(0), limit: nullable(integer(1)),
    over: boolean({ description: 'More is used than the plan holds.' }),
  })),
})
export type Usage = Static<typeof Usage>

export const getUsage = endpoint({
  ...reading, id: 'get_billing_usage', path: '/billing/usage', summary: 'Get what is used of the plan',
  reply: Usage,
})

const wanted = { target_plan, billing_interval: optional(billing_interval) }

export const PlanPreview = shape('PlanPreview', {
  target_plan,
  billing_interval,
  effect: oneOf(['none', 'upgrade', 'downgrade', 'start'], {
    description: 'An upgrade comes now, a downgrade when the period ends; start: nothing is paid for yet.',
  }),
  amount: cents({ description: 'Charged when it comes, in cents with tax; below zero it is a credit towards the next invoices.' }),
  tax: cents(),
  currency: words,
  effective_at: timestamp(),
  next_amount: nullable(cents({ description: 'What a whole period of the new plan costs, in cents.' })),
  lines: list(shape('PlanPreviewLine', { description: words, amount: cents() })),
})
export type PlanPreview = Static<typeof PlanPreview>

export const previewPlan = endpoint({
  ...managing, id: 'preview_billing_plan', method: 'GET', path: '/billing/plan-preview', summary: 'See what a change of plan would cost',
  description: 'The rest of the period counts from the beginning of the day (UTC), so that the amount stays the same until midnight. '
    + 'billing_interval: default the present one, or month.',
  query: shape('PlanPreviewQuery', wanted),
  reply: PlanPreview,
})

export const changePlan = endpoint({
  ...managing, id: 'change_billing_plan', method: 'PUT', path: '/billing/plan', summary: 'Change the plan',
  description: 'Upward now, with the charge that the preview told; downward when the period ends. The tier itself moves when the processor has said so. '
    + 'Back to the present plan, it takes back a change that was to come.',
  body: shape('PlanChangeInput', { ...wanted, expected_amount: cents({ description: 'What the preview said, in cents.' }) }),
  reply: Billing,
  refusals: [
    'The amount is not what the preview says now.', 'There is no paid plan, or it was canceled: use checkout.', 'A grandfathered business migrates first.',
    'A payment is overdue: change the card first.', 'The card is declined.',
  ],
  example: { target_plan: 'managed', billing_interval: 'month', expected_amount: 25_000 },
})

export const cancelPlan = endpoint({
  ...managing, id: 'cancel_billing_plan', method: 'PUT', path: '/billing/cancel', summary: 'Cancel the plan when its period ends',
  description: 'Until then nothing changes; afterwards the business can be read and exported.',
  reply: Billing,
  refusals: ['There is no paid plan to cancel.', 'It has ended already.'],
})

export const resumePlan = endpoint({
  ...managing, id: 'resume_billing_plan', method: 'PUT', path: '/billing/resume', summary: 'Take back that the plan was canceled',
  reply: Billing,
  refusals: ['There is no paid plan to resume.', 'It has ended: use checkout.'],
})

export const openPortal = endpoint({
  ...managing, id: 'open_billing_portal', method: 'POST', path: '/billing/portal', summary: "Open the processor's page for cards and addresses",
  description: 'In a dry run nobody is asked: url is null.', secret: true,
  body: shape('BillingPortalInput', { return_url: text(1, 2_000, { description: 'An absolute http or https URL.' }) }),
  reply: shape('BillingPortal', { url: nullable(words) }),
  refusals: ['Nothing was ever paid for: there is nothing to manage yet.'],
  example: { return_url: 'https://example.com/settings' },
})
