// Long jobs over HTTP and on the worker: chunks, deaths, cancelation, retries, and who sees what.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client, type Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { findBusiness } from '../../access/lookup.ts'
import { permissionsFor, type Role } from '../../access/permissions.ts'
import { plainRequest, system, transact } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { invalid, unavailable } from '../../foundation/refusal.ts'
import { createNote } from '../notes/operations.ts'
import { longJob } from './contract.ts'
import { longJobRunners } from './jobs.ts'
import { startJob } from './operations.ts'

type At = { at: number }

/** What a test does inside a chunk, before its note is written: wait, break, look. */
let inChunk: (at: number) => Promise<void> | void = () => {}
afterEach(async () => {
  inChunk = () => {}
  ;(await service()).clock.set(null)
})

/** Writes a note per chunk, which can be counted. */
const write = (kind: string, cancelable = true) => longJob<{ upto: number }, At>({
  kind, title: 'Write notes', cancelable, permission: 'ledgers:write',
  async run(step, { upto }) {
    while ((step.checkpoint?.at ?? 0) < upto) {
      await step.chunk(async (tx, checkpoint) => {
        const at = (checkpoint?.at ?? 0) + 1
        await inChunk(at)
        await createNote(tx, { resource_type: 'todo', resource_id: todo_id, body: `${step.job_id} ${at}` })
        return { checkpoint: { at }, done: at, total: upto, phase: at < upto ? 'writing' : 'almost done' }
      })
    }
    return { notes: upto }
  },
})
const kinds = [write('test.notes'), write('test.stubborn', false)]
const [runner, recovery, sweep] = longJobRunners(kinds)

let team: Team
let todo_id: string
let keeper: Person
let other: Person
let viewer: Person
beforeAll(async () => {
  team = await newBusiness()
  todo_id = (await team.client.post('/todos', { title: 'A record' })).data.id
  ;[keeper, other, viewer] = await Promise.all([newMember(team.business_id, 'bookkeeper'), newMember(team.business_id, 'bookkeeper'), newMember(team.business_id, 'viewer')])
})

async function as<T>(person: Person, role: Role, work: (tx: BusinessTx) => Promise<T>): Promise<T> {
  const { program: { database } } = await service()
  const business = await findBusiness(database, team.business_id)
  if (!business) throw new Error('No business.')
  const actor = { ...system, kind: 'user' as const, id: person.user_id, user_id: person.user_id, name: person.name, role, permissions: permissionsFor(role) as ReadonlySet<string> }
  return transact(database, { business_id: business.id, read_only: false, request: plainRequest }, ({ asBusiness }) => work(asBusiness(actor, business)))
}

const begin = (subject: string = newId(), upto = 4, kind = 'test.notes', person = keeper) =>
  as(person, 'bookkeeper', (tx) => startJob(tx, { kind, subject, input: { upto }, total: upto }))

const context = async () => ({ database: (await service()).program.database, log: openLog('silent'), mailer: null, job_id: 'test' })
const work = async (job_id: string) => runner!.run(await context(), { business_id: team.business_id, job_id } as never)
const recover = async () => recovery!.run(await context(), {} as never)
const get = async (job_id: string, by: Client = keeper.client) => (await by.get(`/jobs/${job_id}`)).data
const notesOf = async (job_id: string): Promise<string[]> =>
  (await sql(`select body from notes where business_id = $1 and body like $2 order by created_at, id`, [team.business_id, `${job_id} %`])).map(({ body }) => body.split(' ')[1])

/** A promise that a test lets go. */
function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => { open = resolve })
  return { open, passed }
}

