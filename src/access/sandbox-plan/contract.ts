// The test door of plans: in a sandbox a business can be put on any tier, as no payment could.
import { endpoint } from '../../foundation/endpoint.ts'
import { oneOf, shape } from '../../foundation/shapes.ts'
import { TIERS } from '../billing-plans/contract.ts'
import { Billing } from '../billing/contract.ts'
import { businessParams } from '../businesses/contract.ts'

export const setPlanTier = endpoint({
  id: 'set_sandbox_plan_tier', method: 'PUT', path: '/sandbox/businesses/{business_id}/plan-tier', summary: 'Put a business on a tier in the sandbox',
  scope: 'business', permission: 'billing:manage', allow_read_only: true,
  description: 'Only with the embedded processor, and for the owner of the business; with a real one this is a 404. A trial begins anew. A subscription that '
    + 'ran is no longer that of the business.',
  params: businessParams,
  body: shape('SandboxPlanTierInput', { plan_tier: oneOf(TIERS) }),
  reply: Billing,
  example: { plan_tier: 'grandfathered' },
})
