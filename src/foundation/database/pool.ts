// Connections to PostgreSQL: pipelined, in UTC, under the role that cannot bypass row-level security.
import pg from 'pg'
import { unavailable } from '../refusal.ts'
import { valueTypes } from './values.ts'

export const APP_ROLE = 'daybook_app'

export type PoolOptions = {
  url: string
  max: number
  /** How many requests may wait for a connection before the next is turned away. */
  max_waiting: number
  statement_timeout_ms: number
  on_error: (error: Error) => void
}

export type Pool = {
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
  readonly stats: { total: number; idle: number; waiting: number }
}

/** The pool that serves requests and jobs. */
export function openPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    pipeline: true,
    types: valueTypes,
    keepAlive: true,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 5_000,
    application_name: 'daybook',
    options: sessionOptions({
      role: APP_ROLE,
      statement_timeout: String(options.statement_timeout_ms),
      lock_timeout: String(Math.min(10_000, options.statement_timeout_ms)),
      idle_in_transaction_session_timeout: String(options.statement_timeout_ms * 2),
    }),
  } as pg.PoolConfig)
  pool.on('error', options.on_error)
  return {
    async connect() {
      if (pool.waitingCount >= options.max_waiting) throw unavailable('The service is busy. Try again in a moment.', 1)
      try {
        return await pool.connect()
      } catch (error) {
        options.on_error(error as Error)
        throw unavailable('The database is not available right now. Try again in a moment.', 2)
      }
    },
    end: () => pool.end(),
    get stats() {
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
    },
  }
}

/** One connection as the owner of the schema, for migrations, backups and checks; the caller ends it. */
export async function connectAsOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types: valueTypes, application_name: 'daybook-owner', options: sessionOptions({}) })
  await client.connect()
  return client
}

function sessionOptions(values: Record<string, string>): string {
  return Object.entries({ timezone: 'UTC', ...values }).map(([name, value]) => `-c ${name}=${value}`).join(' ')
}
