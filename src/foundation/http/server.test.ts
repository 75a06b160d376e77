// The server as seen from outside, whatever the operation: errors, limits, headers, health.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { Type } from 'typebox'
import { client } from '../../../test/support/client.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { service, startService, type Service } from '../../../test/support/service.ts'
import { openGate } from '../../access/gate.ts'
import { openTouches } from '../../access/touches.ts'
import { systemClock } from '../calendar.ts'
import { unregistered } from '../database/statement.ts'
import { Download, endpoint, on, type Body } from '../endpoint.ts'
import { openLog } from '../log.ts'
import { forbidden } from '../refusal.ts'
import { openMetrics } from './metrics.ts'
import { rateLimit } from './rate-limit.ts'
import { buildServer } from './server.ts'

const one = unregistered(Type.Object({}), 'select 1')

let team: Team
let url: string
beforeAll(async () => {
  team = await newBusiness()
  url = (await service()).url
})

describe('bodies', () => {
  it.each([
    ['no JSON', { raw: '{"title":' }, 422, 'json_invalid', 'The body is not valid JSON.'],
    ['no body', {}, 422, 'missing', 'A JSON body is required.'],
    ['another content type', { raw: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 422, 'json_invalid', 'The body must be JSON with content-type application/json.'],
    ['a list', { raw: '[]' }, 422, 'object_type', 'Must be an object.'],
    ['null', { raw: 'null' }, 422, 'object_type', 'Must be an object.'],
  ])('%s is a 422 that says so', async (_what, call, status, type, msg) => {
    const answer = await team.client.call('POST', '/todos', call)
    expect([answer.status, answer.detail]).toEqual([status, [{ loc: ['body'], type, msg }]])
  })

  it('a relative of JSON with a character set is accepted', async () => {
    const answer = await team.client.call('POST', '/todos', { raw: '{"title":"Größe"}', headers: { 'content-type': 'application/merge-patch+json; charset=utf-8' } })
    expect([answer.status, answer.data?.title]).toEqual([201, 'Größe'])
  })

  it('too large is a 413, whoever sends it', async () => {
    const raw = JSON.stringify({ title: 'x', description: 'x'.repeat(1_100_000) })
    expect(await team.client.call('POST', '/todos', { raw })).toMatchObject({ status: 413, detail: 'The body is too large.' })
    const small = await startService({ DAYBOOK_MAX_BODY_BYTES: '1024' })
    expect((await client(team.owner.token, team.business_id, small.url).post('/todos', { title: 'x', description: 'x'.repeat(2_000) })).status).toBe(413)
    await small.program.stop()
  })

  it('who may not call is not told what is wrong with the body', async () => {
    expect((await client(null, team.business_id).call('POST', '/todos', { raw: '{' })).status).toBe(401)
  })
})

describe('routes', () => {
  it('an unknown one is a 404', async () => {
    const answer = await fetch(`${url}/api/v1/unicorns`)
    expect([answer.status, await answer.json()]).toEqual([404, { detail: 'Route not found.' }])
    expect((await fetch(`${url}/`)).status).toBe(404)
  })

  it('another method is a 405 that lists those there are', async () => {
    const answer = await fetch(`${url}/api/v1/todos`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow'), await answer.json()]).toEqual([405, 'GET, POST', { detail: 'This method is not allowed here; use GET, POST.' }])
  })

  it('a path that cannot be decoded is a 400', async () => {
    expect((await fetch(`${url}/api/v1/todos/%E0%A4%A`)).status).toBe(400)
  })
})

describe('headers', () => {
  it('the caller\'s request id comes back and is in the audit trail; a strange one is replaced', async () => {
    const answer = await team.client.post('/todos', { title: 'Traced' }, { headers: { 'x-request-id': 'mine-1.2:3' } })
    expect(answer.headers.get('x-request-id')).toBe('mine-1.2:3')
    expect((await team.client.get('/audit-trail', { request_id: 'mine-1.2:3' })).data.items).toMatchObject([{ action: 'todo.created', request_id: 'mine-1.2:3' }])
    for (const strange of ['a b', 'x'.repeat(101), '<script>']) {
      expect((await team.client.get('/todos', {}, { headers: { 'x-request-id': strange } })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('If-None-Match: 304 without a body while it is the same, also as part of a list or weak', async () => {
    const { data } = await team.client.post('/todos', { title: 'Cached' })
    const read = (tag: string) => fetch(`${url}/api/v1/todos/${data.id}`, { headers: { authorization: `Bearer ${team.owner.token}`, 'x-business-id': team.business_id, 'if-none-match': tag } })
    for (const tag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
      const answer = await read(tag)
      expect([answer.status, answer.headers.get('etag'), await answer.text()], tag).toEqual([304, '"1"', ''])
    }
    await team.client.put(`/todos/${data.id}`, { title: 'Changed' })
    expect((await read('"1"')).status).toBe(200)
  })
})

describe('health', () => {
  it('alive, ready, with numbers', async () => {
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })
    await team.client.get('/todos')
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toMatch(/daybook_http_request_seconds_count\{method="GET",route="\/api\/v1\/todos",status="200"\} \d+/)
    expect(metrics).toMatch(/daybook_database_connections\{state="idle"\} \d+/)
    expect(metrics).not.toContain(team.business_id)
  })

  it('without a database: alive, not ready, and every call a 503', async () => {
    const away = await startService({}, inject('database_url').replace(/:\d+\//, ':1/'))
    expect((await fetch(`${away.url}/healthz`)).status).toBe(200)
    const ready = await fetch(`${away.url}/readyz`)
    expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toEqual([503, '2', { detail: 'The database does not answer.' }])
    const answer = await client('dbk_nobody_at_all', team.business_id, away.url).get('/todos')
    expect(answer).toMatchObject({ status: 503, detail: 'The database is not available right now. Try again in a moment.' })
    expect(answer.headers.get('retry-after')).toBe('2')
    await away.program.stop()
  })
})

describe('the rate limit', () => {
  let strict: Service
  beforeAll(async () => {
    strict = await startService({ DAYBOOK_RATE_LIMIT: '5' })
    strict.clock.set('2026-03-01T00:00:00Z')
  })
  afterAll(() => strict.program.stop())

  it('counts down, then answers 429 until its time has come; others are not concerned', async () => {
    const caller = client('dbk_somebody_or_other', team.business_id, strict.url)
    const headers = (answer: { headers: Headers }) => ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => answer.headers.get(name))
    for (let left = 4; left >= 0; left--) {
      const answer = await caller.get('/todos')
      expect([answer.status, headers(answer)]).toEqual([401, ['5', String(left), String((5 - left) * 12)]])
    }
    const refused = await caller.get('/todos')
    expect([refused.status, headers(refused), refused.headers.get('retry-after'), refused.detail]).toEqual([429, ['5', '0', '12'], '12', 'Too many requests. Slow down and try again.'])
    expect((await client('dbk_somebody_else_here', team.business_id, strict.url).get('/todos')).status).toBe(401)
    strict.clock.set('2026-03-01T00:00:12Z')
    expect((await caller.get('/todos')).status).toBe(401)
    expect((await caller.get('/todos')).status).toBe(429)
  })

  it('callers without a credential are told apart by address, as the trusted proxy says', async () => {
    const from = (address: string) => client(null, team.business_id, strict.url).get('/todos', {}, { headers: { 'x-forwarded-for': address } })
    for (let n = 0; n < 5; n++) expect((await from('203.0.113.1')).status).toBe(401)
    expect((await from('203.0.113.1')).status).toBe(429)
    expect((await from('203.0.113.2')).status).toBe(401)
  })
})

describe('a body with a file', () => {
  it('may be larger where the endpoint says so, and only there', async () => {
    const { program } = await service()
    const taking = (path: string, large_body: boolean) =>
      on(endpoint({ id: path.slice(1), method: 'POST', path, summary: 'Takes', scope: 'public', permission: null, large_body, body: Type.Object({ content: Type.String() }), reply: Type.Object({ size: Type.Integer() }) }),
        async (_tx, { body }) => ({ size: body.content.length }))
    const server = buildServer({
      database: program.database, gate: openGate(openTouches()), rate_limit: rateLimit(1_000, systemClock), log: openLog('silent'), metrics: openMetrics(), max_body_bytes: 1_000, max_file_bytes: 9_000, trust_proxy: false, pages: [],
      routes: [taking('/small', false), taking('/large', true)],
    })
    const post = async (path: string, size: number) =>
      (await server.inject({ method: 'POST', url: `/api/v1${path}`, headers: { 'content-type': 'application/json' }, payload: JSON.stringify({ content: 'x'.repeat(size) }) })).statusCode
    expect([await post('/small', 900), await post('/small', 1_100), await post('/large', 12_000), await post('/large', 13_100)]).toEqual([201, 413, 201, 413])
    await server.close()
  })
})

describe('a download in parts', () => {
  it('is read in transactions of its own, and a fault on the way is not taken for its end', async () => {
    const { program } = await service()
    const giving = (path: string, body: Body) =>
      on(endpoint({ id: path.slice(1), method: 'GET', path, summary: 'Gives', scope: 'public', permission: null, reply: Type.String({ contentMediaType: 'text/plain' }) }), async () => new Download('text/plain', 'a file', body))
    const server = buildServer({
      database: program.database, gate: openGate(openTouches()), rate_limit: rateLimit(1_000, systemClock), log: openLog('silent'), metrics: openMetrics(), max_body_bytes: 1_000, max_file_bytes: 9_000, trust_proxy: false, pages: [],
      routes: [
        giving('/whole', async function* (read) {
          for (const word of ['one', 'größe']) yield await read(async (tx) => `${word} ${(await tx.many(one)).length}\n`)
        }),
        giving('/broken', async function* () {
          yield 'half'
          await Promise.reject(new Error('No more.'))
        }),
        giving('/refused', async function* () {
          yield await Promise.reject<string>(forbidden('Not any more.'))
        }),
      ],
    })
    const address = await server.listen({ port: 0 })
    const whole = await fetch(`${address}/api/v1/whole`)
    expect([whole.status, whole.headers.get('content-disposition'), await whole.text()]).toEqual([200, 'attachment; filename="a_file"', 'one 1\ngröße 1\n'])
    await expect(fetch(`${address}/api/v1/broken`).then((answer) => answer.text())).rejects.toThrow()
    const refused = await fetch(`${address}/api/v1/refused`)
    expect([refused.status, await refused.json()]).toEqual([403, { detail: 'Not any more.' }])
    await server.close()
  })
})

describe('a fault of ours', () => {
  it('is a 500 that tells nothing, and the log has it', async () => {
    const { program } = await service()
    const lines: string[] = []
    const log = openLog('error', { write: (line) => void lines.push(line) })
    const failing = (path: string, run: () => Promise<never>) =>
      on(endpoint({ id: path.slice(1), method: 'GET', path, summary: 'Fails', scope: 'public', permission: null, reply: Type.Object({}) }), run)
    const forbidden = unregistered(Type.Object({}), 'select secret_column from secret_table')
    const server = buildServer({
      database: program.database, gate: openGate(openTouches()), rate_limit: rateLimit(1_000, systemClock), log, metrics: openMetrics(), max_body_bytes: 1_000, max_file_bytes: 9_000, trust_proxy: false, pages: [],
      routes: [
        failing('/throws', async () => Promise.reject(new Error('The password is hunter2.'))),
        { endpoint: failing('/asks', async () => Promise.reject(new Error())).endpoint, run: (async (tx: { many(s: unknown): Promise<unknown> }) => tx.many(forbidden)) as never },
        failing('/odd', async () => Promise.reject(undefined as unknown as Error)),
      ],
    })
    for (const path of ['/throws', '/asks', '/odd']) {
      const answer = await server.inject({ url: `/api/v1${path}`, headers: { 'x-request-id': `fault${path.replace('/', '-')}` } })
      expect([answer.statusCode, answer.json()]).toEqual([500, { detail: 'Something went wrong on our side. The request id in x-request-id helps us to find it.' }])
      expect(lines.filter((line) => line.includes(`fault${path.replace('/', '-')}`)), path).toHaveLength(1)
    }
    await server.close()
  })
})
