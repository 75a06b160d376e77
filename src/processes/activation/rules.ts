// Which event means which milestone, and what the status of a business follows from.
import { invalid } from '../../foundation/refusal.ts'
import { CORE, MILESTONES, OBSERVED, type ActivationStatus, type Milestone, type MilestoneStatus, type Reached } from './contract.ts'

/** The event by which the service sees it. Some come with rooms that are still to be built: such a milestone is not reached until then. */
export const SIGNS: Record<(typeof OBSERVED)[number], string> = {
  bank_connected: 'bank_connection.synced',
  first_transaction_categorized: 'transaction.categorized',
  first_invoice_sent: 'invoice.sent',
  first_invoice_paid: 'invoice.paid',
  first_bill_recorded: 'bill.created',
  opening_balances_posted: 'opening_balances.posted',
  first_reconciliation: 'reconciliation.completed',
  first_period_closed: 'accounting_period.closed',
  second_member: 'invitation.accepted',
}

export function milestoneOf(event_type: string): Milestone | null {
  return OBSERVED.find((milestone) => SIGNS[milestone] === event_type) ?? null
}

export function requireReported(milestone: Milestone): void {
  if (isObserved(milestone)) throw invalid(`${milestone} is observed by the service itself: it is reached when it happens.`)
}

function isObserved(milestone: Milestone): boolean {
  return (OBSERVED as readonly Milestone[]).includes(milestone)
}

/** What was kept counts; what only the log tells, because nobody has kept it yet, counts too. */
export function statusOf(kept: readonly Reached[], seen: readonly Reached[], sample: ActivationStatus['sample']): ActivationStatus {
  const reached = new Map([...seen, ...kept].map((one) => [one.milestone, one]))
  const milestones = MILESTONES.map((milestone): MilestoneStatus => {
    const found = reached.get(milestone)
    return {
      milestone, kind: isObserved(milestone) ? 'observed' : 'reported', reached: found !== undefined,
      reached_at: found?.reached_at ?? null, reached_by: found?.reached_by ?? null,
    }
  })
  return { milestones, reached_count: reached.size, total: MILESTONES.length, activated: isActivated([...reached.keys()]), sample }
}

export function isActivated(reached: readonly Milestone[]): boolean {
  return CORE.every((milestone) => reached.includes(milestone))
}
