// Milestones that follow from what other rooms tell.
import type { Subscriber } from '../../foundation/jobs/job.ts'
import { observe } from './operations.ts'
import { SIGNS } from './rules.ts'

export const observeMilestones: Subscriber = {
  name: 'activation.milestones',
  types: Object.values(SIGNS),
  handle: (tx, event) => observe(tx, event.type),
}
