// Backup and restore between real databases: every kind of value comes back, and a damaged file changes nothing.

import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupDatabase, restoreDatabase, verifyBackup } from './backup.ts'
import { type Embedded, startEmbedded } from './embedded.ts'

const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'daybook-backup-'))
chmodSync(root, 0o711)
const file = join(root, 'books.daybook')
let server: Embedded
let source: string
let databases = 0

const MIGRATION = `
  create table parties (
    id uuid primary key default gen_random_uuid(), name text not null, parent_id uuid references parties (id), main_invoice_id bigint,
    tags text[], details jsonb, photo bytea, opened date, seen_at timestamptz, lasts interval, share double precision);
  create table invoices (
    id bigint generated always as identity primary key, party_id uuid not null references parties (id) deferrable initially deferred,
    total_cents bigint not null check (total_cents >= 0), doubled bigint generated always as (total_cents * 2) stored);
  alter table parties add constraint parties_main_invoice foreign key (main_invoice_id) references invoices (id) on delete set null;
  create table "Odd ""name""" (id serial primary key, "a column" text, position int unique deferrable initially deferred);
  create table empty_table (id int primary key);
  create table changes (note text);
  create function note_change() returns trigger language plpgsql as $$ begin insert into changes values (new.total_cents::text); return new; end $$;
  create trigger invoices_note after insert on invoices for each row execute function note_change();
  create trigger invoices_off after insert on invoices for each row execute function note_change();
  alter table invoices disable trigger invoices_off;
  create trigger invoices_always after insert on invoices for each row execute function note_change();
  alter table invoices enable always trigger invoices_always;
  alter table parties enable row level security;
  alter table parties force row level security;
  create policy parties_policy on parties using (name = current_setting('app.name', true));
  insert into empty_table values (99);`

const DATA = `
  delete from empty_table;
  insert into parties (id, name, tags, details, photo, opened, seen_at, lasts, share) values
    ('00000000-0000-0000-0000-000000000001', E'tab\\tnewline\\nreturn\\rback\\\\slash\\\\N \\\\. end', array['a,b', null, 'q"uote', ''], '{"a": [1, null, "x\\\\ty"]}', '\\x00ff0a095c', '0044-03-15 BC', '2026-02-03 04:05:06.789012+05:30', '1 mon -2 days 03:04:05.6', 0.1),
    ('00000000-0000-0000-0000-000000000002', '', '{}', 'null', '\\x', 'infinity', '-infinity', '0', 'NaN'),
    ('00000000-0000-0000-0000-000000000003', '\\.', null, null, null, null, null, null, 1e-300),
    ('00000000-0000-0000-0000-000000000004', 'Žluťoučký 日本 🎉', null, null, null, null, null, null, null);
  update parties set parent_id = '00000000-0000-0000-0000-000000000004' where id <> '00000000-0000-0000-0000-000000000004';
  update parties set parent_id = id where id = '00000000-0000-0000-0000-000000000004';
  insert into invoices (party_id, total_cents) select '00000000-0000-0000-0000-000000000001', n from generate_series(1, 20000) n;
  update parties set main_invoice_id = 7;
  insert into "Odd ""name""" ("a column", position) values ('one', 2), (null, 1), (repeat('long row ', 400000), 3);
  select nextval('"Odd ""name""_id_seq"')`

async function run<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query<Row>(text).then(({ rows }) => rows).finally(() => client.end())
}

