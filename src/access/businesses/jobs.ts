// The end of businesses whose deletion is due, and of samples whose time is over.
import { Type } from 'typebox'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { SAMPLE_DAYS } from './rules.ts'
import * as store from './store.ts'

export const removeDueBusinesses = job({
  name: 'businesses.remove_due',
  payload: Type.Object({}),
  cron: '0 * * * *',
  async run({ database, log }) {
    const options = { business_id: null, read_only: false, request: plainRequest }
    await transact(database, options, ({ tx }) => tx.run(store.endOldSamples, { days: SAMPLE_DAYS }))
    const due = await transact(database, { ...options, read_only: true }, ({ tx }) => tx.many(store.dueBusinesses))
    const failures: unknown[] = []
    // A transaction each: one that cannot go does not keep the others.
    for (const { id } of due) {
      try {
        await transact(database, options, async ({ tx }) => {
          await tx.waitAsLongAsItTakes()
          await tx.get(store.removeBusiness, { id }, 'Business')
        })
        log.info({ business_id: id }, 'business removed')
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${due.length} businesses could not be removed.`)
  },
})
