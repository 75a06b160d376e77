import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newPerson, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { hashToken } from '../../foundation/secrets.ts'
import { scopeCatalogue } from '../permissions.ts'
import { expiringTokensJob } from './jobs.ts'

let team: Team
let owner: Person
beforeAll(async () => {
  team = await newBusiness()
  owner = team.owner
})
afterEach(async () => (await service()).clock.set(null))

async function make(person: Pick<Person, 'client'>, body: object = {}) {
  const answer = await person.client.post('/api-tokens', { name: 'Program', scopes: ['notes:read', 'notes:write'], ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const join = (business_id: string, user_id: string, role: string) =>
  sql(`insert into memberships (business_id, user_id, role, status, created_at, updated_at, version) values ($1, $2, $3, 'active', now(), now(), 1)`,
    [business_id, user_id, role])

const eventsOf = async (token_id: string) =>
  (await sql(`select type from user_events where detail ->> 'api_token_id' = $1 order by at, id`, [token_id])).map(({ type }) => type)

describe('creating', () => {
  it('shows the secret once and keeps its hash', async () => {
    const expires_at = inDays(30)
    const made = await make(owner, { scopes: ['notes:write', 'notes:read', 'notes:write'], business_ids: [team.business_id, team.business_id], expires_at })
    expect(made).toMatchObject({
      name: 'Program', scopes: ['notes:read', 'notes:write'], business_ids: [team.business_id], expires_at, status: 'active', created_by: owner.user_id,
      token_prefix: made.token.slice(0, 12), last_used_at: null, revoked_at: null, revoked_by: null, version: 1,
    })
    expect(made.token).toMatch(/^dbk_[\w-]{43}$/)
    const [secret] = await sql('select token_hash from api_token_secrets where token_id = $1', [made.id])
    expect(secret.token_hash.equals(hashToken(made.token))).toBe(true)
    const got = await owner.client.get(`/api-tokens/${made.id}`)
    const { token: _token, ...shown } = made
    expect(got.data).toEqual(shown)
    expect(got.headers.get('etag')).toBe('"1"')
    expect(await eventsOf(made.id)).toEqual(['api_token.created'])
    const log = await sql('select detail::text as detail from user_events where user_id = $1', [owner.user_id])
    expect(log.filter(({ detail }) => detail.includes(made.token))).toEqual([])
    expect((await client(made.token, team.business_id).get('/notes')).status).toBe(200)
  })

  it('replays under an idempotency key, sealed at rest', async () => {
    const headers = { 'idempotency-key': newId() }
    const [first, second] = [
      await owner.client.post('/api-tokens', { name: 'Once', scopes: ['user:read'] }, { headers }),
      await owner.client.post('/api-tokens', { name: 'Once', scopes: ['user:read'] }, { headers }),
    ]
    expect(second.data).toEqual(first.data)
    const [row] = await sql('select sealed, answer from idempotency_keys where key = $1', [headers['idempotency-key']])
    expect([row.sealed, row.answer.includes(first.data.token)]).toEqual([true, false])
  })

  it.each([
    ['no name', { name: '' }, 'string_too_short'],
    ['no scope', { scopes: [] }, 'value_error'],
    ['an unknown scope', { scopes: ['everything:write'] }, 'enum'],
    ['an empty list of businesses', { business_ids: [] }, 'value_error'],
    ['no UUID', { business_ids: ['x'] }, 'uuid_parsing'],
    ['no moment', { expires_at: 'tomorrow' }, 'datetime_parsing'],
  ])('refuses %s', async (_what, body, type) => {
    const answer = await owner.client.post('/api-tokens', { name: 'Program', scopes: ['notes:read'], ...body })
    expect([answer.status, answer.detail[0].type]).toEqual([422, type])
  })

  it('refuses what the creator does not hold', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    const answer = await viewer.client.post('/api-tokens', { name: 'Wide', scopes: ['notes:read', 'members:manage', 'audit-trail:read'] })
    expect([answer.status, answer.detail]).toEqual([400, 'You do not have these permissions in any of the businesses: audit-trail:read, members:manage.'])
    const nobody = await newPerson()
    expect((await nobody.client.post('/api-tokens', { name: 'Wide', scopes: ['notes:read'] })).status).toBe(400)
    expect((await nobody.client.post('/api-tokens', { name: 'Own', scopes: ['user:read', 'api-tokens:write'] })).status).toBe(201)
  })

  it('refuses businesses that are not the creator\'s, samples, and an end that is over', async () => {
    const other = await newBusiness()
    const foreign = await owner.client.post('/api-tokens', { name: 'X', scopes: ['notes:read'], business_ids: [other.business_id] })
    expect([foreign.status, foreign.detail]).toEqual([404, `Business ${other.business_id} not found.`])
    await sql('update businesses set is_sample = true where id = $1', [other.business_id])
    const sample = await other.owner.client.post('/api-tokens', { name: 'X', scopes: ['notes:read'], business_ids: [other.business_id] })
    expect([sample.status, sample.detail]).toEqual([400, 'Test Trading is a sample: tokens are for real businesses.'])
    expect((await other.owner.client.post('/api-tokens', { name: 'X', scopes: ['notes:read'] })).status).toBe(400)
    expect((await owner.client.post('/api-tokens', { name: 'X', scopes: ['notes:read'], expires_at: '2020-01-01T00:00:00Z' })).detail).toContain('over already')
  })

  it('keeps to the longest life that a business allows', async () => {
    const strict = await newBusiness()
    await sql(`update businesses set settings = '{"security": {"token_max_days": 30}}' where id = $1`, [strict.business_id])
    for (const body of [{}, { expires_at: inDays(31) }, { business_ids: [strict.business_id] }]) {
      const answer = await strict.owner.client.post('/api-tokens', { name: 'X', scopes: ['notes:read'], ...body })
      expect([answer.status, answer.detail]).toEqual([400, expect.stringContaining('Test Trading allows tokens for at most 30 days')])
    }
    await make(strict.owner, { expires_at: inDays(29) })
  })

  it('needs a caller, and of a token the scope', async () => {
    expect((await client().post('/api-tokens', { name: 'X', scopes: ['notes:read'] })).status).toBe(401)
    const reader = client((await make(owner, { scopes: ['api-tokens:read'] })).token)
    expect((await reader.get('/api-tokens')).status).toBe(200)
    expect((await reader.post('/api-tokens', { name: 'X', scopes: ['api-tokens:read'] })).status).toBe(403)
    expect((await client((await make(owner)).token).get('/api-tokens')).status).toBe(403)
  })
})

describe('a token that makes tokens', () => {
  it('makes narrower ones only', async () => {
    const second = await newBusiness()
    await join(second.business_id, owner.user_id, 'admin')
    const expires_at = inDays(10)
    const parent = await make(owner, { scopes: ['api-tokens:write', 'notes:read'], business_ids: [team.business_id], expires_at })
    const program = { client: client(parent.token) }
    const narrow = { name: 'Child', scopes: ['notes:read'], business_ids: [team.business_id], expires_at }
    const attempts: [object, string][] = [
      [{ scopes: ['notes:read', 'notes:write'] }, 'it lacks notes:write'],
      [{ scopes: ['members:manage'] }, 'it lacks members:manage'],
      [{ business_ids: null }, 'it reaches certain businesses only'],
      [{ business_ids: [second.business_id] }, `it does not reach ${second.business_id}`],
      [{ expires_at: null }, `it ends at ${expires_at}`],
      [{ expires_at: inDays(11) }, `it ends at ${expires_at}`],
    ]
    for (const [body, why] of attempts) {
      const answer = await program.client.post('/api-tokens', { ...narrow, ...body })
      expect([answer.status, answer.detail]).toEqual([400, `A token makes only tokens no wider than itself: ${why}.`])
    }
    const child = await make(program, narrow)
    expect(child.created_by).toBe(owner.user_id)
    await sql('delete from memberships where business_id = $1 and user_id = $2', [second.business_id, owner.user_id])
  })

  it('does not come by a wider one through rotation, but rotates itself', async () => {
    const wide = await make(owner, { scopes: ['members:manage', 'notes:read'] })
    const parent = await make(owner, { scopes: ['api-tokens:write', 'notes:read'] })
    const program = client(parent.token)
    const answer = await program.post(`/api-tokens/${wide.id}/rotate`)
    expect([answer.status, answer.detail]).toEqual([400, 'A token makes only tokens no wider than itself: it lacks members:manage.'])
    expect((await client(wide.token, team.business_id).get('/notes')).status).toBe(200)
    const rotated = await program.post(`/api-tokens/${parent.id}/rotate`)
    expect(rotated.status).toBe(201)
    expect((await program.get('/api-tokens/current')).status).toBe(401)
    expect((await client(rotated.data.token).get('/api-tokens/current')).status).toBe(200)
  })
})

describe('effective rights', () => {
  it('follow the role from the next request on, and end with the token', async () => {
    const member = await newMember(team.business_id, 'accountant')
    const made = await make(member, { scopes: ['tags:read', 'audit-trail:read'] })
    const program = client(made.token, team.business_id)
    expect((await program.get('/audit-trail')).status).toBe(200)
    await sql(`update memberships set role = 'viewer' where user_id = $1`, [member.user_id])
    const narrowed = await program.get('/audit-trail')
    expect([narrowed.status, narrowed.detail]).toEqual([403, 'This needs the permission audit-trail:read.'])
    await sql(`update memberships set role = 'owner' where user_id = $1`, [member.user_id])
    expect((await program.get('/events')).status).toBe(403)
    expect((await member.client.delete(`/api-tokens/${made.id}`)).status).toBe(200)
    expect((await program.get('/audit-trail')).status).toBe(401)
  })

  it('end at the moment of expiry', async () => {
    const { clock } = await service()
    const made = await make(owner, { expires_at: inDays(1) })
    const program = client(made.token, team.business_id)
    clock.set(new Date(Date.parse(made.expires_at) - 1).toISOString())
    expect((await program.get('/notes')).status).toBe(200)
    clock.set(made.expires_at)
    expect((await program.get('/notes')).status).toBe(401)
    expect((await owner.client.get(`/api-tokens/${made.id}`)).data.status).toBe('expired')
    expect((await owner.client.post(`/api-tokens/${made.id}/rotate`)).detail).toBe('This token is expired: create a new one.')
    expect((await owner.client.put(`/api-tokens/${made.id}`, { name: 'Late' })).status).toBe(400)
  })

  it('stay within the businesses of the token', async () => {
    const second = await newBusiness()
    await join(second.business_id, owner.user_id, 'admin')
    const made = await make(owner, { business_ids: [team.business_id] })
    expect((await client(made.token, second.business_id).get('/notes')).status).toBe(403)
    const open = await make(owner)
    expect((await client(open.token, second.business_id).get('/notes')).status).toBe(200)
    await sql('delete from memberships where business_id = $1 and user_id = $2', [second.business_id, owner.user_id])
    expect((await client(open.token, second.business_id).get('/notes')).status).toBe(403)
  })
})

describe('changing', () => {
  it('renames, narrows and shortens', async () => {
    const made = await make(owner)
    const expires_at = inDays(5)
    const answer = await owner.client.put(`/api-tokens/${made.id}`, { name: 'Reader', scopes: ['notes:read'], business_ids: [team.business_id], expires_at })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({ name: 'Reader', scopes: ['notes:read'], business_ids: [team.business_id], expires_at, version: 2 })
    expect((await owner.client.get(`/api-tokens/${made.id}`)).data).toEqual(answer.data)
    expect((await client(made.token, team.business_id).post('/notes', {})).status).toBe(403)
    const renamed = await owner.client.put(`/api-tokens/${made.id}`, { name: 'Again' })
    expect(renamed.data).toEqual({ ...answer.data, name: 'Again', version: 3, updated_at: renamed.data.updated_at })
    expect((await owner.client.put(`/api-tokens/${made.id}`, { name: 'Stale' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    const attempts: [object, string][] = [
      [{ scopes: ['notes:read', 'notes:write'] }, 'it lacks notes:write'],
      [{ business_ids: null }, 'it reaches certain businesses only'],
      [{ expires_at: null }, `it ends at ${expires_at}`],
      [{ expires_at: inDays(6) }, `it ends at ${expires_at}`],
    ]
    for (const [body, why] of attempts) {
      const wider = await owner.client.put(`/api-tokens/${made.id}`, body)
      expect([wider.status, wider.detail]).toEqual([400, `A token is never widened: ${why}. Create a new one.`])
    }
    expect((await owner.client.put(`/api-tokens/${made.id}`, { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(400)
    expect((await owner.client.put(`/api-tokens/${made.id}`, { business_ids: [newId()] })).status).toBe(404)
  })

  it('is for its creator', async () => {
    const made = await make(owner)
    const admin = await newMember(team.business_id, 'admin')
    expect((await admin.client.get(`/api-tokens/${made.id}`)).status).toBe(404)
    expect((await admin.client.put(`/api-tokens/${made.id}`, { name: 'Mine' })).status).toBe(404)
    expect((await admin.client.post(`/api-tokens/${made.id}/rotate`)).status).toBe(404)
  })
})

describe('revoking', () => {
  it('takes effect at once, and once', async () => {
    const made = await make(owner)
    const program = client(made.token, team.business_id)
    const answer = await owner.client.delete(`/api-tokens/${made.id}`)
    expect([answer.status, answer.data.status, answer.data.revoked_by]).toEqual([200, 'revoked', owner.user_id])
    expect((await program.get('/notes')).status).toBe(401)
    expect((await owner.client.delete(`/api-tokens/${made.id}`)).data).toEqual(answer.data)
    expect(await eventsOf(made.id)).toEqual(['api_token.created', 'api_token.revoked'])
    expect((await owner.client.put(`/api-tokens/${made.id}`, { name: 'Back' })).detail).toBe('This token is revoked: create a new one.')
    expect((await owner.client.post(`/api-tokens/${made.id}/rotate`)).status).toBe(400)
    expect((await owner.client.get('/api-tokens', { status: 'revoked' })).data.items.map(({ id }: any) => id)).toContain(made.id)
    expect((await owner.client.delete(`/api-tokens/${newId()}`)).status).toBe(404)
  })

  it('lets one of many callers at once revoke', async () => {
    const made = await make(owner)
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner.client.delete(`/api-tokens/${made.id}`)))
    expect(answers.every(({ data }) => data.version === 2)).toBe(true)
    expect(await eventsOf(made.id)).toEqual(['api_token.created', 'api_token.revoked'])
  })

  it('is open to whoever manages the tokens of a business that it reaches', async () => {
    const member = await newMember(team.business_id, 'bookkeeper')
    const made = await make(member)
    const [peer, stranger, admin] = [await newMember(team.business_id, 'accountant'), (await newBusiness()).owner, await newMember(team.business_id, 'admin')]
    expect((await peer.client.delete(`/api-tokens/${made.id}`)).status).toBe(404)
    expect((await stranger.client.delete(`/api-tokens/${made.id}`)).status).toBe(404)
    const weak = client((await make(admin, { scopes: ['api-tokens:write'] })).token)
    expect((await weak.delete(`/api-tokens/${made.id}`)).status).toBe(404)
    const answer = await admin.client.delete(`/api-tokens/${made.id}`)
    expect([answer.status, answer.data.revoked_by]).toEqual([200, admin.user_id])
    const [event] = await sql(
      `select user_id, detail ->> 'revoked_by' as revoked_by from user_events where type = 'api_token.revoked' and detail ->> 'api_token_id' = $1`, [made.id])
    expect(event).toEqual({ user_id: member.user_id, revoked_by: admin.user_id })
  })

  it('stops at tokens that reach other businesses only', async () => {
    const elsewhere = await newBusiness()
    const member = await newMember(team.business_id, 'viewer')
    await join(elsewhere.business_id, member.user_id, 'viewer')
    const made = await make(member, { scopes: ['notes:read'], business_ids: [elsewhere.business_id] })
    expect((await owner.client.delete(`/api-tokens/${made.id}`)).status).toBe(404)
    expect((await elsewhere.owner.client.delete(`/api-tokens/${made.id}`)).status).toBe(200)
  })
})

describe('rotating', () => {
  it('replaces the secret, at once by default', async () => {
    const made = await make(owner)
    const answer = await owner.client.post(`/api-tokens/${made.id}/rotate`)
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({ id: made.id, version: 2, scopes: made.scopes, token_prefix: answer.data.token.slice(0, 12) })
    expect(answer.data.token).not.toBe(made.token)
    expect((await client(made.token, team.business_id).get('/notes')).status).toBe(401)
    expect((await client(answer.data.token, team.business_id).get('/notes')).status).toBe(200)
    expect(await sql('select from api_token_secrets where token_id = $1', [made.id])).toHaveLength(1)
    expect(await eventsOf(made.id)).toEqual(['api_token.created', 'api_token.rotated'])
  })

  it('lets the old one overlap for as long as asked, never longer', async () => {
    const { clock } = await service()
    const start = Date.now()
    const at = (hours: number) => clock.set(new Date(start + hours * 3_600_000).toISOString())
    const works = async (token: string) => (await client(token, team.business_id).get('/notes')).status === 200
    at(0)
    const made = await make(owner)
    const second = (await owner.client.post(`/api-tokens/${made.id}/rotate`, { overlap_hours: 24 })).data
    at(23)
    expect([await works(made.token), await works(second.token)]).toEqual([true, true])
    const third = (await owner.client.post(`/api-tokens/${made.id}/rotate`, { overlap_hours: 72 })).data
    at(24)
    expect([await works(made.token), await works(second.token), await works(third.token)]).toEqual([false, true, true])
    at(95)
    expect([await works(second.token), await works(third.token)]).toEqual([false, true])
  })

  it.each([[-1], [73], [1.5]])('refuses an overlap of %d hours', async (overlap_hours) => {
    const made = await make(owner)
    expect((await owner.client.post(`/api-tokens/${made.id}/rotate`, { overlap_hours })).status).toBe(422)
  })

  it('leaves one secret after two callers at once', async () => {
    const made = await make(owner)
    const answers = await Promise.all([1, 2].map(() => owner.client.post(`/api-tokens/${made.id}/rotate`)))
    expect(answers.map(({ data }) => data.version).sort()).toEqual([2, 3])
    expect(await sql('select from api_token_secrets where token_id = $1', [made.id])).toHaveLength(1)
  })
})

describe('lists', () => {
  it('show one\'s own', async () => {
    const person = await newPerson()
    const made = []
    for (const name of ['Alpha', 'Beta', 'Gamma']) made.push(await make(person, { name, scopes: ['user:read'] }))
    await person.client.delete(`/api-tokens/${made[0].id}`)
    const names = async (query: object) => (await person.client.get('/api-tokens', query as never)).data.items.map(({ name }: any) => name)
    expect(await names({})).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await names({ status: 'active' })).toEqual(['Gamma', 'Beta'])
    expect(await names({ q: 'ALPH' })).toEqual(['Alpha'])
    expect(await names({ created_by: person.user_id, descending: false, limit: 1 })).toEqual(['Alpha'])
    expect(await names({ created_by: owner.user_id })).toEqual([])
    expect(JSON.stringify((await person.client.get('/api-tokens')).body)).not.toContain(made[1].token)
  })

  it('show all that reach a business to whoever manages them there', async () => {
    const own = await newBusiness()
    const elsewhere = await newBusiness()
    const member = await newMember(own.business_id, 'viewer')
    await join(elsewhere.business_id, member.user_id, 'viewer')
    const here = await make(member, { name: 'Here', scopes: ['notes:read'], business_ids: [own.business_id] })
    await make(member, { name: 'There', scopes: ['notes:read'], business_ids: [elsewhere.business_id] })
    await make(member, { name: 'Everywhere', scopes: ['notes:read'] })
    await make(own.owner, { name: 'Owner', scopes: ['tokens:manage', 'api-tokens:read'] })
    const query = { business_id: own.business_id }
    const list = (await own.owner.client.get('/api-tokens', query)).data.items
    expect(list.map(({ name }: any) => name)).toEqual(['Owner', 'Everywhere', 'Here'])
    expect(list[2]).toMatchObject({ id: here.id, created_by: member.user_id })
    expect((await own.owner.client.get('/api-tokens', { ...query, created_by: member.user_id, q: 'here' })).data.items).toHaveLength(2)
    for (const person of [member, elsewhere.owner]) {
      const refused = await person.client.get('/api-tokens', query)
      expect([refused.status, refused.detail]).toEqual([403, 'Seeing the tokens of a business needs the permission tokens:manage there.'])
    }
    const manager = await make(own.owner, { scopes: ['tokens:manage', 'api-tokens:read'], business_ids: [own.business_id] })
    expect((await client(manager.token).get('/api-tokens', query)).status).toBe(200)
    const weak = await make(own.owner, { scopes: ['api-tokens:read'] })
    expect((await client(weak.token).get('/api-tokens', query)).status).toBe(403)
  })
})

describe('the credential in use', () => {
  it('is a session or a token', async () => {
    const session = (await owner.client.get('/api-tokens/current')).data
    expect(session).toMatchObject({ kind: 'session', user_id: owner.user_id, user_name: owner.name, email: owner.email, scopes: null, business_ids: null })
    expect(session.expires_at).toEqual(expect.any(String))
    const expires_at = inDays(2)
    const made = await make(owner, { business_ids: [team.business_id], expires_at })
    expect((await client(made.token).get('/api-tokens/current')).data).toEqual({
      kind: 'token', id: made.id, user_id: owner.user_id, user_name: owner.name, email: owner.email,
      scopes: made.scopes, business_ids: [team.business_id], expires_at,
    })
    expect((await client().get('/api-tokens/current')).status).toBe(401)
  })

  it('has scopes with words', async () => {
    const { data } = await owner.client.get('/api-tokens/scopes')
    expect(data).toEqual(scopeCatalogue())
    expect(data).toContainEqual({ scope: 'notes:write', description: 'Change notes' })
  })
})

describe('a token about to expire', () => {
  it('is told of once, a week before', async () => {
    const { program, clock } = await service()
    const person = await newPerson()
    const soon = await make(person, { name: 'Soon', scopes: ['user:read'], expires_at: inDays(10) })
    const later = await make(person, { name: 'Later', scopes: ['user:read'], expires_at: inDays(20) })
    const gone = await make(person, { name: 'Gone', scopes: ['user:read'], expires_at: inDays(10) })
    await person.client.delete(`/api-tokens/${gone.id}`)
    const run = () => expiringTokensJob.run({ database: program.database, job_id: '1', mailer: null, log: program.server.log } as never, {} as never)
    const mails = () => sql('select subject from mails where recipient = $1', [person.email])
    await run()
    expect(await mails()).toEqual([])
    clock.set(inDays(3.5))
    await run()
    await run()
    expect(await mails()).toEqual([{ subject: 'The API token "Soon" expires soon' }])
    expect(await eventsOf(soon.id)).toEqual(['api_token.created', 'api_token.expiring'])
    expect(await eventsOf(later.id)).toEqual(['api_token.created'])
  })
})
