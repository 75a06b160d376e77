// Jobs: long work that people wait for, and the kinds of it that the rooms bring along.
import { Type, type Static } from 'typebox'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import type { Permission } from '../../foundation/permission.ts'
import { resource } from '../../foundation/resource.ts'
import { anyObject, boolean, id, integer, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

export const Job = shape('Job', {
  ...record,
  kind: text(1, 100),
  title: text(1, 200, { description: 'What it does, in words.' }),
  subject: text(1, 200, { description: 'What it works on. One job of a kind and subject runs at a time.' }),
  status: oneOf(JOB_STATUSES),
  progress: shape('JobProgress', { done: integer(0), total: nullable(integer(0, Number.MAX_SAFE_INTEGER, { description: 'Null where it is not known yet.' })) }, {
    description: 'Never goes back.',
  }),
  phase: nullable(text(0, 200)),
  started_at: nullable(timestamp()),
  finished_at: nullable(timestamp()),
  result: nullable(anyObject({ description: 'What came of it; the members depend on the kind.' })),
  error: nullable(text(1, 2000, { description: 'Why it failed, in one sentence.' })),
  created_by: nullable(id({ description: 'Null where the service itself began it.' })),
  cancelable: boolean(),
  cancel_requested: boolean({ description: 'It stops at the next chunk.' }),
  retry_of: nullable(id({ description: 'The failed job that this one goes on from.' })),
})
export type Job = Static<typeof Job>

/** Read by whoever may read the audit trail, which tells the same: a job itself is shown to those who asked for it and to admins. */
export const jobResource = resource({
  type: 'job', group: 'audit-trail', shape: Job, table: null, label: 'title',
  events: ['job.created', 'job.cancel_requested', 'job.canceled', 'job.succeeded', 'job.failed'],
})

/** What one chunk leaves behind: it commits together with the work of the chunk. */
export type Chunk<Checkpoint> = { checkpoint: Checkpoint; done: number; total?: number | null; phase?: string | null }

export type Step<Checkpoint> = {
  readonly job_id: string
  /** Where the last chunk that committed left off, by whichever worker; null before the first. */
  readonly checkpoint: Checkpoint | null
  /** Runs one chunk in a transaction of its own. The work must go on from the checkpoint it is given, and hand back the next one. */
  chunk(work: (tx: BusinessTx, checkpoint: Checkpoint | null) => Promise<Chunk<Checkpoint>>): Promise<Chunk<Checkpoint>>
  /**
   * Reads in one transaction that sees one state of the business from beginning to end, while chunks commit beside it. It is lost with
   * its worker, and may begin again by itself: the work must start with nothing left of what it did before.
   */
  snapshot<T>(work: (tx: BusinessTx) => Promise<T>): Promise<T>
}

export type LongJob = {
  kind: string
  title: string
  cancelable: boolean
  /** What somebody must hold to start it. */
  permission: Permission
  /** Begins anew on every worker that takes the job: what is already done, the checkpoint tells. Its value is the result. */
  run: (step: never, input: never) => Promise<object | null>
  /** Commits with the end of the job, however it came to it: for records that show how their job went. */
  ended?: (tx: BusinessTx, job: Job, input: never) => Promise<void>
}

const kinds = new Map<string, LongJob>()

/** A kind of long work. It becomes known by being made; src/app/long-jobs.ts gathers them all. */
export function longJob<Input extends object, Checkpoint extends object>(
  given: Omit<LongJob, 'run' | 'ended'> & {
    run: (step: Step<Checkpoint>, input: Input) => Promise<object | null>
    ended?: (tx: BusinessTx, job: Job, input: Input) => Promise<void>
  },
): LongJob {
  const made = given as unknown as LongJob
  kinds.set(given.kind, made)
  return made
}

/** Undefined for a kind that the service knew once. */
export const findKind = (name: string): LongJob | undefined => kinds.get(name)

export function kindOf(name: string): LongJob {
  const kind = kinds.get(name)
  if (!kind) throw new Error(`No kind of long job is called ${name}: list it in src/app/long-jobs.ts.`)
  return kind
}

const endpoint = endpointsOf('jobs', 'business')
const params = shape('JobParams', { job_id: id() })
const poll = 'While it waits or runs, Retry-After says when to look again.'

export const listJobs = endpoint({
  id: 'list_jobs', method: 'GET', path: '', summary: 'List jobs',
  description: `The jobs that the caller asked for; an admin sees all. Finished ones are kept for 90 days. ${poll}`,
  query: listQuery(['created_at'], { kind: optional(text(1, 100)), status: optional(oneOf(JOB_STATUSES)), created_by: optional(id()) }),
  reply: pageOf(Job),
})

export const getJob = endpoint({
  id: 'get_job', method: 'GET', path: '/{job_id}', summary: 'Get a job', description: poll,
  params,
  reply: Job,
})

export const followJob = endpoint({
  id: 'follow_job', method: 'GET', path: '/{job_id}/events', summary: 'Follow a job as it goes on',
  description: 'Server-sent events progress, phase, done, failed and canceled: `id` counts the changes of the job, `data` is the job. Begins with how it stands, '
    + 'or behind Last-Event-ID, for 24 hours without a gap. Ends with the job, or once the credential is revoked. A comment every 15 seconds keeps the connection open.',
  params,
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/event-stream' }),
})

export const cancelJob = endpoint({
  id: 'cancel_job', method: 'PUT', path: '/{job_id}/cancel', summary: 'Cancel a job',
  description: 'A job that waits is canceled at once, one that runs stops at its next chunk. What its chunks have done stays.',
  params,
  reply: Job,
  refusals: ['The job has succeeded or failed.', 'The job cannot be canceled.'],
})

export const retryJob = endpoint({
  id: 'retry_job', method: 'PUT', path: '/{job_id}/retry', summary: 'Retry a failed job',
  description: 'Answers a new job that goes on where the failed one broke off. Asked again, it answers that same job.',
  params,
  reply: Job,
  refusals: ['The job has not failed.'],
})
