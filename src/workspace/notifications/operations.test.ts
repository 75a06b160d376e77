// Tests of the feed over HTTP: its parameters one by one, its order from page to page, who sees what, and what it costs.
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client, type Client } from '../../../test/support/client.ts'
import { insertRows, newNotification, tell } from '../../../test/support/notifications.ts'
import { newBusiness, newMember, newPerson, newSession, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import type { Notification } from '../notification-kinds/contract.ts'
import { TOPICS } from '../notification-kinds/contract.ts'

let team: Team
let other: Team
beforeAll(async () => {
  ;[team, other] = await Promise.all([newBusiness(), newBusiness()])
})
afterEach(async () => (await service()).clock.set(null))

type Query = Record<string, string | number | boolean | string[]>
const titlesOf = (items: Notification[]) => items.map(({ title }) => title)
const feed = async (by: Client, query: Query = {}): Promise<Notification[]> => {
  const answer = await by.get('/notifications', query)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.data.items
}
const titles = async (by: Client, query: Query = {}) => titlesOf(await feed(by, query))
const minute = (n: number) => new Date(Date.parse('2026-03-01T00:00:00Z') + n * 60_000).toISOString()

/** A person in the team's business with these rows, the first the oldest. */
async function reader(rows: Parameters<typeof insertRows>[2], role: Parameters<typeof newMember>[1] = 'bookkeeper') {
  const person = await newMember(team.business_id, role)
  const ids = await insertRows(person.user_id, team.business_id, rows.map((row, index) => ({ created_at: minute(index), ...row })))
  return { person, ids, mine: client(person.token) }
}

/** Every page from the first on; `between` is called after each. */
async function walk(by: Client, query: Query = {}, between: (page: number) => Promise<void> = async () => {}): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  for (let page = 0; ; page++) {
    const answer: { data: { items: Notification[]; next_cursor: string | null; has_next: boolean } } = await by.get('/notifications', { ...query, ...(cursor ? { cursor } : {}) })
    seen.push(...answer.data.items.map(({ id }) => id))
    if (!answer.data.has_next) return seen
    cursor = answer.data.next_cursor
    await between(page)
  }
}

describe('the feed as told', () => {
  it('pins first, then the newest; rows that arrive between pages; snoozes that end by the clock; dismissals', async () => {
    const { clock } = await service()
    const { person, ids: [a = '', b = '', c = ''], mine } = await reader([{ title: 'A' }, { title: 'B' }, { title: 'C' }])
    expect(await titles(mine)).toEqual(['C', 'B', 'A'])

    const pinned = await mine.put(`/notifications/${a}/pin`, { pinned: true })
    expect(pinned.data).toMatchObject({ id: a, pinned: true, pinned_at: expect.any(String), status: 'unread' })
    await mine.put(`/notifications/${b}/pin`, { pinned: true })
    expect(await titles(mine)).toEqual(['B', 'A', 'C'])
    const again = await mine.put(`/notifications/${a}/pin`, { pinned: true })
    expect([again.status, again.data.pinned_at]).toEqual([200, pinned.data.pinned_at])
    expect(await titles(mine)).toEqual(['B', 'A', 'C'])

    let d = ''
    const seen = await walk(mine, { limit: 1 }, async (page) => {
      if (page === 0) [d = ''] = await insertRows(person.user_id, team.business_id, [{ title: 'D', created_at: minute(10) }])
    })
    expect(seen).toEqual([b, a, d, c])

    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await mine.put(`/notifications/${c}/snooze`, { until })).data).toMatchObject({ status: 'snoozed', snoozed_until: until })
    expect(await titles(mine)).toEqual(['B', 'A', 'D'])
    expect(await titles(mine, { include_snoozed: true })).toEqual(['B', 'A', 'D', 'C'])
    clock.set(until)
    expect((await feed(mine)).at(-1)).toMatchObject({ id: c, status: 'unread', snoozed_until: null })
    clock.set(null)

    expect((await mine.put(`/notifications/${b}/dismiss`)).data.status).toBe('dismissed')
    expect(await titles(mine)).toEqual(['A', 'D'])
    expect(await titles(mine, { include_terminal: true })).toEqual(['B', 'A', 'D'])

    expect((await mine.get('/notifications', { scope: 'firm' })).status).toBe(422)
    expect((await mine.get('/notifications', { scope: 'firm', scope_id: newId() })).status).toBe(403)
  })

  it('pins of one moment keep the order in which they were made', async () => {
    const { clock } = await service()
    const { ids, mine } = await reader([{ title: 'A' }, { title: 'B' }, { title: 'C' }])
    clock.set('2026-03-02T00:00:00Z')
    const session = client((await newSession((await feed(mine))[0]?.scope_id ?? '')).token)
    for (const id of [ids[2], ids[0], ids[1]]) await session.put(`/notifications/${id}/pin`, { pinned: true })
    expect(await titles(session)).toEqual(['B', 'A', 'C'])
  })
})