describe('a job', () => {
  it('waits, runs chunk by chunk and ends with its result', async () => {
    const job = await begin('a', 3)
    expect(job).toMatchObject({ status: 'queued', progress: { done: 0, total: 3 }, created_by: keeper.user_id, kind: 'test.notes', result: null })
    const waiting = await keeper.client.get(`/jobs/${job.id}`)
    expect(waiting.data).toEqual(job)
    expect(waiting.headers.get('retry-after')).toBe('2')
    const seen: unknown[] = []
    inChunk = async () => { seen.push((await get(job.id)).progress) }
    await work(job.id)
    expect(seen).toEqual([0, 1, 2].map((done) => ({ done, total: 3 })))
    const ended = await keeper.client.get(`/jobs/${job.id}`)
    expect(ended.data).toMatchObject({ status: 'succeeded', progress: { done: 3, total: 3 }, result: { notes: 3 }, error: null, finished_at: expect.any(String) })
    expect(ended.headers.get('retry-after')).toBeNull()
    expect(await eventsOf(job.id)).toEqual(['job.created', 'job.succeeded'])
    const [written] = await sql(`select actor_kind, on_behalf_of from audit_trail where business_id = $1 and action = 'note.created' limit 1`, [team.business_id])
    expect(written).toEqual({ actor_kind: 'system', on_behalf_of: keeper.user_id })
    await work(job.id)
    expect(await notesOf(job.id)).toEqual(['1', '2', '3'])
  })

  it('of a kind and subject runs once: who asks again gets it, and may follow it', async () => {
    const subject = newId()
    const jobs = await Promise.all(Array.from({ length: 5 }, () => begin(subject, 2)))
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
    const job_id = jobs[0]!.id
    expect((await other.client.get(`/jobs/${job_id}`)).status).toBe(404)
    expect((await begin(subject, 2, 'test.notes', other)).id).toBe(job_id)
    expect((await other.client.get(`/jobs/${job_id}`)).status).toBe(200)
    expect((await begin(subject, 2, 'test.stubborn')).id).not.toBe(job_id)
    await Promise.all([work(job_id), work(job_id), work(job_id)])
    expect(await notesOf(job_id)).toEqual(['1', '2'])
    expect((await begin(subject, 2)).id).not.toBe(job_id)
  })

  it('needs the permission of its kind', async () => {
    await expect(as(viewer, 'viewer', (tx) => startJob(tx, { kind: 'test.notes', subject: 'x', input: {} }))).rejects.toThrow('This needs the permission ledgers:write.')
    await expect(as(viewer, 'viewer', (tx) => startJob(tx, { kind: 'unheard.of', subject: 'x', input: {} }))).rejects.toThrow(/long-jobs/)
  })

  it('fails with one sentence, and is retried from where it broke off, once', async () => {
    const job = await begin(newId(), 3)
    inChunk = (at) => { if (at === 3) throw invalid('The third is missing.') }
    await work(job.id)
    expect(await get(job.id)).toMatchObject({ status: 'failed', error: 'The third is missing.', progress: { done: 2, total: 3 }, result: null })
    expect(await eventsOf(job.id)).toEqual(['job.created', 'job.failed'])
    const [retry, again] = await Promise.all([keeper.client.put(`/jobs/${job.id}/retry`), keeper.client.put(`/jobs/${job.id}/retry`)])
    expect([retry.status, again.status]).toEqual([200, 200])
    expect(again.data.id).toBe(retry.data.id)
    expect(retry.data).toMatchObject({ status: 'queued', retry_of: job.id, progress: { done: 2, total: 3 } })
    inChunk = () => { throw new Error('secret stack') }
    await work(retry.data.id)
    const failed = await get(retry.data.id)
    expect(failed.error).toMatch(/^The service failed at this\./)
    expect(JSON.stringify(failed)).not.toContain('secret')
    inChunk = () => {}
    expect((await keeper.client.put(`/jobs/${job.id}/retry`)).data.id).toBe(failed.id)
    const third = (await keeper.client.put(`/jobs/${failed.id}/retry`)).data
    await work(third.id)
    expect(await get(third.id)).toMatchObject({ status: 'succeeded', progress: { done: 3, total: 3 } })
    expect([...(await notesOf(job.id)), ...(await notesOf(failed.id)), ...(await notesOf(third.id))]).toEqual(['1', '2', '3'])
    for (const [id, state] of [[third.id, 'succeeded'], [(await begin()).id, 'queued']]) {
      expect((await keeper.client.put(`/jobs/${id}/retry`)).detail).toBe(`This job is ${state}: only a failed job can be retried.`)
    }
  })

  it('waits out a database that is away', async () => {
    const job = await begin(newId(), 2)
    inChunk = (at) => { if (at === 2) throw unavailable('Away.', 1) }
    await work(job.id)
    expect(await get(job.id)).toMatchObject({ status: 'queued', error: null, progress: { done: 1 } })
    inChunk = () => {}
    await work(job.id)
    expect(await get(job.id)).toMatchObject({ status: 'succeeded' })
    expect(await notesOf(job.id)).toEqual(['1', '2'])
  })
})

