// The test door of plans: the one change of a tier that no signed event leads to.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { forbidden, notFound } from '../../foundation/refusal.ts'
import type { Billing } from '../billing/contract.ts'
import { lockBilling, saveBilling, shown } from '../billing/operations.ts'
import { TRIAL_DAYS } from '../businesses/rules.ts'

type Tier = Billing['plan_tier']

export async function setPlanTier(tx: BusinessTx, plan_tier: Tier): Promise<Billing> {
  if (tx.actor.role !== 'owner') throw forbidden('Only the owner of the business may use the test doors.')
  if (tx.surroundings.processor.name !== 'sandbox') throw notFound('Test door')
  const held = await lockBilling(tx)
  const trial_ends_at = plan_tier === 'trial' ? new Date(Date.parse(tx.now) + TRIAL_DAYS * 86_400_000).toISOString() : held.plan.trial_ends_at
  const account = {
    ...held.account, subscription_id: null, status: 'none' as const, billing_interval: null, current_period_start: null, current_period_end: null,
    cancel_at_period_end: false, past_due_since: null, pending_plan: null, pending_interval: null, pending_at: null, next_amount: null,
    trial_ending_told: false,
  }
  const moved = plan_tier !== held.plan.plan_tier
  return shown(tx, saveBilling(tx, held, { plan: { plan_tier, trial_ends_at, plan_ends_at: null }, account }, moved ? ['billing.plan_changed'] : []))
}
