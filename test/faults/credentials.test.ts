// Credentials that end, rights that change, and ids that belong to somebody else: what counts is what the tables say at that moment.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/foundation/ids.ts'
import { client, type Client } from '../support/client.ts'
import { newBusiness, newMember, newSession, newToken, sql, type Team } from '../support/people.ts'
import { service } from '../support/service.ts'

let team: Team
let other: Team
beforeAll(async () => {
  team = await newBusiness()
  other = await newBusiness()
})
afterEach(async () => (await service()).clock.set(null))

/** A token that has been used, so that the server remembers who it is. */
async function usedToken(scopes = ['todos:read', 'todos:write']): Promise<Client> {
  const used = client(await newToken(team.owner, scopes), team.business_id)
  expect((await used.get('/todos')).status).toBe(200)
  return used
}

/** By the secret's first characters, as the table has them. */
function revoke(token: Client): Promise<unknown> {
  return sql('update api_tokens set revoked_at = now() where token_prefix = $1', [token.token?.slice(0, 12)])
}

describe('a credential that ends', () => {
  it('a revoked token is nobody at the next request', async () => {
    const token = await usedToken()
    await revoke(token)
    expect((await token.get('/todos')).status).toBe(401)
    expect((await token.post('/todos', { title: 'Too late' })).status).toBe(401)
  })

  it('an expired token is nobody at the next request', async () => {
    const token = await usedToken()
    await sql(`update api_tokens set expires_at = now() + interval '1 hour' where token_prefix = $1`, [token.token?.slice(0, 12)])
    expect((await token.get('/todos')).status).toBe(200)
    const { clock } = await service()
    clock.set(new Date(Date.now() + 61 * 60_000).toISOString())
    expect((await token.get('/todos')).status).toBe(401)
  })

  it.each([
    ['signed out', 'ended_at = now()'],
    ['expired', 'expires_at = now()'],
  ])('a session that is %s is nobody at the next request', async (_how, change) => {
    const session = client((await newSession(team.owner.user_id)).token, team.business_id)
    expect((await session.get('/todos')).status).toBe(200)
    await sql(`update sessions set ${change} where token_hash = sha256($1::bytea)`, [session.token])
    expect((await session.get('/todos')).status).toBe(401)
  })

  it('a session that nobody has used for 14 days is nobody', async () => {
    const session = client((await newSession(team.owner.user_id)).token, team.business_id)
    expect((await session.get('/todos')).status).toBe(200)
    const { clock } = await service()
    const inDays = (days: number) => clock.set(new Date(Date.now() + days * 86_400_000).toISOString())
    inDays(13.9)
    expect((await session.get('/todos')).status).toBe(200)
    inDays(14.1)
    expect((await session.get('/todos')).status).toBe(401)
  })

  it('a closed or locked user takes all credentials along', async () => {
    const person = await newMember(team.business_id, 'admin')
    expect((await person.client.get('/todos')).status).toBe(200)
    await sql(`update users set status = 'locked' where id = $1`, [person.user_id])
    expect((await person.client.get('/todos')).status).toBe(401)
  })
})

describe('rights that change', () => {
  it('a token without the scope, or with one taken away, gets a 403', async () => {
    const token = await usedToken(['todos:read', 'todos:write'])
    expect((await token.get('/notes')).status).toBe(403)
    expect((await token.post('/todos', { title: 'Allowed' })).status).toBe(201)
    await sql(`update api_tokens set scopes = '{todos:read}' where token_prefix = $1`, [token.token?.slice(0, 12)])
    expect((await token.post('/todos', { title: 'Not allowed' })).status).toBe(403)
    expect((await token.get('/todos')).status).toBe(200)
  })

  it('a token that no longer reaches the business gets a 403', async () => {
    const token = await usedToken()
    await sql('update api_tokens set business_ids = array[$2::uuid] where token_prefix = $1', [token.token?.slice(0, 12), other.business_id])
    expect((await token.get('/todos')).status).toBe(403)
  })

  it.each([
    ['a lower role', `update memberships set role = 'viewer' where user_id = $1`, [200, 403]],
    ['a suspension', `update memberships set status = 'suspended' where user_id = $1`, [403, 403]],
    ['a removal', 'delete from memberships where user_id = $1', [403, 403]],
    ['a business that is archived', `update businesses set status = 'archived' where id = (select business_id from memberships where user_id = $1)`, [200, 403]],
  ])('%s counts from the next request on', async (_what, change, statuses) => {
    const place = await newBusiness()
    const person = await newMember(place.business_id, 'bookkeeper')
    expect((await person.client.post('/todos', { title: 'Before' })).status).toBe(201)
    expect((await person.client.get('/todos')).status).toBe(200)
    await sql(change, [person.user_id])
    expect([(await person.client.get('/todos')).status, (await person.client.post('/todos', { title: 'After' })).status]).toEqual(statuses)
  })

  it('and a higher role too', async () => {
    const person = await newMember(team.business_id, 'viewer')
    expect((await person.client.post('/todos', { title: 'Before' })).status).toBe(403)
    await sql(`update memberships set role = 'bookkeeper' where user_id = $1`, [person.user_id])
    expect((await person.client.post('/todos', { title: 'After' })).status).toBe(201)
  })
})

