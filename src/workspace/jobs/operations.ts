// What can be done with jobs: by people, and by the worker that carries one out.
import { setTimeout as sleep } from 'node:timers/promises'
import { toTimestamp } from '../../foundation/calendar.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Stream, type Channel } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { forbidden } from '../../foundation/refusal.ts'
import { findKind, jobResource, kindOf, type Chunk, type Job } from './contract.ts'
import { eventOf, isFinished, LEASE_MS, MOST_LOSSES, PAUSE_MS, placeOf, POLL_SECONDS, progressAfter, requireCancelable, requireFailed, WAIT_MS } from './rules.ts'
import * as store from './store.ts'
import type { JobRow } from './store.ts'

export const RUN = 'jobs.run'

type Wanted = { kind: string; subject: string; input: object; total?: number | null }

/**
 * Begins long work when this transaction commits. One of a kind and subject runs at a time: while it does, everybody who
 * asks for it gets the job that runs, and may follow it.
 */
export function startJob(tx: BusinessTx, wanted: Wanted): Promise<Job> {
  return start(tx, { ...wanted, total: wanted.total ?? null, done: 0, phase: null, checkpoint: null, retry_of: null })
}

type Beginning = Wanted & Pick<JobRow, 'total' | 'done' | 'phase' | 'checkpoint' | 'retry_of'>

async function start(tx: BusinessTx, wanted: Beginning): Promise<Job> {
  const { kind, title, cancelable, permission } = kindOf(wanted.kind)
  if (!tx.actor.permissions.has(permission)) throw forbidden(`This needs the permission ${permission}.`)
  await tx.exclusive(`job ${tx.business_id} ${kind} ${wanted.subject}`)
  const running = await tx.find(store.lockActive, { kind, subject: wanted.subject })
  if (running) return joined(tx, running)
  const { user_id } = tx.actor
  const { input, ...beginning } = wanted
  const job: JobRow = {
    ...beginning, id: newId(), business_id: tx.business_id, kind, title, cancelable, input: input as Record<string, unknown>, status: 'queued', cancel_requested: false,
    result: null, error: null, created_by: user_id, askers: user_id ? [user_id] : [], runner: null, lease_until: later(tx.now, WAIT_MS), losses: 0,
    started_at: null, finished_at: null, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertJob, job)
  tell(tx, [job])
  tx.record(jobResource, 'job.created', { before: null, after: shown(job) })
  enqueue(tx, job)
  return shown(job)
}

/** Whoever asks for what already runs has asked for this job too. */
function joined(tx: BusinessTx, job: JobRow): Job {
  const { user_id } = tx.actor
  if (user_id !== null && !job.askers.includes(user_id)) tx.queue(store.saveJob, { ...job, askers: [...job.askers, user_id] })
  return shown(job)
}

export async function listJobs(tx: BusinessTx, query: PageQuery) {
  const page = await tx.page(store.jobs, { ...query, ...(isAdmin(tx) ? {} : { mine: true }) })
  if (page.items.some(({ status }) => !isFinished(status))) tx.request.reply_headers['retry-after'] = POLL_SECONDS
  return page
}

export async function getJob(tx: BusinessTx, job_id: string): Promise<Job> {
  const job = await tx.get(store.findJob, { id: job_id, admin: isAdmin(tx) }, 'Job')
  if (!isFinished(job.status)) tx.request.reply_headers['retry-after'] = POLL_SECONDS
  return job
}

export async function cancelJob(tx: BusinessTx, job_id: string): Promise<Job> {
  const job = await tx.lock(store.lockJob, { id: job_id, admin: isAdmin(tx) }, 'Job')
  if (!requireCancelable(job)) return shown(job)
  if (job.status === 'queued') return finish(tx, job, { status: 'canceled' })
  const after = changed(job, { cancel_requested: true }, tx.now)
  tx.queue(store.saveJob, after)
  tell(tx, [after])
  tx.record(jobResource, 'job.cancel_requested', { before: shown(job), after: shown(after) })
  return shown(after)
}

