// An endpoint is data: what it takes, what it answers and who may call it. The server, the OpenAPI document and the
// generated tests all read the same value, so nothing is declared twice.
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import type { Surroundings } from './database/context.ts'
import type { BusinessTx, PublicTx, Tx, UserTx } from './database/transaction.ts'
import type { Message } from './message.ts'
import type { Permission } from './permission.ts'
import type { Refusal } from './refusal.ts'
import { boolean, integer, list, nullable, oneOf, optional, shape, text } from './shapes.ts'

/** business: acts on one business (header or path). user: needs a caller, no business. public: needs neither. */
export type Scope = 'business' | 'user' | 'public'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type None = TObject<{}>
const none: None = Type.Object({})

export type Endpoint<S extends Scope = Scope, P extends TSchema = TSchema, Q extends TSchema = TSchema, B extends TSchema = TSchema, R extends TSchema = TSchema> = {
  /** The operation id: snake_case, unique, stable. */
  id: string
  method: Method
  /** Below /api/v1, parameters in braces. */
  path: string
  /** The group it belongs to: the first word of the path unless said otherwise. */
  group: string
  summary: string
  description: string
  scope: S
  /** What the caller must hold; null where being signed in (or, for public ones, nothing) is enough. */
  permission: Permission | null
  /** Needs a sign-in or reauthentication less than 10 minutes old; tokens and grants never pass. */
  fresh: boolean
  /** Only a person with a session may call it: a token or a grant gets a 403. */
  session: boolean
  /** The answer holds a secret shown once: kept sealed for an idempotent replay, never logged. */
  secret: boolean
  /** Still works on a business that is archived, awaiting deletion or read-only for lack of payment. */
  allow_read_only: boolean
  /** The body carries a file: it may be as large as the setting for files says, instead of that for JSON. */
  large_body: boolean
  /** Takes files: one in a body of JSON, as `file_name` and `content_base64`, or several in a form, whose other fields are the other members of the body. */
  files: boolean
  /** Shows figures that change without a change of the record itself, as balances do: never answered with 304. */
  live: boolean
  /** Called by a provider with a signed message: taken as bytes, answered 200 without envelope. */
  inbound: boolean
  /**
   * An endpoint of OAuth, beside `inbound`: these are the fields of the form that it takes. Its own code reads them, because it says no in the way
   * of that standard, with {error, error_description}.
   */
  form: TSchema | null
  /** Calls per minute and address for public endpoints; null: the general limit only. */
  limit_per_minute: number | null
  /**
   * The path parameter that is the token of a public link. Calls are then counted by link and address, whichever of its endpoints they are for;
   * what is answered is kept by no cache, found by no search engine, and its address is told to nobody.
   */
  by_link: string | null
  params: P
  query: Q
  body: B | null
  reply: R
  /** What 400 means here, a sentence each, for the reference. */
  refusals: string[]
  /** A body that works, shown in the reference and used by the generated tests. */
  example: Static<B> | null
}

type Optional = 'files' | 'live' | 'inbound' | 'form' | 'group' | 'description' | 'fresh' | 'session' | 'secret' | 'allow_read_only' | 'large_body' | 'limit_per_minute' | 'by_link' | 'params' | 'query' | 'body' | 'refusals' | 'example'
type Given<S extends Scope, P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> =
  Omit<Endpoint<S, P, Q, B, R>, Optional> & Partial<Pick<Endpoint<S, P, Q, B, R>, Optional>>

export function endpoint<S extends Scope, R extends TSchema, P extends TSchema = None, Q extends TSchema = None, B extends TSchema = never>(
  given: Given<S, P, Q, B, R>,
): Endpoint<S, P, Q, B, R> {
  return {
    group: given.path.split('/')[1] ?? '',
    description: '',
    fresh: false,
    session: false,
    secret: false,
    allow_read_only: given.method === 'GET',
    large_body: given.files ?? false,
    files: false,
    live: false,
    inbound: false,
    form: null,
    limit_per_minute: null,
    by_link: null,
    params: none as unknown as P,
    query: none as unknown as Q,
    body: null,
    refusals: [],
    example: null,
    ...given,
  }
}

