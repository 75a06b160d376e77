// daybook serve as a process: beside itself, stopped, killed, with its database killed; and what it writes into its log.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEmbedded } from '../../src/foundation/postgres/embedded.ts'
import { findBirth, findHolder } from '../../src/foundation/postgres/lock.ts'
import { client, type Client } from '../support/client.ts'
import { dataFolders, makeToken, type DataFolders } from '../support/data-folder.ts'
import { connectTo, sqlOnce } from '../support/own.ts'
import { endAll, endedWell, postgresOf, run, serve, stay, until } from '../support/process.ts'

let folders: DataFolders
beforeAll(async () => {
  folders = await dataFolders()
})
afterEach(endAll)
afterAll(() => folders.remove())

async function tokenFor(data: string, url: string): Promise<Client & { business_id: string }> {
  const { token, business_id } = await makeToken({ DAYBOOK_DATA: data })
  return client(token, business_id, url) as Client & { business_id: string }
}

async function urlOf(data: string): Promise<string> {
  return (await findEmbedded(data))?.url ?? ''
}

test('two copies side by side, a second one on the same folder, and a port that is taken', async () => {
  const [one, two] = [folders.make(), folders.make()]
  const [first, second] = await Promise.all([serve({ DAYBOOK_DATA: one }), serve({ DAYBOOK_DATA: two })])
  expect(first.url).not.toBe(second.url)
  for (const { url } of [first, second]) expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })

  const again = await run(['serve'], { DAYBOOK_DATA: one, DAYBOOK_LOG_LEVEL: 'silent' })
  expect(again).toEqual({ code: 1, out: '', err: `daybook: Another Daybook (process ${first.pid}) uses the folder ${one}; stop it or choose another data folder.\n` })
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)

  second.signal('SIGTERM')
  await endedWell(second)
  const port = new URL(first.url).port
  const taken = await run(['serve'], { DAYBOOK_DATA: two, DAYBOOK_PORT: port, DAYBOOK_LOG_LEVEL: 'silent' })
  expect(taken).toEqual({ code: 1, out: '', err: `daybook: Port ${port} on 127.0.0.1 is in use. Set DAYBOOK_PORT to another, or leave it unset.\n` })
  expect(await findEmbedded(two)).toBe(null)
})

test('Ctrl-C: what is in flight is answered, then it ends with 0, its database too', async () => {
  const data = folders.make()
  const server = await serve({ DAYBOOK_DATA: data })
  const ann = await tokenFor(data, server.url)
  const todo = (await ann.post('/todos', { title: 'In flight' })).data
  const postgres = await postgresOf(data)
  const holder = await connectTo(await urlOf(data))
  await holder.query('begin')
  await holder.query('select 1 from todos where id = $1 for update', [todo.id])
  const answer = ann.put(`/todos/${todo.id}/complete`, {})
  await until('the request waits', async () => (await sqlOnce(await urlOf(data), `select 1 from pg_stat_activity where wait_event_type = 'Lock'`))[0])
  server.signal('SIGINT')
  await server.says(/"msg":"stopping"/)
  await holder.query('rollback')
  await holder.end()
  expect(await answer).toMatchObject({ status: 200, data: { status: 'done' } })
  const answered = performance.now()
  await endedWell(server)
  expect(performance.now() - answered).toBeLessThan(5_000)
  expect(await findBirth(postgres)).toBe(null)
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
})

test('Ctrl-C while it starts leaves no database behind', async () => {
  const data = folders.make()
  const starting = stay(['serve'], { DAYBOOK_DATA: data }).catch((error: Error) => error)
  const postgres = await until('the database starts', async () => postgresOf(data).catch(() => 0))
  const pid = (await findHolder(data))?.pid ?? 0
  process.kill(pid, 'SIGINT')
  await starting
  await until('the database is gone', async () => (await findBirth(postgres)) === null)
})

test('killed, and started again: what was answered is there', async () => {
  const data = folders.make()
  const server = await serve({ DAYBOOK_DATA: data })
  const ann = await tokenFor(data, server.url)
  const made: string[] = []
  const creating = (async () => {
    for (let n = 0; ; n++) made.push((await ann.post('/todos', { title: `Todo ${n}` })).data.id)
  })().catch(() => {})
  await until('some are made', async () => made.length > 20)
  server.signal('SIGKILL')
  await server.ended
  await creating

  const next = await serve({ DAYBOOK_DATA: data })
  const there = client(ann.token, ann.business_id, next.url)
  const ids = (await there.get('/todos', { limit: 1000 })).data.items.map(({ id }: { id: string }) => id)
  expect(made.filter((id) => !ids.includes(id))).toEqual([])
  expect((await there.get('/audit-trail/verify')).data).toMatchObject({ ok: true })
})

test('its database killed: it starts it again, goes on by itself, and so do its jobs', async () => {
  const data = folders.make()
  const server = await serve({ DAYBOOK_DATA: data })
  const ann = await tokenFor(data, server.url)
  const todo = (await ann.post('/todos', { title: 'Kept' })).data
  const statuses = new Set<number>()
  const first = await postgresOf(data)
  process.kill(first, 'SIGKILL')
  // And again as soon as there is one, which is while it starts.
  const second = await until('another one starts', async () => postgresOf(data).then((pid) => pid !== first && pid, () => 0))
  process.kill(second, 'SIGKILL')
  await until('it serves again', async () => {
    const { status } = await ann.get(`/todos/${todo.id}`)
    statuses.add(status)
    return status === 200 && (await postgresOf(data).catch(() => second)) !== second
  })
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  const email = 'new@example.com'
  expect((await ann.post('/invitations', { email, role: 'viewer' })).status).toBe(201)
  await until('the mail is sent', async () => (await sqlOnce(await urlOf(data), 'select sent_at from mails where recipient = $1', [email]))[0]?.sent_at)
  expect(server.said).toContain('the embedded database ended; starting it again')
  server.signal('SIGINT')
  await endedWell(server)
})

test('the log has a line for each request and no secret', async () => {
  const data = folders.make()
  const server = await serve({ DAYBOOK_DATA: data, DAYBOOK_LOG_LEVEL: 'debug' })
  const ann = await tokenFor(data, server.url)
  const email = 'secret.person@example.com'
  const password = 'a very secret passphrase'
  expect((await ann.post('/user/sign-up', { email, name: 'Sec', password }, { token: null })).status).toBe(201)
  const signedIn = await ann.post('/user/sign-in', { email, password }, { token: null })
  await ann.post('/todos', { title: 'Private title' }, { headers: { 'x-request-id': 'look-for-me' } })
  await ann.get('/todos', { tag: 'private-filter' })
  await server.says(/look-for-me/)
  const cookie = /daybook_session=([^;]+)|=(dbs_[\w-]+)/.exec(signedIn.headers.get('set-cookie') ?? '')
  server.signal('SIGTERM')
  const { out, err } = await server.ended
  const lines = out.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  expect(lines.find(({ request_id }) => request_id === 'look-for-me')).toMatchObject({
    level: 'info', method: 'POST', route: '/api/v1/todos', status: 201, business_id: ann.business_id, msg: 'request', ms: expect.any(Number), at: expect.stringMatching(/Z$/),
  })
  for (const secret of [ann.token, password, signedIn.data?.session_token, cookie?.[1] ?? cookie?.[2], 'Private title', 'private-filter']) {
    if (secret) expect(out + err).not.toContain(secret)
  }
})
