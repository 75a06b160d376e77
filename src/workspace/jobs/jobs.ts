// The worker's side of long jobs: it carries one out chunk by chunk, finds those whose worker died, and forgets old ones.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import type { Business } from '../../foundation/database/context.ts'
import { asSystem, plainRequest, system, transact, type Database } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { job, type Job } from '../../foundation/jobs/job.ts'
import type { Logger } from '../../foundation/log.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { id } from '../../foundation/shapes.ts'
import type { Chunk, LongJob, Step } from './contract.ts'
import { advanceJob, endJob, JobCanceled, JobLost, readHeld, recoverJobs, releaseJob, renewLease, RUN, takeJob } from './operations.ts'
import { errorOf, isPassing, LEASE_MS } from './rules.ts'
import { businessesWithLost, forgetOld, type JobRow } from './store.ts'

/** `kinds` is all that can be run: the list that the program gathers. */
export function longJobRunners(kinds: readonly LongJob[]): Job[] {
  return [runLongJob(kinds), recoverLostJobs, forgetOldJobs]
}

function runLongJob(kinds: readonly LongJob[]): Job {
  return job({
    name: RUN,
    payload: Type.Object({ business_id: id(), job_id: id() }),
    async run({ database, log }, { business_id, job_id }) {
      const business = await findBusiness(database, business_id)
      if (!business) return
      const runner = newId()
      const taken = await asSystem(database, business, `job-${job_id}`, (tx) => takeJob(tx, job_id, runner))
      if (!taken) return
      await carryOut({ database, log, business, taken, runner }, kinds.find(({ kind }) => kind === taken.kind))
    },
  })
}

type Work = { database: Database; log: Logger; business: Business; taken: JobRow; runner: string }

async function carryOut(work: Work, kind: LongJob | undefined): Promise<void> {
  const { log, taken, runner } = work
  const held = { id: taken.id, runner }
  const end = (ending: Parameters<typeof endJob>[2]) => within(work, (tx) => endJob(tx, held, ending))
  const stopRenewing = keepLease(work)
  try {
    if (!kind) throw new Refusal(400, `The service no longer knows the kind of job ${taken.kind}.`)
    const result = await kind.run(openStep(work) as never, taken.input as never)
    await end({ status: 'succeeded', result })
  } catch (error) {
    if (error instanceof JobLost) return log.warn({ job_id: taken.id }, 'another worker has taken a long job over')
    if (error instanceof JobCanceled) return void (await end({ status: 'canceled' }))
    if (isPassing(error)) {
      log.warn({ err: error, job_id: taken.id }, 'a long job goes on later')
      return within(work, (tx) => releaseJob(tx, held))
    }
    if (!(error instanceof Refusal)) log.error({ err: error, job_id: taken.id, kind: taken.kind }, 'a long job failed')
    await end({ status: 'failed', error: errorOf(error) })
  } finally {
    stopRenewing()
  }
}

function openStep(work: Work): Step<object> {
  const { database, taken, runner } = work
  let current = taken
  return {
    job_id: taken.id,
    get checkpoint() {
      return current.checkpoint
    },
    async chunk(run) {
      const { job: after, chunk } = await within(work, async (tx) => {
        const before = await readHeld(tx, { id: taken.id, runner })
        const done: Chunk<object> = await run(tx, before.checkpoint)
        return { job: await advanceJob(tx, before, done, database.clock.now()), chunk: done }
      })
      current = after
      return chunk
    },
    snapshot: (run) => within(work, async (tx) => {
      await tx.waitAsLongAsItTakes()
      return run(tx)
    }, true),
  }
}

/** A chunk that takes long does not look like a worker that died. */
function keepLease(work: Work): () => void {
  const held = { id: work.taken.id, runner: work.runner }
  const renewing = setInterval(() => {
    within(work, (tx) => renewLease(tx, held)).catch((error: unknown) => work.log.warn({ err: error, job_id: held.id }, 'lease of a long job not renewed'))
  }, LEASE_MS / 3)
  renewing.unref()
  return () => clearInterval(renewing)
}

/** As the service, for the one who asked: so the audit trail says both. */
function within<T>({ database, business, taken }: Work, run: (tx: BusinessTx) => Promise<T>, read_only = false): Promise<T> {
  const request = { ...plainRequest, request_id: `job-${taken.id}` }
  const actor = { ...system, user_id: taken.created_by }
  return transact(database, { business_id: business.id, read_only, request }, ({ asBusiness }) => run(asBusiness(actor, business)))
}

export const recoverLostJobs = job({
  name: 'jobs.recover',
  payload: Type.Object({}),
  cron: '* * * * *',
  async run({ database, job_id }) {
    const found = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(businessesWithLost))
    for (const { business_id } of found) {
      const business = await findBusiness(database, business_id)
      while (business && (await asSystem(database, business, `job-${job_id}`, recoverJobs))) continue
    }
  },
})

export const forgetOldJobs = job({
  name: 'jobs.forget',
  payload: Type.Object({}),
  cron: '41 3 * * *',
  run: ({ database }) => transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => tx.queue(forgetOld)),
})
