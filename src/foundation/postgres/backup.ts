// Backup and restore of all data as one file, by COPY alone, so that it works between any servers from PostgreSQL 15 on.
//
// Only tables of the schema public are carried. Queued jobs (schema graphile_worker) are left behind on purpose:
// their layout belongs to that library's version, and a restored copy must not send mail the original has sent already.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { BackupError, type Manifest, readBackup, type TableHeader, type TableRecord, writeBackup } from './backup-file.ts'
import { fixSession, hasMigrationsTable, listActiveTriggers, listForeignKeys, listMigrations, listSequences, listTables, qualified, type Table } from './catalog.ts'

export type Progress = { table: string; rows: number; done: number; total: number }

export type BackupOptions = {
  url: string
  file: string
  log?(message: string): void
  on_progress?(progress: Progress): void
}

export type RestoreOptions = {
  url: string
  file: string
  /** Builds the schema of exactly that migration in the empty database. */
  migrate(url: string, up_to_version: number): Promise<void>
  on_progress?(progress: Progress): void
}

/** Reads one moment of the database while others go on writing; the file appears only when it is complete. */
export async function backupDatabase(options: BackupOptions): Promise<Manifest> {
  return withClient(options.url, async (client) => {
    await client.query('begin transaction isolation level repeatable read, read only')
    await fixSession(client)
    if (!(await hasMigrationsTable(client))) throw new BackupError('This database holds no Daybook data, so there is nothing to back up.')
    const migrations = await listMigrations(client)
    const tables = await listTables(client)
    // Held until the end, so that no migration changes a table between the first and the last one read.
    if (tables.length > 0) await client.query(`lock table ${tables.map(({ name }) => qualified(name)).join(', ')} in access share mode`)
    await requireFullSight(client, tables)
    const created_at = new Date().toISOString()
    const server_version = await readServerVersion(client)

    const manifest = await writeBackup(options.file, async function* (writeTable) {
      const records: TableRecord[] = []
      for (const table of tables) {
        const stream = client.query(copyTo(`copy ${qualified(table.name)} (${columnList(table.columns)}) to stdout`))
        const record = yield* writeTable({ table: table.name, columns: table.columns }, stream)
        records.push(record)
        options.on_progress?.({ table: table.name, rows: record.rows, done: records.length, total: tables.length })
      }
      // Counters do not belong to the snapshot; read last, they are never behind the rows.
      return { product: 'daybook', created_at, server_version, migrations, tables: records, sequences: await listSequences(client) }
    })
    await client.query('commit')
    options.log?.(`Backed up ${manifest.tables.length} tables to ${options.file}.`)
    return manifest
  })
}

/** The file is read to its end once before anything is touched; the data then goes in whole or not at all. */
export async function restoreDatabase(options: RestoreOptions): Promise<Manifest> {
  const manifest = await readBackup(options.file)
  const version = manifest.migrations.at(-1)?.version
  if (version === undefined) throw new BackupError('The backup names no migration, so its schema cannot be built.')
  await withClient(options.url, requireEmpty)
  await options.migrate(options.url, version)
  await withClient(options.url, async (client) => {
    await client.query('begin')
    await fixSession(client)
    await requireSameSchema(client, manifest)
    await loadTables(client, options, manifest)
    await client.query('commit')
    // Without fresh statistics the first reports after a restore would be planned as if the tables were empty.
    await client.query('analyze')
  })
  return manifest
}

/** Reads and checks a backup without a database. */
export function verifyBackup(file: string): Promise<Manifest> {
  return readBackup(file)
}

