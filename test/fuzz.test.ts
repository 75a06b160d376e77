// Bad input by the thousand: whatever is sent to any endpoint, the answer is a decision, never a fault of ours.
// A failure prints its seed; FUZZ_SEED replays it, FUZZ_RUNS makes it longer.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/app/routes.ts'
import type { Endpoint } from '../src/foundation/endpoint.ts'
import { newId } from '../src/foundation/ids.ts'
import { checkAnswer } from './support/check.ts'
import { newBusiness, type Team } from './support/people.ts'
import { service } from './support/service.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(process.env['FUZZ_RUNS'] ?? 12)

type Schema = { type?: string | string[]; format?: string; enum?: unknown[]; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }
type Request = { path: Record<string, string>; query: [string, string][]; body: unknown; raw: string | null; headers: Record<string, string> }

const nasty = fc.constantFrom(
  '', ' ', '\0', 'null', 'undefined', '-1', '0', '9007199254740993', '1e999', 'NaN', '../../etc/passwd', "'; drop table notes; --", '%', '%00', '{}', '[]', '\ud800',
  '<script>', '😀'.repeat(50), 'a'.repeat(5000), '2026-02-30', '0000-00-00', '9999-12-31', '2026-02-29T25:00:00Z', '01a1dd3a-827e-75f6-810e-7bed0da1e6fb', '${jndi}', '__proto__', 'constructor',
  '\u202e', 'İ', 'ß', '=1+1', '@x', ',', ',,,', 'true', 'me')
const anything = fc.oneof(nasty, fc.jsonValue({ maxDepth: 3 }), fc.integer(), fc.double(), fc.constantFrom(2 ** 53, -(2 ** 53), 1e308, 0.5), fc.constant(null))

let team: Team
let shared: Team
let url: string
beforeAll(async () => {
  url = (await service()).url
  shared = await newBusiness()
})

/** A business of its own for those that may end the session, the membership or the business that the next would need. */
const mayEndAccess = ({ scope, path }: Endpoint): boolean => scope !== 'business' || /^\/(businesses|members|billing|sandbox|activation)/.test(path)

describe(`fuzz with FUZZ_SEED=${seed}`, () => {
  it.each(routes.map(({ endpoint }) => endpoint).filter(({ id }) => id !== 'stream_events' && id !== 'stream_notifications'))('$method $path', async (endpoint) => {
    team = mayEndAccess(endpoint) ? await newBusiness() : shared
    await fc.assert(fc.asyncProperty(requestOf(endpoint), async (request) => {
      const response = await send(endpoint, request)
      const text = await response.text()
      expect([500, 502, 504].includes(response.status), `${response.status} ${text}`).toBe(false)
      if (response.ok && !response.headers.get('content-type')?.startsWith('application/json')) return
      const body = JSON.parse(text)
      if (response.status >= 400) expect(body).toHaveProperty(endpoint.form ? 'error' : 'detail')
      checkAnswer(endpoint.method, new URL(response.url).pathname.slice('/api/v1'.length), response, body)
    }), { seed, numRuns: runs, endOnFailure: true, includeErrorInReport: true })
  })
})

/** Something close to what the endpoint wants, with something wrong in it. */
function requestOf(endpoint: Endpoint): fc.Arbitrary<Request> {
  const { properties: params = {} } = endpoint.params as Schema
  const { properties: query = {} } = endpoint.query as Schema
  return fc.record({
    path: fc.record(Object.fromEntries(Object.keys(params).map((name) => [name, fc.oneof({ weight: 3, arbitrary: fc.constant(newId()) }, { weight: 1, arbitrary: nasty.filter((text) => text !== '') })]))),
    query: fc.array(fc.tuple(fc.constantFrom('dry_run', ...Object.keys(query)), nasty), { maxLength: 4 }),
    body: endpoint.body ? bodyOf(endpoint.body as Schema) : fc.constant(undefined),
    raw: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom('{', '[', '"', '{"a":1,}', '\u0000', '[[[[[[', '{"__proto__":{"a":1}}', '1', 'null') }),
    headers: fc.record({
      'idempotency-key': fc.constantFrom('', 'key', 'k'.repeat(300)),
      'if-match': fc.constantFrom('', '*', '"1"', 'W/"1"', 'nonsense'),
    }, { requiredKeys: [] }),
  })
}

function bodyOf(schema: Schema): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(schema.anyOf?.[0]?.properties ?? schema.properties ?? {}).map(([name, member]) => [name, fc.oneof({ weight: 3, arbitrary: valueOf(member) }, { weight: 1, arbitrary: anything })]))
  return fc.oneof({ weight: 9, arbitrary: fc.record(members, { requiredKeys: [] }) }, { weight: 1, arbitrary: anything })
}

/** A value of the right kind, with its limits ignored. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  const [kind] = [schema.type].flat().filter((name) => name !== 'null')
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf?.[0]) return valueOf(schema.anyOf[0])
  if (kind === 'integer') return fc.oneof(fc.integer(), fc.maxSafeInteger())
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'array') return fc.array(valueOf(schema.items ?? {}), { maxLength: 5 })
  if (kind === 'object') return schema.properties ? bodyOf(schema) : fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 })
  if (schema.format === 'uuid') return fc.oneof(fc.uuid(), fc.constant(newId().toUpperCase()))
  if (schema.format === 'date') return fc.constantFrom('2026-01-31', '2024-02-29', '0001-01-01', '9999-12-31')
  if (schema.format === 'date-time') return fc.constantFrom('2026-01-31T09:30:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999-12:00')
  if (schema.format === 'email') return fc.emailAddress()
  return fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 300 }), nasty)
}

function send(endpoint: Endpoint, { path, query, body, raw, headers }: Request): Promise<Response> {
  const filled = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent((name === 'business_id' ? team.business_id : path[name] ?? '').toWellFormed()))
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')
  const payload = endpoint.body ? raw ?? JSON.stringify(body) : undefined
  return fetch(`${url}/api/v1${filled}?${search}`, {
    method: endpoint.method,
    headers: {
      ...headers, 'content-type': 'application/json', 'x-forwarded-for': `10.1.${Math.floor(Math.random() * 255)}.7`,
      ...(endpoint.scope === 'public' ? {} : { authorization: `Bearer ${team.owner.token}` }),
      ...(endpoint.path.includes('{business_id}') || endpoint.scope !== 'business' ? {} : { 'x-business-id': team.business_id }),
    },
    ...(payload === undefined ? {} : { body: payload }),
  })
}
