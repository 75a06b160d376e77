// Opens, ends and repeats transactions: the only place that touches a connection.
import type pg from 'pg'
import { toTimestamp, type Clock } from '../calendar.ts'
import { everything } from '../permission.ts'
import { Refusal, unavailable } from '../refusal.ts'
import { isConnectionLoss, isRetryable, refusalFor } from './errors.ts'
import type { Pool } from './pool.ts'
import { depart, sendText } from './wire.ts'
import type { Actor, Business, RequestContext, Surroundings } from './context.ts'
import { BusinessTx, PublicTx, tenantIs, UserTx, type Shared } from './transaction.ts'

export type Database = { pool: Pool; clock: Clock; surroundings: Surroundings }

/** What work receives: an open transaction of nobody, and the ways to go on as somebody in the same one. */
export type Opening = {
  tx: PublicTx
  asUser(actor: Actor): UserTx
  asBusiness(actor: Actor, business: Business): BusinessTx
}

export type TransactOptions = { business_id: string | null; read_only: boolean; request: RequestContext }

export const nobody: Actor = {
  kind: 'public_link', id: null, user_id: null, name: 'anonymous', email: null, email_verified: false,
  role: null, permissions: new Set(), session_id: null, fresh: false,
}

/** The service itself, in jobs and subscribers: it may do whatever its code does. */
export const system: Actor = { ...nobody, kind: 'system', name: 'Daybook', permissions: everything }

const ATTEMPTS = 6

/** Thrown where the work began with something that has changed since: it runs again from the start. */
export class OutOfDate extends Error {}

/** Runs work in one transaction. Work does no I/O but SQL, so a deadlock or serialization failure simply runs it again. */
export async function transact<T>(database: Database, options: TransactOptions, work: (opening: Opening) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(database, options, attempt, work)
    } catch (error) {
      if (error instanceof Refusal) throw error
      const again = isRetryable(error) || error instanceof OutOfDate
      if (again && attempt < ATTEMPTS) continue
      if (again) throw unavailable('Somebody else keeps changing the same records. Try again in a moment.', 1)
      throw refusalFor(error) ?? error
    }
  }
}

/** A transaction of the service itself in one business, for jobs and subscribers. */
export function asSystem<T>(database: Database, business: Business, request_id: string, work: (tx: BusinessTx) => Promise<T>): Promise<T> {
  const request = { ...plainRequest, request_id }
  return transact(database, { business_id: business.id, read_only: false, request }, ({ asBusiness }) => work(asBusiness(system, business)))
}

export const plainRequest: RequestContext = { request_id: 'system', ip: null, user_agent: null, dry_run: false, if_match: null, keyed: false, override_reason: null, share_access: null, reply_headers: {} }

async function once<T>(database: Database, options: TransactOptions, attempt: number, work: (opening: Opening) => Promise<T>): Promise<T> {
  const client = await database.pool.connect()
  const { request } = options
  const shared: Shared = { client, now: toTimestamp(database.clock.now()), request, surroundings: database.surroundings, pending: [], elsewhere: new Map(), if_match: request.if_match, again: attempt > 1, late: false, closed: false }
  // The one who settles: with the last to come in lies the history, what was sent before is shared.
  let current: PublicTx | UserTx | BusinessTx
  const asBusiness = (actor: Actor, business: Business) => (current = new BusinessTx(shared, actor, business))
  const enter = (actor: Actor, business: Business) => {
    if (current instanceof BusinessTx) throw new Error('A transaction enters one business only.')
    sendText(client, tenantIs(business.id)).catch(() => {})
    return asBusiness(actor, business)
  }
  const tx = new PublicTx(shared, nobody, enter)
  current = tx
  let lost = false
  try {
    // Not awaited: it travels with the first statement of the work.
    shared.pending.push(begin(client, options))
    const result = await work({ tx, asUser: (actor) => (current = new UserTx(shared, actor, enter)), asBusiness })
    if (options.read_only) endLater(client)
    else await current.settle(options.request.dry_run ? 'rollback' : 'commit')
    return result
  } catch (error) {
    const cause = await current.cause(error)
    lost = isConnectionLoss(cause)
    if (!lost) endWithoutWaiting(client)
    throw cause
  } finally {
    shared.closed = true
    database.pool.release(client, lost)
  }
}

function begin(client: pg.Client, { business_id, read_only }: TransactOptions): Promise<unknown> {
  // Whatever came before on this connection: nothing is open only where the server has said so and nothing was left to be ended.
  const open = unfinished.delete(client) || client.getTransactionStatus() !== 'I'
  const begun = Promise.all([
    ...(open ? [sendText(client, 'rollback')] : []),
    // A read sees one state of the books, however many statements it takes.
    sendText(client, read_only ? 'begin isolation level repeatable read read only' : 'begin'),
    ...(business_id === null ? [] : [sendText(client, tenantIs(business_id))]),
  ])
  begun.catch(() => {}) // met again when the transaction settles
  return begun
}

/** Connections whose last transaction has only read and is still to be ended. */
const unfinished = new Set<pg.Client>()
const UNFINISHED_MS = 25
let sweeping = false

/** A read leaves nothing to undo, so its end can travel with the beginning of the next transaction, if one follows soon. */
function endLater(client: pg.Client): void {
  unfinished.add(client)
  if (sweeping) return
  sweeping = true
  setTimeout(endUnfinished, UNFINISHED_MS)
}

function endUnfinished(): void {
  sweeping = false
  for (const client of unfinished) endWithoutWaiting(client)
  unfinished.clear()
}

/** What follows on this connection waits behind it by itself. */
function endWithoutWaiting(client: pg.Client): void {
  depart(client)
  sendText(client, 'rollback').catch(() => {})
}
