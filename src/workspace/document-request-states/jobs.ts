// What the clock does to document requests: it reminds, makes the next of a series, and sees that some are overdue.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { businessesWithDue } from '../document-requests/operations.ts'
import { recordOverdue, recurDue, remindDue } from './operations.ts'

/** Every hour, because midnight comes at another hour in every time zone. */
export const followDocumentRequests = job({
  name: 'document_requests.follow',
  payload: Type.Object({}),
  cron: '7 * * * *',
  async run({ database, job_id }) {
    for (const business_id of await businessesWithDue(database)) {
      const business = await findBusiness(database, business_id)
      if (!business) continue
      for (const step of [recordOverdue, remindDue, recurDue]) {
        while (await asSystem(database, business, `job-${job_id}`, step)) continue
      }
    }
  },
})
