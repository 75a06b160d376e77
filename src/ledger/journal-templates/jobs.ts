// The clock runs templates that are due.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { runDue } from './operations.ts'
import { dueTemplates } from './store.ts'

/** Every hour, because the day begins at another hour in every time zone. What was missed is made up for, one occurrence after another. */
export const runDueTemplates = job({
  name: 'journal_templates.run_due',
  payload: Type.Object({}),
  cron: '2 * * * *',
  async run({ database, job_id }) {
    const due = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(dueTemplates))
    const failures: unknown[] = []
    for (const { business_id, template_id } of due) {
      try {
        const business = await findBusiness(database, business_id)
        // A transaction each: an occurrence is there with everything that belongs to it, or not at all.
        while (business && (await asSystem(database, business, `job-${job_id}`, (tx) => runDue(tx, template_id)))) continue
      } catch (error) {
        // One that cannot be run does not keep the others.
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${due.length} templates could not be run.`)
  },
})
