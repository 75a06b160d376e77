// The plans that Daybook sells.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { INTERVALS, PLANS } from '../../foundation/processor/plans.ts'
import { cents, integer, list, nullable, oneOf, shape } from '../../foundation/shapes.ts'

export const TIERS = ['grandfathered', 'trial', ...PLANS] as const

export const target_plan = oneOf(PLANS)
export const billing_interval = oneOf(INTERVALS)

export const Limits = shape('PlanLimits', {
  members: nullable(integer(1, undefined, { description: 'People in the business; null: any number.' })),
  api_tokens: nullable(integer(1, undefined, { description: 'Tokens that reach the business; null: any number.' })),
})
export type Limits = Static<typeof Limits>

export const Plan = shape('Plan', {
  plan_tier: target_plan,
  name: Type.String(),
  description: Type.String(),
  limits: Limits,
  prices: list(shape('PlanPrice', { billing_interval, amount: cents(), currency: Type.String() })),
})
export type Plan = Static<typeof Plan>

export const listPlans = endpoint({
  id: 'list_billing_plans', method: 'GET', path: '/billing/plans', summary: 'List the plans that can be bought', scope: 'business',
  permission: 'businesses:read',
  description: 'Each with its price by the month and by the year. What this installation does not sell has no price.',
  reply: list(Plan),
})
