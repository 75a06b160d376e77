// When a business can be read but not changed, and the sentence that says why.
const GRACE_DAYS = 14

/** What the plan of a business lets happen: a trial, or a paid plan that ends or has not been paid. */
export type PlanDates = { plan_tier: string; trial_ends_at: string | null; plan_ends_at: string | null }

/** null while writes are welcome. */
export function readOnlyReason(status: string, plan: PlanDates, now: string): string | null {
  if (status === 'archived') return 'This business is archived and read-only. Restore it to make changes.'
  if (status === 'pending_deletion') return 'This business is about to be deleted and read-only. Cancel the deletion to make changes.'
  return planReason(plan, now)
}

/** The part of it that a plan mends. */
export function planReason({ plan_tier, trial_ends_at, plan_ends_at }: PlanDates, now: string): string | null {
  if (plan_tier === 'grandfathered') return null
  if (plan_tier === 'trial') {
    if (trial_ends_at === null || Date.parse(now) < Date.parse(graceAfter(trial_ends_at))) return null
    return 'The trial and its 14 days of grace are over: this business is read-only until it has a plan. Choose one under billing '
      + '(POST /api/v1/billing/checkout). Nothing is deleted.'
  }
  if (plan_ends_at === null || now < plan_ends_at) return null
  return 'The plan of this business has ended, or has not been paid for 14 days: it is read-only until it is paid. Choose a plan under billing '
    + '(POST /api/v1/billing/checkout) or change the card (POST /api/v1/billing/portal). Nothing is deleted.'
}

/** When patience ends that began then. */
export function graceAfter(moment: string): string {
  return new Date(Date.parse(moment) + GRACE_DAYS * 86_400_000).toISOString()
}
