// What happens to todos without a caller: the clock makes them overdue, and a leaving member loses them.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { job, type Subscriber } from '../../foundation/jobs/job.ts'
import { recordOverdue, unassignMember } from './operations.ts'
import { businessesWithOverdue } from './store.ts'

/** Every hour, because midnight comes at another hour in every time zone. */
export const recordOverdueTodos = job({
  name: 'todos.overdue',
  payload: Type.Object({}),
  cron: '1 * * * *',
  async run({ database, job_id }) {
    const found = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(businessesWithOverdue))
    for (const { business_id } of found) {
      const business = await findBusiness(database, business_id)
      while (business && (await asSystem(database, business, `job-${job_id}`, recordOverdue))) continue
    }
  },
})

export const unassignLeavers: Subscriber = {
  name: 'todos.unassign-leavers',
  types: ['member.removed', 'member.suspended'],
  handle: (tx, event) => unassignMember(tx, event.resource_id),
}
