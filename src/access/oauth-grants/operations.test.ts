// Tests of grants: what an app may do at each request, who sees and ends it, and what it did.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { connect, consent, exchange, grantOf, introspect, newApp, refreshWith, tokensOf, visit, type App } from '../../../test/support/oauth.ts'
import { newBusiness, newMember, newPerson, newToken, PASSWORD, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let owner: Person
let maker: Person
let app: App
let branch: Team
beforeAll(async () => {
  ;[team, branch, maker] = [await newBusiness(), await newBusiness(), await newPerson('App Maker')]
  owner = team.owner
  app = await newApp(maker)
})
afterEach(async () => (await service()).clock.set(null))

const join = (business_id: string, user_id: string, role: string) =>
  sql(`insert into memberships (business_id, user_id, role, status, created_at, updated_at, version) values ($1, $2, $3, 'active', now(), now(), 1)`, [business_id, user_id, role])
const status = async (token: string, business_id: string, path = '/notes') => (await client(token, business_id).get(path)).status
const eventsOf = async (business_id: string, grant_id: string) =>
  (await sql('select type from events where business_id = $1 and resource_id = $2 order by seq', [business_id, grant_id])).map(({ type }) => type)

/** A person with this role here and in a second business, and what they have connected to both. */
async function connected(role: 'viewer' | 'accountant' | 'admin' = 'accountant', scope = 'notes:read notes:write', second = branch) {
  const person = await newMember(team.business_id, role)
  await join(second.business_id, person.user_id, role)
  const tokens = await connect(app, person, [team.business_id, second.business_id], { scope })
  return { person, second, tokens, grant: await grantOf(person, app) }
}

describe('story 3', () => {
  it('runs as it is told', async () => {
    const own = await newApp(maker)
    const person = await newMember(team.business_id, 'accountant')
    const url = new URL(own.server.authorization_endpoint ?? '')
    url.search = new URLSearchParams({ client_id: own.client_id, redirect_uri: 'https://shop.example.com/callback', response_type: 'code', state: 'x' }).toString()
    expect((await visit(url)).headers.get('location')).toContain('error=invalid_request')
    const given = await consent(own, person, [team.business_id])
    const a1 = await tokensOf(own, await exchange(own, given))
    expect(((await (await exchange(own, given)).json()) as { error: string }).error).toBe('invalid_grant')
    expect(await status(a1.access_token, team.business_id)).toBe(401)
    const a2 = await connect(own, person, [team.business_id])
    const a3 = (await (await refreshWith(own, a2.refresh_token)).json()) as typeof a2
    expect(await status(a3.access_token, team.business_id)).toBe(200)
    expect(((await (await refreshWith(own, a2.refresh_token)).json()) as { error: string }).error).toBe('invalid_grant')
    expect(await status(a3.access_token, team.business_id)).toBe(401)
    expect((await grantOf(person, own)).status).toBe('revoked')
    const a4 = await connect(own, person, [team.business_id])
    const { data: { items } } = await person.client.get('/oauth/grants', { client_id: own.client_id, status: 'active' })
    expect(items).toHaveLength(1)
    const admin = await newMember(team.business_id, 'admin')
    const path = `/oauth/grants/${items[0].id}/revoke`
    const first = await admin.client.post(path, { reason: 'Not ours.' })
    expect([first.status, first.data]).toEqual([201, { ...items[0], status: 'revoked', revoked_by: admin.user_id, revoke_reason: 'Not ours.', revoked_at: expect.any(String), last_used_at: null, updated_at: expect.any(String), version: 2 }])
    expect(await status(a4.access_token, team.business_id)).toBe(401)
    const again = await admin.client.post(path, { reason: 'Another reason.' })
    expect([again.status, again.data]).toEqual([201, first.data])
    expect((await branch.owner.client.post(path)).status).toBe(404)
  })
})

describe('what an app may do', () => {
  it('is what is allowed, cut to what the person may do there now', async () => {
    const { person, second, tokens } = await connected('accountant', 'audit-trail:read notes:read')
    expect(await status(tokens.access_token, team.business_id, '/audit-trail')).toBe(200)
    const here = 'update memberships set role = $2 where user_id = $1 and business_id = $3'
    await sql(here, [person.user_id, 'viewer', team.business_id])
    const narrowed = await client(tokens.access_token, team.business_id).get('/audit-trail')
    expect([narrowed.status, narrowed.detail]).toEqual([403, 'This needs the permission audit-trail:read.'])
    expect(await status(tokens.access_token, second.business_id, '/audit-trail')).toBe(200)
    await sql(here, [person.user_id, 'owner', team.business_id])
    expect([await status(tokens.access_token, team.business_id, '/audit-trail'), await status(tokens.access_token, team.business_id, '/tags')]).toEqual([200, 403])
    await sql(`update memberships set status = 'suspended' where user_id = $1 and business_id = $2`, [person.user_id, team.business_id])
    expect(await status(tokens.access_token, team.business_id)).toBe(403)
    await sql(`update memberships set status = 'active' where user_id = $1 and business_id = $2`, [person.user_id, team.business_id])
    expect(await status(tokens.access_token, team.business_id)).toBe(200)
  })

  it('stays in its businesses, also where the person is in others', async () => {
    const third = await newBusiness()
    const { person, second, tokens } = await connected()
    await join(third.business_id, person.user_id, 'owner')
    expect([await status(tokens.access_token, third.business_id), await status(tokens.access_token, newId())]).toEqual([403, 403])
    const wide = await connect(app, person, [team.business_id], { scope: 'businesses:read' })
    const { data } = await client(wide.access_token).get('/businesses')
    expect(data.items.map(({ id }: any) => id).sort()).toEqual([team.business_id, second.business_id].sort())
  })

  it('is nothing personal unless it was allowed, and never what needs a person', async () => {
    const plain = client((await connected()).tokens.access_token)
    expect([(await plain.get('/user')).status, (await plain.get('/user/sessions')).status, (await plain.delete('/user')).status]).toEqual([403, 403, 403])
    const { person, tokens, grant } = await connected('admin', 'user:read notes:read')
    const personal = client(tokens.access_token, team.business_id)
    expect((await personal.get('/user')).data.id).toBe(person.user_id)
    expect((await personal.put('/user', { name: 'Taken over' })).detail).toBe('Only a signed-in person can do this; tokens and connected apps cannot.')
    const attempts = await Promise.all([
      personal.delete('/user'), personal.put('/user/password', { current_password: PASSWORD, new_password: 'another quite long one' }),
      personal.post(`/businesses/${team.business_id}/transfer-ownership`, { user_id: person.user_id }), personal.delete(`/businesses/${team.business_id}/members/me`),
      personal.post('/api-tokens', { name: 'Wider', scopes: ['notes:write'] }), personal.get('/oauth/grants'), personal.post(`/oauth/grants/${grant.id}/revoke`),
      personal.post('/oauth/clients', { name: 'Mine', redirect_uris: ['https://a.example'], allowed_scopes: ['notes:read'] }),
    ])
    expect(attempts.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 403))
  })

  it('can be asked for by the app itself, and is named in the audit trail', async () => {
    const { person, second, tokens, grant } = await connected('accountant', 'tags:read tags:write')
    const current = (await client(tokens.access_token).get('/api-tokens/current')).data
    expect(current).toMatchObject({
      kind: 'grant', id: grant.id, user_id: person.user_id, scopes: ['tags:read', 'tags:write'], business_ids: [team.business_id, second.business_id].sort(), expires_at: expect.any(String),
    })
    await client(tokens.access_token, team.business_id).post('/tags', { name: newId() })
    const { data } = await client(owner.token, team.business_id).get('/audit-trail', { actor_kind: 'grant' })
    expect(data.items[0]).toMatchObject({ actor_kind: 'grant', actor_id: grant.id, on_behalf_of: person.user_id, action: 'tag.created' })
  })
})