async function newDatabase(owner = 'postgres'): Promise<string> {
  const name = `books_${++databases}`
  await run(server.url, `create database ${name} owner ${owner}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  if (owner !== 'postgres') [url.username, url.password] = [owner, 'secret']
  return url.toString()
}

async function migrate(url: string, up_to_version: number): Promise<void> {
  await migrateWith(url, up_to_version, 'checksum of 1')
}

async function migrateWith(url: string, version: number, checksum: string): Promise<void> {
  await run(url, `create table schema_migrations (version int primary key, name text, checksum text, applied_at timestamptz default now());
    ${MIGRATION}
    insert into schema_migrations values (${version}, 'first', '${checksum}')`)
}

/** Everything that must come back, as text, in an order of its own. */
async function dump(url: string): Promise<unknown> {
  return {
    parties: await run(url, 'select p::text from parties p order by id'),
    invoices: await run(url, `select count(*), sum(doubled), md5(string_agg(i::text, ',' order by id)) from invoices i`),
    odd: await run(url, `select id, md5("a column"), position from "Odd ""name""" order by id`),
    others: await run(url, `select (select count(*) from empty_table) as empty, (select count(*) from changes) as changes`),
    sequences: await run(url, `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`),
    keys: await run(url, `select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`),
    triggers: await run(url, `select tgname, tgenabled from pg_trigger where not tgisinternal order by 1`),
    security: await run(url, `select relname, relrowsecurity, relforcerowsecurity from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`),
  }
}

beforeAll(async () => {
  server = await startEmbedded({ data_dir: join(root, 'data'), log: () => undefined })
  source = await newDatabase()
  await migrate(source, 1)
  await run(source, DATA)
  await run(server.url, `create role books_owner login password 'secret'`)
}, 60_000)

afterAll(async () => {
  await server?.stop()
  rmSync(root, { recursive: true, force: true })
})

test('a round trip brings back every value, key, trigger, policy and counter', async () => {
  const steps: string[] = []
  const manifest = await backupDatabase({ url: source, file, on_progress: ({ table, rows, done, total }) => steps.push(`${done}/${total} ${table} ${rows}`) })
  expect(steps).toEqual(['1/5 Odd "name" 3', '2/5 changes 40000', '3/5 empty_table 0', '4/5 invoices 20000', '5/5 parties 4'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(existsSync(`${file}.partial`)).toBe(false)
  expect(await verifyBackup(file)).toEqual(manifest)
  expect(manifest.migrations).toMatchObject([{ version: 1, name: 'first', checksum: 'checksum of 1' }])

  const target = await newDatabase()
  await restoreDatabase({ url: target, file, migrate })
  expect(await dump(target)).toEqual(await dump(source))
  const [next] = await run<{ id: string }>(target, `insert into invoices (party_id, total_cents) values ('00000000-0000-0000-0000-000000000001', 1) returning id`)
  expect(next?.id).toBe('20001')
})

test('an owner without any privilege restores under forced row-level security, and is told when it cannot read for a backup', async () => {
  const target = await newDatabase('books_owner')
  await restoreDatabase({ url: target, file, migrate })
  expect(await run(target, 'select * from parties')).toEqual([])
  const asSuperuser = Object.assign(new URL(server.url), { pathname: new URL(target).pathname }).toString()
  expect(await dump(asSuperuser)).toEqual(await dump(source))

  const refused = join(root, 'refused.daybook')
  await expect(backupDatabase({ url: target, file: refused })).rejects.toThrow(/The database user books_owner may not read every row .*parties.*bypassrls/)
  expect(existsSync(refused) || existsSync(`${refused}.partial`)).toBe(false)
})

test('a backup is one moment, whatever is written meanwhile', async () => {
  const other = join(root, 'moment.daybook')
  let written: Promise<unknown> = Promise.resolve()
  const manifest = await backupDatabase({
    url: source,
    file: other,
    on_progress: ({ table }) => {
      if (table === 'changes') written = run(source, `insert into invoices (party_id, total_cents) values ('00000000-0000-0000-0000-000000000001', 5)`)
    },
  })
  await written
  expect(manifest.tables.find(({ name }) => name === 'invoices')?.rows).toBe(20000)
})

test('a truncated, altered, extended or foreign file is refused and nothing is changed', async () => {
  const whole = readFileSync(file)
  const plain = gunzipSync(whole)
  const altered = Buffer.from(plain)
  altered[plain.indexOf('one\t')] = 'O'.charCodeAt(0)
  const flipped = Buffer.from(whole)
  flipped[whole.length >> 1]! ^= 1
  const withoutEnd = plain.subarray(0, plain.lastIndexOf('{"end_of_backup"'))
  const renamed = Buffer.from(plain.toString('latin1').replace('checksum of 1', 'checksum of 2'), 'latin1')
  const damaged = {
    empty: Buffer.alloc(0),
    'cut by one byte': whole.subarray(0, -1),
    'cut in the middle': whole.subarray(0, whole.length >> 1),
    'one bit flipped': flipped,
    'a value altered and packed again': gzipSync(altered),
    'the manifest altered and packed again': gzipSync(renamed),
    'end marker missing': gzipSync(withoutEnd),
    'bytes appended': Buffer.concat([whole, Buffer.from('more')]),
    'a second backup appended': Buffer.concat([whole, whole]),
    'no gzip at all': Buffer.from('id,name\n1,one\n'),
    'another gzip file': gzipSync('{"hello": 1}\n'),
  }
  const target = await newDatabase()
  const called: number[] = []
  for (const [name, bytes] of Object.entries(damaged)) {
    const path = join(root, 'damaged.daybook')
    writeFileSync(path, bytes)
    await expect(restoreDatabase({ url: target, file: path, migrate: async (_url, version) => void called.push(version) }), name).rejects.toThrow(
      `The file ${path} is not a whole Daybook backup`,
    )
  }
  await expect(restoreDatabase({ url: target, file: join(root, 'absent'), migrate })).rejects.toThrow('There is no backup file')
  expect(called).toEqual([])
  expect(await run(target, `select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
})

