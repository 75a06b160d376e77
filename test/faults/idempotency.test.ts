// The same request again and again, at once, later, altered: it happens once.
import { connect } from 'node:net'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { newBusiness, sql, type Team } from '../support/people.ts'
import { service } from '../support/service.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})
afterEach(async () => (await service()).clock.set(null))

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const countOf = async (title: string) => (await sql('select count(*)::int as count from todos where business_id = $1 and title = $2', [team.business_id, title]))[0].count

type Seen = { status: number; replayed: boolean; retry_after: string | null; body: string }

/** Sends the same bytes again and again over one connection, each when the one before is answered. */
async function repeat(url: string, bytes: string, times: number): Promise<Seen[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  const seen: Seen[] = []
  let waiting = ''
  socket.write(bytes)
  for await (const chunk of socket as AsyncIterable<string>) {
    waiting += chunk
    const end = waiting.indexOf('\r\n\r\n') + 4
    const head = waiting.slice(0, end)
    const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'mi').exec(head)?.[1] ?? null
    if (end < 4 || Buffer.byteLength(waiting) < end + Number(header('content-length'))) continue
    seen.push({ status: Number(head.slice(9, 12)), replayed: header('idempotent-replayed') === 'true', retry_after: header('retry-after'), body: waiting.slice(end) })
    waiting = ''
    if (seen.length === times) break
    socket.write(bytes)
  }
  socket.destroy()
  return seen
}

it('10,000 creates under one key, 500 at a time, make one row', async () => {
  const { url } = await service()
  const body = JSON.stringify({ title: 'Only once' })
  const bytes = [
    'POST /api/v1/todos HTTP/1.1', 'host: test', `authorization: Bearer ${team.owner.token}`, `x-business-id: ${team.business_id}`,
    'content-type: application/json', `content-length: ${body.length}`, 'idempotency-key: ten thousand', '', body,
  ].join('\r\n')
  const seen = (await Promise.all(Array.from({ length: 500 }, () => repeat(url, bytes, 20)))).flat()
  expect(seen).toHaveLength(10_000)

  const made = seen.filter(({ status }) => status === 201)
  expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(new Set(made.map((answer) => answer.body)).size).toBe(1)
  expect([...new Set(seen.map(({ status }) => status))].filter((status) => ![201, 409, 503].includes(status))).toEqual([])
  expect(seen.filter(({ status, retry_after }) => status === 503 && !(Number(retry_after) >= 1))).toEqual([])
  expect(await countOf('Only once')).toBe(1)
  expect(await sql(`select count(*)::int as count from events where business_id = $1 and type = 'todo.created' and data ->> 'title' = 'Only once'`, [team.business_id]))
    .toEqual([{ count: 1 }])
}, 180_000)

it('the same key with another body, path or method is a 400, and the first answer stays', async () => {
  const first = await team.client.post('/todos', { title: 'First' }, keyed('altered'))
  expect((await team.client.post('/todos', { title: 'Second' }, keyed('altered'))).detail).toMatch(/was used for another request/)
  expect((await team.client.put(`/todos/${first.data.id}`, { title: 'First' }, keyed('altered'))).status).toBe(400)
  const again = await team.client.post('/todos', { title: 'First' }, keyed('altered'))
  expect([again.status, again.headers.get('idempotent-replayed'), again.data]).toEqual([201, 'true', first.data])
  expect([await countOf('First'), await countOf('Second')]).toEqual([1, 0])
})

it('a key belongs to one business and one person', async () => {
  const other = await newBusiness()
  expect((await team.client.post('/todos', { title: 'Here' }, keyed('shared'))).status).toBe(201)
  const there = await other.client.post('/todos', { title: 'There' }, keyed('shared'))
  expect([there.status, there.headers.get('idempotent-replayed')]).toEqual([201, null])
})

it('a refusal is not kept: the key works once the reason is gone', async () => {
  const missing = await team.client.post('/notes', { resource_type: 'todo', resource_id: '018f0000-0000-7000-8000-000000000000', body: 'x' }, keyed('refused'))
  expect(missing.status).toBe(404)
  expect((await team.client.post('/todos', { title: 'Refused before' }, keyed('refused'))).status).toBe(201)
})

it('after 24 hours the key is new again', async () => {
  const { clock } = await service()
  const start = Date.now()
  const at = (hours: number) => clock.set(new Date(start + hours * 3_600_000).toISOString())
  at(0)
  const first = await team.client.post('/todos', { title: 'A day' }, keyed('day'))
  at(23.9)
  expect((await team.client.post('/todos', { title: 'A day' }, keyed('day'))).data.id).toBe(first.data.id)
  at(24.1)
  const next = await team.client.post('/todos', { title: 'A day' }, keyed('day'))
  expect([next.status, next.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(next.data.id).not.toBe(first.data.id)
  expect((await team.client.post('/todos', { title: 'A day' }, keyed('day'))).data.id).toBe(next.data.id)
  expect(await countOf('A day')).toBe(2)
})

it('an answer that shows a secret is kept sealed, and given again whole', async () => {
  const body = { name: 'Sealed', scopes: ['todos:read'] }
  const first = await team.owner.client.post('/api-tokens', body, keyed('secret'))
  expect(first.status).toBe(201)
  const [kept] = await sql(`select answer, sealed, fingerprint from idempotency_keys where user_id = $1 and key = 'secret'`, [team.owner.user_id])
  expect(kept.sealed).toBe(true)
  expect(kept.answer.toString('latin1')).not.toContain(first.data.token.slice(12))
  expect(kept.answer.toString('latin1')).not.toContain('Sealed')
  const again = await team.owner.client.post('/api-tokens', body, keyed('secret'))
  expect([again.status, again.headers.get('idempotent-replayed'), again.data.token]).toEqual([201, 'true', first.data.token])
  expect(await sql(`select count(*)::int as count from api_tokens where user_id = $1 and name = 'Sealed'`, [team.owner.user_id])).toEqual([{ count: 1 }])
})