describe('who sees a grant', () => {
  it('the person sees their own, an owner or admin those that reach the business, each as far as they may', async () => {
    const { person, second, grant } = await connected('viewer')
    expect((await person.client.get('/oauth/grants')).data.items).toEqual([grant])
    expect((await person.client.get(`/oauth/grants/${grant.id}`)).data).toEqual(grant)
    const list = async (who: Person, query: object) => (await who.client.get('/oauth/grants', query as never)).data?.items
    const shown = { ...grant, business_ids: [team.business_id] }
    expect(await list(owner, { business_id: team.business_id, user_id: person.user_id })).toEqual([shown])
    expect((await owner.client.get(`/oauth/grants/${grant.id}`)).data).toEqual(shown)
    expect((await second.owner.client.get(`/oauth/grants/${grant.id}`)).data.business_ids).toEqual([second.business_id])
    expect(await list(owner, { business_id: team.business_id, user_id: newId() })).toEqual([])
    expect(await list(owner, { business_id: team.business_id, client_id: app.client_id, status: 'revoked', user_id: person.user_id })).toEqual([])
    expect((await list(owner, {})).filter(({ id }: any) => id === grant.id)).toEqual([])
    expect(await list(person, { sort_by: 'last_used_at' })).toEqual([grant])
    for (const who of [person, await newMember(team.business_id, 'accountant'), second.owner]) {
      const refused = await who.client.get('/oauth/grants', { business_id: team.business_id })
      expect([refused.status, refused.detail]).toEqual([403, 'Seeing the connected apps of a business is for its owners and admins.'])
    }
  })

  it('to anybody else it does not exist', async () => {
    const { second, grant } = await connected('viewer')
    const suspended = await newMember(team.business_id, 'admin')
    await sql(`update memberships set status = 'suspended' where user_id = $1`, [suspended.user_id])
    const path = `/oauth/grants/${grant.id}`
    for (const who of [maker, suspended, await newMember(team.business_id, 'accountant'), await newMember(branch.business_id, 'accountant')]) {
      const answers = await Promise.all([
        client(who.token).get(path), client(who.token).post(`${path}/revoke`), client(who.token).delete(`${path}/businesses/${team.business_id}`), client(who.token).get(`${path}/activity`)])
      expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404])
    }
    expect((await grantOf(second.owner, app))).toBeUndefined()
    expect((await client().get(path)).status).toBe(401)
  })

  it('a token sees and ends as far as it reaches', async () => {
    const { person, second, grant } = await connected('viewer')
    await join(second.business_id, owner.user_id, 'admin')
    const make = async (body: object) => client((await owner.client.post('/api-tokens', { name: 'T', ...body })).data.token)
    const [weak, here, there] = [
      await make({ scopes: ['oauth:read', 'oauth:write'] }),
      await make({ scopes: ['oauth:read', 'oauth:write', 'tokens:manage'], business_ids: [team.business_id] }),
      await make({ scopes: ['oauth:read', 'tokens:manage'], business_ids: [second.business_id] }),
    ]
    expect([(await weak.get(`/oauth/grants/${grant.id}`)).status, (await weak.get('/oauth/grants', { business_id: team.business_id })).status]).toEqual([404, 403])
    expect((await here.get(`/oauth/grants/${grant.id}`)).data.business_ids).toEqual([team.business_id])
    expect((await here.get('/oauth/grants', { business_id: second.business_id })).status).toBe(403)
    expect((await here.delete(`/oauth/grants/${grant.id}/businesses/${second.business_id}`)).status).toBe(404)
    expect((await there.post(`/oauth/grants/${grant.id}/revoke`)).status).toBe(403)
    expect((await here.post(`/oauth/grants/${grant.id}/revoke`)).status).toBe(201)
    const own = client(await newToken(person, ['oauth:read']))
    expect((await own.get('/oauth/grants')).data.items[0].status).toBe('revoked')
    await sql('delete from memberships where business_id = $1 and user_id = $2', [second.business_id, owner.user_id])
  })
})

