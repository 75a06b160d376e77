// Steps of the set-up that follow from what other rooms tell.
import type { Subscriber } from '../../foundation/jobs/job.ts'
import { tellOfSteps } from './operations.ts'

export const followSetUp: Subscriber = {
  name: 'onboarding.steps',
  types: [
    'business.updated', 'accounting_period.generated', 'ledger.updated', 'opening_balances.posted', 'transaction.created', 'tax_rate.created', 'processor.connected',
    'processor.updated', 'invitation.created', 'invitation.accepted', 'invoice.finalized',
  ],
  handle: (tx) => tellOfSteps(tx),
}
