// What the clock does to invoices: it makes them overdue.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { recordOverdue } from './operations.ts'
import { businessesWithOverdue } from './store.ts'

/** Every hour, because midnight comes at another hour in every time zone. */
export const recordOverdueInvoices = job({
  name: 'invoices.overdue',
  payload: Type.Object({}),
  cron: '6 * * * *',
  async run({ database, job_id }) {
    const found = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(businessesWithOverdue))
    for (const { business_id } of found) {
      const business = await findBusiness(database, business_id)
      while (business && (await asSystem(database, business, `job-${job_id}`, recordOverdue))) continue
    }
  },
})