async function loadTables(client: pg.Client, options: RestoreOptions, manifest: Manifest): Promise<void> {
  const tables = await listTables(client)
  const foreignKeys = await listForeignKeys(client)
  const triggers = await listActiveTriggers(client)
  const forced = tables.filter((table) => table.has_forced_row_security)

  // Rows arrive table by table, so keys between tables hold only at the end; and triggers did their work when the rows were first written.
  for (const key of foreignKeys) await client.query(`alter table ${qualified(key.table)} drop constraint ${pg.escapeIdentifier(key.name)}`)
  for (const trigger of triggers) await client.query(`alter table only ${qualified(trigger.table)} disable trigger ${pg.escapeIdentifier(trigger.name)}`)
  for (const table of forced) await client.query(`alter table only ${qualified(table.name)} no force row level security`)
  // Migrations may have put rows in; the backup holds its own version of them.
  if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => qualified(name)).join(', ')}`)

  let done = 0
  const second = await readBackup(options.file, async (header, rows) => {
    const loaded = await loadTable(client, header, rows)
    const expected = manifest.tables[done]
    done += 1
    if (expected?.name !== header.table || expected.rows !== loaded) {
      throw new BackupError(`The table ${header.table} took ${loaded} rows where the backup has ${expected?.rows}; nothing was restored.`)
    }
    options.on_progress?.({ table: header.table, rows: loaded, done, total: manifest.tables.length })
  })
  if (JSON.stringify(second) !== JSON.stringify(manifest)) throw new BackupError('The backup file changed while it was read; nothing was restored.')

  // Checks that wait for the commit would otherwise forbid the changes below.
  await client.query('set constraints all immediate')
  for (const key of foreignKeys) {
    await client.query(`alter table ${qualified(key.table)} add constraint ${pg.escapeIdentifier(key.name)} ${key.definition}`)
  }
  for (const trigger of triggers) await client.query(`alter table only ${qualified(trigger.table)} ${ENABLE[trigger.enabled]} trigger ${pg.escapeIdentifier(trigger.name)}`)
  for (const table of forced) await client.query(`alter table only ${qualified(table.name)} force row level security`)
  for (const sequence of manifest.sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [qualified(sequence.name), sequence.last_value, sequence.is_called])
  }
}

/** The letters of pg_trigger.tgenabled. */
const ENABLE: Record<string, string> = { O: 'enable', A: 'enable always', R: 'enable replica' }

async function loadTable(client: pg.Client, header: TableHeader, rows: AsyncIterable<Buffer>): Promise<number> {
  const stream = client.query(copyFrom(`copy ${qualified(header.table)} (${columnList(header.columns)}) from stdin`))
  await pipeline(Readable.from(rows), stream)
  return stream.rowCount
}

/** Asks each table once beforehand, so that the refusal names what to do instead of breaking off in the middle. */
async function requireFullSight(client: pg.Client, tables: Table[]): Promise<void> {
  try {
    for (const table of tables) await client.query(`select from ${qualified(table.name)} limit 0`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error
    const { user } = client
    throw new BackupError(
      `The database user ${user} may not read every row (${error.message}); back up as a superuser, or let one run "alter role ${user} bypassrls".`,
    )
  }
}

/** Anything already in the schema would be emptied below, so only an empty one is accepted. */
async function requireEmpty(client: pg.Client): Promise<void> {
  const tables = await listTables(client)
  const migrations = (await hasMigrationsTable(client)) ? await listMigrations(client) : []
  if (tables.length === 0 && migrations.length === 0) return
  throw new BackupError('This database already holds tables; restore into an empty database. Nothing was changed.')
}

async function requireSameSchema(client: pg.Client, manifest: Manifest): Promise<void> {
  const applied = new Map((await listMigrations(client)).map(({ version, checksum }) => [version, checksum]))
  const differing = manifest.migrations.find(({ version, checksum }) => applied.get(version) !== checksum)
  if (differing || applied.size !== manifest.migrations.length) {
    const which = differing ? `migration ${differing.version} (${differing.name}) differs from the one` : 'its migrations are not those'
    throw new BackupError(`This Daybook cannot rebuild the schema of the backup: ${which} the backup was made with. No data was restored.`)
  }
  const shape = (tables: { name: string; columns: string[] }[]) => JSON.stringify(tables.map(({ name, columns }) => [name, columns]))
  if (shape(await listTables(client)) !== shape(manifest.tables)) {
    throw new BackupError('The tables of the backup are not those its migrations make, so it cannot be restored. No data was restored.')
  }
}

async function readServerVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]!.server_version
}

function columnList(columns: string[]): string {
  return columns.map((name) => pg.escapeIdentifier(name)).join(', ')
}

/** An open transaction ends with its connection: on any error the database is as it was. */
async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  // A connection that breaks is reported by the query that was running; without a listener it would end the program instead.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
