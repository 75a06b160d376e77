// Migrations: in order, once, each whole or not at all, and never over a schema that is not ours.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyDatabase, sqlOnce } from '../../../test/support/own.ts'
import { migrate, readMigrations, requireSchema } from './migrate.ts'

let database: Awaited<ReturnType<typeof emptyDatabase>>
let folder: string
beforeAll(async () => {
  database = await emptyDatabase()
  folder = await mkdtemp(join(tmpdir(), 'daybook-migrations-'))
  await write('0001_first.sql', 'create table one (n int)')
  await write('0002_second.sql', 'create table two (n int)')
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const write = (name: string, sql: string) => writeFile(join(folder, name), sql)
const run = (up_to?: number) => migrate({ url: database.url, folder: pathToFileURL(`${folder}/`), ...(up_to ? { up_to } : {}) })
const tables = async () => (await sqlOnce(database.url, `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`)).map(({ relname }) => relname)

it('several at once apply each file once, as far as asked', async () => {
  expect((await Promise.all([run(1), run(1), run(1)])).flat()).toEqual([1])
  expect(await run()).toEqual([2])
  expect(await run()).toEqual([])
  expect(await tables()).toEqual(['one', 'schema_migrations', 'two'])
})

it('one that fails leaves nothing behind, and works once it is right', async () => {
  await write('0003_third.sql', 'create table three (n int); select no_such_function()')
  await expect(run()).rejects.toThrow(/^Migration 3 \(third\) failed: function no_such_function\(\) does not exist$/)
  expect(await tables()).toEqual(['one', 'schema_migrations', 'two'])
  await write('0003_third.sql', 'create table three (n int)')
  expect(await run()).toEqual([3])
})

it('a file changed after it was applied is refused', async () => {
  await write('0003_third.sql', 'create table three (n int) -- changed')
  await expect(run()).rejects.toThrow('Migration 3 (third) was changed after it was applied.')
  await write('0003_third.sql', 'create table three (n int)')
})

it('a database that is ahead is refused, and one that is behind is not worked on', async () => {
  await rm(join(folder, '0003_third.sql'))
  await expect(run()).rejects.toThrow('The database has migration 3 (third), which this version of Daybook does not know. Use a newer Daybook.')
  await expect(requireSchema(database.url)).rejects.toThrow(/^The database is at migration 3, this program needs \d+: run daybook migrate\.$/)
})

it('files that are not named like migrations are refused', async () => {
  await write('3_third.sql', '')
  await expect(readMigrations(pathToFileURL(`${folder}/`))).rejects.toThrow('3_third.sql is not named like 0001_what_it_does.sql.')
})
