// The demo as a newcomer makes it: what it prints works, once more changes nothing, and after an interruption it goes on.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEmbedded } from '../../src/foundation/postgres/embedded.ts'
import { client, type Client } from '../support/client.ts'
import { dataFolders, type DataFolders } from '../support/data-folder.ts'
import { sqlOnce } from '../support/own.ts'
import { endAll, run, serve, start, until, type Ended } from '../support/process.ts'

let folders: DataFolders
beforeAll(async () => {
  folders = await dataFolders()
})
afterEach(endAll)
afterAll(() => folders.remove())

const ONE = ['demo', '--businesses', '1']

type Printed = { password: string; token: string; business_id: string; report: string; figures: string }

function read({ code, out, err }: Ended): Printed {
  expect([code, err]).toEqual([0, ''])
  const [, password = ''] = /demo@example\.com, password (\S+)/.exec(out) ?? []
  const [, token = ''] = /Token +(dbk_\S{43})/.exec(out) ?? []
  const [, business_id = ''] = /^ +(\S{36}) {2}Harbor Light Coffee Roasters$/m.exec(out) ?? []
  const [, report = ''] = /"http[^"]*\/api\/v1(\/reports\/profit-and-loss\?[^"]*)"/.exec(out) ?? []
  const [figures = ''] = /Harbor Light Coffee Roasters {3}.*\d$/m.exec(out) ?? []
  return { password, token, business_id, report, figures }
}

/** Every ledger that has a balance, by its number: ids differ from one folder to the other, figures do not. */
async function balances(caller: Client): Promise<Record<string, number>> {
  const { data } = await caller.get('/ledgers', { limit: 1000, archived: 'all' })
  return Object.fromEntries(data.items.flatMap(({ number, base_balance }: any) => (base_balance === 0 ? [] : [[number, base_balance]])))
}

async function entriesIn(data: string): Promise<number> {
  const found = await findEmbedded(data).catch(() => null)
  const rows = found ? await sqlOnce(found.url, 'select count(*)::int as entries from journal_entries').catch(() => []) : []
  return rows[0]?.entries ?? 0
}

/** Rows of every table, once everybody has been told what happened; the list of what is still to be told is not counted. */
async function countRows(data: string): Promise<Record<string, number>> {
  const url = (await findEmbedded(data))?.url ?? ''
  await until('all is told', async () => (await sqlOnce(url, 'select count(*)::int as left from outbox'))[0]?.left === 0, 120)
  const tables = await sqlOnce(url, `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'outbox'`)
  const counts = await sqlOnce(url, tables.map(({ relname }) => `select '${relname}' as name, count(*)::int as rows from ${relname}`).join(' union all '))
  return Object.fromEntries(counts.map(({ name, rows }) => [name, rows]))
}

/** Made beside a running server; what was printed opens it; a second time changes nothing. */
async function madeAtOnce(data: string): Promise<{ figures: string; ledgers: Record<string, number> }> {
  const environment = { DAYBOOK_DATA: data }
  const { url } = await serve(environment)
  const { password, token, business_id, report, figures } = read(await run(ONE, environment))
  expect(figures).toMatch(/ +2,\d{3} +1,\d{3},\d{3}\.\d\d +\d{2,3},\d{3}\.\d\d$/)
  const verified = await run(['verify'], environment)
  expect([verified.code, verified.err]).toEqual([0, ''])

  const signedIn = await client(null, null, url).post('/user/sign-in', { email: 'demo@example.com', password })
  const session = client(signedIn.data.session_token, business_id, url)
  const trial = (await session.get('/reports/trial-balance', { period: 'all_time' })).data
  expect(trial.checks.length).toBeGreaterThan(0)
  expect(trial.checks.filter(({ ok }: any) => !ok)).toEqual([])
  const { data: periods } = await session.get('/accounting-periods', { limit: 100 })
  expect(new Set(periods.items.map(({ status }: any) => status))).toEqual(new Set(['open', 'soft_closed', 'closed']))

  const caller = client(token, business_id, url)
  const statement = (await caller.get(report)).data
  expect(statement.columns.length).toBeGreaterThanOrEqual(4)
  expect(statement.rows.find(({ key }: any) => key === 'net_income').cells.every(({ amount }: any) => amount !== 0)).toBe(true)
  const ledgers = await balances(caller)

  const before = await countRows(data)
  const more = await run(['demo', '--businesses', '2', '--seed', '9'], environment)
  expect([more.code, more.err]).toEqual([0, ''])
  expect(more.out).toMatch(/^The demo is here already: nothing was changed\. .*\n\n {2}npm run daybook -- token --email demo@example\.com\n$/)
  expect(await countRows(data)).toEqual(before)
  return { figures, ledgers }
}

/** Made by itself, ended in the middle, and made again, which goes on with what was begun. */
async function madeInTwo(data: string): Promise<{ figures: string; ledgers: Record<string, number> }> {
  const environment = { DAYBOOK_DATA: data }
  const begun = start(ONE, environment)
  const entries = await until('entries are posted', () => entriesIn(data), 60)
  begun.child.kill('SIGTERM')
  expect(await begun.ended).toMatchObject({ code: 143, out: '' })

  const again = await run(['demo', '--seed', '5'], environment)
  expect(again.out).toMatch(/^Going on with the demo that was interrupted: 1 business, seed 1\.\n/)
  const { token, password, business_id, figures } = read(again)
  const { url } = await serve(environment)
  expect(await entriesIn(data)).toBeGreaterThan(entries)
  expect((await client(null, null, url).post('/user/sign-in', { email: 'demo@example.com', password })).status).toBe(201)
  const caller = client(token, business_id, url)
  expect((await caller.get('/api-tokens', { status: 'active' })).data.items.map(({ name }: any) => name)).toEqual(['Demo'])
  expect((await caller.get('/businesses')).data.items).toHaveLength(1)
  return { figures, ledgers: await balances(caller) }
}

test('it makes books that verify, and the same ones elsewhere, also where it was interrupted', async () => {
  const [first, second] = await Promise.all([madeAtOnce(folders.make()), madeInTwo(folders.make())])
  expect(Object.keys(first.ledgers).length).toBeGreaterThan(30)
  expect(second).toEqual(first)
}, 240_000)

test('two at once: the second ends at once and disturbs nothing', async () => {
  const data = folders.make()
  const { ended } = start(ONE, { DAYBOOK_DATA: data })
  await until('the database runs', () => findEmbedded(data).catch(() => null), 60)
  const sentence = 'daybook: Another daybook demo is at work on this database: wait until it has ended.\n'
  expect(await run(ONE, { DAYBOOK_DATA: data })).toEqual({ code: 1, out: '', err: sentence })
  read(await ended)
}, 120_000)

test('where mail would leave the house it does not begin', async () => {
  const ended = await run(['demo'], { DAYBOOK_DATA: '/nowhere/at/all', DAYBOOK_SMTP_URL: 'smtp://127.0.0.1:1' })
  expect(ended).toEqual({ code: 1, out: '', err: expect.stringMatching(/^daybook: The demo invites people who do not exist, and DAYBOOK_SMTP_URL [^\n]+\n$/) })
})
