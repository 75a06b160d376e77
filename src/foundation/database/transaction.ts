// The one value that travels through every operation: the open transaction with its tenant, its actor and its clock.
import type pg from 'pg'
import type { Static, TObject } from 'typebox'
import { today } from '../calendar.ts'
import { isUuid } from '../ids.ts'
import { notFound, stale } from '../refusal.ts'
import type { Resource } from '../resource.ts'
import { appendHistory, appendLateHistory, historyRow, type Change, type HistoryRow } from './history.ts'
import type { Actor, Business, RequestContext, Surroundings } from './context.ts'
import { readPage, type List, type Page, type PageQuery } from './list.ts'
import { command, type Parameters, type SqlValue, type Statement } from './statement.ts'
import { enqueueJob, type JobOptions } from './queue.ts'
import { depart, send, sendText, SKIPPED, type Outcome } from './wire.ts'

/** What all who act in one transaction share. `pending` was sent and is still to be waited for. */
export type Shared = {
  readonly client: pg.ClientBase
  readonly now: string
  readonly request: RequestContext
  readonly surroundings: Surroundings
  readonly pending: Promise<unknown>[]
  /** What is to be told in the history of businesses that the transaction does not work in. */
  readonly elsewhere: Map<string, HistoryRow[]>
  if_match: string | null
  /** A first attempt met others and was undone: whoever hoped to find nobody in the way better locks now. */
  readonly again: boolean
  /** Some of what the operation returned is filled in when the transaction ends. */
  late: boolean
  /** Over: the connection may serve somebody else by now. */
  closed: boolean
}

const noTimeout = command(`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`)
const lockName = command('select pg_advisory_xact_lock(hashtextextended(:name, 0))')

export class Tx {
  readonly now: string
  readonly actor: Actor
  readonly request: RequestContext
  readonly surroundings: Surroundings
  readonly again: boolean
  readonly #shared: Shared

  constructor(shared: Shared, actor: Actor) {
    this.#shared = shared
    this.now = shared.now
    this.actor = actor
    this.request = shared.request
    this.surroundings = shared.surroundings
    this.again = shared.again
  }

  async many<Row>(statement: Statement<Row>, parameters: Parameters = {}): Promise<Row[]> {
    const result = await this.#send(statement, parameters)
    return result.rows as Row[]
  }

  async find<Row>(statement: Statement<Row>, parameters: Parameters = {}): Promise<Row | null> {
    const [row] = await this.many(statement, parameters)
    return row ?? null
  }

  /** One row; where there is none, a 404 that names what was looked for. */
  async get<Row>(statement: Statement<Row>, parameters: Parameters, what: string): Promise<Row> {
    const row = await this.find(statement, parameters)
    if (!row) throw notFound(what)
    return row
  }

  /** Reads the record that this request changes, for update, and holds If-Match against its version. */
  async lock<Row extends { version: number }>(statement: Statement<Row>, parameters: Parameters, what: string): Promise<Row> {
    const row = await this.get(statement, parameters, what)
    this.checkMatch(row.version)
    return row
  }

  /** For records that are locked in another way than through `lock`. */
  checkMatch(version: number): void {
    const expected = this.#shared.if_match
    this.#shared.if_match = null
    if (expected === null || expected === '*') return
    const tags = expected.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    if (!tags.includes(etag(version))) throw stale()
  }

