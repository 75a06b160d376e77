// Tests of OAuth clients: who manages them, their secrets, and what a change does to those who have them connected.
import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { begin, connect, consent, exchange, grantOf, newApp, refreshWith } from '../../../test/support/oauth.ts'
import { newBusiness, newPerson, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { hashToken } from '../../foundation/secrets.ts'

let team: Team
let maker: Person
beforeAll(async () => {
  ;[team, maker] = [await newBusiness(), await newPerson('App Maker')]
})

const body = { name: 'Shop', redirect_uris: ['https://shop.example.com/cb'], allowed_scopes: ['notes:write', 'notes:read', 'notes:read'] }
const make = async (more: object = {}) => (await maker.client.post('/oauth/clients', { ...body, ...more })).data
const eventsOf = async (client_id: string) =>
  (await sql(`select type from user_events where user_id = $1 and detail ->> 'client_id' = $2 order by at, id`, [maker.user_id, client_id])).map(({ type }) => type)

describe('registering', () => {
  it('shows the secret once, and keeps its hash', async () => {
    const made = await make({ homepage_url: 'https://shop.example.com' })
    expect(made).toMatchObject({
      name: 'Shop', type: 'confidential', status: 'active', allowed_scopes: ['notes:read', 'notes:write'], description: null, homepage_url: 'https://shop.example.com',
      privacy_url: null, grants_active: 0, version: 1, secrets: [{ last4: made.client_secret.slice(-4), last_used_at: null }],
    })
    expect(made.client_secret).toMatch(/^dbc_[\w-]{43}$/)
    const { client_secret, ...shown } = made
    const got = await maker.client.get(`/oauth/clients/${made.client_id}`)
    expect([got.data, got.headers.get('etag')]).toEqual([shown, '"1"'])
    const [kept] = await sql('select secret_hash from oauth_client_secrets where client_id = $1', [made.client_id])
    expect(kept.secret_hash.equals(hashToken(client_secret))).toBe(true)
    expect(await eventsOf(made.client_id)).toEqual(['oauth_client.created'])
    expect((await make({ type: 'public' }))).toMatchObject({ client_secret: null, secrets: [] })
  })

  it.each([
    ['no address', { redirect_uris: [] }, 422], ['eleven addresses', { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`) }, 422],
    ['an unknown scope', { allowed_scopes: ['everything:write'] }, 422], ['a scope that makes tokens', { allowed_scopes: ['api-tokens:write'] }, 422],
    ['a scope that makes apps', { allowed_scopes: ['oauth:write'] }, 422], ['another kind', { type: 'secret' }, 422], ['a script as home page', { homepage_url: 'javascript:x' }, 422],
    ['plain http', { redirect_uris: ['http://shop.example.com/cb'] }, 400], ['the same address twice', { redirect_uris: [body.redirect_uris[0], body.redirect_uris[0]] }, 400],
  ])('refuses %s', async (_what, more, status) => expect((await maker.client.post('/oauth/clients', { ...body, ...more })).status).toBe(status))

  it('is not for an app, and of a token needs the scope', async () => {
    const app = await newApp(maker)
    const { access_token } = await connect(app, team.owner, [team.business_id])
    for (const [method, path] of [['POST', '/oauth/clients'], ['GET', '/oauth/clients'], ['GET', '/oauth/grants'], ['POST', '/api-tokens'], ['GET', '/api-tokens']] as const) {
      expect((await client(access_token).call(method, path, method === 'POST' ? { body } : {})).status).toBe(403)
    }
    const [reader, writer] = [client(await newToken(maker, ['oauth:read'])), client(await newToken(maker, ['oauth:write', 'oauth:read']))]
    expect([(await reader.get('/oauth/clients')).status, (await reader.post('/oauth/clients', body)).status, (await writer.post('/oauth/clients', body)).status]).toEqual([200, 403, 201])
  })
})

describe('a client', () => {
  it('is listed and managed by whoever made it, by nobody else', async () => {
    const own = await newPerson()
    const one = (await own.client.post('/oauth/clients', body)).data
    const two = (await own.client.post('/oauth/clients', { ...body, name: 'Second' })).data
    await own.client.put(`/oauth/clients/${two.client_id}/disable`)
    const names = async (query: object) => (await own.client.get('/oauth/clients', query as never)).data.items.map(({ name }: any) => name)
    expect([await names({}), await names({ status: 'disabled' }), await names({ limit: 1, descending: false })]).toEqual([['Second', 'Shop'], ['Second'], ['Shop']])
    expect((await own.client.get('/oauth/clients')).data.items[1].secrets).toEqual(one.secrets)
    const path = `/oauth/clients/${one.client_id}`
    const stranger = maker.client
    const answers = await Promise.all([
      stranger.get(path), stranger.put(path, { name: 'Mine' }), stranger.delete(path), stranger.put(`${path}/disable`), stranger.put(`${path}/enable`),
      stranger.post(`${path}/secrets`), stranger.delete(`${path}/secrets/${one.secrets[0].id}`),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 404))
  })

  it('is changed field by field', async () => {
    const made = await make({ description: 'Old' })
    const path = `/oauth/clients/${made.client_id}`
    expect((await maker.client.put(path, {})).data.version).toBe(1)
    expect((await maker.client.put(path, { name: 'New', description: null })).data).toMatchObject({ name: 'New', description: null, redirect_uris: body.redirect_uris, version: 2 })
    expect((await maker.client.put(path, { redirect_uris: ['ftp://x'] })).status).toBe(400)
    expect((await maker.client.put(path, { name: 'Stale' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await maker.client.put(path, { type: 'public' })).data.type).toBe('confidential')
    expect(await eventsOf(made.client_id)).toEqual(['oauth_client.created', 'oauth_client.updated'])
  })

  it('with fewer scopes has fewer in every grant, also when they come back', async () => {
    const app = await newApp(maker)
    const tokens = await connect(app, team.owner, [team.business_id], { scope: 'tags:read tags:write' })
    const program = client(tokens.access_token, team.business_id)
    expect((await program.post('/tags', { name: 'Made by an app' })).status).toBe(201)
    await maker.client.put(`/oauth/clients/${app.client_id}`, { allowed_scopes: ['tags:read'] })
    expect([(await program.post('/tags', { name: 'Another' })).status, (await program.get('/tags')).status]).toEqual([403, 200])
    await maker.client.put(`/oauth/clients/${app.client_id}`, { allowed_scopes: ['tags:read', 'tags:write'] })
    expect((await program.post('/tags', { name: 'Another' })).status).toBe(403)
    expect((await grantOf(team.owner, app)).scopes).toEqual(['tags:read'])
    expect(((await (await refreshWith(app, tokens.refresh_token)).json()) as { scope: string }).scope).toBe('tags:read')
  })

  it('that is disabled does nothing until it is enabled', async () => {
    const app = await newApp(maker)
    const tokens = await connect(app, team.owner, [team.business_id])
    const given = await consent(app, team.owner, [team.business_id])
    const off = await maker.client.put(`/oauth/clients/${app.client_id}/disable`)
    expect([off.status, off.data.status, off.data.grants_active]).toEqual([200, 'disabled', 1])
    expect((await maker.client.put(`/oauth/clients/${app.client_id}/disable`)).data.version).toBe(off.data.version)
    expect((await client(tokens.access_token, team.business_id).get('/notes')).status).toBe(401)
    expect((await exchange(app, given)).status).toBe(401)
    expect((await refreshWith(app, tokens.refresh_token)).status).toBe(401)
    expect((await begin(app)).location).toContain('error=unauthorized_client')
    expect((await grantOf(team.owner, app)).status).toBe('active')
    expect((await maker.client.put(`/oauth/clients/${app.client_id}/enable`)).data.status).toBe('active')
    expect((await client(tokens.access_token, team.business_id).get('/notes')).status).toBe(200)
    expect(await eventsOf(app.client_id)).toEqual(['oauth_client.created', 'oauth_client.disabled', 'oauth_client.updated'])
  })

  it('that is deleted takes every grant with it', async () => {
    const app = await newApp(maker)
    const tokens = await connect(app, team.owner, [team.business_id])
    expect((await maker.client.delete(`/oauth/clients/${app.client_id}`)).status).toBe(200)
    expect((await maker.client.get(`/oauth/clients/${app.client_id}`)).status).toBe(404)
    expect((await maker.client.delete(`/oauth/clients/${app.client_id}`)).status).toBe(404)
    expect((await client(tokens.access_token, team.business_id).get('/notes')).status).toBe(401)
    expect(await grantOf(team.owner, app)).toMatchObject({ status: 'revoked', revoked_by: null, revoke_reason: 'The app was deleted.', client_name: 'Shop Connector' })
    const [told] = await sql(`select actor ->> 'kind' as kind from events where business_id = $1 and type = 'oauth_grant.revoked' order by seq desc limit 1`, [team.business_id])
    expect(told.kind).toBe('system')
    expect((await begin(app)).location).toBe('')
  })
})

describe('secrets', () => {
  it('are two at most, and never none', async () => {
    const app = await newApp(maker)
    const path = `/oauth/clients/${app.client_id}/secrets`
    const [first] = (await maker.client.get(`/oauth/clients/${app.client_id}`)).data.secrets
    const last = await maker.client.delete(`${path}/${first.id}`)
    expect([last.status, last.detail]).toEqual([400, 'This is the last secret of Shop Connector: add another one first.'])
    const added = await maker.client.post(path)
    expect([added.status, added.data.client_secret]).toEqual([201, expect.stringMatching(/^dbc_[\w-]{43}$/)])
    const third = await maker.client.post(path)
    expect([third.status, third.detail]).toEqual([400, 'Shop Connector has 2 secrets: delete one first.'])
    const tokens = await connect(app, team.owner, [team.business_id])
    const left = await maker.client.delete(`${path}/${first.id}`)
    expect(left.data.secrets.map(({ id }: any) => id)).toEqual([added.data.id])
    expect((await refreshWith(app, tokens.refresh_token)).status).toBe(401)
    expect((await maker.client.delete(`${path}/${newId()}`)).status).toBe(404)
  })

  it('are added one at a time, however many ask', async () => {
    const made = await make()
    const answers = await Promise.all([1, 2, 3].map(() => maker.client.post(`/oauth/clients/${made.client_id}/secrets`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })

  it('are not for public clients', async () => {
    const made = await make({ type: 'public' })
    expect((await maker.client.post(`/oauth/clients/${made.client_id}/secrets`)).detail).toBe('Shop is a public client: it has no secret, because it could not keep one.')
  })
})