describe('a worker that dies', () => {
  it('loses the job when its lease is over, and no chunk is done twice', async () => {
    const { clock } = await service()
    clock.set('2026-03-01T00:00:00Z')
    const job = await begin(newId(), 4)
    const { open, passed } = gate()
    const reached = gate()
    let first = true
    inChunk = async (at) => {
      if (at !== 3 || !first) return
      first = false
      reached.open()
      await passed
    }
    const dying = work(job.id)
    await reached.passed
    await work(job.id)
    await recover()
    expect(await get(job.id)).toMatchObject({ status: 'running', progress: { done: 2 } })
    clock.set('2026-03-01T00:01:01Z')
    await recover()
    expect(await get(job.id)).toMatchObject({ status: 'queued', progress: { done: 2 } })
    await Promise.all([work(job.id), work(job.id)])
    expect(await get(job.id)).toMatchObject({ status: 'succeeded', result: { notes: 4 } })
    open()
    await dying
    expect(await notesOf(job.id)).toEqual(['1', '2', '3', '4'])
    expect(await eventsOf(job.id)).toEqual(['job.created', 'job.succeeded'])
  })

  it('is not waited for: another worker that comes by takes over what is left over', async () => {
    const { clock } = await service()
    clock.set('2026-03-01T00:00:00Z')
    const job = await begin(newId(), 2)
    await sql(`update jobs set status = 'running', runner = $2, lease_until = '2026-03-01T00:00:30Z' where id = $1`, [job.id, newId()])
    await work(job.id)
    expect(await notesOf(job.id)).toEqual([])
    clock.set('2026-03-01T00:00:31Z')
    await work(job.id)
    expect(await notesOf(job.id)).toEqual(['1', '2'])
  })

  it('five times over the same chunk ends the job', async () => {
    const { clock } = await service()
    const job = await begin(newId(), 2)
    const at = (minute: number) => new Date(Date.now() + minute * 120_000).toISOString()
    for (let death = 1; death <= 5; death++) {
      await sql(`update jobs set status = 'running', runner = $2, lease_until = $3 where id = $1`, [job.id, newId(), at(death - 1)])
      clock.set(at(death))
      await recover()
    }
    expect(await get(job.id)).toMatchObject({ status: 'failed', error: 'The service stopped 5 times while it worked on this, so it was given up.' })
    expect(await eventsOf(job.id)).toEqual(['job.created', 'job.failed'])
  })

  it('puts a job that nobody took into the queue again', async () => {
    const { clock } = await service()
    const job = await begin()
    await sql(`delete from graphile_worker._private_jobs where payload->>'job_id' = $1`, [job.id])
    clock.set(new Date(Date.now() + 601_000).toISOString())
    await recover()
    expect(await sql(`select count(*)::int as waiting from graphile_worker._private_jobs where payload->>'job_id' = $1`, [job.id])).toEqual([{ waiting: 1 }])
  })
})