type InGroup<S extends Scope, P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> =
  Omit<Given<S, P, Q, B, R>, 'group' | 'scope' | 'permission'> & Partial<Pick<Given<S, P, Q, B, R>, 'permission'>>

/** The endpoints of one group: paths are below its word, reading needs `<group>:read` and everything else `<group>:write`, unless said otherwise. */
export function endpointsOf<S extends Scope>(group: string, scope: S) {
  return <R extends TSchema, P extends TSchema = None, Q extends TSchema = None, B extends TSchema = never>(given: InGroup<S, P, Q, B, R>): Endpoint<S, P, Q, B, R> =>
    endpoint<S, R, P, Q, B>({
      permission: `${group}:${given.method === 'GET' ? 'read' : 'write'}`,
      ...given,
      scope,
      path: `/${group}${given.path}`,
    } as Given<S, P, Q, B, R>)
}

/** The query of every list: the paging parameters of the contract, the sorts of this list and its filters. */
export function listQuery<const Sorts extends readonly [string, ...string[]], F extends Record<string, TSchema> = {}>(sorts: Sorts, filters: F = {} as F, default_limit = 50) {
  return Type.Object({
    limit: optional(integer(1, 1000, { default: default_limit, description: 'Items per page.' })),
    cursor: optional(Type.String({ maxLength: 2000, description: 'next_cursor or prev_cursor of a page before.' })),
    direction: optional(oneOf(['next', 'prev'], { default: 'next' })),
    sort_by: optional(oneOf(sorts, { default: sorts[0] })),
    descending: optional(boolean({ default: true })),
    include_total_count: optional(boolean({ default: false, description: 'Also count all matches (expensive).' })),
    ...filters,
  })
}

/** One page of a list, as the contract says. */
export function pageOf<T extends TSchema>(item: T) {
  const title = (item as { title?: string }).title
  return shape(title ? `${title}Page` : 'Page', {
    items: list(item),
    next_cursor: nullable(Type.String()),
    prev_cursor: nullable(Type.String()),
    has_next: boolean(),
    has_prev: boolean(),
    limit: integer(1, 1000),
    total: nullable(integer(0)),
  })
}

type TxOf<S extends Scope> = S extends 'business' ? BusinessTx : S extends 'user' ? UserTx : PublicTx
export type Input<E> = E extends Endpoint<Scope, infer P, infer Q, infer B, TSchema>
  ? { params: Static<P>; query: Static<Q>; body: [B] extends [never] ? null : Static<B>; files: readonly GivenFile[] }
  : never

/** A file as a caller sent it: neither its name nor its content is to be believed. */
export type GivenFile = { name: string; content: Buffer }

/** The members of a body that carry its file. */
export const fileInput = {
  file_name: text(1, 255, { description: 'With the ending that its content has.' }),
  content_base64: text(0, 400_000_000, { description: 'The file in base64.' }),
}

/** An endpoint with the operation that serves it. */
export type Route = {
  endpoint: Endpoint
  run: (tx: never, input: never) => Promise<unknown>
  /** Where the answer needs somebody outside; `run` is then the last step. */
  steps?: Steps<never, never, never, never, unknown>
}

/**
 * An answer that needs somebody outside: what is needed is read and checked in one transaction, the call is made in none, and
 * what came of it is written in another, which must check again what may have changed meanwhile. In a dry run nothing leaves
 * the service: no call is made and nothing was found, unless `rehearse` finds something without leaving it.
 */
