// Tests of the flow as an independent client runs it, and of codes and tokens that are used twice, late or by others.
import * as oauth from 'oauth4webapi'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import {
  begin, CALLBACK, connect, consent, discover, exchange, giveBack, grantOf, insecure, introspect, newApp, postForm, refreshWith, tokensOf, visit, type App,
} from '../../../test/support/oauth.ts'
import { newBusiness, newPerson, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { plainRequest } from '../../foundation/database/transact.ts'
import { hashToken } from '../../foundation/secrets.ts'
import { sweepOauthTraces } from '../oauth-authorization/jobs.ts'

let team: Team
let owner: Person
let app: App
beforeAll(async () => {
  team = await newBusiness()
  owner = team.owner
  app = await newApp(await newPerson('App Maker'))
})
afterEach(async () => (await service()).clock.set(null))

const works = async (token: string) => (await client(token, team.business_id).get('/notes')).status
const errorOf = async (response: Response) => [response.status, ((await response.json()) as { error: string }).error]
const REFUSED = [400, 'invalid_grant']

describe('the whole flow, by an independent client', () => {
  it('is found from the address alone', async () => {
    const { url } = await service()
    const server = await discover()
    expect(server).toMatchObject({
      issuer: url, code_challenge_methods_supported: ['S256'], authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    })
    expect(server.scopes_supported).toContain('invoices:write')
    expect(server.scopes_supported).not.toContain('api-tokens:write')
    const resource = new URL(url)
    const found = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, insecure))
    expect(found).toMatchObject({ resource: url, authorization_servers: [url] })
    const refused = await client(null, team.business_id).get('/notes')
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource"`])
  })

  it.each(['confidential', 'public'])('gives a %s client tokens, newer ones, their state, and takes them back', async (type) => {
    const own = type === 'public' ? await newApp(owner, { type, redirect_uris: ['http://127.0.0.1/done'] }) : app
    const more = type === 'public' ? { redirect_uri: 'http://127.0.0.1:51234/done' } : {}
    const first = await connect(own, owner, [team.business_id], more)
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'notes:read notes:write', business_ids: [team.business_id] })
    expect([first.access_token, first.refresh_token]).toEqual([expect.stringMatching(/^dba_[\w-]{43}$/), expect.stringMatching(/^dbr_[\w-]{43}$/)])
    const api = await oauth.protectedResourceRequest(
      first.access_token, 'GET', new URL(`${own.server.issuer}/api/v1/notes`), new Headers({ 'x-business-id': team.business_id }), null, insecure)
    expect(api.status).toBe(200)

    const second = (await oauth.processRefreshTokenResponse(own.server, own.client, await refreshWith(own, first.refresh_token))) as unknown as typeof first
    expect(await works(second.access_token)).toBe(200)
    expect(await introspect(own, second.access_token)).toMatchObject({
      active: true, scope: 'notes:read notes:write', client_id: own.client_id, sub: owner.user_id, token_type: 'Bearer', iss: own.server.issuer, business_ids: [team.business_id],
    })
    expect(await introspect(own, second.refresh_token)).toMatchObject({ active: true, token_type: 'refresh_token' })
    expect(await introspect(own, first.refresh_token)).toEqual({ active: false })

    await giveBack(own, first.access_token)
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([401, 200])
    await giveBack(own, second.refresh_token)
    expect(await works(second.access_token)).toBe(401)
    expect(await introspect(own, second.access_token)).toEqual({ active: false })
    expect(await errorOf(await refreshWith(own, second.refresh_token))).toEqual(REFUSED)
    expect((await grantOf(owner, own)).status).toBe('active')
  })

  it('takes the secret in the form too, and keeps no token but its hash', async () => {
    const given = await consent(app, owner, [team.business_id])
    const response = await exchange(app, given, oauth.ClientSecretPost(app.client_secret ?? ''))
    expect([response.headers.get('cache-control'), response.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
    const tokens = await tokensOf(app, response)
    const stored = await sql('select token_hash from oauth_tokens where token_hash = any($1)', [[hashToken(tokens.access_token), hashToken(tokens.refresh_token)]])
    expect(stored).toHaveLength(2)
    const [secret] = await sql('select secret_hash, last_used_at from oauth_client_secrets where client_id = $1', [app.client_id])
    expect([secret.secret_hash.equals(hashToken(app.client_secret ?? '')), secret.last_used_at]).toEqual([true, expect.any(Date)])
    const written = JSON.stringify(await sql(
      `select detail::text as text from user_events where user_id = $1 union all select content::text from (select to_jsonb(a) as content from audit_trail a where business_id = $2) x
       union all select data::text from events where business_id = $2`, [owner.user_id, team.business_id]))
    for (const it of [tokens.access_token, tokens.refresh_token, app.client_secret ?? '']) expect(written).not.toContain(it)
  })
})

