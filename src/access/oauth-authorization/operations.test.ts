// Tests of what an app may ask for, where browsers are sent, and what a person can allow.
import * as oauth from 'oauth4webapi'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { begin, CALLBACK, connect, decide, grantOf, newApp, visit, type App } from '../../../test/support/oauth.ts'
import { newBusiness, newMember, newPerson, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let owner: Person
let maker: Person
let app: App
beforeAll(async () => {
  ;[team, maker] = [await newBusiness(), await newPerson('App Maker')]
  owner = team.owner
  app = await newApp(maker, { redirect_uris: [CALLBACK, 'https://shop.example.com/cb?shop=7', 'http://127.0.0.1/done'] })
})
afterEach(async () => (await service()).clock.set(null))

const errorIn = (location: string) => new URL(location).searchParams.get('error')

describe('the authorization endpoint', () => {
  it.each([
    ['an unknown client', { client_id: newId() }], ['no client', { client_id: null }], ['a client that is no id', { client_id: "' or 1=1" }],
    ['no address', { redirect_uri: null }], ['an address that is not registered', { redirect_uri: 'https://evil.example/' }],
    ['more than the address', { redirect_uri: `${CALLBACK}/more` }], ['the address with a query', { redirect_uri: `${CALLBACK}?next=https://evil.example` }],
    ['the address with a fragment', { redirect_uri: `${CALLBACK}#x` }], ['the address as a user name', { redirect_uri: 'https://shop.example.com@evil.example/callback' }],
    ['another scheme', { redirect_uri: CALLBACK.replace('https', 'http') }], ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['another path on this computer', { redirect_uri: 'http://127.0.0.1:9999/other' }], ['this computer by another name', { redirect_uri: 'http://localhost:9999/done' }],
  ])('shows %s a page, and sends nobody anywhere', async (_what, more) => {
    const url = new URL(app.server.authorization_endpoint ?? '')
    const wanted: Record<string, string | null> = { client_id: app.client_id, redirect_uri: CALLBACK, response_type: 'code', state: 's', ...more }
    for (const [name, value] of Object.entries(wanted)) if (value !== null) url.searchParams.set(name, value)
    const answer = await visit(url)
    expect([answer.status, answer.headers.get('location'), answer.headers.get('content-type')]).toEqual([400, null, 'text/html; charset=utf-8'])
    expect(await answer.text()).not.toContain('evil.example')
  })

  it('does not read an address that is given twice', async () => {
    const url = `${app.server.authorization_endpoint}?client_id=${app.client_id}&redirect_uri=${encodeURIComponent(CALLBACK)}&redirect_uri=${encodeURIComponent(CALLBACK)}`
    const answer = await visit(url)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it.each([
    ['no challenge', { code_challenge: null }, 'invalid_request'], ['no method', { code_challenge_method: null }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'], ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['no response type', { response_type: null }, 'invalid_request'], ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'everything:write' }, 'invalid_scope'], ['a scope that it may not ask for', { scope: 'invoices:write' }, 'invalid_scope'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'], ['a request object', { request: 'x' }, 'request_not_supported'],
    ['an address of a request', { request_uri: 'https://evil.example' }, 'request_uri_not_supported'], ['another resource', { resource: 'https://evil.example' }, 'invalid_target'],
    ['a very long state', { state: 'x'.repeat(2001) }, 'invalid_request'],
  ])('tells the app of %s, with its state and who says so', async (_what, more, error) => {
    const { location, state } = await begin(app, more)
    const { origin, pathname, searchParams } = new URL(location)
    expect([`${origin}${pathname}`, searchParams.get('error'), searchParams.get('iss')]).toEqual([CALLBACK, error, app.server.issuer])
    expect(searchParams.get('state')).toBe('state' in more ? more.state : state)
    expect(() => oauth.validateAuthResponse(app.server, app.client, new URL(location), 'state' in more ? more.state : state)).toThrow('authorization response from the server is an error')
  })

  it('tells the app of a parameter that is given twice', async () => {
    const url = `${app.server.authorization_endpoint}?client_id=${app.client_id}&redirect_uri=${encodeURIComponent(CALLBACK)}&scope=a&scope=b&state=s`
    const location = (await visit(url)).headers.get('location') ?? ''
    expect([errorIn(location), new URL(location).searchParams.get('state')]).toEqual(['invalid_request', 's'])
  })

  it('goes on to consent, on this computer with any port, and keeps what the address has', async () => {
    expect((await begin(app)).location).toMatch(/^\/oauth\/consent\?request_id=[\da-f-]{36}$/)
    expect((await begin(app, { redirect_uri: 'http://127.0.0.1:51234/done', resource: `${app.server.issuer}/api/v1`, state: null })).request_id).not.toBe('')
    const flow = await begin(app, { redirect_uri: 'https://shop.example.com/cb?shop=7' })
    const { data } = await owner.client.post('/oauth/authorize', { request_id: flow.request_id, decision: 'deny' })
    expect(data.redirect_to).toMatch(/^https:\/\/shop\.example\.com\/cb\?shop=7&error=access_denied&/)
  })
})

describe('a request', () => {
  it('says in words what is asked for, and where it can be allowed', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    const flow = await begin(app, { scope: 'notes:read tags:write user:read' })
    const { data } = await viewer.client.get('/oauth/authorize/request', { request_id: flow.request_id })
    expect(data).toMatchObject({
      request_id: flow.request_id, redirect_uri: CALLBACK, client: { client_id: app.client_id, name: 'Shop Connector' },
      scopes: [{ scope: 'notes:read', description: 'Read notes' }, { scope: 'tags:write', description: 'Change tags' }, { scope: 'user:read', description: 'Read your profile' }],
      businesses: [{ business_id: team.business_id, name: 'Test Trading', role: 'viewer', scopes: ['notes:read', 'user:read'] }],
    })
  })

  it('asks for all that the app may ask for where it names nothing', async () => {
    const { request_id } = await begin(app, { scope: null })
    expect((await owner.client.get('/oauth/authorize/request', { request_id })).data.scopes).toHaveLength(7)
  })

  it('lives ten minutes, and is decided once', async () => {
    const { clock } = await service()
    const start = Date.now()
    clock.set(new Date(start).toISOString())
    const flow = await begin(app)
    clock.set(new Date(start + 599_999).toISOString())
    expect((await owner.client.get('/oauth/authorize/request', { request_id: flow.request_id })).status).toBe(200)
    clock.set(new Date(start + 600_000).toISOString())
    for (const answer of [await owner.client.get('/oauth/authorize/request', { request_id: flow.request_id }), await decide(owner, flow, [team.business_id])]) {
      expect([answer.status, answer.detail]).toEqual([400, 'This request is older than 10 minutes. Start again from the app.'])
    }
    const other = await begin(app)
    const answers = await Promise.all([decide(owner, other, [team.business_id]), decide(owner, other, [team.business_id])])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    expect((await owner.client.post('/oauth/authorize', { request_id: other.request_id, decision: 'deny' })).detail).toBe('This request was decided already. Start again from the app.')
  })

  it('is for a signed-in person: not for tokens, not for apps', async () => {
    const flow = await begin(app)
    const { access_token } = await connect(app, owner, [team.business_id])
    const token = await newToken(owner, ['oauth:read', 'oauth:write'])
    for (const it of [client(token), client(access_token)]) {
      expect((await it.get('/oauth/authorize/request', { request_id: flow.request_id })).status).toBe(403)
      expect((await decide({ client: it }, flow, [team.business_id])).status).toBe(403)
    }
    expect((await client().get('/oauth/authorize/request', { request_id: flow.request_id })).status).toBe(401)
    expect((await owner.client.get('/oauth/authorize/request', { request_id: newId() })).status).toBe(404)
    const cookie = { cookie: `daybook_session=${owner.token}` }
    const body = { request_id: flow.request_id, decision: 'deny' }
    expect((await client().post('/oauth/authorize', body, { headers: cookie })).status).toBe(403)
  })
})

describe('a decision', () => {
  it('of no goes back to the app', async () => {
    const flow = await begin(app)
    const { data } = await owner.client.post('/oauth/authorize', { request_id: flow.request_id, decision: 'deny' })
    expect([errorIn(data.redirect_to), new URL(data.redirect_to).searchParams.get('state')]).toEqual(['access_denied', flow.state])
  })

  it('allows no more than is asked, and no more than the person has', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    const other = await newBusiness()
    const flow = await begin(app, { scope: 'notes:read tags:write audit-trail:read' })
    const attempts: [string[], string[] | undefined, number, string][] = [
      [[team.business_id], ['tags:write'], 400, 'You do not have these permissions in any of the businesses: tags:write.'],
      [[team.business_id], ['notes:read', 'invoices:write'], 400, 'The app does not ask for invoices:write.'],
      [[other.business_id], ['notes:read'], 404, `Business ${other.business_id} not found.`],
      [[team.business_id, newId()], ['notes:read'], 404, 'not found.'],
    ]
    for (const [business_ids, scopes, status, detail] of attempts) {
      const answer = await decide(viewer, flow, business_ids, scopes)
      expect([answer.status, answer.detail]).toEqual([status, expect.stringContaining(detail)])
    }
    expect((await viewer.client.post('/oauth/authorize', { request_id: flow.request_id, decision: 'approve' })).detail[0]).toMatchObject({ loc: ['body', 'business_ids'], type: 'missing' })
    expect((await decide(viewer, flow, [])).status).toBe(422)
    expect((await decide(viewer, flow, [team.business_id])).status).toBe(201)
    expect((await grantOf(viewer, app)).scopes).toEqual(['notes:read'])
    const beyond = await begin(app, { scope: 'tags:write' })
    expect((await decide(viewer, beyond, [team.business_id])).detail).toBe('You have nothing of what this app asks for in these businesses.')
  })

  it('is not for samples, suspended members, or an app that has changed meanwhile', async () => {
    const [sample, own] = [await newBusiness(), await newApp(maker)]
    const flow = await begin(own)
    await sql('update businesses set is_sample = true where id = $1', [sample.business_id])
    expect((await decide(sample.owner, flow, [sample.business_id])).detail).toBe('Test Trading is a sample: apps are for real businesses.')
    expect((await sample.owner.client.get('/oauth/authorize/request', { request_id: flow.request_id })).data.businesses).toEqual([])
    const member = await newMember(team.business_id, 'accountant')
    await sql(`update memberships set status = 'suspended' where user_id = $1`, [member.user_id])
    expect((await decide(member, flow, [team.business_id])).status).toBe(404)
    await maker.client.put(`/oauth/clients/${own.client_id}`, { redirect_uris: ['https://shop.example.com/new'] })
    expect((await decide(owner, flow, [team.business_id])).detail).toContain('no longer uses the address')
    await maker.client.put(`/oauth/clients/${own.client_id}/disable`)
    expect((await decide(owner, flow, [team.business_id])).detail).toBe('This app is disabled. Nothing was shared with it.')
  })

  it('made again widens the one grant, in both directions, and tells it where it matters', async () => {
    const [second, own] = [await newBusiness(), await newApp(maker)]
    const person = await newMember(team.business_id, 'accountant')
    await sql(`insert into memberships (business_id, user_id, role, status, created_at, updated_at, version) values ($1, $2, 'viewer', 'active', now(), now(), 1)`, [second.business_id, person.user_id])
    const first = await connect(own, person, [team.business_id], { scope: 'notes:read' })
    const grant = await grantOf(person, own)
    await connect(own, person, [team.business_id], { scope: 'notes:read' })
    expect(await grantOf(person, own)).toEqual(grant)
    const wide = await connect(own, person, [second.business_id], { scope: 'tags:read' })
    expect(await grantOf(person, own)).toMatchObject({ id: grant.id, scopes: ['notes:read', 'tags:read'], business_ids: [team.business_id, second.business_id].sort(), version: 2 })
    // A token has what was allowed when it was given, wherever the grant reaches.
    expect([(await client(first.access_token, second.business_id).get('/notes')).status, (await client(first.access_token, second.business_id).get('/tags')).status]).toEqual([200, 403])
    expect((await client(wide.access_token, team.business_id).get('/tags')).status).toBe(200)
    const told = async (business_id: string) => (await sql(`select type, data -> 'business_ids' as ids from events where business_id = $1 and resource_id = $2 order by seq`, [business_id, grant.id]))
    expect(await told(team.business_id)).toEqual([{ type: 'oauth_grant.created', ids: [team.business_id] }, { type: 'oauth_grant.widened', ids: [team.business_id] }])
    expect(await told(second.business_id)).toEqual([{ type: 'oauth_grant.widened', ids: [second.business_id] }])
    expect((await client(second.owner.token, second.business_id).get('/audit-trail', { resource_type: 'oauth_grant' })).data.items).toHaveLength(1)
  })

  it('made twice at once is one grant', async () => {
    const own = await newApp(maker)
    const flows = await Promise.all([begin(own), begin(own, { scope: 'tags:read' })])
    const answers = await Promise.all(flows.map((flow) => decide(owner, flow, [team.business_id])))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(await sql('select scopes from oauth_grants where client_id = $1', [own.client_id])).toEqual([{ scopes: ['notes:read', 'notes:write', 'tags:read'] }])
  })
})
