// The clock tells of plans: trials that are about to end, access that has ended or come back.
import { Type } from 'typebox'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { findBusiness } from '../lookup.ts'
import { tellNews } from './operations.ts'
import * as store from './store.ts'

export const tellBillingNews = job({
  name: 'billing.news',
  payload: Type.Object({}),
  cron: '*/10 * * * *',
  async run({ database, job_id }) {
    const found = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(store.businessesWithNews))
    for (const { id } of found) {
      const business = await findBusiness(database, id)
      if (business) await asSystem(database, business, `job-${job_id}`, tellNews)
    }
  },
})
