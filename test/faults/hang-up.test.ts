// Clients that go away in the middle: the server stays well, gives its connections back and leaves nothing half done.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { client } from '../support/client.ts'
import { connectTo, serviceOn, type Own, type Owner } from '../support/own.ts'
import { until } from '../support/process.ts'

let own: Own
let owner: Owner
beforeAll(async () => {
  own = await serviceOn(inject('database_url'), { DAYBOOK_POOL_SIZE: '4' })
  owner = await own.owner()
})
afterAll(() => own.stop())

async function rawRequest(method: string, path: string, body: string, sent: number): Promise<Socket> {
  const { hostname, port } = new URL(own.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write([
    `${method} /api/v1${path} HTTP/1.1`, 'host: test', `authorization: Bearer ${owner.token}`, `x-business-id: ${owner.business_id}`,
    'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, '', body.slice(0, sent),
  ].join('\r\n'))
  return socket
}

/** Every connection is back and the next request is served. */
async function expectWell(): Promise<void> {
  await until('all connections are back in the pool', async () => {
    const { total, idle, waiting } = own.program.database.pool.stats
    return total === idle && waiting === 0
  })
  expect((await owner.client.get('/todos')).status).toBe(200)
  expect((await fetch(`${own.url}/readyz`)).status).toBe(200)
}

it('in the middle of the head and of the body: nothing happens', async () => {
  const body = JSON.stringify({ title: 'Half of it', description: 'x'.repeat(2_000) })
  const sockets = await Promise.all(Array.from({ length: 40 }, (_, n) => rawRequest('POST', '/todos', body, n % 2 === 0 ? 0 : 1_000)))
  for (const socket of sockets) socket.destroy()
  await expectWell()
  expect((await owner.client.get('/todos')).data.items).toEqual([])
})

it('while the operation runs: it is done entirely or not at all', async () => {
  const todo = (await owner.client.post('/todos', { title: 'Held' })).data
  const holder = await connectTo(own.database_url)
  await holder.query('begin')
  await holder.query('select 1 from todos where business_id = $1 and id = $2 for update', [owner.business_id, todo.id])
  const sockets = await Promise.all(Array.from({ length: 12 }, () => rawRequest('PUT', `/todos/${todo.id}/complete`, '{}', 2)))
  await until('the pool is used up', async () => own.program.database.pool.stats.idle === 0 && own.program.database.pool.stats.waiting > 0)
  for (const socket of sockets) socket.destroy()
  await holder.query('rollback')
  await holder.end()
  await expectWell()
  const after = (await owner.client.get(`/todos/${todo.id}`)).data
  const events = await own.sql('select type from events where business_id = $1 and resource_id = $2 order by seq', [owner.business_id, todo.id])
  expect(after).toMatchObject({ status: 'done', version: 2 })
  expect(events.map(({ type }) => type)).toEqual(['todo.created', 'todo.completed'])
  expect((await owner.client.get('/audit-trail/verify')).data).toMatchObject({ ok: true })
})

it('a follower of the event stream who goes away is forgotten', async () => {
  const { hostname, port } = new URL(own.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET /api/v1/events/stream HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${owner.token}\r\nx-business-id: ${owner.business_id}\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200/)
  socket.destroy()
  await expectWell()
})

it('nonsense instead of HTTP does no harm', async () => {
  const { hostname, port } = new URL(own.url)
  for (const text of ['\0\0\0\0', 'GET / HTTP/9\r\n\r\n', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 'POST /api/v1/todos HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n']) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 4\d\d/)
    socket.destroy()
  }
  await expectWell()
  expect((await client(null, null, own.url).get('/todos')).status).toBe(401)
})