describe('a code', () => {
  it('works once: brought again, what it gave is dead', async () => {
    const given = await consent(app, owner, [team.business_id])
    const first = await tokensOf(app, await exchange(app, given))
    const later = (await (await refreshWith(app, first.refresh_token)).json()) as { access_token: string }
    expect([await works(first.access_token), await works(later.access_token)]).toEqual([200, 200])
    expect(await errorOf(await exchange(app, given))).toEqual(REFUSED)
    expect([await works(first.access_token), await works(later.access_token)]).toEqual([401, 401])
    expect((await grantOf(owner, app)).status).toBe('active')
  })

  it('of two who bring it at once, neither keeps what it gave', async () => {
    const given = await consent(app, owner, [team.business_id])
    const responses = await Promise.all([exchange(app, given), exchange(app, given)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    const won = await tokensOf(app, responses.find(({ status }) => status === 200) as Response)
    expect(await works(won.access_token)).toBe(401)
  })

  it('is for its client, its address and its verifier, and there is no second guess', async () => {
    const other = await newApp(owner)
    const given = await consent(app, owner, [team.business_id])
    const stolen = { ...given, parameters: oauth.validateAuthResponse(other.server, other.client, new URLSearchParams(given.parameters), oauth.skipStateCheck) }
    expect(await errorOf(await exchange(other, stolen))).toEqual(REFUSED)
    expect(await errorOf(await exchange(app, { ...given, verifier: 'x'.repeat(43) }))).toEqual(REFUSED)
    expect(await errorOf(await exchange(app, given))).toEqual(REFUSED)
    const moved = await consent(app, owner, [team.business_id])
    expect(await errorOf(await exchange(app, { ...moved, redirect_uri: 'https://shop.example.com/other' }))).toEqual(REFUSED)
  })

  it('lives a minute', async () => {
    const { clock } = await service()
    const start = Date.now()
    clock.set(new Date(start).toISOString())
    const [late, in_time] = [await consent(app, owner, [team.business_id]), await consent(app, owner, [team.business_id])]
    clock.set(new Date(start + 59_999).toISOString())
    expect((await exchange(app, in_time)).status).toBe(200)
    clock.set(new Date(start + 60_000).toISOString())
    expect(await errorOf(await exchange(app, late))).toEqual(REFUSED)
  })

  it('is void once its address is no longer registered', async () => {
    const maker = await newPerson()
    const own = await newApp(maker)
    const given = await consent(own, owner, [team.business_id])
    await maker.client.put(`/oauth/clients/${own.client_id}`, { redirect_uris: ['https://shop.example.com/new'] })
    expect(await errorOf(await exchange(own, given))).toEqual(REFUSED)
  })
})

describe('a refresh token', () => {
  it('used again ends the grant with all of its tokens, and that stays although the answer is a no', async () => {
    const own = await newApp(owner)
    const first = await connect(own, owner, [team.business_id])
    const second = (await (await refreshWith(own, first.refresh_token)).json()) as typeof first
    expect(await works(second.access_token)).toBe(200)
    expect(await errorOf(await refreshWith(own, first.refresh_token))).toEqual(REFUSED)
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([401, 401])
    expect(await errorOf(await refreshWith(own, second.refresh_token))).toEqual(REFUSED)
    expect(await introspect(own, second.access_token)).toEqual({ active: false })
    const grant = await grantOf(owner, own)
    expect(grant).toMatchObject({ status: 'revoked', revoked_by: null, revoke_reason: expect.stringContaining('used twice') })
    const events = await sql('select type, actor ->> \'kind\' as kind from events where business_id = $1 and resource_id = $2 order by seq', [team.business_id, grant.id])
    expect(events).toEqual([
      { type: 'oauth_grant.created', kind: 'user' }, { type: 'oauth_grant.reuse_detected', kind: 'system' }, { type: 'oauth_grant.revoked', kind: 'system' },
    ])
    const told = await sql(`select type from user_events where detail ->> 'grant_id' = $1 order by at, id`, [grant.id])
    expect(told.map(({ type }) => type)).toEqual(['oauth_grant.created', 'oauth_grant.reuse_detected', 'oauth_grant.revoked'])
  })

  it('of two who use it at once, one is a thief, so both lose', async () => {
    const own = await newApp(owner)
    const { refresh_token } = await connect(own, owner, [team.business_id])
    const responses = await Promise.all([1, 2].map(() => refreshWith(own, refresh_token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    const won = (await responses.find(({ status }) => status === 200)?.json()) as { access_token: string }
    expect(await works(won.access_token)).toBe(401)
    expect((await grantOf(owner, own)).status).toBe('revoked')
  })

  it('can give less than it has, never more, and not to another client', async () => {
    const own = await newApp(owner)
    const first = await connect(own, owner, [team.business_id], { scope: 'notes:read tags:read' })
    const auth = { client_id: own.client_id, client_secret: own.client_secret ?? '', grant_type: 'refresh_token' }
    const more = await postForm('/api/v1/oauth/token', { ...auth, refresh_token: first.refresh_token, scope: 'notes:read notes:write' })
    expect([more.status, more.body.error]).toEqual([400, 'invalid_scope'])
    const less = await postForm('/api/v1/oauth/token', { ...auth, refresh_token: first.refresh_token, scope: 'tags:read' })
    expect([less.status, less.body.scope]).toEqual([200, 'tags:read'])
    const narrow = client(less.body.access_token, team.business_id)
    expect([(await narrow.get('/tags')).status, (await narrow.get('/notes')).status]).toEqual([200, 403])
    const again = (await (await refreshWith(own, less.body.refresh_token)).json()) as { scope: string; refresh_token: string }
    expect(again.scope).toBe('notes:read tags:read')
    expect(await errorOf(await refreshWith(app, again.refresh_token))).toEqual(REFUSED)
    expect((await refreshWith(own, again.refresh_token)).status).toBe(200)
  })

  it('lives 60 days, an access token an hour', async () => {
    const { clock } = await service()
    const start = Date.now()
    clock.set(new Date(start).toISOString())
    const tokens = await connect(app, owner, [team.business_id])
    clock.set(new Date(start + 3_599_999).toISOString())
    expect(await works(tokens.access_token)).toBe(200)
    clock.set(new Date(start + 3_600_000).toISOString())
    expect(await works(tokens.access_token)).toBe(401)
    expect(await introspect(app, tokens.access_token)).toEqual({ active: false })
    clock.set(new Date(start + 60 * 86_400_000).toISOString())
    expect(await errorOf(await refreshWith(app, tokens.refresh_token))).toEqual(REFUSED)
    expect((await grantOf({ client: (await anew()).client }, app)).status).toBe('active')
  })

  /** The session of the owner is over by then, too. */
  const anew = async () => ({ client: client((await client().post('/user/sign-in', { email: owner.email, password: 'correct horse battery staple' })).data.session_token) })
})

describe('a wrong call', () => {
  const token = '/api/v1/oauth/token'
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` })

  it.each([
    ['no client', token, { grant_type: 'refresh_token', refresh_token: 'x' }, {}, 400, 'invalid_request'],
    ['an unknown client', token, { grant_type: 'refresh_token', client_id: 'nobody' }, {}, 401, 'invalid_client'],
    ['nothing at all', token, {}, {}, 400, 'invalid_request'],
    ['a header that is none', token, { grant_type: 'refresh_token' }, { authorization: 'Basic !' }, 401, 'invalid_client'],
    ['a bearer', token, { grant_type: 'refresh_token' }, { authorization: 'Bearer dba_x' }, 401, 'invalid_client'],
    ['JSON', token, '{}', { 'content-type': 'application/json' }, 400, 'invalid_request'],
    ['a dry run', `${token}?dry_run=true`, {}, {}, 400, 'invalid_request'],
    ['If-Match', token, {}, { 'if-match': '"1"' }, 400, 'invalid_request'],
    ['a field twice', token, 'grant_type=x&grant_type=y', {}, 400, 'invalid_request'],
    ['no token to introspect', '/api/v1/oauth/introspect', {}, {}, 400, 'invalid_request'],
    ['no token to revoke', '/api/v1/oauth/revoke', {}, {}, 400, 'invalid_request'],
  ])('of %s is refused as the standard says', async (_what, path, form, headers, status, error) => {
    const answer = await postForm(path, form as Record<string, string> | string, headers as unknown as Record<string, string>)
    expect([answer.status, answer.body.error, answer.headers.get('cache-control')]).toEqual([status, error, 'no-store'])
    expect(Object.keys(answer.body)).toEqual(['error', 'error_description'])
  })

  it('of the right client is told what is missing', async () => {
    const right = basic(app.client_id, app.client_secret ?? '')
    const ask = async (form: Record<string, string>, headers: Record<string, string> = right, path = token) => {
      const { status, body } = await postForm(path, form, headers)
      return [status, body.error]
    }
    expect(await ask({})).toEqual([400, 'invalid_request'])
    expect(await ask({ grant_type: 'password' })).toEqual([400, 'unsupported_grant_type'])
    expect(await ask({ grant_type: 'client_credentials' })).toEqual([400, 'unsupported_grant_type'])
    expect(await ask({ grant_type: 'authorization_code' })).toEqual([400, 'invalid_request'])
    expect(await ask({ grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK, code_verifier: 'x'.repeat(43) })).toEqual(REFUSED)
    expect(await ask({ grant_type: 'refresh_token' })).toEqual([400, 'invalid_request'])
    expect(await ask({ grant_type: 'refresh_token', refresh_token: 'x' })).toEqual(REFUSED)
    expect(await ask({ grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'y' })).toEqual([400, 'invalid_request'])
    expect(await ask({ grant_type: 'refresh_token', refresh_token: 'x' }, basic(app.client_id, 'wrong'))).toEqual([401, 'invalid_client'])
    expect(await ask({ grant_type: 'refresh_token', refresh_token: 'x', client_id: app.client_id }, {})).toEqual([401, 'invalid_client'])
    const wrong = await postForm(token, {}, basic(app.client_id, 'wrong'))
    expect(wrong.headers.get('www-authenticate')).toBe('Basic realm="Daybook"')
    const open = await newApp(owner, { type: 'public' })
    expect(await ask({ grant_type: 'refresh_token', refresh_token: 'x' }, basic(open.client_id, 'any'))).toEqual([401, 'invalid_client'])
    expect(await ask({}, right, '/api/v1/oauth/introspect')).toEqual([400, 'invalid_request'])
    expect((await postForm('/api/v1/oauth/revoke', { token: 'unknown' }, right)).status).toBe(200)
    expect((await postForm('/api/v1/oauth/introspect', { token: 'unknown' }, right)).body).toEqual({ active: false })
  })

  it('an access token is no refresh token, a refresh token opens nothing, and other clients learn and end nothing', async () => {
    const other = await newApp(owner)
    const tokens = await connect(app, owner, [team.business_id])
    expect(await works(tokens.refresh_token)).toBe(401)
    expect(await errorOf(await refreshWith(app, tokens.access_token))).toEqual(REFUSED)
    expect(await introspect(other, tokens.access_token)).toEqual({ active: false })
    await giveBack(other, tokens.access_token)
    await giveBack(other, tokens.refresh_token)
    expect(await works(tokens.access_token)).toBe(200)
  })
})

describe('in a second process with its own memory', () => {
  it('what has ended is refused at the next request', async () => {
    const second = await startService()
    try {
      const own = await newApp(owner)
      const tokens = await connect(own, owner, [team.business_id])
      const there = client(tokens.access_token, team.business_id, second.url)
      expect([(await there.get('/notes')).status, (await there.get('/notes')).status]).toEqual([200, 200])
      await owner.client.put(`/oauth/clients/${own.client_id}/disable`)
      expect((await there.get('/notes')).status).toBe(401)
      await owner.client.put(`/oauth/clients/${own.client_id}/enable`)
      expect((await there.get('/notes')).status).toBe(200)
      await owner.client.put(`/oauth/clients/${own.client_id}`, { allowed_scopes: ['tags:read'] })
      expect((await there.get('/notes')).status).toBe(403)
      await owner.client.put(`/oauth/clients/${own.client_id}`, { allowed_scopes: ['tags:read', 'notes:read'] })
      expect((await there.get('/notes')).status).toBe(403)
      await connect(own, owner, [team.business_id], { scope: 'notes:read' })
      expect((await there.get('/notes')).status).toBe(200)
      await owner.client.post(`/oauth/grants/${(await grantOf(owner, own)).id}/revoke`)
      expect((await there.get('/notes')).status).toBe(401)
    } finally {
      await second.program.stop()
    }
  })
})

describe('the sweep', () => {
  it('takes away what is long over', async () => {
    const { program } = await service()
    const own = await newApp(owner)
    await begin(own)
    await connect(own, owner, [team.business_id])
    const left = async () => (await sql(
      `select (select count(*)::int from oauth_requests where client_id = $1) as requests,
         (select count(*)::int from oauth_codes c join oauth_grants g on g.id = c.grant_id where g.client_id = $1) as codes,
         (select count(*)::int from oauth_tokens t join oauth_grants g on g.id = t.grant_id where g.client_id = $1) as tokens`, [own.client_id]))[0]
    const run = () => sweepOauthTraces.run({ database: program.database, log: program.server.log, mailer: null, job_id: plainRequest.request_id } as never, {} as never)
    await run()
    expect(await left()).toEqual({ requests: 2, codes: 1, tokens: 2 })
    await sql(`update oauth_requests set expires_at = expires_at - interval '8 days' where client_id = $1`, [own.client_id])
    for (const table of ['oauth_codes', 'oauth_tokens']) {
      await sql(`update ${table} t set expires_at = t.expires_at - interval '8 days' from oauth_grants g where g.id = t.grant_id and g.client_id = $1`, [own.client_id])
    }
    await run()
    expect(await left()).toEqual({ requests: 0, codes: 0, tokens: 1 })
    expect((await visit(`${own.server.issuer}/.well-known/oauth-authorization-server`)).status).toBe(200)
  })
})