  /** Runs a write and waits for it: the number of rows it touched. */
  async run(statement: Statement, parameters: Parameters = {}): Promise<number> {
    return (await this.#send(statement, parameters)).count
  }

  /** Sends a write without waiting: it travels with the commit, which fails if it fails. */
  queue(statement: Statement, parameters: Parameters = {}): void {
    const sent = this.#send(statement, parameters)
    sent.catch(() => {}) // reported by settle()
    this.#shared.pending.push(sent)
  }

  /**
   * Sends a write that travels with the commit and returns rows: `apply` puts what they say into what the operation has returned, which is
   * therefore answered only when the transaction has ended. Where the answer is kept (an idempotency key), there is no such time.
   */
  late<Row>(statement: Statement<Row>, parameters: Parameters, apply: (rows: Row[]) => void): void {
    const sent = this.#send(statement, parameters).then(({ rows }) => apply(rows as Row[]))
    sent.catch(() => {}) // reported by settle()
    this.#shared.pending.push(sent)
    this.#shared.late = true
  }

  /** Puts a change into the history of any business, in this commit: for what reaches several. Inside a business, `record` is the way. */
  recordIn<R extends Resource>(business_id: string, resource: R, event: R['events'][number], change: Change, actor: Actor = this.actor): void {
    const { elsewhere } = this.#shared
    const row = historyRow({ now: this.now, actor, request: this.request }, resource, event, change)
    elsewhere.set(business_id, [...(elsewhere.get(business_id) ?? []), row])
  }

  /** Whether the answer must wait for the end of the transaction. */
  get isLate(): boolean {
    return this.#shared.late
  }

  /** One transaction at a time beyond this point for this name; for rules over several rows that no constraint can hold. */
  async exclusive(name: string): Promise<void> {
    await this.run(lockName, { name })
  }

  /** For the few that read or write a whole business: years of books take longer than a request may. */
  async waitAsLongAsItTakes(): Promise<void> {
    await this.run(noTimeout)
  }

  page<Item extends TObject>(list: List<Item>, query: PageQuery): Promise<Page<Static<Item>>> {
    return readPage(this, list, query)
  }

  /** Adds a job that runs after, and only if, this transaction commits. */
  enqueue(task: string, payload: object, options: JobOptions = {}): void {
    this.queue(enqueueJob, { task, payload: JSON.stringify(payload), ...withDefaults(options) })
  }

  /** The person who acts; only for calls that always have one. */
  get user_id(): string {
    if (this.actor.user_id === null) throw new Error('This transaction has no user.')
    return this.actor.user_id
  }

  /** Sends what is still to be written, then `ending`, in one flight. */
  async settle(ending: 'commit' | 'rollback'): Promise<void> {
    if (this.#shared.if_match !== null && ending === 'commit') throw stale('If-Match does not apply to this operation.')
    this.flush()
    this.#flushElsewhere()
    // A dry run meets the deferred constraints too, so that it refuses what the real call would refuse.
    const check = ending === 'rollback' ? sendText(this.#shared.client, 'set constraints all immediate') : null
    const ended = sendText(this.#shared.client, ending)
    ended.catch(() => {})
    check?.catch(() => {})
    for (const sent of this.#shared.pending) await sent
    await check
    const done = await ended
    if (done !== ending.toUpperCase()) throw new Error(`The transaction ended with ${done} instead of ${ending}.`)
  }

  /** The error that broke the transaction: a statement sent behind a failed one only says that it came too late. */
  async cause(error: unknown): Promise<unknown> {
    const { code, cause } = error as { code?: string; cause?: unknown }
    if (code !== SKIPPED) return error
    if (cause) return cause
    const settled = await Promise.allSettled(this.#shared.pending)
    const first = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    return first ? first.reason : error
  }

  /** In the order of ids, so that two who tell the same businesses do not wait for each other in a circle. */
  #flushElsewhere(): void {
    for (const [business_id, rows] of [...this.#shared.elsewhere].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const set = sendText(this.#shared.client, tenantIs(business_id))
      set.catch(() => {})
      this.#shared.pending.push(set)
      this.queue(appendHistory, { business_id, ...eachOf(rows) })
    }
  }

  /** Overridden where a transaction keeps history. */
  protected flush(): void {}

  /** The values that statements may name without the caller passing them. */
  protected own(name: string): SqlValue | undefined {
    if (name === 'now') return this.now
    if (name === 'actor_id') return this.actor.user_id
    return undefined
  }

  #send(statement: Statement, parameters: Parameters): Promise<Outcome> {
    const values = statement.parameters.map((name) => {
      const value = parameters[name] ?? (name in parameters ? null : this.own(name))
      if (value === undefined) throw new Error(`Parameter ${name} is missing: ${statement.text}`)
      return value
    })
    if (this.#shared.closed) throw new Error('A statement was sent after its transaction had ended.')
    return send(this.#shared.client, statement, values)
  }
}

/** A transaction of one business: row-level security shows its rows only, and every statement names it besides. */
export class BusinessTx extends Tx {
  readonly business: Business
  readonly business_id: string
  readonly #history: HistoryRow[] = []
  readonly #shared: Shared
  #today: string | null = null

  constructor(shared: Shared, actor: Actor, business: Business) {
    super(shared, actor)
    this.#shared = shared
    this.business = business
    this.business_id = business.id
  }

  /** The date of now where the business is. */
  get today(): string {
    this.#today ??= today(new Date(this.now), this.business.timezone)
    return this.#today
  }

  /**
   * Works in another business in this same transaction and comes back: both are changed, or neither, and each has its own history.
   * Nobody else's work may be under way here meanwhile, and who acts there is the caller's to answer for.
   */
  async beside<T>(business: Business, actor: Actor, work: (tx: BusinessTx) => Promise<T>): Promise<T> {
    const other = new BusinessTx(this.#shared, actor, business)
    this.#turnTo(business.id)
    try {
      const result = await work(other)
      other.flush()
      return result
    } finally {
      this.#turnTo(this.business_id)
    }
  }

  /**
   * Does a part of the work that may fail by itself: where it does, what it wrote is undone, and the transaction goes on. With `undo` it is undone in
   * any case, when every constraint has been looked at: all that is left is its answer. Nobody else's work may be under way here meanwhile.
   */
  async apart<T>(work: (tx: BusinessTx) => Promise<T>, undo = false): Promise<T> {
    const { client, elsewhere } = this.#shared
    const own: Shared = { ...this.#shared, pending: [], elsewhere: new Map(), if_match: null }
    const part = new BusinessTx(own, this.actor, this.business)
    const goBack = () => {
      depart(client)
      return sendText(client, 'rollback to savepoint part')
    }
    await sendText(client, 'savepoint part')
    try {
      const result = await work(part)
      if (undo) own.pending.push(sendText(client, 'set constraints all immediate'))
      await Promise.all(own.pending)
      if (undo) await goBack()
      else {
        await sendText(client, 'release savepoint part')
        this.#history.push(...part.#history)
        for (const [business_id, rows] of own.elsewhere) elsewhere.set(business_id, [...(elsewhere.get(business_id) ?? []), ...rows])
      }
      return result
    } catch (error) {
      const cause = await part.cause(error)
      await goBack().catch(() => {}) // the connection is gone then, and the cause says so
      throw cause
    }
  }

  /** What a constraint has put off is held against the rows of the business it is of, so it is looked at before they are out of sight. */
  #turnTo(business_id: string): void {
    for (const text of ['set constraints all immediate', 'set constraints all deferred', tenantIs(business_id)]) {
      const turned = sendText(this.#shared.client, text)
      turned.catch(() => {}) // met again when the transaction settles
      this.#shared.pending.push(turned)
    }
  }

  /** Puts a change into the audit trail and, as an event of that name, into the log; both commit with it. */
  record<R extends Resource>(resource: R, event: R['events'][number], change: Change): void {
    this.#history.push(historyRow(this, resource, event, change))
  }

  protected override flush(): void {
    // In pieces: what one call takes grows with the square of its changes.
    for (let from = 0; from < this.#history.length; from += MOST_CHANGES) {
      this.queue(this.isLate ? appendLateHistory : appendHistory, eachOf(this.#history.slice(from, from + MOST_CHANGES)))
    }
  }

  protected override own(name: string): SqlValue | undefined {
    if (name === 'business_id') return this.business_id
    return name === 'today' ? this.today : super.own(name)
  }
}

/** A transaction of a signed-in caller outside any business. */
export class UserTx extends Tx {
  readonly kind = 'user'
  readonly #enter: (actor: Actor, business: Business) => BusinessTx

  constructor(shared: Shared, actor: Actor, enter: (actor: Actor, business: Business) => BusinessTx) {
    super(shared, actor)
    this.#enter = enter
  }

  /** Goes on inside a business where this transaction has just given the caller that role: what comes from here on is in its history. */
  enter(business: Business, role: string): BusinessTx {
    return this.#enter({ ...this.actor, role }, business)
  }
}

/** A transaction of nobody in particular: sign-up, sign-in, public links. */
export class PublicTx extends Tx {
  readonly kind = 'public'
  readonly #enter: (actor: Actor, business: Business) => BusinessTx

  constructor(shared: Shared, actor: Actor, enter: (actor: Actor, business: Business) => BusinessTx) {
    super(shared, actor)
    this.#enter = enter
  }

  /** Goes on inside the business that a mailed or public token opens, as the one whom the token speaks for. */
  enter(business: Business, actor: Actor): BusinessTx {
    return this.#enter(actor, business)
  }
}

const MOST_CHANGES = 500

function eachOf(rows: readonly HistoryRow[]) {
  const each = <K extends keyof HistoryRow>(name: K) => rows.map((row) => row[name])
  return { event_ids: each('event_id'), contents: each('content'), data: each('data') }
}

/** `set local` with the id as a literal, not set_config(): the literal form also reaches the nodes of a distributed database. */
export function tenantIs(business_id: string): string {
  if (!isUuid(business_id)) throw new Error('A tenant is named by a UUID.')
  return `set local app.business_id = '${business_id}'`
}

export function etag(version: number): string {
  return `"${version}"`
}

function withDefaults(options: JobOptions) {
  return { job_key: options.job_key ?? null, run_at: options.run_at ?? null, max_attempts: options.max_attempts ?? 25, queue_name: options.queue_name ?? null }
}
