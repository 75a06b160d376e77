// Webhooks from the event to the receiver, on a database of their own: whoever sends takes what is due in all businesses.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownService, type Own, type Owner } from '../../../test/support/own.ts'
import { until } from '../../../test/support/process.ts'
import { hang, startReceiver, type Receiver } from '../../../test/support/receiver.ts'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import { deliverTo } from '../../foundation/jobs/outbox.ts'
import { openLog } from '../../foundation/log.ts'
import { seal } from '../../foundation/secrets.ts'
import { takeLanes } from '../webhook-queue/operations.ts'
import { cleanWebhookLog, openSender, queueWebhooks } from './jobs.ts'
import { loadsOf } from './operations.ts'

const log = openLog('silent')
let own: Own
let receiver: Receiver
let owner: Owner
let paths = 0

beforeAll(async () => {
  receiver = await startReceiver()
  own = await ownService()
  owner = await own.owner()
})
afterAll(async () => {
  await own.stop()
  await receiver.stop()
})
beforeEach(() => own.clock.set(null))

/** A new endpoint at a path of its own. */
async function newEndpoint(more: object = {}, of: Owner = owner): Promise<{ id: string; path: string; secret: string }> {
  const path = `/hook-${++paths}`
  const { data, detail } = await of.client.post('/o2c-webhooks', { url: `${receiver.url}${path}`, events: ['customer.*'], ...more })
  if (!data) throw new Error(JSON.stringify(detail))
  return { id: data.id, path, secret: data.secret }
}

async function queue(of: Owner = owner): Promise<void> {
  const business = await findBusiness(own.program.database, of.business_id)
  if (business) expect(await deliverTo(own.program.database, business, [queueWebhooks], log)).toBe(0)
}

const senderWith = (more: { webhook_timeout_ms?: number; webhook_concurrency?: number }) =>
  openSender({ ...own.program.database, surroundings: { ...own.program.database.surroundings, ...more } }, log)

/** Everything that is due now. */
async function send(more: { webhook_timeout_ms?: number } = {}): Promise<void> {
  const sender = senderWith(more)
  do await sender.settle()
  while (await sender.takeTurns() > 0)
}

const newCustomer = async (of: Owner = owner) => (await of.client.post('/customers', { name: `Customer ${newId()}` })).data
const happen = async (of: Owner = owner) => {
  const customer = await newCustomer(of)
  await queue(of)
  return customer
}
const logOf = async (webhook_id: string, query: Record<string, string | string[]> = {}) => (await owner.client.get(`/o2c-webhooks/${webhook_id}/deliveries`, query)).data.items
const remove = (webhook_id: string) => owner.client.delete(`/o2c-webhooks/${webhook_id}`)
const replay = (webhook_id: string, body: object) => owner.client.post(`/o2c-webhooks/${webhook_id}/deliveries`, body)
const wait = (milliseconds: number) => own.clock.set(new Date(own.clock.now().getTime() + milliseconds).toISOString())
const HOUR = 3_600_000