describe('parameters', () => {
  it('scope: me by default, business with its id, firm', async () => {
    const person = await newMember(team.business_id, 'viewer')
    await sql(`insert into memberships (business_id, user_id, role, status, created_at, updated_at, version) values ($1, $2, 'viewer', 'active', now(), now(), 1)`, [other.business_id, person.user_id])
    await insertRows(person.user_id, team.business_id, [{ title: 'here', created_at: minute(1) }])
    await insertRows(person.user_id, other.business_id, [{ title: 'there', scope: 'business', created_at: minute(2) }])
    await insertRows(person.user_id, null, [{ title: 'mine', topic: 'security', created_at: minute(3) }])
    const mine = client(person.token)
    expect(await titles(mine)).toEqual(['mine', 'there', 'here'])
    expect(await titles(mine, { scope: 'me', scope_id: newId() })).toEqual(['mine', 'there', 'here'])
    expect(await titles(mine, { scope: 'business', scope_id: team.business_id })).toEqual(['here'])
    expect(await titles(mine, { scope: 'business', scope_id: other.business_id })).toEqual(['there'])
    expect((await feed(mine, { scope: 'business', scope_id: other.business_id }))[0]).toMatchObject({ scope: 'business', scope_id: other.business_id, business_id: other.business_id, firm_id: null })
    for (const scope of ['business', 'firm']) {
      const answer = await mine.get('/notifications', { scope })
      expect([answer.status, answer.detail[0]]).toMatchObject([422, { loc: ['query', 'scope_id'], type: 'missing' }])
      expect((await mine.get('/notifications', { scope, scope_id: 'nonsense' })).detail[0]).toMatchObject({ loc: ['query', 'scope_id'], type: 'uuid_parsing' })
      expect((await mine.get('/notifications', { scope, scope_id: newId() })).status).toBe(403)
    }
    expect((await client((await newPerson()).token).get('/notifications', { scope: 'business', scope_id: team.business_id })).status).toBe(403)
    expect((await mine.get('/notifications', { scope: 'world' })).detail[0]).toMatchObject({ loc: ['query', 'scope'], type: 'enum' })
  })

  it('status, topic and severity, one or more, together and repeated', async () => {
    const { ids, mine } = await reader([
      { title: 'task', topic: 'task' }, { title: 'cash', topic: 'cash', severity: 'critical' }, { title: 'bank', topic: 'bank', severity: 'warning' }, { title: 'late', topic: 'task', severity: 'warning' },
    ])
    expect(await titles(mine, { topic: 'task' })).toEqual(['late', 'task'])
    expect(await titles(mine, { topic: ['task', 'cash', 'task'] })).toEqual(['late', 'cash', 'task'])
    expect(await titles(mine, { severity: ['warning', 'critical'] })).toEqual(['late', 'bank', 'cash'])
    expect(await titles(mine, { topic: 'task', severity: 'warning' })).toEqual(['late'])
    const [task = '', cash = '', bank = ''] = ids
    await mine.put(`/notifications/${task}/read`)
    await mine.put(`/notifications/${cash}/dismiss`)
    await mine.put(`/notifications/${bank}/snooze`, { until: new Date(Date.now() + 1e6).toISOString() })
    expect(await titles(mine, { status: 'unread' })).toEqual(['late'])
    expect(await titles(mine, { status: 'read' })).toEqual(['task'])
    expect(await titles(mine, { status: 'dismissed' })).toEqual(['cash'])
    expect(await titles(mine, { status: 'snoozed' })).toEqual(['bank'])
    expect(await titles(mine, { status: ['snoozed', 'dismissed'] })).toEqual(['bank', 'cash'])
    expect(await titles(mine, { status: 'unread', include_terminal: true, include_snoozed: true })).toEqual(['late'])
    expect(await titles(mine, { include_terminal: true, include_snoozed: true })).toEqual(['late', 'bank', 'cash', 'task'])
    for (const [name, value] of [['status', 'gone'], ['topic', 'weather'], ['severity', 'mild']]) {
      expect((await mine.get('/notifications', { [name as string]: value as string })).detail[0]).toMatchObject({ loc: ['query', name, 0], type: 'enum' })
    }
    for (const name of ['include_terminal', 'include_snoozed', 'include_live']) {
      expect((await mine.get('/notifications', { [name]: 'perhaps' })).detail[0]).toMatchObject({ loc: ['query', name], type: 'bool_type' })
    }
  })

  it('cursor and limit: bound to what was asked, and to the caller', async () => {
    const { mine, person } = await reader([{}, {}, {}])
    const stranger = await newPerson()
    const page = (await mine.get('/notifications', { limit: 2, include_total_count: true })).data
    expect(page).toMatchObject({ limit: 2, has_next: true, has_prev: false, prev_cursor: null, total: 3 })
    expect((await mine.get('/notifications')).data.limit).toBe(50)
    const cursor = page.next_cursor
    expect((await mine.get('/notifications', { cursor: 'broken' })).status).toBe(400)
    expect((await mine.get('/notifications', { cursor: `${cursor.slice(0, -3)}AAA` })).status).toBe(400)
    expect((await mine.get('/notifications', { cursor, topic: 'cash' })).status).toBe(400)
    expect((await mine.get('/notifications', { cursor, descending: false })).status).toBe(400)
    expect((await stranger.client.get('/notifications', { cursor })).status).toBe(400)
    const last = (await mine.get('/notifications', { cursor, limit: 2 })).data
    expect([last.items.length, last.has_next, last.has_prev]).toEqual([1, false, true])
    const back = (await mine.get('/notifications', { cursor: last.prev_cursor, direction: 'prev', limit: 2 })).data
    expect(back.items).toEqual(page.items)
    expect((await mine.get('/notifications', { direction: 'prev', limit: 2 })).data.items).toEqual((await feed(client(person.token))).slice(1))
    expect(titlesOf((await mine.get('/notifications', { descending: false })).data.items)).toEqual(['Row 0', 'Row 1', 'Row 2'])
  })

  it('one, counted, without marking it read', async () => {
    const { ids: [id = ''], mine } = await reader([{ severity: 'critical', topic: 'cash' }, { severity: 'warning' }, { severity: 'warning' }])
    const { data } = await mine.get(`/notifications/${id}`)
    expect(Object.keys(data).toSorted()).toEqual([
      'action_url', 'body', 'business_id', 'created_at', 'dismissed_at', 'firm_id', 'id', 'live', 'pinned', 'pinned_at', 'read_at', 'resolved_at', 'resource_id', 'resource_type',
      'scope', 'scope_id', 'severity', 'snoozed_until', 'status', 'title', 'topic', 'updated_at', 'version',
    ])
    expect(data).toMatchObject({ status: 'unread', read_at: null, live: false })
    const counts = (await mine.get('/notifications/counts')).data
    expect(counts).toMatchObject({ unread: 3, by_severity: { info: 0, warning: 2, critical: 1 }, by_topic: { cash: 1, task: 2, invoice: 0 } })
    expect(Object.keys(counts.by_topic)).toEqual([...TOPICS])
    expect((await mine.get('/notifications/counts', { scope: 'business', scope_id: team.business_id })).data.unread).toBe(3)
    expect((await mine.get('/notifications/counts', { scope: 'business', scope_id: other.business_id })).status).toBe(403)
    expect((await mine.get('/notifications/counts', { scope: 'firm' })).status).toBe(422)
  })
})