/** Retried twice, a job would do its last chunks twice: the second answer is the job that the first one began. */
export async function retryJob(tx: BusinessTx, job_id: string): Promise<Job> {
  const job = await tx.lock(store.lockJob, { id: job_id, admin: isAdmin(tx) }, 'Job')
  requireFailed(job)
  const { kind, subject, input, total, done, phase, checkpoint } = job
  return (await tx.find(store.findRetry, { id: job_id })) ?? start(tx, { kind, subject, input, total, done, phase, checkpoint, retry_of: job.id })
}

const STREAM_POLL_MS = 250

export async function followJob(tx: BusinessTx, job_id: string): Promise<Stream> {
  await tx.get(store.findJob, { id: job_id, admin: isAdmin(tx) }, 'Job')
  return new Stream((channel) => follow(channel, job_id))
}

async function follow({ send, read, last_event_id, ended }: Channel<BusinessTx>, job_id: string): Promise<void> {
  let place = last_event_id
  while (!ended.aborted) {
    const { job, events } = await read((tx) => eventsAfter(tx, job_id, place))
    for (const { seq, event, data } of events) await send({ id: String(seq), event, data })
    place = String(events.at(-1)?.seq ?? place)
    if (isFinished(job.status) && job.version <= Number(place)) return
    await sleep(STREAM_POLL_MS, undefined, { signal: ended }).catch(() => {})
  }
}

/** What happened behind a place; how the job stands, where there is no place or where it is so old that the way from there is forgotten. */
async function eventsAfter(tx: BusinessTx, job_id: string, last_event_id: string | null) {
  const job = await tx.get(store.findJob, { id: job_id, admin: isAdmin(tx) }, 'Job')
  const place = placeOf(last_event_id, job.version)
  if (place === job.version) return { job, events: [] }
  const events = place === null ? [] : await tx.many(store.eventsAfter, { id: job_id, seq: place })
  return { job, events: events.length > 0 ? events : [{ seq: job.version, event: eventOf(job), data: job }] }
}

/** Gives a job to a worker; null where another has it or nothing is left to do. */
export async function takeJob(tx: BusinessTx, job_id: string, runner: string): Promise<JobRow | null> {
  const job = await tx.find(store.lockUnattended, { id: job_id })
  if (!job || isFinished(job.status)) return null
  const abandoned = job.status === 'running' && (job.lease_until ?? '') < tx.now
  if (job.status === 'running' && !abandoned) return null
  const losses = job.losses + (abandoned ? 1 : 0)
  const taken = changed(job, { status: 'running', runner, lease_until: later(tx.now, LEASE_MS), started_at: job.started_at ?? tx.now, losses }, tx.now)
  tx.queue(store.saveJob, taken)
  tell(tx, [taken])
  return taken
}

export class JobLost extends Error {}
export class JobCanceled extends Error {}

/** How the worker's job stands, before a chunk; it is no longer the worker's where it was taken over or is to stop. */
export async function readHeld(tx: BusinessTx, held: { id: string; runner: string }): Promise<JobRow> {
  const job = await tx.find(store.readJob, { id: held.id })
  if (job?.status !== 'running' || job.runner !== held.runner) throw new JobLost()
  if (job.cancel_requested) throw new JobCanceled()
  return job
}

/** Commits with the work of the chunk, or undoes it where another worker has taken the job over meanwhile. */
export async function advanceJob(tx: BusinessTx, job: JobRow, chunk: Chunk<object>, clock_now: Date): Promise<JobRow> {
  const progress = progressAfter(job, chunk)
  const after = await tx.find(store.advanceJob, {
    ...progress, id: job.id, runner: job.runner, checkpoint: JSON.stringify(chunk.checkpoint), phase: chunk.phase === undefined ? job.phase : chunk.phase,
    // From the end of the chunk: it may have taken longer than a lease.
    lease_until: later(toTimestamp(clock_now), LEASE_MS),
  })
  if (!after) throw new JobLost()
  tell(tx, [after], job.phase)
  return after
}

