// One test per endpoint, generated from the contracts: who may call, what is refused and where, and what a call leaves behind.
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/app/routes.ts'
import type { Endpoint } from '../../src/foundation/endpoint.ts'
import { newId } from '../../src/foundation/ids.ts'
import { client, type Answer, type Call, type Client } from '../support/client.ts'
import { newBusiness, newPerson, newToken } from '../support/people.ts'
import { service } from '../support/service.ts'
import { traceOf } from '../support/trace.ts'
import { sampleFor, withoutDryRun, withoutTrace, type Sample } from './samples.ts'

type Schema = { type?: string | string[]; format?: string; enum?: unknown[]; properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[] }

/** The tests of every `of`-th endpoint, from this one on: files run beside each other. */
export function contractTests(part: number, of: number): void {
  describe.each(routes.map(({ endpoint }) => endpoint).filter((_, index) => index % of === part))('$method $path', (endpoint) => {
    const write = endpoint.method !== 'GET'
    // What is refused changes nothing, and neither does a read: they share one sample.
    let unchanged: Promise<Sample> | null = null
    const unchangedSample = () => (unchanged ??= newBusiness().then((team) => sampleFor(endpoint, team)))

    if (endpoint.scope !== 'public') it('refuses nobody, and a credential that is none, with 401', async () => {
      const sample = blank(endpoint)
      expect((await call(client(null, newId()), endpoint, sample)).status).toBe(401)
      expect((await call(client(`dbk_${'x'.repeat(43)}`, newId()), endpoint, sample)).status).toBe(401)
      expect((await call(client(null, newId()), endpoint, { ...sample, headers: { authorization: 'Basic eDp5' } })).status).toBe(401)
    })

    if (endpoint.scope === 'business') it('needs a business that the caller is in: 400, 422, 403', async () => {
      const [team, stranger] = [await bystander(), (await outsider()).client]
      const sample = blank(endpoint)
      const in_path = endpoint.path.includes('{business_id}')
      if (!in_path) {
        expect((await call(client(team.owner.token), endpoint, sample)).status).toBe(400)
        expect((await call(client(team.owner.token, 'nonsense'), endpoint, sample)).detail[0].loc).toEqual(['header', 'x-business-id'])
      } else {
        expect((await call(client(team.owner.token, newId()), endpoint, { ...sample, params: { ...sample.params, business_id: team.business_id } })).status).toBe(400)
      }
      const outside = { ...sample, params: { ...sample.params, business_id: team.business_id } }
      expect((await call(client(stranger.token, team.business_id), endpoint, outside)).status).toBe(403)
      expect((await call(client(team.owner.token, newId()), endpoint, { ...sample, params: { ...sample.params, business_id: newId() } })).status).toBe(in_path ? 400 : 403)
    })

    if (endpoint.permission) it('needs its permission: a token without the scope gets a 403', async () => {
      const team = await bystander()
      const token = await (endpoint.permission === 'notes:read' ? tagReader() : noteReader())
      const answer = await call(client(token, team.business_id), endpoint, { ...blank(endpoint), params: { ...blank(endpoint).params, business_id: team.business_id } })
      expect(answer.status).toBe(403)
    })

    if (pathIds(endpoint).length > 0) it('refuses ids that are none with 422, and ids that are not there with 404', async () => {
      const sample = await unchangedSample()
      for (const name of pathIds(endpoint)) {
        const broken = await call(sample.client, endpoint, { ...sample, params: { ...sample.params, [name]: 'nonsense' } })
        expect(broken.status).toBe(422)
        expect(broken.detail.map(({ loc }: { loc: unknown }) => loc)).toContainEqual(['path', name])
        expect((await call(sample.client, endpoint, { ...sample, params: { ...sample.params, [name]: newId() } })).status).toBe(404)
      }
    })

    // Whoever has a public link is whom it was given to.
    if (endpoint.by_link === null && pathIds(endpoint).length > 0) it('answers 404 for what belongs to somebody else', async () => {
      const [sample, other] = [await unchangedSample(), await bystander()]
      const params = { ...sample.params, ...('business_id' in sample.params ? { business_id: other.business_id } : {}) }
      const answer = await call(client(other.owner.token, other.business_id), endpoint, { ...sample, params })
      expect(answer.status).toBe(404)
    })

    if (endpoint.body) it('refuses a broken body with 422, all problems at once, each with its place', async () => {
      const sample = await unchangedSample()
      const send = (more: Partial<Sample> & Call) => call(sample.client, endpoint, { ...sample, body: undefined, ...more })
      expect((await send({ raw: '{"half": ' })).detail).toEqual([{ loc: ['body'], msg: 'The body is not valid JSON.', type: 'json_invalid' }])
      expect((await send({ raw: '{}', headers: { 'content-type': 'text/plain' } })).detail[0]).toMatchObject({ loc: ['body'], type: 'json_invalid' })
      expect((await send({ body: [] })).detail).toContainEqual({ loc: ['body'], msg: 'Must be an object.', type: 'object_type' })
      const wrong = wrongBody(endpoint.body as Schema)
      const answer = await send({ body: wrong.body })
      expect(answer.status).toBe(wrong.places.length > 0 ? 422 : answer.status)
      if (wrong.places.length > 0) expect(answer.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual(expect.arrayContaining(wrong.places))
      const required = (endpoint.body as Schema).required ?? []
      if (required.length > 0) {
        const missing = await send({ body: {} })
        expect(missing.detail.map(({ loc, type }: { loc: unknown; type: string }) => ({ loc, type }))).toEqual(expect.arrayContaining(required.map((name) => ({ loc: ['body', name], type: 'missing' }))))
        expect((await send({})).detail[0]).toMatchObject({ loc: ['body'], type: 'missing' })
      }
    })

    if (isList(endpoint)) it('pages as every list does', async () => {
      const sample = await unchangedSample()
      const ask = (query: Call['query']) => call(sample.client, endpoint, { ...sample, query: { ...sample.query, ...query } })
      expect((await ask({ limit: 0 })).detail[0]).toMatchObject({ loc: ['query', 'limit'], type: 'greater_than_equal', ctx: { ge: 1 } })
      expect((await ask({ limit: 1001 })).detail[0]).toMatchObject({ loc: ['query', 'limit'], type: 'less_than_equal', ctx: { le: 1000 } })
      expect((await ask({ limit: '1.5' })).detail[0]).toMatchObject({ loc: ['query', 'limit'], type: 'int_type' })
      expect((await ask({ sort_by: 'nonsense' })).detail[0]).toMatchObject({ loc: ['query', 'sort_by'], type: 'enum' })
      expect((await ask({ direction: 'sideways' })).status).toBe(422)
      expect((await ask({ cursor: 'nonsense' })).status).toBe(400)
      expect((await ask({ include_total_count: true, unheard_of: 'x' })).data.total).toBeTypeOf('number')
      expect((await ask({})).data).toMatchObject({ limit: expect.any(Number), has_prev: false, prev_cursor: null, total: null })
    })

    if (!write) it('answers as described', async () => {
      const sample = await unchangedSample()
      if (sample.stream) return expect(await contentType(endpoint, sample)).toBe('text/event-stream')
      requireDescribed(endpoint, await call(sample.client, endpoint, sample))
    })

    if (write) it('leaves no trace of a dry run, answers as described, and the same again for a repeated idempotency key', async () => {
      const team = await newBusiness()
      const sample = await sampleFor(endpoint, team)
      const before = await traceOf(team, sample.user_id)
      const rehearsed = await call(sample.client, endpoint, { ...sample, query: { ...sample.query, dry_run: 'true' } })
      const dry = !withoutDryRun.has(endpoint.id)
      expect(rehearsed.status, JSON.stringify(rehearsed.detail)).toBe(dry ? successOf(endpoint) : 400)
      if (dry) expect(await traceOf(team, sample.user_id)).toEqual(before)

      const keyed = endpoint.scope !== 'public' && !sample.once
      const headers = { ...sample.headers, ...(keyed ? { 'idempotency-key': newId() } : {}) }
      const answer = await call(sample.client, endpoint, { ...sample, headers })
      requireDescribed(endpoint, answer)
      if (dry && !withoutTrace.has(endpoint.id)) expect(await traceOf(team, sample.user_id)).not.toEqual(before)
      if (!keyed) return
      const again = await call(sample.client, endpoint, { ...sample, headers })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect([again.status, again.body]).toEqual([answer.status, answer.body])
      if (!endpoint.body) return
      const other = await call(sample.client, endpoint, { ...sample, query: { ...sample.query, changed: 'yes' }, headers })
      expect(other.detail).toBe('This Idempotency-Key was used for another request. Use a new key.')
    })

    if (write && endpoint.method !== 'POST' && hasVersion(endpoint)) it('refuses a stale If-Match with 412 and changes nothing', async () => {
      const team = await newBusiness()
      const sample = await sampleFor(endpoint, team)
      const before = await traceOf(team, sample.user_id)
      const answer = await call(sample.client, endpoint, { ...sample, headers: { 'if-match': '"987654"' } })
      expect(answer.status).toBe(412)
      expect(await traceOf(team, sample.user_id)).toEqual(before)
    })
  })
}

function requireDescribed(endpoint: Endpoint, answer: Answer): void {
  expect(answer.status, JSON.stringify(answer.detail)).toBe(successOf(endpoint))
  const file = (endpoint.reply as { contentMediaType?: string }).contentMediaType
  // A file that somebody sent has a type of its own.
  if (file) return expect(answer.headers.get('content-type')).toMatch(file === 'application/octet-stream' ? /\w+\/\w+/ : file)
  if (!endpoint.inbound) expect(Object.keys(answer.body)).toEqual(['success', 'message', 'code', 'data'])
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  if (answer.data?.version) expect(answer.headers.get('etag')).toBe(`"${answer.data.version}"`)
}

/** A provider that sent a signed message is told 200, whatever the method. */
function successOf({ method, inbound }: Endpoint): number {
  return method === 'POST' && !inbound ? 201 : 200
}

/** Made once for all endpoints of a file: a business where nothing happens, somebody who is in none, and tokens that may do little. */
const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}
const bystander = once(newBusiness)
const outsider = once(newPerson)
const noteReader = once(async () => newToken((await bystander()).owner, ['notes:read']))
const tagReader = once(async () => newToken((await bystander()).owner, ['tags:read']))

