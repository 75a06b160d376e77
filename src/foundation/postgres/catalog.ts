// What a backup needs to know about the tables of a database, asked from PostgreSQL itself so that no list has to be kept.

import pg from 'pg'
import type { Migration, SequenceRecord } from './backup-file.ts'

export type Table = { name: string; columns: string[]; has_forced_row_security: boolean }
export type ForeignKey = { table: string; name: string; definition: string }
export type Trigger = { table: string; name: string; enabled: string }

/** Tables that belong to an extension come back with the extension, not with the data. */
const NOT_OF_AN_EXTENSION = `not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

const MIGRATIONS_TABLE = 'schema_migrations'

/**
 * Text forms of values depend on these settings; with them fixed on both sides a backup reads the same everywhere.
 * row_security off makes PostgreSQL refuse where a policy would otherwise hide rows without a word.
 */
export async function fixSession(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'postgres';
    set local extra_float_digits = 3; set local bytea_output = 'hex'; set local xmloption = 'content';
    set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local row_security = off; set local search_path = public, pg_temp`)
}

/** Generated columns are left out: they cannot be written and come back by themselves. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, c.relforcerowsecurity as has_forced_row_security,
            array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attname::text collate "C") as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> $1 and ${NOT_OF_AN_EXTENSION}
     order by c.relname::text collate "C"`,
    [MIGRATIONS_TABLE],
  )
  return rows
}

export async function hasMigrationsTable(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`select to_regclass($1) is not null as found`, [`public.${MIGRATIONS_TABLE}`])
  return rows[0]!.found
}

export async function listMigrations(client: pg.ClientBase): Promise<Migration[]> {
  const { rows } = await client.query<Migration>(
    `select version::int as version, name, checksum, to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as applied_at
     from public.${MIGRATIONS_TABLE} order by version`,
  )
  return rows
}

/** Serial and identity columns keep their counters in sequences, so this covers them too. */
export async function listSequences(client: pg.ClientBase): Promise<SequenceRecord[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and ${NOT_OF_AN_EXTENSION}
     order by c.relname::text collate "C"`,
  )
  if (rows.length === 0) return []
  const values = rows.map(({ name }) => `select ${pg.escapeLiteral(name)} as name, last_value::text, is_called from ${qualified(name)}`)
  const result = await client.query<SequenceRecord>(values.join(' union all '))
  return result.rows
}

/** Keys that a partition inherited are dropped and made again with its parent's. */
export async function listForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace
     order by c.relname, k.conname`,
  )
  return rows
}

export async function listActiveTriggers(client: pg.ClientBase): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `select c.relname as table, t.tgname as name, t.tgenabled::text as enabled
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and t.tgenabled <> 'D' and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     order by c.relname, t.tgname`,
  )
  return rows
}

export function qualified(name: string): string {
  return `public.${pg.escapeIdentifier(name)}`
}
