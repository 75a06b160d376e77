import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../../test/support/events.ts'
import { client } from '../../../test/support/client.ts'
import { mailedToken, mailsTo, newBusiness, newMember, newPerson, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { hashToken } from '../../foundation/secrets.ts'

let team: Team
let admin: Person
beforeAll(async () => {
  team = await newBusiness()
  admin = await newMember(team.business_id, 'admin', 'Ada Admin')
})
afterEach(async () => (await service()).clock.set(null))

const address = () => `${newId()}@example.com`
const PASSWORD = 'three quiet green lamps'

async function invite(email: string, more: object = {}) {
  const answer = await team.client.post('/invitations', { email, role: 'bookkeeper', ...more })
  expect(answer.status).toBe(201)
  return answer.data
}

const join = (business_id: string, user_id: string, role: string) =>
  sql(`insert into memberships (business_id, user_id, role, status, created_at, updated_at, version) values ($1, $2, $3, 'active', now(), now(), 1)`,
    [business_id, user_id, role])

const rolesIn = (business_id: string, user_id: string) =>
  sql('select role, status, source from memberships where business_id = $1 and user_id = $2', [business_id, user_id])

describe('inviting', () => {
  it('mails a token of which only the hash is kept', async () => {
    const email = `New.${address()}`
    const invitation = await invite(email, { name: 'New Person', message: 'Welcome!', expires_in_days: 3 })
    expect(invitation).toMatchObject({
      kind: 'business_member', email: email.toLowerCase(), role: 'bookkeeper', status: 'pending', name: 'New Person', message: 'Welcome!',
      invited_by: team.owner.user_id, send_count: 1, accepted_by: null, bounced: false, version: 1, business_id: team.business_id,
    })
    const daysOf = ({ expires_at, created_at }: any) => (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000
    expect([daysOf(invitation), daysOf(await invite(address()))]).toEqual([3, 7])
    expect(invitation).not.toHaveProperty('token_hash')
    const [mail] = await mailsTo(email.toLowerCase())
    const token = await mailedToken(email.toLowerCase())
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(mail?.subject).toBe('Olive Owner invites you to Test Trading')
    expect(mail?.text_body).toContain('Welcome!')
    expect(mail?.text_body).toContain(`?token=${token}`)
    const [row] = await sql('select token_hash from invitations where id = $1', [invitation.id])
    expect(row.token_hash.equals(hashToken(token))).toBe(true)
    expect(await eventsOf(invitation.id)).toEqual(['invitation.created'])
    const history = await sql('select data::text as said from events where resource_id = $1 union all select after::text from audit_trail where resource_id = $1', [invitation.id])
    expect(history).toHaveLength(2)
    expect(history.filter(({ said }) => said.includes(token))).toEqual([])
  })

  it.each([
    ['no address', { role: 'viewer' }, 'missing'],
    ['no e-mail address', { email: 'x', role: 'viewer' }, 'string_too_short'],
    ['an unknown role', { email: 'a@example.com', role: 'king' }, 'enum'],
    ['a kind that is not built', { email: 'a@example.com', role: 'viewer', kind: 'firm_member' }, 'enum'],
    ['no day', { email: 'a@example.com', role: 'viewer', expires_in_days: 0 }, 'greater_than_equal'],
    ['too many days', { email: 'a@example.com', role: 'viewer', expires_in_days: 31 }, 'less_than_equal'],
    ['a long message', { email: 'a@example.com', role: 'viewer', message: 'x'.repeat(1001) }, 'string_too_long'],
  ])('refuses %s', async (_what, body, type) => {
    const answer = await team.client.post('/invitations', body)
    expect(answer.status).toBe(422)
    expect(answer.detail[0].type).toBe(type)
  })

  it('refuses an address that is pending, or in already, however it is written', async () => {
    const email = address()
    await invite(email)
    const again = await team.client.post('/invitations', { email: email.toUpperCase(), role: 'viewer' })
    expect([again.status, again.detail]).toEqual([400, `${email} has a pending invitation already: resend, change or revoke that one.`])
    const inside = await team.client.post('/invitations', { email: admin.email, role: 'viewer' })
    expect([inside.status, inside.detail]).toEqual([400, `${admin.email} is in this business already: change the role there.`])
  })

  it('lets one of two callers at once win', async () => {
    const email = address()
    const answers = await Promise.all([1, 2, 3].map(() => team.client.post('/invitations', { email, role: 'viewer' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('makes room where the last one has expired', async () => {
    const { clock } = await service()
    const email = address()
    clock.set('2026-05-01T00:00:00Z')
    await sql(`update sessions set last_seen_at = '2026-05-01', expires_at = '2030-01-01' where user_id = $1`, [team.owner.user_id])
    const first = await invite(email, { expires_in_days: 1 })
    clock.set('2026-05-02T00:00:00Z')
    expect((await team.client.get(`/invitations/${first.id}`)).data.status).toBe('expired')
    expect((await team.client.get('/invitations', { status: 'expired', email })).data.items).toHaveLength(1)
    expect((await client().post('/invitations/sign-up', { token: await mailedToken(email), name: 'Late', password: PASSWORD })).status).toBe(404)
    for (const answer of [
      await team.client.patch(`/invitations/${first.id}`, { role: 'viewer' }),
      await team.client.post(`/invitations/${first.id}/resend`),
      await team.client.put(`/invitations/${first.id}/revoke`),
    ]) expect([answer.status, answer.detail]).toEqual([400, `The invitation of ${email} has expired. Only a pending one can be used or changed.`])
    expect((await invite(email)).id).not.toBe(first.id)
    clock.set(null)
    await sql('update sessions set last_seen_at = now() where user_id = $1', [team.owner.user_id])
  })

  it('is a matter of rank and of a verified address', async () => {
    const email = address()
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    const accountant = await newMember(team.business_id, 'accountant')
    expect((await bookkeeper.client.post('/invitations', { email, role: 'viewer' })).status).toBe(403)
    expect((await accountant.client.get('/invitations')).status).toBe(403)
    const above = await admin.client.post('/invitations', { email, role: 'owner' })
    expect([above.status, above.detail]).toEqual([403, 'You cannot invite to the role owner: it can do more than you can.'])
    expect((await admin.client.post('/invitations', { email, role: 'admin' })).status).toBe(201)
    expect((await team.client.post('/invitations', { email: address(), role: 'owner' })).status).toBe(201)
    const unverified = await newMember(team.business_id, 'admin')
    await sql(`update users set email_verified_at = null, status = 'unverified' where id = $1`, [unverified.user_id])
    for (const answer of [
      await unverified.client.post('/invitations', { email: address(), role: 'viewer' }),
      await unverified.client.post('/invitations/bulk', { invitations: [{ email: address(), role: 'viewer' }] }),
    ]) expect([answer.status, answer.detail]).toEqual([403, 'Verify your own e-mail address before you invite others.'])
  })

  it('gives no more through a token than the token carries', async () => {
    const { data } = await team.client.post('/api-tokens', { name: 'Onboarding', scopes: ['members:manage'], business_ids: [team.business_id] })
    const program = client(data.token, team.business_id)
    expect((await program.get('/invitations')).status).toBe(200)
    expect((await program.post('/invitations', { email: address(), role: 'admin' })).status).toBe(403)
  })

  it('needs a member, and the business of the invitation', async () => {
    const stranger = await newBusiness()
    const invitation = await invite(address())
    for (const [method, path] of [['GET', ''], ['PATCH', ''], ['POST', '/resend'], ['PUT', '/revoke']] as const) {
      expect((await stranger.client.call(method, `/invitations/${invitation.id}${path}`)).status).toBe(404)
    }
    expect((await stranger.client.get('/invitations')).data.items).toEqual([])
    expect((await client(stranger.owner.token, team.business_id).get('/invitations')).status).toBe(403)
    expect((await client().get('/invitations')).status).toBe(401)
  })
})

describe('the list', () => {
  it('filters and sorts', async () => {
    const own = await newBusiness()
    const emails = [address(), address(), address()]
    for (const [index, email] of emails.entries()) await own.client.post('/invitations', { email, role: 'viewer', expires_in_days: 10 - index })
    const all = (await own.client.get('/invitations')).data
    expect(all.items.map(({ email }: any) => email)).toEqual([...emails].reverse())
    const by_expiry = (await own.client.get('/invitations', { sort_by: 'expires_at', descending: false, limit: 2 })).data
    expect(by_expiry.items.map(({ email }: any) => email)).toEqual([emails[2], emails[1]])
    const rest = (await own.client.get('/invitations', { sort_by: 'expires_at', descending: false, limit: 2, cursor: by_expiry.next_cursor })).data
    expect(rest.items.map(({ email }: any) => email)).toEqual([emails[0]])
    await own.client.put(`/invitations/${all.items[0].id}/revoke`)
    expect((await own.client.get('/invitations', { status: 'revoked' })).data.items).toHaveLength(1)
    expect((await own.client.get('/invitations', { status: 'pending', kind: 'business_member' })).data.items).toHaveLength(2)
    expect((await own.client.get('/invitations', { email: emails[0]?.toUpperCase() ?? '' })).data.items).toHaveLength(1)
    expect((await own.client.get('/invitations', { status: 'lost' })).status).toBe(422)
  })
})

describe('several at once', () => {
  it('are all made or none', async () => {
    const [one, two] = [address(), address()]
    const bad = await team.client.post('/invitations/bulk', { invitations: [{ email: one, role: 'viewer' }, { email: admin.email, role: 'viewer' }] })
    expect([bad.status, bad.detail]).toEqual([400, `Item 1: ${admin.email} is in this business already: change the role there.`])
    expect(await sql('select from invitations where email = $1', [one])).toEqual([])
    const good = await team.client.post('/invitations/bulk', {
      invitations: [{ email: one, role: 'viewer' }, { email: two, role: 'admin', expires_in_days: 2 }],
    })
    expect(good).toMatchObject({ status: 201, data: { succeeded: 2, failed: 0, results: [{ index: 0, status: 'ok', detail: null }, { index: 1 }] } })
    const made = (await team.client.get(`/invitations/${good.data.results[1].id}`)).data
    expect(made).toMatchObject({ email: two, role: 'admin', status: 'pending', version: 1 })
    expect((await client().post('/invitations/decline-by-token', { token: await mailedToken(two) })).status).toBe(201)
    expect((await team.client.get(`/invitations/${made.id}`)).data.status).toBe('declined')
  })

  it('have a result each where asked for', async () => {
    const one = address()
    const { status, data } = await admin.client.post('/invitations/bulk', {
      atomic: false,
      invitations: [
        { email: one, role: 'viewer' }, { email: one.toUpperCase(), role: 'viewer' }, { email: address(), role: 'owner' }, { email: admin.email, role: 'viewer' },
      ],
    })
    expect({ status, ...data }).toMatchObject({ status: 201, succeeded: 1, failed: 3 })
    expect(data.results.map((result: any) => result.status)).toEqual(['ok', 'error', 'error', 'error'])
    expect(data.results[1]).toEqual({ index: 1, status: 'error', id: null, detail: `${one} occurs twice: invite each person once.` })
    expect(data.results[2].detail).toContain('role owner')
    const none = await admin.client.post('/invitations/bulk', { atomic: false, invitations: [{ email: one, role: 'viewer' }] })
    expect([none.status, none.data.succeeded]).toEqual([201, 0])
  })

  it.each([[0], [1001]])('are not %i', async (count) => {
    const invitations = Array.from({ length: count }, () => ({ email: 'a@example.com', role: 'viewer' }))
    expect((await team.client.post('/invitations/bulk', { invitations })).status).toBe(422)
  })
})

describe('a pending invitation', () => {
  it('can change its role and its expiry', async () => {
    const invitation = await invite(address())
    const answer = await admin.client.patch(`/invitations/${invitation.id}`, { role: 'viewer', expires_in_days: 30 })
    expect(answer).toMatchObject({ status: 200, data: { role: 'viewer', version: 2, invited_by: admin.user_id } })
    expect(Date.parse(answer.data.expires_at) - Date.parse(answer.data.updated_at)).toBe(30 * 86_400_000)
    expect((await admin.client.patch(`/invitations/${invitation.id}`, {})).data.version).toBe(2)
    expect((await admin.client.patch(`/invitations/${invitation.id}`, { role: 'owner' })).status).toBe(403)
    expect((await admin.client.patch(`/invitations/${invitation.id}`, { role: 'approver' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.updated'])
    const owners = await invite(address(), { role: 'owner' })
    expect((await admin.client.patch(`/invitations/${owners.id}`, { role: 'viewer' })).status).toBe(403)
  })

  it('is sent five times at most, each time with a token of its own', async () => {
    const email = address()
    const invitation = await invite(email)
    const old = await mailedToken(email)
    const second = await team.client.post(`/invitations/${invitation.id}/resend`)
    expect(second).toMatchObject({ status: 201, data: { send_count: 2, status: 'pending', expires_at: invitation.expires_at } })
    expect(await mailedToken(email)).not.toBe(old)
    expect((await client().post('/invitations/decline-by-token', { token: old })).status).toBe(404)
    for (let sends = 3; sends <= 5; sends++) expect((await team.client.post(`/invitations/${invitation.id}/resend`)).data.send_count).toBe(sends)
    const sixth = await team.client.post(`/invitations/${invitation.id}/resend`)
    expect([sixth.status, sixth.detail]).toEqual([400, 'This invitation was sent 5 times: revoke it and make a new one.'])
    expect(await mailsTo(email)).toHaveLength(5)
  })

  it('can be taken back, once', async () => {
    const email = address()
    const invitation = await invite(email)
    const token = await mailedToken(email)
    const answer = await team.client.put(`/invitations/${invitation.id}/revoke`)
    expect([answer.status, answer.data.status]).toEqual([200, 'revoked'])
    expect((await team.client.put(`/invitations/${invitation.id}/revoke`)).data).toEqual(answer.data)
    expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.revoked'])
    expect((await client().post('/invitations/sign-up', { token, name: 'Late', password: PASSWORD })).status).toBe(404)
    expect((await team.client.post(`/invitations/${invitation.id}/resend`)).detail).toContain('was revoked')
    expect((await invite(email)).status).toBe('pending')
  })
})

describe('the invited person', () => {
  it('sees where a token leads; unknown and dead tokens are alike', async () => {
    const email = address()
    const invitation = await invite(email, { role: 'accountant' })
    const answer = await client().post('/invitations/lookup', { token: await mailedToken(email) })
    expect(answer.status).toBe(201)
    expect(answer.data).toEqual({
      kind: 'business_member', business_name: 'Test Trading', inviter_name: 'Olive Owner', email: `${email[0]}***@example.com`, role: 'accountant',
      expires_at: invitation.expires_at, needs_sign_up: true,
    })
    await team.client.put(`/invitations/${invitation.id}/revoke`)
    const tokens = [await mailedToken(email), 'x'.repeat(43)]
    const [dead, unknown] = await Promise.all(tokens.map((token) => client().post('/invitations/lookup', { token })))
    expect([dead?.status, dead?.body]).toEqual([404, unknown?.body])
    expect((await client().post('/invitations/lookup', {})).status).toBe(422)
  })

  it('looks ten times a minute at most', async () => {
    const { url, program } = await startService()
    const answers = await Promise.all(Array.from({ length: 12 }, () => client(null, null, url).post('/invitations/lookup', { token: 'x'.repeat(43) })))
    await program.stop()
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429).map(({ headers }) => Number(headers.get('retry-after')))).toEqual([6, 6])
  })

  it('finds and accepts by id what was sent to the verified address', async () => {
    const person = await newPerson('Nora New')
    const invitation = await invite(person.email.toUpperCase(), { role: 'approver' })
    const mine = await person.client.get('/invitations/mine')
    expect(mine.data.items).toEqual([{
      id: invitation.id, kind: 'business_member', business_id: team.business_id, business_name: 'Test Trading', inviter_name: 'Olive Owner',
      role: 'approver', message: null, expires_at: invitation.expires_at, created_at: invitation.created_at,
    }])
    const joined = await person.client.post('/invitations/accept', { invitation_id: invitation.id })
    expect(joined.status).toBe(201)
    const place = { business_id: team.business_id, business_name: 'Test Trading' }
    expect(joined.data).toEqual({ invitation_id: invitation.id, ...place, user_id: person.user_id, role: 'approver' })
    expect(await rolesIn(team.business_id, person.user_id)).toEqual([{ role: 'approver', status: 'active', source: 'direct' }])
    expect((await team.client.get(`/invitations/${invitation.id}`)).data).toMatchObject({ status: 'accepted', accepted_by: person.user_id })
    expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.accepted'])
    const [entry] = await sql(`select actor_id, action from audit_trail where resource_id = $1 order by seq desc limit 1`, [invitation.id])
    expect(entry).toEqual({ actor_id: person.user_id, action: 'invitation.accepted' })
    expect((await client(person.token, team.business_id).get('/events')).status).toBe(200)
    expect((await person.client.get('/invitations/mine')).data.items).toEqual([])
    const again = await person.client.post('/invitations/accept', { invitation_id: invitation.id })
    expect([again.status, again.detail]).toEqual([400, `The invitation of ${person.email} was accepted. Only a pending one can be used or changed.`])
    expect((await team.client.put(`/invitations/${invitation.id}/revoke`)).status).toBe(400)
  })

  it('accepts once, however many try at once', async () => {
    const person = await newPerson()
    const invitation = await invite(person.email)
    const token = await mailedToken(person.email)
    const answers = await Promise.all(Array.from({ length: 6 }, () => person.client.post('/invitations/accept', { token })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400])
    expect(await rolesIn(team.business_id, person.user_id)).toHaveLength(1)
    expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.accepted'])
  })

  it('cannot use what was sent to somebody else', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const invitation = await invite(person.email)
    const token = await mailedToken(person.email)
    for (const verb of ['accept', 'decline']) {
      const by_token = await other.client.post(`/invitations/${verb}`, { token })
      expect([by_token.status, by_token.detail]).toEqual([400, 'This invitation was sent to another address: sign in with the account of that address.'])
      expect((await other.client.post(`/invitations/${verb}`, { invitation_id: invitation.id })).status).toBe(404)
      expect((await other.client.post(`/invitations/${verb}`, { token: 'x'.repeat(43) })).status).toBe(404)
      expect((await other.client.post(`/invitations/${verb}`, {})).status).toBe(422)
      expect((await client().post(`/invitations/${verb}`, { token })).status).toBe(401)
    }
    expect(await rolesIn(team.business_id, other.user_id)).toEqual([])
  })

  it('must have verified the address, and must be a person', async () => {
    const person = await newPerson()
    await invite(person.email)
    const token = await mailedToken(person.email)
    const { data } = await person.client.post('/api-tokens', { name: 'Program', scopes: ['user:read', 'user:write'] })
    expect((await client(data.token).post('/invitations/accept', { token })).status).toBe(403)
    expect((await client(data.token).get('/invitations/mine')).data.items).toHaveLength(1)
    await sql(`update users set email_verified_at = null, status = 'unverified' where id = $1`, [person.user_id])
    expect((await person.client.get('/invitations/mine')).data.items).toEqual([])
    const refused = await person.client.post('/invitations/accept', { token })
    expect([refused.status, refused.detail]).toEqual([400, 'Verify your e-mail address first, then use the invitation.'])
  })

  it('cannot join where the inviter could no longer invite, nor an archived business', async () => {
    const own = await newBusiness()
    const inviter = await newMember(own.business_id, 'admin')
    const person = await newPerson()
    await inviter.client.post('/invitations', { email: person.email, role: 'accountant' })
    const token = await mailedToken(person.email)
    const attempt = async () => {
      const { status, detail } = await person.client.post('/invitations/accept', { token })
      return [status, detail]
    }
    const losses = [
      `update memberships set role = 'accountant' where user_id = $1`, `update memberships set role = 'admin', status = 'suspended' where user_id = $1`,
      'delete from memberships where user_id = $1',
    ]
    for (const loss of losses) {
      await sql(loss, [inviter.user_id])
      expect(await attempt()).toEqual([400, 'Whoever invited you may no longer do so: ask for a new invitation.'])
    }
    await join(own.business_id, inviter.user_id, 'admin')
    await sql(`update businesses set status = 'archived' where id = $1`, [own.business_id])
    expect(await attempt()).toEqual([400, 'Test Trading is archived or about to be deleted: nobody can join it now.'])
    await sql(`update businesses set status = 'active' where id = $1`, [own.business_id])
    await join(own.business_id, person.user_id, 'viewer')
    expect(await attempt()).toEqual([400, 'You are in Test Trading already.'])
    await sql('delete from memberships where user_id = $1', [person.user_id])
    expect((await attempt())[0]).toBe(201)
  })

  it('declines, signed in or not', async () => {
    const person = await newPerson()
    const invitation = await invite(person.email)
    const token = await mailedToken(person.email)
    const answer = await person.client.post('/invitations/decline', { token })
    expect([answer.status, answer.data.status]).toEqual([201, 'declined'])
    expect((await person.client.post('/invitations/decline', { invitation_id: invitation.id })).data).toEqual(answer.data)
    expect((await person.client.post('/invitations/accept', { token })).detail).toContain('was declined')
    expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.declined'])
    const email = address()
    const other = await invite(email)
    const body = { token: await mailedToken(email) }
    expect((await client().post('/invitations/decline-by-token', body)).data).toEqual({ declined: true })
    expect((await client().post('/invitations/decline-by-token', body)).status).toBe(404)
    const [entry] = await sql(`select actor_kind, actor_name from audit_trail where resource_id = $1 order by seq desc limit 1`, [other.id])
    expect(entry).toEqual({ actor_kind: 'public_link', actor_name: email })
  })
})

describe('a person without an account', () => {
  it('signs up and joins in one go', async () => {
    const email = address()
    const invitation = await invite(email)
    const token = await mailedToken(email)
    for (const [password, status] of [['short', 422], ['password1234', 400], [email, 400]] as const) {
      expect((await client().post('/invitations/sign-up', { token, name: 'New Person', password })).status).toBe(status)
    }
    expect(await sql('select from users where email = $1', [email])).toEqual([])
    const answers = await Promise.all([1, 2].map(() => client().post('/invitations/sign-up', { token, name: 'New Person', password: PASSWORD })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404])
    const { data } = answers.find(({ status }) => status === 201) ?? { data: null }
    expect(data).toMatchObject({ invitation_id: invitation.id, business_id: team.business_id, role: 'bookkeeper' })
    const [user] = await sql('select id, status, email_verified_at is not null as verified, name from users where email = $1', [email])
    expect(user).toEqual({ id: data.user_id, status: 'active', verified: true, name: 'New Person' })
    expect(await rolesIn(team.business_id, data.user_id)).toEqual([{ role: 'bookkeeper', status: 'active', source: 'direct' }])
    const [entry] = await sql(`select actor_kind, actor_id, actor_name from audit_trail where resource_id = $1 order by seq desc limit 1`, [invitation.id])
    expect(entry).toEqual({ actor_kind: 'user', actor_id: data.user_id, actor_name: 'New Person' })
    const [{ types }] = await sql('select array_agg(type order by type) as types from user_events where user_id = $1', [data.user_id])
    expect(types).toEqual(['user.created', 'user.verified'])
  })

  it('is told to sign in where the address has an account, and nothing happens', async () => {
    const person = await newPerson()
    const invitation = await invite(person.email)
    const answer = await client().post('/invitations/sign-up', { token: await mailedToken(person.email), name: 'Somebody', password: PASSWORD })
    expect([answer.status, answer.detail]).toEqual([400, 'This address has an account already: sign in and accept the invitation.'])
    expect((await team.client.get(`/invitations/${invitation.id}`)).data.status).toBe('pending')
    expect(await rolesIn(team.business_id, person.user_id)).toEqual([])
  })

  it('changes nothing in a dry run', async () => {
    const email = address()
    await invite(email)
    const token = await mailedToken(email)
    expect((await client().post('/invitations/sign-up', { token, name: 'New', password: PASSWORD }, { query: { dry_run: true } })).status).toBe(201)
    expect(await sql('select from users where email = $1', [email])).toEqual([])
    expect((await client().post('/invitations/lookup', { token })).status).toBe(201)
  })
})