describe('ending a grant', () => {
  it('is for the person, without a reason too, and told in every business that it reached', async () => {
    const { person, second, tokens, grant } = await connected()
    const answer = await client(person.token).post(`/oauth/grants/${grant.id}/revoke`)
    expect([answer.status, answer.data]).toMatchObject([201, { status: 'revoked', revoked_by: person.user_id, revoke_reason: null }])
    expect((await client(person.token).post(`/oauth/grants/${grant.id}/revoke`, { reason: 'Late' })).data).toEqual(answer.data)
    expect([await status(tokens.access_token, team.business_id), (await refreshWith(app, tokens.refresh_token)).status]).toEqual([401, 400])
    expect(await introspect(app, tokens.access_token)).toEqual({ active: false })
    for (const business_id of [team.business_id, second.business_id]) expect(await eventsOf(business_id, grant.id)).toEqual(['oauth_grant.created', 'oauth_grant.revoked'])
    expect((await client(person.token).post(`/oauth/grants/${grant.id}/revoke`, { reason: 'x'.repeat(501) })).status).toBe(422)
    expect((await client(person.token).post(`/oauth/grants/${grant.id}/revoke`, { reason: 7 })).status).toBe(422)
    expect((await client(person.token).post('/oauth/grants/nonsense/revoke')).status).toBe(422)
  })

  it('by an admin of one business does not name them in the other', async () => {
    const { second, grant } = await connected()
    await owner.client.post(`/oauth/grants/${grant.id}/revoke`, { reason: 'Here.' })
    const actors = await sql(`select business_id, actor ->> 'name' as name from events where resource_id = $1 and type = 'oauth_grant.revoked'`, [grant.id])
    expect(actors).toEqual(expect.arrayContaining([{ business_id: team.business_id, name: owner.name }, { business_id: second.business_id, name: 'Daybook' }]))
  })

  it('happens once, however many do it', async () => {
    const { person, grant } = await connected()
    const answers = await Promise.all([1, 2, 3, 4].map((n) => (n % 2 ? person : owner).client.post(`/oauth/grants/${grant.id}/revoke`, { reason: String(n) })))
    expect(new Set(answers.map(({ data }) => `${data.version} ${data.revoke_reason}`)).size).toBe(1)
    expect(await eventsOf(team.business_id, grant.id)).toEqual(['oauth_grant.created', 'oauth_grant.revoked'])
  })

  it('business by business: the last one ends it', async () => {
    const { person, second, tokens, grant } = await connected()
    const path = `/oauth/grants/${grant.id}/businesses`
    expect((await owner.client.delete(`${path}/${second.business_id}`)).status).toBe(404)
    const less = await owner.client.delete(`${path}/${team.business_id}`)
    expect([less.status, less.data.business_ids, less.data.status]).toEqual([200, [], 'active'])
    expect((await client(person.token).get(`/oauth/grants/${grant.id}`)).data).toMatchObject({ business_ids: [second.business_id], version: 2 })
    expect([await status(tokens.access_token, team.business_id), await status(tokens.access_token, second.business_id)]).toEqual([403, 200])
    expect((await client(person.token).delete(`${path}/${team.business_id}`)).status).toBe(404)
    expect((await owner.client.get(`/oauth/grants/${grant.id}`)).status).toBe(404)
    const last = await client(person.token).delete(`${path}/${second.business_id}`)
    expect(last.data).toMatchObject({ status: 'revoked', revoked_by: person.user_id, revoke_reason: 'Its last business was taken out.', version: 3 })
    expect(await status(tokens.access_token, second.business_id)).toBe(401)
    expect(await eventsOf(second.business_id, grant.id)).toEqual(['oauth_grant.created', 'oauth_grant.business_removed', 'oauth_grant.revoked'])
    expect(await eventsOf(team.business_id, grant.id)).toEqual(['oauth_grant.created', 'oauth_grant.business_removed'])
    expect((await client(person.token).delete(`${path}/${second.business_id}`)).detail).toBe('This grant is revoked: it reaches no business any more.')
  })
})