describe('cancelation', () => {
  it('ends what waits at once, and what runs at the next chunk', async () => {
    const waiting = await begin()
    expect((await keeper.client.put(`/jobs/${waiting.id}/cancel`)).data).toMatchObject({ status: 'canceled', finished_at: expect.any(String) })
    expect((await keeper.client.put(`/jobs/${waiting.id}/cancel`)).data.version).toBe(2)
    await work(waiting.id)
    expect(await notesOf(waiting.id)).toEqual([])
    expect(await eventsOf(waiting.id)).toEqual(['job.created', 'job.canceled'])
    const running = await begin()
    inChunk = async (at) => {
      if (at !== 2) return
      const asked = await keeper.client.put(`/jobs/${running.id}/cancel`)
      expect(asked.data).toMatchObject({ status: 'running', cancel_requested: true })
      expect((await keeper.client.put(`/jobs/${running.id}/cancel`)).data).toEqual(asked.data)
    }
    await work(running.id)
    expect(await get(running.id)).toMatchObject({ status: 'canceled', progress: { done: 2, total: 4 }, result: null })
    expect(await notesOf(running.id)).toEqual(['1', '2'])
    expect(await eventsOf(running.id)).toEqual(['job.created', 'job.cancel_requested', 'job.canceled'])
    expect((await keeper.client.put(`/jobs/${running.id}/retry`)).detail).toMatch(/is canceled/)
  })

  it('is refused for what has ended and for what cannot be', async () => {
    const done = await begin(newId(), 1)
    await work(done.id)
    expect((await keeper.client.put(`/jobs/${done.id}/cancel`)).detail).toMatch(/has succeeded already/)
    const stubborn = await begin(newId(), 1, 'test.stubborn')
    const answer = await keeper.client.put(`/jobs/${stubborn.id}/cancel`)
    expect([answer.status, answer.detail]).toEqual([400, 'This kind of job cannot be canceled: wait until it has finished.'])
  })
})

describe('who sees a job', () => {
  it('whoever asked for it, and admins; nobody of another business', async () => {
    const job = await begin()
    const admin = await newMember(team.business_id, 'admin')
    const stranger = await newBusiness()
    const calls: [string, string][] = [['GET', ''], ['GET', '/events'], ['PUT', '/cancel'], ['PUT', '/retry']]
    const narrow = client(await newToken(keeper, ['notes:read']), team.business_id)
    for (const [method, path] of calls) {
      for (const by of [other.client, viewer.client, stranger.client]) expect((await by.call(method, `/jobs/${job.id}${path}`)).status).toBe(404)
      expect((await narrow.call(method, `/jobs/${job.id}${path}`)).status).toBe(403)
      expect((await client(null, team.business_id).call(method, `/jobs/${job.id}${path}`)).status).toBe(401)
    }
    const listed = async (by: Client, query = {}) => (await by.get('/jobs', { limit: 1000, ...query })).data.items.map(({ id }: { id: string }) => id)
    for (const by of [other.client, viewer.client, stranger.client]) expect(await listed(by)).not.toContain(job.id)
    for (const by of [keeper.client, admin.client, team.client]) expect(await listed(by, { kind: 'test.notes', status: 'queued', created_by: keeper.user_id })).toContain(job.id)
    expect(await listed(keeper.client, { kind: 'test.stubborn', status: 'queued' })).not.toContain(job.id)
    expect(await listed(admin.client, { created_by: other.user_id })).not.toContain(job.id)
    expect((await keeper.client.get('/jobs', { status: 'asleep' })).status).toBe(422)
    expect((await keeper.client.get('/jobs')).headers.get('retry-after')).toBe('2')
    // A bookkeeper may not read the events of jobs either.
    expect((await other.client.get('/events', { resource_type: 'job' })).data.items).toEqual([])
    expect((await admin.client.put(`/jobs/${job.id}/cancel`)).status).toBe(200)
  })
})

type Message = { id: string; event: string; data: any }

async function open(job_id: string, person: { token: string }, last_event_id?: string) {
  const ending = new AbortController()
  const response = await fetch(`${(await service()).url}/api/v1/jobs/${job_id}/events`, {
    headers: { authorization: `Bearer ${person.token}`, 'x-business-id': team.business_id, ...(last_event_id === undefined ? {} : { 'last-event-id': last_event_id }) }, signal: ending.signal,
  })
  return { response, messages: messagesOf(response), close: () => ending.abort() }
}

