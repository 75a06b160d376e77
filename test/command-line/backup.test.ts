// verify, backup, restore and migrate, on the embedded database and on one's own.
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEmbedded } from '../../src/foundation/postgres/embedded.ts'
import { client } from '../support/client.ts'
import { dataFolders, makeToken, type DataFolders } from '../support/data-folder.ts'
import { emptyDatabase, sqlOnce } from '../support/own.ts'
import { endAll, endedWell, run, serve } from '../support/process.ts'

let folders: DataFolders
beforeAll(async () => {
  folders = await dataFolders()
})
afterEach(endAll)
afterAll(() => folders.remove())

/** How many rows each table has, apart from the queue's. */
async function countRows(url: string): Promise<Record<string, number>> {
  const tables = await sqlOnce(url, `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`)
  const counts = await sqlOnce(url, tables.map(({ relname }) => `select '${relname}' as name, count(*)::int as rows from ${relname}`).join(' union all '))
  return Object.fromEntries(counts.map(({ name, rows }) => [name, rows]))
}

test('verify prints a table; backup while serving; restore elsewhere, where the same token works', async () => {
  const data = folders.make()
  const environment = { DAYBOOK_DATA: data }
  const server = await serve(environment)
  const { token, business_id } = await makeToken(environment)
  const ann = client(token, business_id, server.url)
  for (let n = 0; n < 5; n++) await ann.post('/todos', { title: `Todo ${n}` })

  const [sound, one] = await Promise.all([run(['verify'], environment), run(['verify', '--business', business_id], environment)])
  expect([sound.code, sound.err]).toEqual([0, ''])
  expect(sound.out).toMatch(/claim.*businesses.*rows.*result/)
  expect(sound.out.match(/'ok'/g)?.length).toBeGreaterThanOrEqual(3)
  expect(one.code).toBe(0)

  const file = join(data, 'books.backup')
  const written = await run(['backup', file], environment)
  expect([written.code, written.err]).toEqual([0, ''])
  expect(written.out).toMatch(/books\.backup: \d+ tables, \d+ rows\.\nCopy .*documents now: the documents lie there\.\nKeep .*encryption\.key with it\.\n$/)
  expect((await stat(file)).mode & 0o077).toBe(0)
  const key = (await readFile(join(data, 'encryption.key'), 'utf8')).trim()
  expect((await readFile(file)).includes(token)).toBe(false)
  expect((await readFile(file)).includes(key)).toBe(false)

  const elsewhere = join(data, '..', 'restored')
  const [again, restored] = await Promise.all([run(['backup', file], environment), run(['restore', file], { DAYBOOK_DATA: elsewhere })])
  expect(again).toEqual({ code: 1, out: '', err: `daybook: ${file} exists already. Name another file.\n` })
  expect([restored.code, restored.err]).toEqual([0, ''])
  expect(restored.out).toMatch(/Restored \d+ rows of \d+ tables/)
  await copyFile(join(data, 'encryption.key'), join(elsewhere, 'encryption.key'))
  const there = await serve({ DAYBOOK_DATA: elsewhere })
  const [sound_there, twice] = await Promise.all([run(['verify'], { DAYBOOK_DATA: elsewhere }), run(['restore', file], { DAYBOOK_DATA: elsewhere })])
  expect(sound_there.code).toBe(0)
  expect(twice).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^daybook: [^\n]+\n$/) })
  const same = client(token, business_id, there.url)
  expect((await same.get('/todos')).data).toEqual((await ann.get('/todos')).data)
  expect((await same.post('/todos', { title: 'Goes on' })).status).toBe(201)
  expect((await ann.get('/todos')).data.items).toHaveLength(5)

  // As whoever has the superuser's password could do it.
  const url = (await findEmbedded(data))?.url ?? ''
  await sqlOnce(url, `set session_replication_role = replica; update audit_trail set after = jsonb_set(after, '{title}', '"Forged"') where action = 'todo.created' and seq = (select max(seq) from audit_trail)`)
  const forged = await run(['verify'], environment)
  expect(forged.code).toBe(1)
  expect(forged.out).toMatch(/1 off/)
  expect(forged.err).toMatch(new RegExp(`off: Ann Trading \\(${business_id}\\): \\S+`))
})

test('a backup that was altered is refused, and so is a file that is none', async () => {
  const data = folders.make()
  await makeToken({ DAYBOOK_DATA: data })
  const file = join(data, 'books.backup')
  expect((await run(['backup', file], { DAYBOOK_DATA: data })).code).toBe(0)
  const bytes = await readFile(file)
  const middle = bytes.length >> 1
  bytes[middle] = bytes.readUInt8(middle) ^ 1
  await writeFile(join(data, 'altered'), bytes)
  await writeFile(join(data, 'short'), bytes.subarray(0, middle))
  await writeFile(join(data, 'nonsense'), 'not a backup')
  const target = await emptyDatabase()
  try {
    await Promise.all(['altered', 'short', 'nonsense', 'missing'].map(async (name) => {
      const { code, err } = await run(['restore', join(data, name)], { DATABASE_URL: target.url, DAYBOOK_DATA: data })
      expect([code, err], name).toEqual([1, expect.stringMatching(/^daybook: [^\n]+\n$/)])
    }))
    expect(await sqlOnce(target.url, `select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([{ tables: 0 }])
  } finally {
    await target.drop()
  }
})

test('a database of one\'s own: two migrate at once, then token, backup, restore into another, and the counts agree', async () => {
  const [source, target] = await Promise.all([emptyDatabase(), emptyDatabase()])
  const folder = join(folders.make(), 'own')
  await mkdir(folder)
  const at = (url: string) => ({ DATABASE_URL: url, DAYBOOK_DATA: folder })
  try {
    const both = await Promise.all([run(['migrate'], at(source.url)), run(['migrate'], at(source.url))])
    expect(both.map(({ code, err }) => [code, err])).toEqual([[0, ''], [0, '']])
    expect(both.map(({ out }) => out.trim().split('\n').at(-1)).toSorted()).toEqual([expect.stringMatching(/^Applied \d+ migrations\.$/), 'The schema is up to date.'])
    expect((await run(['migrate'], at(source.url))).out).toBe('The schema is up to date.\n')

    const { token, business_id } = await makeToken(at(source.url))
    const file = join(folder, 'own.backup')
    expect((await run(['backup', file], at(source.url))).code).toBe(0)
    expect((await run(['restore', file], at(target.url))).err).toBe('')
    expect(await countRows(target.url)).toEqual(await countRows(source.url))
    const server = await serve({ ...at(target.url), DAYBOOK_PORT: '0' })
    expect((await client(token, business_id, server.url).post('/todos', { title: 'There' })).status).toBe(201)
    server.signal('SIGINT')
    await endedWell(server)
  } finally {
    await endAll()
    await Promise.all([source.drop(), target.drop()])
  }
})