describe('what happens to a person happens to what they connected', () => {
  it('removed from a business, their apps are out of it at the next request', async () => {
    const { person, second, tokens, grant } = await connected()
    expect(await status(tokens.access_token, team.business_id)).toBe(200)
    expect((await client(owner.token, team.business_id).delete(`/businesses/${team.business_id}/members/${person.user_id}`)).status).toBe(200)
    expect([await status(tokens.access_token, team.business_id), await status(tokens.access_token, second.business_id)]).toEqual([403, 200])
    expect((await client(person.token).get(`/oauth/grants/${grant.id}`)).data).toMatchObject({ status: 'active', business_ids: [second.business_id] })
    // Back in the business, they would have to allow it anew.
    await join(team.business_id, person.user_id, 'accountant')
    expect(await status(tokens.access_token, team.business_id)).toBe(403)
    await client(person.token, second.business_id).delete(`/businesses/${second.business_id}/members/me`)
    expect((await client(person.token).get(`/oauth/grants/${grant.id}`)).data).toMatchObject({ status: 'revoked', revoke_reason: 'Its last business was left.' })
    expect(await status(tokens.access_token, second.business_id)).toBe(401)
    expect(await eventsOf(second.business_id, grant.id)).toEqual(['oauth_grant.created', 'oauth_grant.business_removed', 'oauth_grant.revoked'])
  })

  it('with a closed account it ends, and their own apps are disabled, in a second process too', async () => {
    const second = await startService()
    try {
      const { person, tokens, grant } = await connected()
      const own = await newApp(person)
      const { access_token } = await connect(own, owner, [team.business_id])
      const there = client(tokens.access_token, team.business_id, second.url)
      const others = client(access_token, team.business_id, second.url)
      expect([(await there.get('/notes')).status, (await others.get('/notes')).status]).toEqual([200, 200])
      expect((await client(person.token).delete('/user')).status).toBe(200)
      expect([(await there.get('/notes')).status, (await others.get('/notes')).status]).toEqual([401, 401])
      expect(await sql('select status, revoke_reason from oauth_grants where id = $1', [grant.id])).toEqual([{ status: 'revoked', revoke_reason: 'The account was closed.' }])
      expect(await eventsOf(team.business_id, grant.id)).toEqual(['oauth_grant.created', 'oauth_grant.revoked'])
      expect((await refreshWith(app, tokens.refresh_token)).status).toBe(400)
    } finally {
      await second.program.stop()
    }
  })

  it('with a new password it ends where they say so', async () => {
    const { person, tokens } = await connected()
    const change = (body: object) => client(person.token).put('/user/password', { current_password: PASSWORD, new_password: 'another quite long one', ...body })
    expect((await change({})).status).toBe(200)
    expect(await status(tokens.access_token, team.business_id)).toBe(200)
    expect((await change({ current_password: 'another quite long one', new_password: PASSWORD, revoke_tokens: true })).status).toBe(200)
    expect(await status(tokens.access_token, team.business_id)).toBe(401)
  })

  it('with the end of a business it reaches one less, and with the last none', async () => {
    const { person, second, tokens, grant } = await connected('accountant', 'notes:read', await newBusiness())
    await sql(`update businesses set status = 'pending_deletion', deletion_at = now() - interval '1 day' where id = $1`, [second.business_id])
    expect(await sql('select remove_business($1, now()) as removed', [second.business_id])).toEqual([{ removed: true }])
    expect((await client(person.token).get(`/oauth/grants/${grant.id}`)).data).toMatchObject({ status: 'active', business_ids: [team.business_id] })
    expect(await status(tokens.access_token, team.business_id)).toBe(200)
  })
})

