import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { client, type Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { service, startService, type Service } from '../../../test/support/service.ts'
import { openLog } from '../../foundation/log.ts'
import { openProgram } from '../../app/program.ts'
import { readSettings } from '../../foundation/settings.ts'
import { newId } from '../../foundation/ids.ts'
import { eventsOf } from '../../../test/support/events.ts'

let team: Team
const input = (more: object = {}) => ({ url: 'https://hooks.example.com/daybook', events: ['invoice.*'], ...more })
const newWebhook = async (of: Client = team.client, more: object = {}) => {
  const { data, detail } = await of.post('/o2c-webhooks', input(more))
  if (!data) throw new Error(JSON.stringify(detail))
  return data
}
const remove = (id: string) => team.client.delete(`/o2c-webhooks/${id}`)

beforeAll(async () => {
  team = await newBusiness()
})

describe('endpoints', () => {
  it('are made with a secret that is shown once', async () => {
    const made = await newWebhook(team.client, { events: ['invoice.*', 'invoice.*', 'customer.created'], description: 'Warehouse' })
    expect(made).toMatchObject({ events: ['invoice.*', 'customer.created'], description: 'Warehouse', enabled: true, status: 'healthy', disabled_reason: null, previous_secret_until: null, version: 1 })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const rotated = (await team.client.put(`/o2c-webhooks/${made.id}`, { rotate_secret: true })).data
    expect(rotated.secret).not.toBe(made.secret)
    expect(Date.parse(rotated.previous_secret_until) - Date.parse(rotated.updated_at)).toBe(86_400_000)
    const later = (await team.client.put(`/o2c-webhooks/${made.id}`, { description: 'Shop' })).data
    expect(later).toMatchObject({ secret: null, description: 'Shop', version: 3 })

    const seen = JSON.stringify([
      (await team.client.get(`/o2c-webhooks/${made.id}`)).body, (await team.client.get('/o2c-webhooks')).body, (await team.client.get('/events', { resource_id: made.id })).body,
      (await team.client.get('/audit-trail', { resource_id: made.id })).body, await sql('select * from webhooks where id = $1', [made.id]),
    ])
    for (const secret of [made.secret, rotated.secret]) {
      expect(seen).not.toContain(secret)
      expect(seen).not.toContain(Buffer.from(secret).toString('hex'))
    }
    expect(await eventsOf(made.id)).toEqual(['webhook.created', 'webhook.updated', 'webhook.updated'])
    await remove(made.id)
    expect(await eventsOf(made.id)).toEqual(['webhook.created', 'webhook.updated', 'webhook.updated', 'webhook.deleted'])
    expect((await sql('select length(secret) as length, previous_secret from webhooks where id = $1', [made.id]))[0]).toEqual({ length: 0, previous_secret: null })
  })

  it('change only where something differs; off and on again they begin anew', async () => {
    const { id } = await newWebhook()
    expect((await team.client.put(`/o2c-webhooks/${id}`, input({ enabled: true }))).data).toMatchObject({ version: 1 })
    expect((await team.client.put(`/o2c-webhooks/${id}`, {})).data.version).toBe(1)
    expect((await team.client.put(`/o2c-webhooks/${id}`, { enabled: false })).data).toMatchObject({ enabled: false, status: 'disabled', disabled_reason: 'by_hand', version: 2 })
    expect((await team.client.put(`/o2c-webhooks/${id}`, { enabled: false })).data.version).toBe(2)
    expect((await team.client.get('/o2c-webhooks', { enabled: false })).data.items.map((each: { id: string }) => each.id)).toEqual([id])
    expect((await team.client.put(`/o2c-webhooks/${id}`, { enabled: true, url: 'https://hooks.example.com/other' })).data).toMatchObject({ status: 'healthy', disabled_reason: null, version: 3 })
    expect((await team.client.put(`/o2c-webhooks/${id}`, { description: 'x' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    await remove(id)
    for (const answer of [await remove(id), await team.client.get(`/o2c-webhooks/${id}`), await team.client.put(`/o2c-webhooks/${id}`, {}), await team.client.post(`/o2c-webhooks/${id}/deliveries`, { test: true })]) expect(answer.status).toBe(404)
    expect((await team.client.get(`/o2c-webhooks/${id}/deliveries`)).data.items).toEqual([])
  })

  it('are twenty at most, also for those who come at once', async () => {
    const own = await newBusiness()
    const answers = await Promise.all(Array.from({ length: 24 }, () => own.client.post('/o2c-webhooks', input())))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({ status: 400, detail: 'The business has 20 webhook endpoints already: delete one first.' })
  })

  it('are refused with events that nobody knows and with urls that are none', async () => {
    const problemsOf = async (more: object) => (await team.client.post('/o2c-webhooks', input(more))).detail.map(({ loc, type }: any) => [loc.join('.'), type])
    expect(await problemsOf({ events: ['invoice.exploded', '*', 'todo.*'] })).toEqual([['body.events.0', 'enum'], ['body.events.2', 'enum']])
    expect(await problemsOf({ events: [] })).toEqual([['body.events', 'value_error']])
    for (const url of ['hooks.example.com', 'ftp://example.com/', 'https://me:pass@example.com/', 'https://example.com/#here']) expect(await problemsOf({ url })).toEqual([['body.url', 'value_error']])
    const { id } = await newWebhook()
    expect((await team.client.put(`/o2c-webhooks/${id}`, { events: ['nothing'] })).status).toBe(422)
    expect((await team.client.put(`/o2c-webhooks/${id}`, { url: 'nothing' })).status).toBe(422)
    await remove(id)
  })
})

describe('sending again', () => {
  it('wants one way and known deliveries', async () => {
    const { id } = await newWebhook()
    const ask = (body: object) => team.client.post(`/o2c-webhooks/${id}/deliveries`, body)
    for (const body of [{}, { test: false }, { test: true, from_sequence: 1 }, { delivery_ids: [newId()], from: '2026-01-01T00:00:00Z' }]) expect((await ask(body)).detail).toMatchObject([{ loc: ['body'], type: 'value_error' }])
    expect((await ask({ status: ['dead'] })).detail).toMatchObject([{ loc: ['body', 'from'], type: 'missing' }])
    expect((await ask({ from: '2026-01-01T00:00:00Z', status: ['delivered'] })).status).toBe(422)
    const test = (await ask({ test: true })).data
    expect((await ask({ delivery_ids: [test.delivery_ids[0], newId()] })).status).toBe(404)
    expect((await ask({ delivery_ids: test.delivery_ids })).data.queued).toBe(1)
    const other = await newWebhook()
    expect((await team.client.post(`/o2c-webhooks/${other.id}/deliveries`, { delivery_ids: test.delivery_ids })).status).toBe(404)
    expect((await team.client.get(`/o2c-webhooks/${id}`)).data.last_24_hours).toEqual({ pending: 1, delivered: 0, failed: 0, dead: 0, dropped: 0 })
    await Promise.all([id, other.id].map(remove))
  })
})

describe('who may', () => {
  it('owners and admins with the scope, in their own business', async () => {
    const { id } = await newWebhook()
    const calls = (each: Client) => [
      () => each.get('/o2c-webhooks'), () => each.post('/o2c-webhooks', input()), () => each.get(`/o2c-webhooks/${id}`), () => each.put(`/o2c-webhooks/${id}`, { rotate_secret: true }),
      () => each.get(`/o2c-webhooks/${id}/deliveries`), () => each.post(`/o2c-webhooks/${id}/deliveries`, { test: true }), () => each.delete(`/o2c-webhooks/${id}`),
    ]
    const statuses = (each: Client) => Promise.all(calls(each).map(async (call) => (await call()).status))
    for (const role of ['accountant', 'bookkeeper', 'approver', 'viewer'] as const) expect(await statuses((await newMember(team.business_id, role)).client)).toEqual(Array(7).fill(403))
    const reader = client(await newToken(team.owner, ['o2c-webhooks:read', 'events:read']), team.business_id)
    expect(await statuses(reader)).toEqual([200, 403, 200, 403, 200, 403, 403])
    const other = await newBusiness()
    expect(await statuses(other.client)).toEqual([200, 201, 404, 404, 404, 404, 404])
    expect((await other.client.get('/o2c-webhooks')).data.items).toHaveLength(1)
    expect(await statuses(client(team.owner.token, other.business_id))).toEqual(Array(7).fill(403))
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.get('/events', { resource_id: id })).data.items).toEqual([])
    const admin = await newMember(team.business_id, 'admin')
    expect((await admin.client.put(`/o2c-webhooks/${id}`, { description: 'By the admin' })).status).toBe(200)
    await remove(id)
  })
})

describe('where a service is open to strangers', () => {
  const names: Record<string, string[]> = { 'inside.test': ['10.1.2.3'], 'both.test': ['93.184.215.14', '127.0.0.1'], 'outside.test': ['93.184.215.14'] }
  let strict: Service
  let stranger: Client
  beforeAll(async () => {
    const resolve = (name: string) => (names[name] ? Promise.resolve(names[name]) : Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })))
    strict = await startService({ DAYBOOK_WEBHOOK_PRIVATE: 'false' }, inject('database_url'), resolve)
    stranger = client(team.owner.token, team.business_id, strict.url)
  })
  afterAll(() => strict.program.stop())

  it.each(['https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/', 'https://[::1]/', 'https://[::ffff:10.0.0.1]/', 'https://[64:ff9b::a00:1]/', 'https://169.254.169.254/latest',
    'https://192.168.1.1:8443/', 'https://inside.test/', 'https://both.test/hook', 'https://nowhere.test/'])('%s is refused', async (url) => {
    expect((await stranger.post('/o2c-webhooks', input({ url }))).status).toBe(400)
  })

  it.each(['http://outside.test/', 'https://outside.test:25/'])('%s has not the form', async (url) => {
    expect((await stranger.post('/o2c-webhooks', input({ url }))).status).toBe(422)
  })

  it('a public name is taken, and cannot be changed to an inner one', async () => {
    const { id } = await newWebhook(stranger, { url: 'https://outside.test/hook' })
    expect((await stranger.put(`/o2c-webhooks/${id}`, { url: 'https://inside.test/' })).detail).toBe('inside.test is not a public address: the url must be reachable from the internet.')
    expect((await stranger.put(`/o2c-webhooks/${id}`, { url: 'https://10.0.0.1/' }, { query: { dry_run: true } })).status).toBe(400)
    expect((await stranger.put(`/o2c-webhooks/${newId()}`, { url: 'https://10.0.0.1/' })).status).toBe(404)
    // Nobody is asked where nothing changes: the name leads inside by now, and each delivery finds that out.
    names['outside.test'] = ['10.0.0.1']
    expect((await stranger.put(`/o2c-webhooks/${id}`, { url: 'https://outside.test/hook', description: 'x' })).status).toBe(200)
    await remove(id)
  })
})

it('no log tells a secret', async () => {
  const lines: string[] = []
  const settings = readSettings({ DAYBOOK_PORT: '0', DAYBOOK_LOG_LEVEL: 'debug', DAYBOOK_WEBHOOK_PRIVATE: 'true' })
  const destination = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) })
  const program = openProgram({ settings, database_url: inject('database_url'), encryption_key: (await service()).program.database.surroundings.encryption_key, log: openLog('debug', destination) })
  const caller = client(team.owner.token, team.business_id, await program.listen())
  const made = await newWebhook(caller)
  const rotated = (await caller.put(`/o2c-webhooks/${made.id}`, { rotate_secret: true })).data
  await remove(made.id)
  await program.stop()
  expect(lines.length).toBeGreaterThan(0)
  for (const secret of [made.secret, rotated.secret]) expect(lines.join('')).not.toContain(secret.slice(6))
})
