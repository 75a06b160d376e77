// Work that follows a commit. A job is data plus a function, as an endpoint is; the worker runs it at least once, so it must
// bear being run again.
import type { Static, TObject } from 'typebox'
import type { BusinessTx } from '../database/transaction.ts'
import type { Database } from '../database/transact.ts'
import type { Logger } from '../log.ts'
import type { Mailer } from './mailer.ts'

export type JobContext = { database: Database; log: Logger; mailer: Mailer; job_id: string }

export type Job = {
  name: string
  payload: TObject
  /** Also run by the clock: minute hour day month weekday, in UTC. */
  cron: string | null
  run: (context: JobContext, payload: never) => Promise<void>
}

export function job<P extends TObject>(given: { name: string; payload: P; cron?: string; run: (context: JobContext, payload: Static<P>) => Promise<void> }): Job {
  return { cron: null, ...given, run: given.run as Job['run'] }
}

/** An event as subscribers see it. */
export type Event = { seq: number; type: string; resource_type: string; resource_id: string; data: Record<string, unknown> }

/** What a room does when another room's event has committed: once per event, in order, in a transaction of its own. */
export type Listener = {
  name: string
  types: readonly string[]
  handle: (tx: BusinessTx, event: Event) => Promise<void>
}

/** The same for work that one statement does for many events: they are not read, only told by their numbers; each span once, in order. */
export type Follower = { name: string; follow: (tx: BusinessTx, span: { after: number; upto: number }) => Promise<void> }

export type Subscriber = Listener | Follower

/** What runs beside the jobs of a worker until it stops. It bears being run by many workers at once. */
export type Loop = { name: string; run: (context: { database: Database; log: Logger }, ended: AbortSignal) => Promise<void> }