let calls = 0

function call(caller: Client, endpoint: Endpoint, { params, query, body, headers, raw }: Sample & Call) {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? newId()))
  const own = endpoint.path.includes('{business_id}') && caller.business_id === params['business_id'] ? { business_id: null } : {}
  return caller.call(endpoint.method, path, {
    ...own,
    ...(query ? { query } : {}),
    // From an address of its own each: limits per address are tested where they belong.
    headers: { 'x-forwarded-for': `10.0.${++calls >> 8}.${calls & 255}`, ...headers },
    ...(raw === undefined ? (body === undefined ? {} : { body }) : { raw }),
  })
}

/** Of a stream that does not end by itself. */
async function contentType(endpoint: Endpoint, { client: { token, business_id }, params }: Sample): Promise<string | null> {
  const ended = new AbortController()
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  const headers = { authorization: `Bearer ${token}`, 'x-business-id': business_id ?? '' }
  const response = await fetch(`${(await service()).url}/api/v1${path}`, { headers, signal: ended.signal })
  ended.abort()
  return response.headers.get('content-type')
}

/** Something to send where the call does not get as far as being read. */
function blank(endpoint: Endpoint): Sample {
  const { properties = {} } = endpoint.params as Schema
  return { params: Object.fromEntries(Object.keys(properties).map((name) => [name, newId()])), ...(endpoint.body ? { body: {} } : {}) } as unknown as Sample
}

function pathIds(endpoint: Endpoint): string[] {
  const { properties = {} } = endpoint.params as Schema
  return Object.entries(properties).filter(([name, { format }]) => format === 'uuid' && name !== 'business_id').map(([name]) => name)
}

function isList(endpoint: Endpoint): boolean {
  return 'next_cursor' in ((endpoint.reply as Schema).properties ?? {})
}

function hasVersion(endpoint: Endpoint): boolean {
  return 'version' in ((endpoint.reply as Schema).properties ?? {})
}

/** A body in which every member has a type it cannot have, and the places of the problems. */
function wrongBody(schema: Schema): { body: Record<string, unknown>; places: string[][] } {
  const entries = Object.entries(schema.properties ?? {}).filter(([, member]) => [member.type].flat()[0] !== undefined)
  const body = Object.fromEntries(entries.map(([name, member]) => [name, [member.type].flat().includes('array') ? 'not a list' : [member.type].flat().includes('object') ? 17 : []]))
  return { body, places: Object.keys(body).map((name) => ['body', name]) }
}