describe('walking', () => {
  const action = fc.constantFrom('arrive', 'pin', 'unpin', 'none')

  it('shows no row twice and misses none that was there all along, whatever is pinned on the way', { timeout: 60_000 }, async () => {
    const person = await newMember(team.business_id, 'bookkeeper')
    const mine = client(person.token)
    await fc.assert(fc.asyncProperty(
      fc.array(fc.record({ minute: fc.integer({ min: 0, max: 4 }), pin: fc.boolean() }), { minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 4 }), fc.array(action, { maxLength: 6 }), fc.boolean(), fc.nat(),
      async (rows, limit, actions, descending, choice) => {
        await sql('delete from notifications where user_id = $1', [person.user_id])
        const ids = await insertRows(person.user_id, team.business_id, rows.map((row) => ({ created_at: minute(row.minute) })))
        for (const [index, id] of ids.entries()) if (rows[index]?.pin) await mine.put(`/notifications/${id}/pin`, { pinned: true })
        const before = await walk(mine, { limit: 1000, descending })
        const seen = await walk(mine, { limit, descending }, async (page) => {
          const id = ids[(choice + page) % ids.length]
          const what = actions[page] ?? 'none'
          if (what === 'arrive') await insertRows(person.user_id, team.business_id, [{ created_at: minute(page) }])
          else if (what !== 'none') await mine.put(`/notifications/${id}/pin`, { pinned: what === 'pin' })
        })
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.filter((id) => ids.includes(id))).toEqual(before)
      }), { numRuns: 12 })
  })

  it('back again shows the same', async () => {
    const { ids, mine } = await reader([{}, {}, {}, {}, {}])
    for (const id of [ids[1], ids[3]]) await mine.put(`/notifications/${id}/pin`, { pinned: true })
    const all = await feed(mine)
    const back: Notification[] = []
    for (let query: Query = { limit: 2, direction: 'prev' }; ;) {
      const { data } = await mine.get('/notifications', query)
      back.unshift(...data.items)
      if (!data.has_prev) break
      query = { limit: 2, direction: 'prev', cursor: data.prev_cursor }
    }
    expect(back).toEqual(all)
  })
})

