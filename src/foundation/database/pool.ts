// Connections to PostgreSQL: pipelined, in UTC, under the role that cannot bypass row-level security. The last one given
// back is the first one taken, so that few are used while few are needed; who finds none waits in line, up to a limit.
import pg from 'pg'
import { unavailable } from '../refusal.ts'
import { valueTypes } from './values.ts'

export const APP_ROLE = 'daybook_app'

export type PoolOptions = {
  url: string
  max: number
  /** How many may wait for a connection before the next is turned away. */
  max_waiting: number
  statement_timeout_ms: number
  on_error: (error: Error) => void
}

export type Pool = {
  /** A free connection at once, or later; a 503 where there is none to be had. */
  connect(): pg.Client | Promise<pg.Client>
  /** Gives a connection back; a broken one is thrown away. */
  release(client: pg.Client, broken: boolean): void
  end(): Promise<void>
  readonly stats: { total: number; idle: number; waiting: number }
}

const CONNECT_MS = 5_000
const IDLE_MS = 60_000

type Waiting = { resolve: (client: pg.Client) => void; reject: (error: Error) => void }

/** The pool that serves requests and jobs. */
export function openPool(options: PoolOptions): Pool {
  const idle: { client: pg.Client; since: number }[] = []
  const open = new Set<pg.Client>()
  const waiting: Waiting[] = []
  let opening = 0
  let ended = false

  const drop = (client: pg.Client): void => {
    if (!open.delete(client)) return
    const place = idle.findIndex((entry) => entry.client === client)
    if (place >= 0) idle.splice(place, 1)
    client.end().catch(() => {})
    if (waiting.length > 0 && !ended) add()
  }

  /** Opens one more for whoever waits first; where that fails, everybody who waits is told. */
  const add = (): void => {
    opening += 1
    openClient(options, drop)
      .then((client) => {
        opening -= 1
        open.add(client)
        give(client)
      })
      .catch((error: Error) => {
        opening -= 1
        options.on_error(error)
        for (const { reject } of waiting.splice(0)) reject(unavailable('The database is not available right now. Try again in a moment.', 2))
      })
  }

  const give = (client: pg.Client): void => {
    if (ended) return drop(client)
    const next = waiting.shift()
    if (next) next.resolve(client)
    else idle.push({ client, since: performance.now() })
  }

  const shrinking = setInterval(() => {
    while (idle[0] && performance.now() - idle[0].since > IDLE_MS) drop(idle[0].client)
  }, IDLE_MS / 4)
  shrinking.unref()

  return {
    connect() {
      const entry = idle.pop()
      if (entry) return entry.client
      // Those for whom a connection may be, or is being, opened do not count as waiting.
      const full = open.size + opening >= options.max
      if (ended || (full && waiting.length - opening >= options.max_waiting)) throw unavailable('The service is busy. Try again in a moment.', 1)
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        if (open.size + opening < options.max) add()
      })
    },
    release: (client, broken) => (broken ? drop(client) : open.has(client) && give(client)),
    async end() {
      ended = true
      clearInterval(shrinking)
      for (const { reject } of waiting.splice(0)) reject(unavailable('The service is stopping. Try again in a moment.', 1))
      await Promise.all([...open].map((client) => client.end().catch(() => {})))
    },
    get stats() {
      return { total: open.size, idle: idle.length, waiting: waiting.length }
    },
  }
}

async function openClient(options: PoolOptions, drop: (client: pg.Client) => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: options.url,
    pipeline: true,
    types: valueTypes,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'daybook',
    options: sessionOptions({
      role: APP_ROLE,
      statement_timeout: String(options.statement_timeout_ms),
      lock_timeout: String(Math.min(10_000, options.statement_timeout_ms)),
      idle_in_transaction_session_timeout: String(options.statement_timeout_ms * 2),
    }),
  } as pg.ClientConfig)
  client.on('error', (error) => {
    options.on_error(error)
    drop(client)
  })
  client.on('end', () => drop(client))
  await client.connect()
  return client
}

/** One connection as the owner of the schema, for migrations, backups and checks; the caller ends it. */
export async function connectAsOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types: valueTypes, application_name: 'daybook-owner', options: sessionOptions({}) })
  // A server that goes away fails the query that runs; without a listener it would end the program with a stack instead.
  client.on('error', () => {})
  await client.connect()
  return client
}

function sessionOptions(values: Record<string, string>): string {
  return Object.entries({ timezone: 'UTC', ...values }).map(([name, value]) => `-c ${name}=${value}`).join(' ')
}