describe('what an app did', () => {
  it('is counted by day, operation and business, and shown as far as one may see', async () => {
    const own = await startService()
    try {
      const { person, second, tokens, grant } = await connected()
      const [here, there] = [client(tokens.access_token, team.business_id, own.url), client(tokens.access_token, second.business_id, own.url)]
      for (const call of [() => here.get('/notes'), () => here.get('/notes'), () => here.post('/notes', {}), () => here.get('/tags'), () => there.get('/notes')]) await call()
      await client(tokens.access_token, null, own.url).get('/api-tokens/current')
      own.clock.set(new Date(Date.now() - 86_400_000).toISOString())
      await there.get('/notes')
      await own.program.stop()
      const rows = async (who: Person, query: object = {}) => (await client(who.token).get(`/oauth/grants/${grant.id}/activity`, query as never)).data.items
      const [today, yesterday] = [0, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
      const row = (day: string | undefined, operation: string, business_id: string | null, requests: number, writes: number, refusals: number) => ({ day, operation, business_id, requests, writes, refusals })
      const shown = await rows(person)
      expect(shown).toHaveLength(6)
      expect(shown).toEqual(expect.arrayContaining([
        row(today, 'list_notes', team.business_id, 2, 0, 0), row(today, 'create_note', team.business_id, 1, 0, 1), row(today, 'list_tags', team.business_id, 1, 0, 1),
        row(today, 'list_notes', second.business_id, 1, 0, 0), row(today, 'get_current_credential', null, 1, 0, 0), row(yesterday, 'list_notes', second.business_id, 1, 0, 0),
      ]))
      expect(shown.at(-1).day).toBe(yesterday)
      expect((await rows(owner)).map(({ business_id }: any) => business_id)).toEqual([team.business_id, team.business_id, team.business_id])
      expect((await rows(person, { limit: 2 }))).toHaveLength(2)
      expect((await client(person.token).get(`/oauth/grants/${grant.id}`)).data.last_used_at).toEqual(expect.any(String))
      await sql(`update oauth_activity set day = day - 95 where grant_id = $1 and day = $2`, [grant.id, yesterday])
      expect(await rows(person)).toHaveLength(5)
    } finally {
      await own.program.stop().catch(() => {})
    }
  })
})