describe('who sees what', () => {
  it('nobody sees the rows of another, and a lost membership hides its rows at once', async () => {
    const { ids: [id = ''], mine, person } = await reader([{ title: 'Secret' }])
    const stranger = await newPerson()
    const calls = [
      ['GET', ''], ['PUT', '/pin'], ['PUT', '/read'], ['PUT', '/unread'], ['PUT', '/snooze'], ['PUT', '/unsnooze'], ['PUT', '/dismiss'], ['PUT', '/resolve'], ['PUT', '/reopen'],
    ] as const
    const body = { pinned: true, until: new Date(Date.now() + 1e6).toISOString() }
    const statuses = (by: Client) => Promise.all(calls.map(async ([method, path]) => (await by.call(method, `/notifications/${id}${path}`, method === 'GET' ? {} : { body })).status))
    for (const by of [stranger.client, team.client, other.client]) expect(await statuses(by)).toEqual(calls.map(() => 404))
    expect((await stranger.client.post('/notifications/bulk', { ids: [id], action: 'read' })).data).toMatchObject({ succeeded: 0, failed: 1, results: [{ status: 'error', detail: 'Notification not found.' }] })
    expect((await stranger.client.post('/notifications/mark-all-read', { scope: 'business', scope_id: team.business_id })).status).toBe(403)
    expect((await stranger.client.post('/notifications/mark-all-read', {})).data).toEqual({ count: 0 })
    expect((await mine.get(`/notifications/${id}`)).data).toMatchObject({ title: 'Secret', status: 'unread', pinned: false })

    await sql(`update memberships set status = 'suspended' where business_id = $1 and user_id = $2`, [team.business_id, person.user_id])
    expect(await feed(mine)).toEqual([])
    expect(await statuses(mine)).toEqual(calls.map(() => 404))
    expect((await mine.get('/notifications/counts')).data.unread).toBe(0)
    expect((await mine.get('/notifications', { scope: 'business', scope_id: team.business_id })).status).toBe(403)
    expect((await mine.get('/notifications', { live_business_id: team.business_id })).status).toBe(403)
    await sql(`update memberships set status = 'active' where business_id = $1 and user_id = $2`, [team.business_id, person.user_id])
    expect(await titles(mine)).toEqual(['Secret'])
    await team.client.delete(`/businesses/${team.business_id}/members/${person.user_id}`)
    expect(await feed(mine)).toEqual([])
    await tell(team.business_id)
    expect(await sql('select 1 from notifications where user_id = $1 and business_id = $2', [person.user_id, team.business_id])).toEqual([])
  })

  it('a role that may not read the topic does not see it, from the next request on', async () => {
    const person = await newMember(team.business_id, 'admin')
    await insertRows(person.user_id, team.business_id, [{ title: 'hook', topic: 'integration', scope: 'business' }, { title: 'plan', topic: 'billing', scope: 'business' }])
    const mine = client(person.token)
    expect((await titles(mine)).toSorted()).toEqual(['hook', 'plan'])
    await sql(`update memberships set role = 'accountant' where business_id = $1 and user_id = $2`, [team.business_id, person.user_id])
    expect(await titles(mine)).toEqual([])
    expect(await titles(mine, { topic: 'integration' })).toEqual([])
  })

  it('a token sees what its scopes and businesses allow', async () => {
    const { person } = await reader([{ title: 'to me' }, { title: 'to all', topic: 'invoice', scope: 'business' }])
    const narrow = client(await newToken({ ...person, client: client(person.token) }, ['notifications:read']))
    expect(await titles(narrow)).toEqual(['to me'])
    const wide = client(await newToken({ ...person, client: client(person.token) }, ['notifications:read', 'invoices:read']))
    expect(await titles(wide)).toEqual(['to all', 'to me'])
    const { data } = await client(person.token).post('/api-tokens', { name: 'There', scopes: ['notifications:read'], business_ids: [team.business_id] })
    await sql('update api_tokens set business_ids = $2 where id = $1', [data.id, [other.business_id]])
    expect(await titles(client(data.token))).toEqual([])
    const [{ id }] = await sql('select id from notifications where user_id = $1 limit 1', [person.user_id])
    expect((await narrow.put(`/notifications/${id}/pin`, { pinned: true })).status).toBe(403)
  })

  it('the database itself shows a person only their own rows', async () => {
    const { person } = await reader([{ title: 'Guarded' }])
    const { pool } = (await service()).program.database
    const connection = await pool.connect()
    const seen = async (settings: string) => {
      await connection.query(`begin; ${settings}`)
      const { rows } = await connection.query(`select count(*)::int as rows from notifications where user_id = '${person.user_id}'`)
      await connection.query('rollback')
      return rows[0].rows
    }
    try {
      expect(await seen('select 1')).toBe(0)
      expect(await seen(`set local app.user_id = '${newId()}'`)).toBe(0)
      expect(await seen(`set local app.business_id = '${other.business_id}'`)).toBe(0)
      expect(await seen(`set local app.user_id = '${person.user_id}'`)).toBe(1)
      expect(await seen(`set local app.business_id = '${team.business_id}'`)).toBe(1)
    } finally {
      pool.release(connection, false)
    }
  })
})