describe('an event', () => {
  it('reaches each endpoint that wants it, once, signed, with what it was before', async () => {
    const [named, all, other] = [await newEndpoint(), await newEndpoint({ events: ['*'] }), await newEndpoint({ events: ['invoice.finalized'] })]
    const customer = await newCustomer()
    await owner.client.put(`/customers/${customer.id}`, { name: 'Renamed' })
    await owner.client.post('/todos', { title: 'Not from order to cash' })
    await Promise.all([queue(), queue()])
    await queue()
    await send()
    await send()
    for (const { path, secret } of [named, all]) {
      const got = receiver.at(path).map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>) as any)
      expect(got.map(({ type }) => type).toSorted()).toEqual(['customer.created', 'customer.updated'])
      const updated = got.find(({ type }) => type === 'customer.updated')
      const [event] = (await owner.client.get('/events', { type: 'customer.updated', limit: 1 })).data.items
      expect(updated).toMatchObject({ id: event.id, business_id: owner.business_id, sequence: event.seq, occurred_at: event.occurred_at, data: { object: { id: customer.id, name: 'Renamed' } }, previous: { name: customer.name } })
      expect(got.find(({ type }) => type === 'customer.created')).not.toHaveProperty('previous')
      expect(receiver.at(path).map(({ headers, body }) => headers['webhook-id'] === JSON.parse(body).id)).toEqual([true, true])
    }
    expect(receiver.at(other.path)).toEqual([])
    expect(await logOf(named.id)).toMatchObject([{ status: 'delivered', next_attempt_at: null, attempt_count: 1, attempts: [{ status: 200, answer: 'answer 200', error: null }] }, { status: 'delivered' }])
    expect((await owner.client.get(`/o2c-webhooks/${named.id}`)).data).toMatchObject({ status: 'healthy', last_failure_at: null, last_24_hours: { delivered: 2, pending: 0 } })
    await Promise.all([named, all, other].map(({ id }) => remove(id)))
  })

  it('of the endpoints themselves is never sent', async () => {
    const { id, path } = await newEndpoint({ events: ['*'] })
    await owner.client.put(`/o2c-webhooks/${id}`, { description: 'Changed' })
    await queue()
    await send()
    expect(receiver.at(path)).toEqual([])
    await remove(id)
  })

  it('is signed with both secrets for a day after a rotation', async () => {
    const { id, path, secret } = await newEndpoint()
    const rotated = (await owner.client.put(`/o2c-webhooks/${id}`, { rotate_secret: true })).data
    await happen()
    await send()
    const [first] = receiver.at(path)
    for (const each of [secret, rotated.secret]) expect(new Webhook(each).verify(first?.body ?? '', first?.headers as Record<string, string>)).toMatchObject({ type: 'customer.created' })
    expect(first?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(2)
    wait(24 * HOUR)
    await happen()
    await send()
    expect(receiver.at(path)[1]?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(1)
    await cleanWebhookLog.run({ database: own.program.database, log, mailer: null, job_id: 'test' }, {} as never)
    expect((await owner.client.get(`/o2c-webhooks/${id}`)).data.previous_secret_until).toBeNull()
    await remove(id)
  })
})

