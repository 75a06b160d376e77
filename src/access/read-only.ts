// When a business can be read but not changed, and the sentence that says why.
const GRACE_DAYS = 14

/** null while writes are welcome. */
export function readOnlyReason(status: string, plan_tier: string, trial_ends_at: string | null, now: string): string | null {
  if (status === 'archived') return 'This business is archived and read-only. Restore it to make changes.'
  if (status === 'pending_deletion') return 'This business is about to be deleted and read-only. Cancel the deletion to make changes.'
  if (plan_tier === 'trial' && trial_ends_at !== null && Date.parse(now) >= Date.parse(trial_ends_at) + GRACE_DAYS * 86_400_000) {
    return 'The trial and its 14 days of grace are over: this business is read-only until it has a plan. Nothing is deleted.'
  }
  return null
}
