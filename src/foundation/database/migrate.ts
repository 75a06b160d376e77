// Forward-only migrations: numbered SQL files, each in its own transaction, checked by checksum, one migrator at a time.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { runMigrations } from 'graphile-worker'
import { APP_ROLE, connectAsOwner } from './pool.ts'

export type Migration = { version: number; name: string; checksum: string; sql: string }

export type MigrateOptions = {
  url: string
  /** Stop after this version: a restore rebuilds the schema as it was. */
  up_to?: number
  log?: (line: string) => void
  folder?: URL
}

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
const LOCK = 4_077_233_101

/** Applies what is missing and returns the versions it applied. */
export async function migrate(options: MigrateOptions): Promise<number[]> {
  const client = await connectAsOwner(options.url)
  try {
    await requireVersion(client)
    // Two servers that start at once: the second waits here, then finds nothing to do.
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await createRole(client)
    await migrateJobQueue(options.url)
    return await applyMissing(client, options)
  } finally {
    await client.end()
  }
}

/** With connections of our own, closed before anything goes on: one left open by the library would break when the database is stopped. */
async function migrateJobQueue(url: string): Promise<void> {
  const pgPool = new pg.Pool({ connectionString: url, max: 2 })
  // A query that fails says so itself.
  pgPool.on('error', () => {})
  pgPool.on('connect', (client) => client.on('error', () => {}))
  try {
    await runMigrations({ pgPool })
  } finally {
    await pgPool.end()
  }
}

export async function readMigrations(folder: URL = MIGRATIONS): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(files.map(async (file) => {
    const sql = await readFile(new URL(file, folder), 'utf8')
    const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
    if (!digits || !name) throw new Error(`${file} is not named like 0001_what_it_does.sql.`)
    return { version: Number(digits), name, checksum: createHash('sha256').update(sql).digest('hex'), sql }
  }))
}

/** The newest version that the code knows; the server is ready only when the database has it. */
export async function latestVersion(): Promise<number> {
  return (await readMigrations()).at(-1)?.version ?? 0
}

/** For commands that work on a schema and do not change it: it must be there, and be the one that this program knows. */
export async function requireSchema(url: string): Promise<void> {
  const client = await connectAsOwner(url)
  try {
    const { rows: [found] } = await client.query<{ there: boolean }>("select to_regclass('schema_migrations') is not null as there")
    const { rows } = found?.there ? await client.query<{ version: number }>('select coalesce(max(version), 0) as version from schema_migrations') : { rows: [] }
    const [version, expected] = [rows[0]?.version ?? 0, await latestVersion()]
    if (version !== expected) throw new Error(`The database is at migration ${version}, this program needs ${expected}: run daybook migrate.`)
  } finally {
    await client.end()
  }
}

async function applyMissing(client: pg.Client, { up_to = Infinity, log = () => {}, folder }: MigrateOptions): Promise<number[]> {
  await client.query(`create table if not exists schema_migrations (
    version int primary key, name text not null, checksum text not null, applied_at timestamptz(3) not null default now())`)
  await client.query(`grant select on schema_migrations to ${APP_ROLE}`)
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>('select version, name, checksum from schema_migrations order by version')
  const migrations = await readMigrations(folder)
  requireKnown(rows, migrations)
  const applied: number[] = []
  for (const migration of migrations.slice(rows.length)) {
    if (migration.version > up_to) break
    log(`Migrating to ${String(migration.version).padStart(4, '0')} ${migration.name.replaceAll('_', ' ')}`)
    await applyOne(client, migration)
    applied.push(migration.version)
  }
  return applied
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [migration.version, migration.name, migration.checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.version} (${migration.name}) failed: ${(error as Error).message}`, { cause: error })
  }
}

/** The applied ones must be the first of ours, to the letter: a changed file or a newer database is not ours to touch. */
function requireKnown(applied: { version: number; name: string; checksum: string }[], known: Migration[]): void {
  applied.forEach((row, index) => {
    const mine = known[index]
    if (!mine || mine.version !== row.version) throw new Error(`The database has migration ${row.version} (${row.name}), which this version of Daybook does not know. Use a newer Daybook.`)
    if (mine.checksum !== row.checksum) throw new Error(`Migration ${row.version} (${row.name}) was changed after it was applied. Put the file back as it was and add a new migration instead.`)
  })
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version")
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major < 15) throw new Error(`PostgreSQL ${major} is too old: Daybook needs version 15 or later.`)
}

/** The role under which requests run. Roles belong to the whole server, so another database may be creating it at this moment. */
async function createRole(client: pg.Client): Promise<void> {
  await client.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${APP_ROLE}') then create role ${APP_ROLE} nologin; end if;
    exception when duplicate_object or unique_violation then null; end $$`)
  const { rows } = await client.query<{ unsafe: boolean; member: boolean }>(
    `select rolsuper or rolbypassrls as unsafe, pg_has_role(current_user, '${APP_ROLE}', 'member') as member from pg_roles where rolname = '${APP_ROLE}'`)
  if (rows[0]?.unsafe) throw new Error(`The role ${APP_ROLE} can bypass row-level security. Run: alter role ${APP_ROLE} nosuperuser nobypassrls`)
  if (!rows[0]?.member) await client.query(`grant ${APP_ROLE} to current_user`)
}