describe('200 requests in flight while a right is taken away', () => {
  it.each([
    ['the token is revoked', 401, (at: Client) => revoke(at)],
    ['the member is removed', 403, (_at: Client, user_id: string) => sql('delete from memberships where user_id = $1', [user_id])],
    ['the role becomes viewer', 403, (_at: Client, user_id: string) => sql(`update memberships set role = 'viewer' where user_id = $1`, [user_id])],
  ])('%s: whatever starts after the commit is refused and writes nothing', async (_what, refused, takeAway) => {
    const place = await newBusiness()
    const person = await newMember(place.business_id, 'bookkeeper')
    const at = client(await newToken(person, ['todos:read', 'todos:write']), place.business_id)
    expect((await at.get('/todos')).status).toBe(200)

    type Call = { title: string; started: number; status: number }
    const calls: Call[] = []
    let taken: number = Infinity
    const keepCalling = async (name: number) => {
      for (let round = 0; ; round++) {
        const call = { title: `${name}-${round}`, started: performance.now(), status: 0 }
        calls.push(call)
        call.status = (await at.post('/todos', { title: call.title })).status
        if (call.started > taken) return
      }
    }
    const all = Array.from({ length: 200 }, (_, name) => keepCalling(name))
    while (!calls.some(({ status }) => status === 201)) await Promise.race(all.slice(0, 1).concat(at.get('/todos') as never))
    await takeAway(at, person.user_id)
    taken = performance.now()
    await Promise.all(all)

    const late = calls.filter(({ started }) => started > taken)
    expect(late.length).toBeGreaterThanOrEqual(200)
    expect(late.filter(({ status }) => status !== refused)).toEqual([])
    expect(calls.filter(({ status }) => status !== 201 && status !== refused)).toEqual([])
    const written = await sql('select title from todos where business_id = $1', [place.business_id])
    expect(written.map(({ title }) => title).toSorted()).toEqual(calls.filter(({ status }) => status === 201).map(({ title }) => title).toSorted())
  })
})

