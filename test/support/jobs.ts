// Jobs in tests: without a worker, what waits for a business is run here, in order, until nothing waits.
import { jobs } from '../../src/app/jobs.ts'
import { openLog } from '../../src/foundation/log.ts'
import { sql } from './people.ts'
import { service } from './service.ts'

/** Runs what waits for the business, its mail, and what the embedded card processor has to tell it. Returns the tasks that ran. */
export async function runJobs(business_id: string): Promise<string[]> {
  const { program } = await service()
  const ran: string[] = []
  for (;;) {
    const waiting = await sql(
      `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
       where t.id = j.task_id and (j.payload->>'business_id' = $1
         or j.payload->>'mail_id' in (select id::text from mails where business_id = $1::uuid)
         or j.payload->'event'->>'account' in (select account_id from processor_accounts where business_id = $1::uuid))
       returning j.id::bigint as id, t.identifier as task, j.payload`, [business_id])
    if (waiting.length === 0) return ran
    for (const { task, payload } of waiting.toSorted((a, b) => Number(a.id) - Number(b.id))) {
      const job = jobs.find(({ name }) => name === task)
      if (!job) throw new Error(`There is no job ${task}.`)
      ran.push(task)
      await job.run({ database: program.database, log: openLog('silent'), mailer: null, job_id: 'test' }, payload as never)
    }
  }
}
