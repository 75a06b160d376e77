// token and worker, beside a running server and without one.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEmbedded } from '../../src/foundation/postgres/embedded.ts'
import { client } from '../support/client.ts'
import { dataFolders, makeToken, type DataFolders } from '../support/data-folder.ts'
import { emptyDatabase, sqlOnce } from '../support/own.ts'
import { endAll, endedWell, run, serve, stay, until } from '../support/process.ts'

let folders: DataFolders
beforeAll(async () => {
  folders = await dataFolders()
})
afterEach(endAll)
afterAll(() => folders.remove())

test('token: without a server, beside one, and twice', async () => {
  const data = folders.make()
  const environment = { DAYBOOK_DATA: data }
  const first = await makeToken(environment)
  expect(first).toEqual({ token: expect.stringMatching(/^dbk_.{43}$/), business_id: expect.any(String), password: expect.stringMatching(/.{20,}/) })
  expect(await findEmbedded(data)).toBe(null)

  const server = await serve(environment)
  const second = await makeToken(environment)
  expect(second).toMatchObject({ business_id: first.business_id, password: null })
  for (const { token } of [first, second]) expect((await client(token, first.business_id, server.url).post('/todos', { title: 'Made' })).status).toBe(201)
  const signedIn = await client(null, null, server.url).post('/user/sign-in', { email: 'ann@example.com', password: first.password })
  expect([signedIn.status, signedIn.data.two_factor_required]).toEqual([201, false])

  const narrow = await run(['token', '--email', 'ann@example.com', '--business', first.business_id, '--scopes', 'notes:read, todos:read', '--name', 'reader'], environment)
  expect(narrow.code).toBe(0)
  const [, token = ''] = /Token +(\S+)/.exec(narrow.out) ?? []
  expect((await client(token, first.business_id, server.url).get('/todos')).data.items).toHaveLength(2)
  expect((await client(token, first.business_id, server.url).post('/todos', { title: 'No' })).status).toBe(403)
  const unknown = await run(['token', '--email', 'ann@example.com', '--scopes', 'everything'], environment)
  expect([unknown.code, unknown.out]).toEqual([1, ''])
  expect(unknown.err).toMatch(/^daybook: .*everything.*\n$/)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('a worker beside a server that runs none does the jobs', async () => {
  const data = folders.make()
  const environment = { DAYBOOK_DATA: data }
  const server = await serve({ ...environment, DAYBOOK_WORKER: 'false' })
  expect(server.said).toContain('run daybook worker')
  const { token, business_id } = await makeToken(environment)
  const ann = client(token, business_id, server.url)
  expect((await ann.post('/invitations', { email: 'bob@example.com', role: 'viewer' })).status).toBe(201)
  const url = (await findEmbedded(data))?.url ?? ''
  const mailed = async () => (await sqlOnce(url, `select sent_at from mails where recipient = 'bob@example.com'`))[0]?.sent_at
  expect(await mailed()).toBe(null)
  const worker = await stay(['worker'], environment)
  await until('the mail is sent', mailed)
  await until('events are delivered', async () => (await sqlOnce(url, 'select count(*)::int as waiting from outbox'))[0].waiting === 0)
  worker.signal('SIGINT')
  await endedWell(worker)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('a worker or a verification on a database without a schema says what is missing', async () => {
  const empty = await emptyDatabase()
  const folder = folders.make()
  try {
    const attempts = await Promise.all(['worker', 'verify', 'backup'].map((name) => run([name], { DATABASE_URL: empty.url, DAYBOOK_DATA: folder, DAYBOOK_LOG_LEVEL: 'silent' })))
    expect(attempts).toEqual([
      { code: 1, out: '', err: expect.stringMatching(/^daybook: The database is at migration 0, this program needs \d+: run daybook migrate\.\n$/) },
      { code: 1, out: '', err: attempts[0]?.err },
      { code: 1, out: '', err: 'daybook: This database holds no Daybook data, so there is nothing to back up.\n' },
    ])
  } finally {
    await empty.drop()
  }
})