describe('ids of another business', () => {
  let mine: { todo: string; note: string; tag: string }
  let theirs: { todo: string; note: string; tag: string; member: string }

  async function records(at: Client) {
    const todo: string = (await at.post('/todos', { title: 'A record' })).data.id
    const note: string = (await at.post('/notes', { resource_type: 'todo', resource_id: todo, body: 'A note' })).data.id
    const tag: string = (await at.post('/tags', { name: `Tag ${newId()}` })).data.id
    return { todo, note, tag }
  }

  beforeAll(async () => {
    mine = await records(team.client)
    theirs = { ...(await records(other.client)), member: (await newMember(other.business_id, 'bookkeeper')).user_id }
  })

  it('in the path', async () => {
    for (const path of [`/todos/${theirs.todo}`, `/notes/${theirs.note}`, `/tags/${theirs.tag}`, `/tags/${theirs.tag}/records`]) {
      expect((await team.client.get(path)).status, path).toBe(404)
    }
    expect((await team.client.put(`/todos/${theirs.todo}`, { title: 'Mine now' })).status).toBe(404)
    expect((await team.client.delete(`/notes/${theirs.note}`)).status).toBe(404)
    expect((await team.client.get(`/businesses/${team.business_id}/members/${theirs.member}`)).status).toBe(404)
    expect((await team.client.get(`/businesses/${other.business_id}`, {}, { business_id: null })).status).toBe(403)
  })

  it.each([
    ['a note on their record', '/notes', () => ({ resource_type: 'todo', resource_id: theirs.todo, body: 'Hi' }), 404],
    ['a note below theirs', '/notes', () => ({ resource_type: 'todo', resource_id: mine.todo, parent_id: theirs.note, body: 'Hi' }), 404],
    ['a todo for their member', '/todos', () => ({ title: 'Do it', assignee_id: theirs.member }), 400],
    ['a todo about their record', '/todos', () => ({ title: 'Do it', resource_type: 'todo', resource_id: theirs.todo }), 404],
    ['their tag on my record', '/tags/assign', () => ({ tag_ids: [theirs.tag], resource_type: 'todo', resource_ids: [mine.todo] }), 404],
    ['my tag on their record', '/tags/assign', () => ({ tag_ids: [mine.tag], resource_type: 'todo', resource_ids: [mine.todo, theirs.todo] }), 404],
    ['their todos among mine', '/todos/bulk', () => ({ ids: [mine.todo, theirs.todo], action: 'complete' }), 400],
  ])('in the body: %s', async (_what, path, body, status) => {
    const before = await sql('select count(*)::int as events from events where business_id = any($1)', [[team.business_id, other.business_id]])
    const answer = await team.client.post(path, body())
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    expect(JSON.stringify(answer.body)).not.toContain('Test Trading')
    expect(await sql('select count(*)::int as events from events where business_id = any($1)', [[team.business_id, other.business_id]])).toEqual(before)
  })

  it('in a merge of tags', async () => {
    expect((await team.client.put(`/tags/${mine.tag}/merge`, { into_id: theirs.tag })).status).toBe(404)
  })

  it('in filters: nothing is found, and nothing is told', async () => {
    const queries: [string, Record<string, string>][] = [
      ['/todos', { assignee_id: theirs.member }],
      ['/todos', { resource_type: 'todo', resource_id: theirs.todo }],
      ['/notes', { resource_type: 'todo', resource_id: theirs.todo }],
      ['/notes', { author_id: other.owner.user_id }],
      ['/audit-trail', { actor_id: other.owner.user_id }],
      ['/audit-trail', { resource_id: theirs.todo, resource_type: 'todo' }],
      ['/events', { resource_id: theirs.todo, resource_type: 'todo' }],
    ]
    for (const [path, query] of queries) {
      const answer = await team.client.get(path, query)
      expect([answer.status, answer.data?.items], path + JSON.stringify(query)).toEqual([200, []])
    }
  })

  it('in a cursor, as is one of another sort, another filter or another list', async () => {
    for (let n = 0; n < 3; n++) {
      await team.client.post('/todos', { title: `Page ${n}` })
      await other.client.post('/todos', { title: `Page ${n}` })
    }
    const page = { limit: 1, sort_by: 'created_at' }
    const { next_cursor: cursor } = (await other.client.get('/todos', page)).data
    expect((await other.client.get('/todos', { ...page, cursor })).status).toBe(200)
    for (const [at, path, query] of [
      [team.client, '/todos', page],
      [other.client, '/todos', { ...page, sort_by: 'due_date' }],
      [other.client, '/todos', { ...page, descending: false }],
      [other.client, '/todos', { ...page, status: 'open' }],
      [other.client, '/notes', { limit: 1, sort_by: 'created_at' }],
    ] as const) {
      const answer = await at.get(path, { ...query, cursor })
      expect([answer.status, answer.detail], path + JSON.stringify(query)).toEqual([400, expect.stringMatching(/This cursor does not belong/)])
    }
    for (const broken of ['x', cursor.slice(0, -4), Buffer.from('["2026-01-01",null]').toString('base64url'), Buffer.from('null').toString('base64url')]) {
      expect((await other.client.get('/todos', { ...page, cursor: broken })).status).toBe(400)
    }
  })
})

describe('servers whose clocks differ', () => {
  it.each([true, false])('rows that appear before and behind a reader neither hide nor repeat what was there (descending: %s)', async (descending) => {
    const place = await newBusiness()
    const { clock } = await service()
    const noon = Date.now()
    const at = (minutes: number) => clock.set(new Date(noon + minutes * 60_000).toISOString())
    const there: string[] = []
    for (let n = 0; n < 24; n++) {
      // Two of each time, and not in the order of time.
      at(((n * 7) % 12) * 10)
      there.push((await place.client.post('/todos', { title: `There ${n}` })).data.id)
    }
    const seen: string[] = []
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor; page++) {
      const { data }: { data: { items: { id: string }[]; next_cursor: string | null } } =
        await place.client.get('/todos', { sort_by: 'created_at', descending, limit: 5, ...(cursor ? { cursor } : {}) })
      seen.push(...data.items.map(({ id }) => id))
      cursor = page > 30 ? null : data.next_cursor
      if (page < 6) for (const minutes of [-60, 300, page * 20, 55]) {
        at(minutes)
        await place.client.post('/todos', { title: 'New' })
      }
    }
    expect(seen.filter((id) => there.includes(id)).toSorted()).toEqual(there.toSorted())
    expect(new Set(seen).size).toBe(seen.length)
  })
})
