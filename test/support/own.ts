// A database of one's own, with a service on it, for tests that stop things, run workers or count everything there is.
import { access, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/foundation/database/migrate.ts'
import { newId } from '../../src/foundation/ids.ts'
import { hashToken, randomToken } from '../../src/foundation/secrets.ts'
import { client, type Client } from './client.ts'
import { startService, type Service } from './service.ts'

export type Sql = (text: string, values?: unknown[]) => Promise<any[]>

/** SQL as the owner of the schema, on a connection that is opened and closed for it: it may be used while the server comes and goes. */
export async function sqlOnce(url: string, text: string, values: unknown[] = []): Promise<any[]> {
  const connection = await connectTo(url)
  try {
    return (await connection.query(text, values)).rows
  } finally {
    await connection.end().catch(() => {})
  }
}

/** A connection that holds a transaction open, say; the caller ends it. */
export async function connectTo(url: string): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString: url })
  connection.on('error', () => {})
  await connection.connect()
  return connection
}

/** An empty database on the server of this run. */
export async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('database_url')
  const name = `own_${newId().replaceAll('-', '')}`
  await sqlOnce(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: async () => void (await sqlOnce(server, `drop database ${name} with (force)`)) }
}

export type Own = Service & { database_url: string; sql: Sql; owner(): Promise<Owner>; stop(): Promise<void> }
export type Owner = { user_id: string; business_id: string; email: string; token: string; client: Client }

/** A migrated database of its own on the server of this run, and a service on it. */
export async function ownService(environment: Record<string, string> = {}): Promise<Own> {
  const database = await emptyDatabase()
  await migrate({ url: database.url })
  const own = await serviceOn(database.url, environment)
  return { ...own, stop: async () => (await own.stop(), await database.drop()) }
}

/** A service on this database, which has its schema. */
export async function serviceOn(database_url: string, environment: Record<string, string> = {}): Promise<Own> {
  const service = await startService(environment, database_url)
  const sql: Sql = (text, values) => sqlOnce(database_url, text, values)
  return { ...service, database_url, sql, owner: () => newOwner(service.url, sql), stop: () => service.program.stop() }
}

/** A person with a session, and their business. */
async function newOwner(url: string, sql: Sql): Promise<Owner> {
  const user_id = newId()
  const email = `${user_id}@example.com`
  const token = randomToken('dbs_')
  await sql(
    `with person as (insert into users (id, email, name, password_hash, status, email_verified_at, password_changed_at, created_at, updated_at, version)
       values ($1, $2, 'Olive Owner', '', 'active', now(), now(), now(), now(), 1))
     insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, reauthenticated_at) values ($3, $1, $4, now(), now(), now() + interval '90 days', now())`,
    [user_id, email, newId(), hashToken(token)])
  const created = await client(token, null, url).post('/businesses', { name: 'Test Trading' })
  if (created.status !== 201) throw new Error(`The business was not created: ${JSON.stringify(created.body)}`)
  const business_id: string = created.data.id
  return { user_id, business_id, email, token, client: client(token, business_id, url) }
}

/** A folder for this test file, in memory where there is such a place; others may pass through it. */
export async function newFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const memory = await access('/dev/shm').then(() => '/dev/shm', () => tmpdir())
  const path = await mkdtemp(join(memory, 'daybook-own-'))
  await chmod(path, 0o711)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
