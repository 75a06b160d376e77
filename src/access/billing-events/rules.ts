// Which events are about a plan, and since when a payment is overdue.
import type { PlanInvoice, Subscription } from '../../foundation/processor/plans.ts'

/** In the words of either processor; of anything else nothing follows. */
export function isAboutPlan(type: string): boolean {
  return /^(?:checkout\.session|customer\.subscription|customer\.updated|invoice|session|subscription)(?:\.|$)/.test(type)
}

/** The oldest bill of the subscription that is still open. */
export function overdueSince({ id, status, current_period_start }: Subscription, invoices: readonly PlanInvoice[]): string | null {
  if (status !== 'past_due') return null
  const open = invoices.filter(({ subscription_id, status: of_invoice }) => subscription_id === id && of_invoice === 'open').map(({ issued_at }) => issued_at)
  return open.toSorted()[0] ?? current_period_start
}