export function renewLease(tx: BusinessTx, held: { id: string; runner: string }): Promise<number> {
  return tx.run(store.renewLease, { ...held, lease_until: later(tx.now, LEASE_MS) })
}

type Ending = { status: 'succeeded'; result: object | null } | { status: 'failed'; error: string } | { status: 'canceled' }

/** The end of a job that this worker still has; false where it has it no longer. */
export async function endJob(tx: BusinessTx, held: { id: string; runner: string }, ending: Ending): Promise<boolean> {
  const job = await lockHeld(tx, held)
  if (job) await finish(tx, job, ending)
  return job !== null
}

/** Back into the queue, for another worker or another time. */
export async function releaseJob(tx: BusinessTx, held: { id: string; runner: string }): Promise<void> {
  const job = await lockHeld(tx, held)
  if (job) requeue(tx, [job], later(tx.now, PAUSE_MS))
}

async function lockHeld(tx: BusinessTx, { id, runner }: { id: string; runner: string }): Promise<JobRow | null> {
  const job = await tx.find(store.lockJob, { id, admin: true })
  return job?.status === 'running' && job.runner === runner ? job : null
}

/** Jobs whose worker has been silent for too long wait again; true while there may be more. */
export async function recoverJobs(tx: BusinessTx): Promise<boolean> {
  const lost = await tx.many(store.takeLost)
  if (lost.length === 0) return false
  const counted = lost.map((job) => ({ ...job, losses: job.losses + (job.status === 'running' ? 1 : 0) }))
  for (const job of counted.filter(({ losses }) => losses >= MOST_LOSSES)) {
    await finish(tx, job, { status: 'failed', error: `The service stopped ${job.losses} times while it worked on this, so it was given up.` })
  }
  requeue(tx, counted.filter(({ losses }) => losses < MOST_LOSSES))
  return lost.length === 200
}

function requeue(tx: BusinessTx, jobs: readonly JobRow[], run_at: string = tx.now): void {
  if (jobs.length === 0) return
  const waiting = jobs.map((job) => changed(job, { status: 'queued', runner: null, lease_until: later(tx.now, WAIT_MS) }, tx.now))
  tx.queue(store.saveJobs, { rows: JSON.stringify(waiting) })
  tell(tx, waiting)
  for (const job of waiting) enqueue(tx, job, run_at)
}

async function finish(tx: BusinessTx, job: JobRow, ending: Ending): Promise<Job> {
  const after = changed(job, { ...ending, runner: null, lease_until: null, finished_at: tx.now } as Partial<JobRow>, tx.now)
  tx.queue(store.saveJob, after)
  tell(tx, [after])
  tx.record(jobResource, `job.${ending.status}`, { before: shown(job), after: shown(after) })
  await findKind(job.kind)?.ended?.(tx, shown(after), job.input as never)
  return shown(after)
}

/** What followers read. */
function tell(tx: BusinessTx, jobs: readonly JobRow[], phase_before?: string | null): void {
  const rows = jobs.map((job) => ({ job_id: job.id, seq: job.version, event: eventOf(job, phase_before), data: shown(job), at: tx.now }))
  tx.queue(store.insertEvents, { rows: JSON.stringify(rows) })
}

function enqueue(tx: BusinessTx, job: JobRow, run_at?: string): void {
  tx.enqueue(RUN, { business_id: job.business_id, job_id: job.id }, { job_key: `${RUN} ${job.id}`, ...(run_at ? { run_at } : {}) })
}

function shown(job: JobRow): Job {
  const { done, total, input: _input, checkpoint: _checkpoint, askers: _askers, runner: _runner, lease_until: _lease, losses: _losses, ...rest } = job
  return { ...rest, progress: { done, total } }
}

function isAdmin({ actor }: BusinessTx): boolean {
  return actor.kind === 'system' || actor.role === 'owner' || actor.role === 'admin'
}

function later(now: string, milliseconds: number): string {
  return toTimestamp(new Date(Date.parse(now) + milliseconds))
}
