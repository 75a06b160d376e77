// Runs jobs and delivers events until told to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Logger as GraphileLogger, parseCronItems, run, type Runner, type TaskList } from 'graphile-worker'
import { Compile } from 'typebox/compile'
import type { Database } from '../database/transact.ts'
import type { Logger } from '../log.ts'
import type { Job, Loop, Subscriber } from './job.ts'
import type { Mailer } from './mailer.ts'
import { deliverEvents, type BusinessLookup } from './outbox.ts'

export type WorkerOptions = {
  /** As the owner: the queue's tables are closed to the role of requests. */
  owner_url: string
  database: Database
  jobs: readonly Job[]
  subscribers: readonly Subscriber[]
  loops?: readonly Loop[]
  lookup: BusinessLookup
  mailer: Mailer
  concurrency: number
  log: Logger
}

export type Worker = { stop(): Promise<void> }

const OUTBOX_POLL_MS = 250

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { log } = options
  const pool = new pg.Pool({ connectionString: options.owner_url, max: options.concurrency + 2 })
  // A database that goes away while a connection is idle must not end the program.
  pool.on('error', (error) => log.warn({ err: error }, 'job queue connection'))
  pool.on('connect', (client) => client.on('error', () => {}))
  const runner: Runner = await run({
    pgPool: pool,
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: new GraphileLogger(() => (level, message) => (level === 'error' ? log.error({ message }, 'job queue') : log.debug({ message }, 'job queue'))),
    taskList: taskList(options),
    parsedCronItems: parseCronItems(options.jobs.filter((job) => job.cron !== null).map((job) => ({ task: job.name, match: job.cron ?? '', identifier: job.name }))),
  })
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'job queue stopped'))
  const stopping = new AbortController()
  const delivering = deliverUntil(options, stopping.signal)
  const looping = (options.loops ?? []).map((loop) => loop.run(options, stopping.signal).catch((error: unknown) => log.error({ err: error, loop: loop.name }, 'a loop of the worker stopped')))
  return {
    async stop() {
      stopping.abort()
      await Promise.all([runner.stop().catch(() => {}), delivering, ...looping])
      await pool.end()
    },
  }
}

/** The worker's view of a job: its payload is checked before it runs. */
function taskList({ jobs, database, mailer, log }: WorkerOptions): TaskList {
  return Object.fromEntries(jobs.map((job) => {
    const payloads = Compile(job.payload)
    return [job.name, async (payload: unknown, helpers: { job: { id: string } }) => {
      // The clock adds a member of its own to the payload of timed jobs.
      const given = job.cron === null ? payload : {}
      if (!payloads.Check(given)) throw new Error(`The payload of ${job.name} does not have its shape.`)
      await job.run({ database, mailer, log, job_id: helpers.job.id }, given as never)
    }]
  }))
}

/** Polling, not NOTIFY: a notification in a commit takes a lock that all commits of the database share. */
async function deliverUntil({ database, subscribers, lookup, log }: WorkerOptions, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      if (await deliverEvents(database, subscribers, lookup, log) > 0) continue
    } catch (error) {
      log.warn({ err: error }, 'events were not delivered; trying again')
    }
    await sleep(OUTBOX_POLL_MS, undefined, { signal: ended }).catch(() => {})
  }
}