describe('a failure', () => {
  it('is tried again under the same id until the third day is over, then dead; replayed it begins anew', async () => {
    own.clock.set('2026-03-01T00:00:00.000Z')
    const { id, path } = await newEndpoint()
    receiver.answer(path, 500)
    await happen()
    let tries = 0
    for (;;) {
      await send()
      tries += 1
      expect(receiver.at(path)).toHaveLength(tries)
      const [delivery] = await logOf(id)
      expect(delivery.attempt_count).toBe(tries)
      if (delivery.status === 'dead') break
      expect(delivery.status).toBe('failed')
      own.clock.set(new Date(Date.parse(delivery.next_attempt_at) - 1).toISOString())
      await send()
      own.clock.set(delivery.next_attempt_at)
    }
    expect([tries, own.clock.now().toISOString()]).toEqual([13, '2026-03-04T00:00:00.000Z'])
    expect(new Set(receiver.at(path).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.at(path).map(({ body }) => body)).size).toBe(1)
    expect((await owner.client.get(`/o2c-webhooks/${id}`)).data.status).toBe('failing')

    receiver.answer(path, 200)
    expect((await replay(id, { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', status: ['failed'] })).data.queued).toBe(0)
    expect((await replay(id, { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', status: ['dead'] })).data).toMatchObject({ queued: 1, more: false, last_sequence: null })
    await send()
    expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempt_count: 14 }])
    expect((await owner.client.get(`/o2c-webhooks/${id}`)).data.status).toBe('healthy')
    await remove(id)
  })

  it.each([
    ['a redirect', (response: any) => response.writeHead(302, { location: '/elsewhere' }).end(), { status: 302 }],
    ['a refusal', (response: any) => response.writeHead(404).end('Nobody here'), { status: 404, answer: 'Nobody here' }],
    ['a line that breaks', (response: any) => response.destroy(), { status: null, error: 'The connection was closed before an answer came.' }],
    ['no HTTP', (response: any) => response.socket.end('hello\r\n\r\n'), { status: null, error: 'The answer was not HTTP.' }],
    ['no answer', () => {}, { status: null, error: 'No answer within 0.5 seconds.' }],
  ])('is %s', async (_name, answer, attempt) => {
    const { id, path } = await newEndpoint()
    receiver.answer(path, (_, response) => void answer(response))
    await happen()
    await send({ webhook_timeout_ms: 500 })
    expect(await logOf(id, { status: 'failed' })).toMatchObject([{ attempts: [attempt] }])
    expect(receiver.at('/elsewhere')).toEqual([])
    await remove(id)
  })

  it('of 410 turns the endpoint off and gives up what waits', async () => {
    const { id, path } = await newEndpoint()
    receiver.answer(path, 410)
    await happen()
    await send()
    expect(await logOf(id)).toMatchObject([{ status: 'dead', next_attempt_at: null }])
    expect((await owner.client.get(`/o2c-webhooks/${id}`)).data).toMatchObject({ enabled: false, status: 'disabled', disabled_reason: 'gone' })
    const [event] = (await owner.client.get('/events', { type: 'webhook.disabled', limit: 1 })).data.items
    expect(event).toMatchObject({ resource_id: id, actor: { kind: 'system' }, data: { disabled_reason: 'gone' } })
    await happen()
    expect(await logOf(id)).toHaveLength(1)
    expect((await replay(id, { test: true })).detail).toBe('This webhook endpoint is off: enable it first.')
    receiver.answer(path, 200)
    expect((await owner.client.put(`/o2c-webhooks/${id}`, { enabled: true })).data).toMatchObject({ status: 'healthy', disabled_reason: null })
    await queue()
    expect(await logOf(id)).toHaveLength(1)
    await remove(id)
  })

  it('for five days and nothing else turns it off; a success in between, or a day of silence, does not', async () => {
    own.clock.set('2026-04-01T00:00:00.000Z')
    const [bad, mixed, quiet] = [await newEndpoint(), await newEndpoint(), await newEndpoint({ events: ['customer.updated'] })]
    for (const { path } of [bad, mixed, quiet]) receiver.answer(path, 503)
    for (let half = 0; half <= 10; half++) {
      const customer = await newCustomer()
      if (half === 0 || half === 10) await owner.client.put(`/customers/${customer.id}`, { name: `Half ${half}` })
      if (half === 0) await owner.client.put(`/o2c-webhooks/${quiet.id}`, { description: 'Hears little' })
      await queue()
      receiver.answer(mixed.path, half === 5 ? 200 : 503)
      await send()
      // What is tried again in between would only take time.
      await own.sql(`update webhook_deliveries set status = 'dead', next_attempt_at = null where webhook_id = any($1)`, [[quiet.id, ...(half < 10 ? [mixed.id] : [])]])
      if (half < 10) expect((await owner.client.get(`/o2c-webhooks/${bad.id}`)).data.status).toBe('failing')
      if (half < 10) wait(12 * HOUR)
    }
    expect((await owner.client.get(`/o2c-webhooks/${bad.id}`)).data).toMatchObject({ status: 'disabled', disabled_reason: 'failures' })
    expect(await logOf(bad.id, { status: ['pending', 'failed'] })).toEqual([])
    for (const { id } of [mixed, quiet]) expect((await owner.client.get(`/o2c-webhooks/${id}`)).data.status).toBe('failing')
    await Promise.all([bad, mixed, quiet].map(({ id }) => remove(id)))
  })
})

describe('sending again', () => {
  it('takes deliveries by id, what was never sent by its place in the log, and a test', async () => {
    const before = (await owner.client.get('/events', { limit: 1 })).data.items[0].seq
    const customers = [await newCustomer(), await newCustomer()]
    await queue()
    const { id, path } = await newEndpoint()
    await happen()
    await send()
    expect(receiver.at(path)).toHaveLength(1)
    const missed = (await replay(id, { from_sequence: before + 1 })).data
    expect(missed).toMatchObject({ queued: 2, more: false })
    expect((await replay(id, { from_sequence: 0 })).data.queued).toBeGreaterThanOrEqual(0)
    await send()
    const got = receiver.at(path).map(({ body }) => JSON.parse(body))
    expect(got.map(({ data }) => data.object.id)).toEqual(expect.arrayContaining(customers.map((customer) => customer.id)))
    expect(got.some(({ sequence }) => sequence === missed.last_sequence)).toBe(true)
    expect((await replay(id, { from_sequence: 0 })).data).toMatchObject({ queued: 0, last_sequence: null })

    const [delivery] = await logOf(id)
    expect((await replay(id, { delivery_ids: [delivery.id] })).data).toEqual({ queued: 1, delivery_ids: [delivery.id], last_sequence: null, more: false })
    const count = receiver.at(path).length
    await send()
    expect(receiver.at(path)).toHaveLength(count + 1)
    expect(receiver.at(path).at(-1)?.headers['webhook-id']).toBe(delivery.event_id)

    const test = (await replay(id, { test: true })).data
    await send()
    expect(JSON.parse(receiver.at(path).at(-1)?.body ?? '')).toMatchObject({ type: 'webhook.test', sequence: null, business_id: owner.business_id, data: { object: {} } })
    expect(await logOf(id, { type: 'webhook.test' })).toMatchObject([{ id: test.delivery_ids[0], status: 'delivered' }])
    await remove(id)
  })
})

describe('an endpoint that is off', () => {
  it('gives up what waits, also what was queued at that very moment', async () => {
    const { id, path } = await newEndpoint()
    await happen()
    await owner.client.put(`/o2c-webhooks/${id}`, { enabled: false })
    expect(await logOf(id)).toMatchObject([{ status: 'dead', next_attempt_at: null, attempt_count: 0 }])
    await own.sql(`update webhook_deliveries set status = 'pending', next_attempt_at = now() where webhook_id = $1`, [id])
    await own.sql('update webhook_lanes set due_at = now() where webhook_id = $1', [id])
    await send()
    expect([await logOf(id), receiver.at(path)]).toMatchObject([[{ status: 'dead' }], []])
    await remove(id)
  })
})

describe('a deleted endpoint', () => {
  it('gets nothing more, also what was on its way, and its log goes after 30 days', async () => {
    const { id, path } = await newEndpoint()
    await happen()
    await happen()
    receiver.answer(path, (_, response) => void remove(id).then(() => response.end()))
    await send()
    expect((await owner.client.get(`/o2c-webhooks/${id}`)).status).toBe(404)
    expect((await logOf(id)).map(({ status }: { status: string }) => status)).toEqual(['dropped', 'dropped'])
    await send()
    expect(receiver.at(path).length).toBeLessThanOrEqual(2)
    const clean = () => cleanWebhookLog.run({ database: own.program.database, log, mailer: null, job_id: 'test' }, {} as never)
    await clean()
    expect(await logOf(id)).toHaveLength(2)
    wait(30 * 24 * HOUR + 1_000)
    await clean()
    expect(await own.sql('select 1 from webhooks where id = $1', [id])).toEqual([])
    expect(await own.sql('select 1 from webhook_lanes where webhook_id = $1', [id])).toEqual([])
  })
})

describe('many at once', () => {
  it('two workers share the work: nothing is lost and nothing is sent twice', async () => {
    const endpoints = await Promise.all(Array.from({ length: 6 }, () => newEndpoint()))
    for (let n = 0; n < 25; n++) await newCustomer()
    await queue()
    const senders = Array.from({ length: 2 }, () => openSender(own.program.database, log))
    await Promise.all(senders.map(async (sender) => {
      do await sender.settle()
      while (await sender.takeTurns() > 0)
    }))
    await send()
    for (const { id, path } of endpoints) {
      const ids = receiver.at(path).map(({ headers }) => headers['webhook-id'])
      expect([ids.length, new Set(ids).size]).toEqual([25, 25])
      expect((await owner.client.get(`/o2c-webhooks/${id}`)).data.last_24_hours).toMatchObject({ delivered: 25, pending: 0 })
      await remove(id)
    }
  })

  it('a worker that dies in the middle has its work done by another when the lease is over, under the same ids', async () => {
    const { id, path } = await newEndpoint()
    await happen()
    // Taken and read as a worker does, which then dies.
    const { database } = own.program
    const lanes = await transact(database, { business_id: null, read_only: false, request: plainRequest }, ({ tx }) => takeLanes(tx, false, 10, new Date(own.clock.now().getTime() + 60_000).toISOString()))
    const [lane] = lanes
    if (!lane) throw new Error('Nothing was due.')
    const load = await asSystem(database, lane.business, 'test', async (tx) => (await loadsOf(tx, [id])).get(id))
    await send()
    expect(receiver.at(path)).toEqual([])
    wait(60_000)
    await send()
    expect(receiver.at(path).map(({ headers }) => headers['webhook-id'])).toEqual([load?.messages[0]?.event_id])
    await remove(id)
  })

  it('a thousand endpoints, of which a third hang: all others are served meanwhile', async () => {
    const owners = await Promise.all(Array.from({ length: 50 }, () => own.owner()))
    const rows = owners.flatMap(({ business_id }) => Array.from({ length: 20 }, (_, n) => ({ business_id, id: newId(), path: `/many/${business_id}/${n}`, hangs: n % 3 === 0 })))
    const key = own.program.database.surroundings.encryption_key
    for (const { path, hangs } of rows) if (hangs) receiver.answer(path, hang)
    await own.sql(
      `with given as (select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) as g (business_id, id, url, secret)),
         lanes as (insert into webhook_lanes (business_id, webhook_id, due_at, failing) select business_id, id, null, false from given)
       insert into webhooks (business_id, id, url, events, enabled, status, secret, after_sequence, created_at, updated_at, version)
       select g.business_id, g.id, g.url, '{*}', true, 'healthy', g.secret, h.event_seq, now(), now(), 1 from given g join business_heads h on h.business_id = g.business_id`,
      [rows.map((row) => row.business_id), rows.map((row) => row.id), rows.map((row) => `${receiver.url}${row.path}`),
        rows.map((row) => seal(key, `whsec_${Buffer.alloc(32, 1).toString('base64')}`, `webhooks.secret ${row.business_id} ${row.id}`))])
    await Promise.all(owners.map((each) => happen(each)))
    const healthy = rows.filter(({ hangs }) => !hangs)
    const allServed = async () => {
      const served = new Set(receiver.received.map(({ path }) => path))
      return healthy.every(({ path }) => served.has(path))
    }
    const sender = senderWith({ webhook_timeout_ms: 60_000 })
    while (await sender.takeTurns() > 0) continue
    await until('all that answer are served', allServed)
    await until('it is written down', async () => (await own.sql(`select count(*)::int as count from webhook_deliveries where status = 'delivered' and webhook_id = any($1)`, [healthy.map(({ id }) => id)]))[0].count === healthy.length)
    // The others still hang, and new events of the same businesses get through.
    await Promise.all(owners.slice(0, 5).map((each) => happen(each)))
    await sender.takeTurns()
    const again = healthy.filter(({ business_id }) => owners.slice(0, 5).some((each) => each.business_id === business_id))
    await until('they are served again', async () => again.every(({ path }) => receiver.at(path).length === 2))
    await sender.finish(0)
    // Broken off is not tried: they wait as before, for whoever comes next.
    expect(await own.sql('select distinct status, attempt_count from webhook_deliveries where webhook_id = any($1)', [rows.filter(({ hangs }) => hangs).map(({ id }) => id)])).toEqual([{ status: 'pending', attempt_count: 0 }])
    expect((await own.sql(`select count(*)::int as count from webhook_lanes where lease_id is not null`))[0].count).toBe(0)
    await own.sql(`update webhook_lanes set due_at = null where business_id = any($1)`, [owners.map(({ business_id }) => business_id)])
  })

  it('endpoints that fail take at most half of the room', async () => {
    const endpoints = await Promise.all(Array.from({ length: 5 }, () => newEndpoint()))
    for (const { path } of endpoints.slice(0, 4)) receiver.answer(path, hang)
    await own.sql('update webhook_lanes set failing = true where webhook_id = any($1)', [endpoints.slice(0, 4).map(({ id }) => id)])
    await happen()
    const sender = senderWith({ webhook_concurrency: 4 })
    expect([await sender.takeTurns(), await sender.takeTurns()]).toEqual([3, 0])
    const tried = () => endpoints.slice(0, 4).filter(({ path }) => receiver.at(path).length > 0).length
    await until('the one that answers is served, beside two that do not', async () => receiver.at(endpoints[4]?.path ?? '').length === 1 && tried() >= 2)
    expect(tried()).toBe(2)
    await sender.finish(0)
    await Promise.all(endpoints.map(({ id }) => remove(id)))
  })

  it('the worker delivers soon after the commit', async () => {
    await own.program.startWorker()
    await until('what went before is told', async () => (await own.sql('select count(*)::int as count from outbox'))[0].count === 0, 60)
    const { id, path } = await newEndpoint()
    await newCustomer()
    const committed = performance.now()
    await until('it arrives', async () => receiver.at(path).length === 1)
    // Two polls of a quarter of a second each; the rest is room for a very busy machine.
    expect(performance.now() - committed).toBeLessThan(10_000)
    await remove(id)
  })
})
