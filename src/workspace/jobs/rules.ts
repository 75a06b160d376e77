// The life of a job: what each state allows, what its followers hear, and what a failure is called.
import { invalid, Refusal } from '../../foundation/refusal.ts'
import type { Job, JobStatus } from './contract.ts'

export const LEASE_MS = 60_000
/** How long a job may wait for a worker before it is put into the queue again. */
export const WAIT_MS = 600_000
/** How long a job rests that met a database which was away. */
export const PAUSE_MS = 5_000
/** So many workers may die over one chunk: then it is the chunk that kills them. */
export const MOST_LOSSES = 5
export const POLL_SECONDS = '2'

export function isFinished(status: JobStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled'
}

/** Whether anything is left to be done: a job that is canceled, or about to be, stays as it is. */
export function requireCancelable(job: Pick<Job, 'status' | 'cancelable' | 'cancel_requested'>): boolean {
  if (job.status === 'canceled' || (job.cancel_requested && !isFinished(job.status))) return false
  if (isFinished(job.status)) throw invalid(`This job has ${job.status} already: only a queued or running job can be canceled.`)
  if (!job.cancelable) throw invalid('This kind of job cannot be canceled: wait until it has finished.')
  return true
}

export function requireFailed(job: Pick<Job, 'status'>): void {
  if (job.status !== 'failed') throw invalid(`This job is ${job.status}: only a failed job can be retried.`)
}

/** Progress only grows, and the total with it. */
export function progressAfter(before: Job['progress'], chunk: { done: number; total?: number | null }): Job['progress'] {
  const done = Math.max(before.done, Math.trunc(chunk.done))
  const total = chunk.total === undefined ? before.total : chunk.total
  return { done, total: total === null ? null : Math.max(done, Math.trunc(total)) }
}

export type JobEvent = 'progress' | 'phase' | 'done' | 'failed' | 'canceled'

/** What a follower hears of a job that stands like this. */
export function eventOf(job: Pick<Job, 'status' | 'phase'>, phase_before: string | null = job.phase): JobEvent {
  if (job.status === 'succeeded') return 'done'
  if (job.status === 'failed' || job.status === 'canceled') return job.status
  return job.phase === phase_before ? 'progress' : 'phase'
}

/** One sentence for people: what was refused says why by itself, a fault of ours tells nothing of the inside. */
export function errorOf(error: unknown): string {
  return error instanceof Refusal ? error.detail.slice(0, 2000) : 'The service failed at this. Retry it; if it fails again, tell whoever runs the service.'
}

/** A database that is away, or a record that somebody holds, is nobody's failure: the job goes on later. */
export function isPassing(error: unknown): boolean {
  return error instanceof Refusal && error.status >= 500
}

/** Where a follower who comes back left off; null where it is unknown or no place of this job. */
export function placeOf(last_event_id: string | null, version: number): number | null {
  const place = last_event_id !== null && /^\d{1,9}$/.test(last_event_id) ? Number(last_event_id) : null
  return place !== null && place <= version ? place : null
}