test('a database that holds anything is refused and left alone', async () => {
  const before = await dump(source)
  await expect(restoreDatabase({ url: source, file, migrate })).rejects.toThrow('restore into an empty database')
  expect(await dump(source)).toEqual(before)
  const foreign = await newDatabase()
  await run(foreign, 'create table somebody_else (id int)')
  await expect(restoreDatabase({ url: foreign, file, migrate })).rejects.toThrow('restore into an empty database')
})

test('other migrations than those of the backup are refused before any row goes in', async () => {
  const target = await newDatabase()
  await expect(restoreDatabase({ url: target, file, migrate: (url, version) => migrateWith(url, version, 'another') })).rejects.toThrow(
    'migration 1 (first) differs from the one the backup was made with',
  )
  expect(await run(target, 'select id from empty_table')).toEqual([{ id: 99 }])
  const other = await newDatabase()
  const withExtra = async (url: string, version: number) => {
    await migrate(url, version)
    await run(url, 'alter table changes add column extra int')
  }
  await expect(restoreDatabase({ url: other, file, migrate: withExtra })).rejects.toThrow('The tables of the backup are not those its migrations make')
})

test('a restore that fails in the middle leaves the schema as the migrations made it', async () => {
  const target = await newDatabase()
  const withStricterCheck = async (url: string, version: number) => {
    await migrate(url, version)
    await run(url, 'alter table invoices add check (total_cents < 20000)')
  }
  await expect(restoreDatabase({ url: target, file, migrate: withStricterCheck })).rejects.toThrow(/violates check constraint/)
  expect(await run(target, 'select id from empty_table')).toEqual([{ id: 99 }])
  expect(await run(target, `select count(*)::int as keys from pg_constraint where contype = 'f'`)).toEqual([{ keys: 3 }])
})

test('a backup that cannot be written says so and leaves nothing behind', async () => {
  await expect(backupDatabase({ url: source, file: join(root, 'absent/books.daybook') })).rejects.toThrow('does not exist; no backup was made')
  const empty = await newDatabase()
  await expect(backupDatabase({ url: empty, file: join(root, 'nothing.daybook') })).rejects.toThrow('holds no Daybook data')
})

test.skipIf(process.getuid?.() !== 0)('as root: a disk that fills up during a backup is named, and the connection is let go', async () => {
  const small = join(root, 'small')
  mkdirSync(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small])
  try {
    const path = join(small, 'books.daybook')
    await expect(backupDatabase({ url: source, file: path })).rejects.toThrow(`The disk that holds ${path} is full; no backup was made.`)
    expect(readdirSync(small)).toEqual([])
    await expect.poll(() => run(server.url, `select count(*)::int as open from pg_stat_activity where datname = '${new URL(source).pathname.slice(1)}'`)).toEqual([{ open: 0 }])
  } finally {
    execFileSync('umount', ['-l', small])
  }
})
