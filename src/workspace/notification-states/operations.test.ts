// Tests of what recipients do: their own state, the shared one, many at once, and two callers at once.
import { beforeAll, describe, expect, it } from 'vitest'
import { client, type Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { insertRows, notificationAbout, raise } from '../../../test/support/notifications.ts'
import { newBusiness, newMember, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let viewer: Person
let bookkeeper: Person
let reader: Client
let writer: Client
beforeAll(async () => {
  team = await newBusiness()
  ;[viewer, bookkeeper] = await Promise.all([newMember(team.business_id, 'viewer'), newMember(team.business_id, 'bookkeeper')])
  ;[reader, writer] = [client(viewer.token), client(bookkeeper.token)]
})

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const one = async (person = viewer, more = {}) => (await insertRows(person.user_id, team.business_id, [more]))[0] ?? ''
const get = async (by: Client, id: string) => (await by.get(`/notifications/${id}`)).data
const put = (by: Client, id: string, action: string, body: unknown = {}) => by.put(`/notifications/${id}/${action}`, body)

/** Told to everybody: a recurring template that failed. */
async function sharedOne(): Promise<string> {
  return notificationAbout(await raise(team.business_id, 'recurring.failed', { name: 'Rent', last_error: 'Closed' }), viewer.user_id)
}

describe('own state', () => {
  it('read and unread, again without effect', async () => {
    const id = await one()
    const read = await put(reader, id, 'read')
    expect([read.status, read.data]).toMatchObject([200, { status: 'read', read_at: expect.any(String), version: 2 }])
    expect((await put(reader, id, 'read')).data).toEqual(read.data)
    expect((await put(reader, id, 'unread')).data).toMatchObject({ status: 'unread', read_at: null })
    expect((await put(reader, id, 'unread')).data.version).toBe(3)
  })

  it('snooze: in the future, at most a year; again with another time; ended', async () => {
    const id = await one()
    expect((await put(reader, id, 'snooze', { until: '2020-01-01T00:00:00Z' })).status).toBe(400)
    expect((await put(reader, id, 'snooze', { until: inHours(24 * 400) })).status).toBe(400)
    expect((await put(reader, id, 'snooze', {})).detail[0]).toMatchObject({ loc: ['body', 'until'], type: 'missing' })
    const until = inHours(2)
    expect((await put(reader, id, 'snooze', { until })).data).toMatchObject({ status: 'snoozed', version: 2 })
    expect((await put(reader, id, 'snooze', { until })).data.version).toBe(2)
    expect((await put(reader, id, 'snooze', { until: inHours(3) })).data.version).toBe(3)
    expect((await put(reader, id, 'read')).detail).toContain('snoozed')
    expect((await put(reader, id, 'unsnooze')).data).toMatchObject({ status: 'unread', snoozed_until: null })
    expect((await put(reader, id, 'unsnooze')).status).toBe(200)
    await put(reader, id, 'read')
    expect((await put(reader, id, 'unsnooze')).detail).toContain('read')
  })

  it('what is over is refused, but for its pin; reopened it is unread', async () => {
    const id = await one()
    await put(reader, id, 'dismiss')
    for (const [action, body] of [['read', {}], ['unread', {}], ['snooze', { until: inHours(1) }], ['unsnooze', {}]] as const) {
      const answer = await put(reader, id, action, body)
      expect([answer.status, answer.detail]).toEqual([400, expect.stringContaining('dismissed')])
    }
    expect((await put(reader, id, 'pin', { pinned: true })).data).toMatchObject({ pinned: true, status: 'dismissed' })
    expect((await put(reader, id, 'pin', { pinned: false })).data).toMatchObject({ pinned: false, pinned_at: null })
    expect((await put(reader, id, 'dismiss')).status).toBe(200)
    expect((await put(reader, id, 'reopen')).data).toMatchObject({ status: 'unread', dismissed_at: null })
    expect((await put(reader, id, 'reopen')).status).toBe(200)
    await put(reader, id, 'read')
    expect((await put(reader, id, 'reopen')).status).toBe(400)
  })

  it('is nobody else\'s: the pin of a viewer moves for the viewer only, and enters no history', async () => {
    const id = await sharedOne()
    const events = await eventsOf(id)
    expect((await put(reader, id, 'pin', { pinned: true })).data.pinned).toBe(true)
    await put(reader, id, 'read')
    await put(reader, id, 'dismiss')
    expect(await get(writer, id)).toMatchObject({ id, pinned: false, status: 'unread' })
    expect(await eventsOf(id)).toEqual(events)
  })

  it('the pin is never a 400: 404 unseen, 422 malformed, 412 where it has changed meanwhile', async () => {
    const id = await one()
    expect((await put(reader, newId(), 'pin', { pinned: true })).status).toBe(404)
    expect((await put(reader, 'nonsense', 'pin', { pinned: true })).status).toBe(422)
    expect((await put(reader, id, 'pin', {})).detail[0]).toMatchObject({ loc: ['body', 'pinned'], type: 'missing' })
    expect((await put(reader, id, 'pin', { pinned: 'yes' })).detail[0]).toMatchObject({ type: 'bool_type' })
    expect((await reader.put(`/notifications/${id}/pin`, { pinned: true }, { headers: { 'if-match': '"9"' } })).status).toBe(412)
    expect((await get(reader, id)).pinned).toBe(false)
  })

  it('two at once: both hold', async () => {
    const id = await one()
    const answers = await Promise.all([put(reader, id, 'pin', { pinned: true }), put(reader, id, 'read'), put(reader, id, 'pin', { pinned: true })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await get(reader, id)).toMatchObject({ pinned: true, status: 'read', version: 3 })
  })
})

describe('resolving', () => {
  it('is for everybody, needs the right to write, and is told once', async () => {
    const id = await sharedOne()
    const refused = await put(reader, id, 'resolve')
    expect([refused.status, refused.detail]).toEqual([403, 'This needs the permission invoices:write.'])
    const token = await newToken({ ...bookkeeper, client: writer }, ['notifications:read', 'notifications:write', 'invoices:read'])
    expect((await put(client(token), id, 'resolve')).status).toBe(403)
    await put(reader, id, 'dismiss')
    expect((await put(writer, id, 'resolve')).data).toMatchObject({ status: 'resolved', resolved_at: expect.any(String) })
    expect((await put(writer, id, 'resolve')).status).toBe(200)
    expect(await get(reader, id)).toMatchObject({ status: 'resolved', dismissed_at: expect.any(String) })
    expect((await put(reader, id, 'resolve')).status).toBe(200)
    expect((await put(team.client, id, 'read')).detail).toContain('resolved')
    expect(await eventsOf(id)).toEqual(['notification.created', 'notification.resolved'])

    expect((await put(reader, id, 'reopen')).status).toBe(403)
    expect((await put(writer, id, 'reopen')).data).toMatchObject({ status: 'unread', resolved_at: null })
    expect((await get(reader, id)).status).toBe('dismissed')
    expect((await get(team.client, id)).status).toBe('unread')
    expect(await eventsOf(id)).toEqual(['notification.created', 'notification.resolved', 'notification.reopened'])
  })

  it('two at once: one of them does it', async () => {
    const id = await sharedOne()
    const answers = await Promise.all([put(writer, id, 'resolve'), put(team.client, id, 'resolve'), put(reader, id, 'pin', { pinned: true })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await eventsOf(id)).filter((type) => type === 'notification.resolved')).toHaveLength(1)
    expect(await get(reader, id)).toMatchObject({ status: 'resolved', pinned: true })
  })

  it('what concerns one person alone is theirs to resolve', async () => {
    const [id = ''] = await insertRows(viewer.user_id, null, [{ topic: 'security' }])
    expect((await put(reader, id, 'resolve')).data.status).toBe('resolved')
    expect((await put(reader, id, 'reopen')).data.status).toBe('unread')
  })

  it('is refused where the business is read-only; the own state is not', async () => {
    const id = await sharedOne()
    await sql(`update businesses set status = 'archived' where id = $1`, [team.business_id])
    try {
      expect((await put(writer, id, 'resolve')).status).toBe(403)
      expect((await put(writer, id, 'read')).status).toBe(200)
    } finally {
      await sql(`update businesses set status = 'active' where id = $1`, [team.business_id])
    }
  })
})

describe('many at once', () => {
  it('all read: up to a moment, of a scope, of topics', async () => {
    const person = await newMember(team.business_id, 'viewer')
    const mine = client(person.token)
    const rows = [{ topic: 'cash', created_at: '2026-01-01T00:00:00.000Z' }, { created_at: '2026-01-02T00:00:00.000Z' }, { created_at: '2026-01-03T00:00:00.000Z' }]
    const [cash = '', , newest = ''] = await insertRows(person.user_id, team.business_id, rows)
    await insertRows(person.user_id, null, [{ topic: 'security' }])
    expect((await mine.post('/notifications/mark-all-read', { topic: ['cash'] })).data).toEqual({ count: 1 })
    expect((await get(mine, cash)).status).toBe('read')
    expect((await mine.post('/notifications/mark-all-read', { scope: 'business', scope_id: team.business_id, before: '2026-01-02T00:00:00Z' })).data).toEqual({ count: 1 })
    expect((await get(mine, newest)).status).toBe('unread')
    expect((await mine.post('/notifications/mark-all-read', { scope: 'business' })).detail[0]).toMatchObject({ loc: ['body', 'scope_id'], type: 'missing' })
    expect((await mine.post('/notifications/mark-all-read', { scope: 'firm', scope_id: newId() })).status).toBe(403)
    expect((await mine.post('/notifications/mark-all-read')).data).toEqual({ count: 2 })
    expect((await mine.get('/notifications/counts')).data.unread).toBe(0)
  })

  it('a result for each; atomic: all or nothing', async () => {
    const [good, over, foreign] = [await one(), await one(), await one(bookkeeper)]
    await put(reader, over, 'dismiss')
    const { status, data } = await reader.post('/notifications/bulk', { ids: [good, over, foreign], action: 'read' })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      succeeded: 1, failed: 2,
      results: [{ index: 0, status: 'ok', id: good }, { index: 1, status: 'error', detail: expect.stringContaining('dismissed') }, { index: 2, status: 'error', detail: 'Notification not found.' }],
    })
    expect((await get(reader, good)).status).toBe('read')
    expect((await reader.post('/notifications/bulk', { ids: [good, over], action: 'unread', atomic: true })).detail).toContain('Item 1')
    expect((await get(reader, good)).status).toBe('read')
    expect((await reader.post('/notifications/bulk', { ids: [good], action: 'snooze' })).detail[0]).toMatchObject({ loc: ['body', 'until'] })
    expect((await reader.post('/notifications/bulk', { ids: [good], action: 'snooze', until: '2020-01-01T00:00:00Z' })).status).toBe(400)
    expect((await reader.post('/notifications/bulk', { ids: [good, good], action: 'snooze', until: inHours(5) })).data.succeeded).toBe(2)
    expect((await get(reader, good)).status).toBe('snoozed')
    expect((await reader.post('/notifications/bulk', { ids: Array.from({ length: 501 }, newId), action: 'read' })).status).toBe(422)
    expect((await reader.post('/notifications/bulk', { ids: [good], action: 'resolve' })).status).toBe(422)
  })
})
