// Checkouts of plans: the processor's page on which a plan is paid for.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { billing_interval, target_plan } from '../billing-plans/contract.ts'

const words = Type.String()

/** A session as it is kept. */
export const SessionRow = Type.Object({
  ...record,
  session_id: words,
  kind: oneOf(['migration', 'checkout']),
  target_plan,
  billing_interval,
  status: oneOf(['open', 'completed', 'expired']),
  checkout_url: words,
  subscription_id: nullable(words),
  outcome: nullable(oneOf(['applied', 'refunding', 'refunded'])),
  settled: boolean(),
  expires_at: timestamp(),
  completed_at: nullable(timestamp()),
})
export type SessionRow = Static<typeof SessionRow>

const url = text(1, 2_000, { description: 'An absolute http or https URL.' })
const input = shape('PlanCheckoutInput', {
  target_plan,
  success_url: url,
  cancel_url: url,
  billing_interval: optional(oneOf(['month', 'year'], { default: 'month', description: 'By the year it is cheaper.' })),
})
export type PlanCheckoutInput = Static<typeof input>

export const PlanCheckout = shape('PlanCheckout', {
  checkout_url: nullable(words),
  session_id: nullable(words),
  target_plan,
  billing_interval,
  expires_at: nullable(timestamp()),
})
export type PlanCheckout = Static<typeof PlanCheckout>

const managing = { scope: 'business', permission: 'billing:manage', allow_read_only: true } as const
const example = { target_plan: 'self_directed', success_url: 'https://example.com/paid', cancel_url: 'https://example.com/back' } as const
const rules = 'The tier changes when the processor says, signed, that it was paid. An open session is replaced by the new one and expires; '
  + 'a session is good for 24 hours. In a dry run nobody is asked: checkout_url, session_id and expires_at are null.'

export const migrate = endpoint({
  ...managing, id: 'migrate_from_grandfathered', method: 'POST', path: '/billing/migrate-from-grandfathered',
  summary: 'Migrate a grandfathered account to a paid plan', description: rules,
  body: input,
  reply: PlanCheckout,
  refusals: ['The business is not on the grandfathered tier.', 'An earlier session was paid just now.'],
  example,
})

export const checkout = endpoint({
  ...managing, id: 'start_billing_checkout', method: 'POST', path: '/billing/checkout', summary: 'Buy a plan after a trial, or again', description: rules,
  body: input,
  reply: PlanCheckout,
  refusals: ['A grandfathered business migrates instead.', 'The business has a paid plan: change it instead.', 'An earlier session was paid just now.'],
  example,
})

export const getSession = endpoint({
  ...managing, id: 'get_billing_checkout_session', method: 'GET', path: '/billing/checkout-sessions/{session_id}',
  summary: 'Get a checkout of a plan', live: true,
  params: shape('BillingSessionParams', { session_id: text(1, 255) }),
  reply: shape('BillingSession', {
    session_id: words,
    status: oneOf(['open', 'completed', 'expired']),
    target_plan,
    billing_interval,
    checkout_url: nullable(words),
    refunded: boolean({ description: 'It was paid although another had been: the payment goes back.' }),
    expires_at: timestamp(),
    completed_at: nullable(timestamp()),
    created_at: timestamp(),
  }),
})
export type BillingSession = Static<typeof getSession.reply>