export type Steps<X, I, Plan, Found, Reply> = {
  read(tx: X, input: I): Promise<Plan>
  call(surroundings: Surroundings, plan: Plan): Promise<Found>
  rehearse?(surroundings: Surroundings, plan: Plan): Promise<Found>
  write(tx: X, input: I, plan: Plan, found: Found | null): Promise<Reply>
}

/**
 * Ties a contract to its operation: a group's routes.ts is a list of these, one line each. A refusal that is thrown undoes
 * everything; one that is returned is answered after the commit, for the few cases (a failed sign-in) that must leave a trace.
 */
export function on<S extends Scope, P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
  served: Endpoint<S, P, Q, B, R>,
  run: (tx: TxOf<S>, input: Input<Endpoint<S, P, Q, B, R>>) => Promise<Static<R> | Download | Stream<TxOf<S>> | Refusal>,
): Route {
  return { endpoint: served as unknown as Endpoint, run: run as unknown as Route['run'] }
}

/** The same for an operation that needs somebody outside. */
export function onOutside<S extends Scope, P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema, Plan, Found>(
  served: Endpoint<S, P, Q, B, R>,
  steps: Steps<TxOf<S>, Input<Endpoint<S, P, Q, B, R>>, Plan, Found, Static<R> | Download>,
): Route {
  const run = () => Promise.reject(new Error(`${served.id} runs in steps.`))
  return { endpoint: served as unknown as Endpoint, run, steps: steps as unknown as NonNullable<Route['steps']> }
}

/** The same for an inbound endpoint. */
export function onMessage<R extends TSchema>(served: Endpoint<'public', TSchema, TSchema, TSchema, R>, run: (tx: PublicTx, message: Message) => Promise<Static<R> | Refusal>): Route {
  return { endpoint: served as unknown as Endpoint, run: run as unknown as Route['run'] }
}

/** The same for an inbound endpoint that needs somebody outside. */
export function onMessageOutside<R extends TSchema, Plan, Found>(
  served: Endpoint<'public', TSchema, TSchema, TSchema, R>, steps: Steps<PublicTx, Message, Plan, Found, Static<R>>,
): Route {
  const run = () => Promise.reject(new Error(`${served.id} runs in steps.`))
  return { endpoint: served as unknown as Endpoint, run, steps: steps as unknown as NonNullable<Route['steps']> }
}

/** Bytes that lie elsewhere and are read as the client takes them, also in part. `tag` changes when they do. */
export type StoredBody = { size: number; tag: string; read(range?: { start: number; end: number }): AsyncIterable<Uint8Array> }

/**
 * What a download consists of. One that is too large to be held is given as parts, made as the client takes them: the transaction
 * of the request is over by then, so they are read in ones of their own, of the same caller in the same business.
 */
export type Body = Buffer | NodeJS.ReadableStream | StoredBody | ((read: Channel<BusinessTx>['read']) => AsyncIterable<string>)

/** A non-JSON answer: PDF, CSV and the like. */
export class Download {
  readonly content_type: string
  readonly file_name: string
  readonly body: Body
  constructor(content_type: string, file_name: string, body: Body) {
    this.content_type = content_type
    this.file_name = file_name
    this.body = body
  }
}

/** What a stream has to work with once the head of the answer is sent. */
export type Channel<X extends Tx> = {
  /** Waits while the client reads more slowly than the stream writes. */
  send(event: { id: string; event: string; data: unknown }): Promise<void>
  /** Reads in a transaction of its own, as the same caller with every check of the request anew: it refuses once the credential is revoked. */
  read<T>(work: (tx: X) => Promise<T>): Promise<T>
  /** Where a client that comes back left off. */
  last_event_id: string | null
  ended: AbortSignal
}

/** A server-sent event stream that outlives the transaction: `follow` runs until it returns, is refused, or the client goes. */
export class Stream<X extends Tx = BusinessTx> {
  readonly follow: (channel: Channel<X>) => Promise<void>
  constructor(follow: (channel: Channel<X>) => Promise<void>) {
    this.follow = follow
  }
}
