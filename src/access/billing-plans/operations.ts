// What can be asked of the plans: the processor has their prices.
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { PLANS, type PlanPrice } from '../../foundation/processor/plans.ts'
import type { Plan } from './contract.ts'
import { limitsOf, PLAN_TEXTS } from './rules.ts'

export const listPlans = {
  async read(_tx: BusinessTx): Promise<null> {
    return null
  },
  call: ({ processor }: Surroundings): Promise<PlanPrice[]> => processor.plans.prices(),
  async write(_tx: BusinessTx, _input: unknown, _plan: null, found: PlanPrice[] | null): Promise<Plan[]> {
    return PLANS.map((plan) => ({
      plan_tier: plan, ...PLAN_TEXTS[plan], limits: limitsOf(plan),
      prices: (found ?? []).filter((price) => price.plan === plan).map(({ billing_interval, amount, currency }) => ({ billing_interval, amount, currency })),
    }))
  },
}