describe('the stream', () => {
  it('brings new and changed rows, resumes, and ends with the credential', async () => {
    const person: Person = await newMember(team.business_id, 'bookkeeper')
    const token = await newToken({ ...person, client: client(person.token) }, ['notifications:read'])
    const open = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`${(await service()).url}/api/v1/notifications/stream`, { headers: { authorization: `Bearer ${token}`, ...headers } })
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      return messagesOf(response)
    }
    const stream = await open()
    const id = await newNotification(team.client, person.user_id, 'Streamed')
    const made = (await stream.next()).value
    expect(made).toMatchObject({ event: 'notification.created', data: { id, status: 'unread' } })
    await client(person.token).put(`/notifications/${id}/read`)
    const changed = (await stream.next()).value
    expect(changed).toMatchObject({ event: 'notification.changed', data: { id, status: 'read' } })
    expect(Number(changed?.id)).toBeGreaterThan(Number(made?.id))
    const resumed = await open({ 'last-event-id': made?.id ?? '' })
    expect((await resumed.next()).value).toMatchObject({ id: changed?.id, data: { id } })
    await sql('update api_tokens set revoked_at = now() where user_id = $1', [person.user_id])
    expect((await stream.next()).done).toBe(true)
  })
})

async function* messagesOf(response: Response): AsyncGenerator<{ id: string; event: string; data: any }, void> {
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

describe('what it costs', () => {
  it('a page of a long feed costs what one of a short feed does, far back and with every filter', { timeout: 30_000 }, async () => {
    const person = await newMember(team.business_id, 'bookkeeper')
    await sql('insert into notification_feeds (user_id, change_seq) values ($1, 100000)', [person.user_id])
    await sql(
      `insert into notifications (user_id, id, business_id, scope, scope_id, topic, severity, title, rule, in_app, in_digest, read_at, dismissed_at, change_seq, created_at, updated_at, version)
       select $1, gen_random_uuid(), $2, 'me', $1, case when n = 5 then 'anomaly' else 'task' end, case when n = 7 then 'critical' else 'info' end, 'Row', 'test', true, false,
         case when n > 10 then now() end, case when n % 2 = 0 then now() end, n, now() - make_interval(secs => n), now(), 1 from generate_series(1, 60000) n`, [person.user_id, team.business_id])
    await sql('analyze notifications')
    const [mine, short] = [client(person.token), (await reader(Array.from({ length: 40 }, () => ({})))).mine]
    const timed = async (by: Client, query: Query) => {
      const times: number[] = []
      for (let round = 0; round < 7; round++) {
        const begun = performance.now()
        expect((await by.get('/notifications', query)).status).toBe(200)
        times.push(performance.now() - begun)
      }
      return Math.min(...times)
    }
    const usual = await timed(short, { limit: 20 })
    // The last page lies behind 29,980 others.
    const { prev_cursor } = (await mine.get('/notifications', { limit: 20, direction: 'prev' })).data
    const queries: Query[] = [
      {}, { direction: 'prev' }, { direction: 'prev', cursor: prev_cursor }, { topic: 'anomaly' }, { severity: 'critical' }, { severity: ['critical', 'info'] }, { status: 'unread' },
      { status: 'dismissed' }, { include_terminal: true }, { scope: 'business', scope_id: team.business_id }, { scope: 'business', scope_id: team.business_id, topic: 'anomaly' },
    ]
    for (const query of queries) expect(await timed(mine, { limit: 20, ...query }), JSON.stringify(query)).toBeLessThan(usual * 4 + 10)
    await sql('delete from notifications where user_id = $1', [person.user_id])
  })
})