async function* messagesOf(response: Response): AsyncGenerator<Message, void> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const [, id = '', event = '', data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(part) ?? []
      if (id) yield { id, event, data: JSON.parse(data) }
    }
  }
}

const all = async (messages: AsyncGenerator<Message, void>) => {
  const found: Message[] = []
  for await (const message of messages) found.push(message)
  return found
}

describe('the stream of a job', () => {
  it('tells how it goes on and closes with its end; who comes back misses nothing', async () => {
    const job = await begin(newId(), 3)
    const live = await open(job.id, keeper)
    expect(live.response.headers.get('content-type')).toBe('text/event-stream')
    const { value: first } = await live.messages.next()
    expect(first).toMatchObject({ id: '1', event: 'progress', data: { id: job.id, status: 'queued' } })
    const [rest] = await Promise.all([all(live.messages), work(job.id)])
    const heard = [first!, ...rest]
    expect(heard.map(({ event }) => event)).toEqual(['progress', 'progress', 'phase', 'progress', 'phase', 'done'])
    expect(heard.map(({ id }) => Number(id))).toEqual([1, 2, 3, 4, 5, 6])
    expect(heard.map(({ data }) => data.progress.done)).toEqual([0, 0, 1, 2, 3, 3])
    expect(heard.at(-1)?.data).toEqual(await get(job.id))
    expect((await all((await open(job.id, keeper, '3')).messages)).map(({ id }) => id)).toEqual(['4', '5', '6'])
    expect((await all((await open(job.id, keeper)).messages)).map(({ id, event }) => [id, event])).toEqual([['6', 'done']])
    expect(await all((await open(job.id, keeper, '6')).messages)).toEqual([])
    expect((await all((await open(job.id, keeper, 'nonsense')).messages)).map(({ id }) => id)).toEqual(['6'])
  })

  it('tells failures, and ends when the credential is revoked', async () => {
    const failing = await begin()
    inChunk = () => { throw invalid('Not this one.') }
    await work(failing.id)
    expect(await all((await open(failing.id, keeper)).messages)).toMatchObject([{ event: 'failed', data: { error: 'Not this one.' } }])
    const { data } = await team.client.post('/api-tokens', { name: 'Program', scopes: ['jobs:read'] })
    const waiting = await begin()
    const stream = await open(waiting.id, data)
    expect((await stream.messages.next()).value).toMatchObject({ event: 'progress' })
    await team.client.delete(`/api-tokens/${data.id}`)
    expect((await stream.messages.next()).done).toBe(true)
  })
})

describe('after its time', () => {
  it('a job is forgotten 90 days after its end, what followers heard after a day', async () => {
    const { clock } = await service()
    const job = await begin(newId(), 1)
    await work(job.id)
    const running = await begin()
    const later = async (days: number) => {
      clock.set(new Date(Date.now() + days * 86_400_000 + 60_000).toISOString())
      await sweep!.run(await context(), {} as never)
      clock.set(null)
    }
    await later(1)
    expect(await sql('select 1 from job_events where job_id = $1', [job.id])).toEqual([])
    expect((await all((await open(job.id, keeper, '1')).messages)).map(({ event }) => event)).toEqual(['done'])
    await later(89)
    expect(await get(job.id)).toMatchObject({ status: 'succeeded' })
    await later(90)
    expect((await keeper.client.get(`/jobs/${job.id}`)).status).toBe(404)
    expect((await keeper.client.get(`/jobs/${running.id}`)).status).toBe(200)
  })

  it('the database itself lets no progress go back and no job end twice', async () => {
    const job = await begin(newId(), 1)
    await work(job.id)
    await expect(sql('update jobs set done = 0 where id = $1', [job.id])).rejects.toThrow(/never goes back/)
    await expect(sql(`update jobs set status = 'canceled', result = null where id = $1`, [job.id])).rejects.toThrow(/ends once/)
  })
})
