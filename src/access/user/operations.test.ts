// Tests of the own profile, the own memberships, the security log and the end of an account.
import { describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { mailsTo, newBusiness, newMember, newPerson, newToken, PASSWORD, sql } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { plainRequest } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import { hashToken } from '../../foundation/secrets.ts'
import { openLog } from '../../foundation/log.ts'
import { sweepUserTraces } from './jobs.ts'

const anyone = client()

/** A suspended member. */
const joinAs = (business_id: string, user_id: string, role: string, source: string) => sql(
  `insert into memberships (business_id, user_id, role, status, source, created_at, updated_at, version)
   values ($1, $2, $3, 'suspended', $4, now(), now(), 1)`,
  [business_id, user_id, role, source])

describe('the profile', () => {
  it('shows the user without a secret', async () => {
    const person = await newPerson()
    const { data, headers } = await person.client.get('/user')
    expect(Object.keys(data).sort()).toEqual([
      'avatar_document_id', 'created_at', 'date_format', 'default_business_id', 'email', 'email_verified_at', 'id', 'last_sign_in_at', 'locale', 'name',
      'password_changed_at', 'status', 'timezone', 'two_factor_enabled', 'updated_at', 'version',
    ])
    expect(headers.get('etag')).toBe('"1"')
  })

  it('takes changes, leaves absent fields alone, clears with null', async () => {
    const { business_id, owner } = await newBusiness()
    const places = { timezone: 'Europe/Berlin', locale: 'de-DE', date_format: 'DD.MM.YYYY' }
    const given = { name: 'New Name', ...places, default_business_id: business_id, avatar_document_id: newId() }
    expect((await owner.client.put('/user', given)).data).toMatchObject({ ...given, version: 2 })
    expect((await owner.client.put('/user', { timezone: null, name: null })).data).toMatchObject({ ...given, timezone: null, version: 3 })
    expect((await owner.client.put('/user', {})).data.version).toBe(3)
    expect((await owner.client.put('/user', { email: 'other@example.com', status: 'closed' })).data).toMatchObject({ email: owner.email, status: 'active' })
    expect((await owner.client.put('/user', { name: 'Stale' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await owner.client.put('/user', { name: 'Current' }, { headers: { 'if-match': '"3"' } })).status).toBe(200)
  })

  it('refuses what does not exist', async () => {
    const [{ business_id }, { client: me, user_id }] = await Promise.all([newBusiness(), newPerson()])
    expect((await me.put('/user', { default_business_id: business_id })).detail).toContain('default_business_id')
    expect((await me.put('/user', { default_business_id: business_id })).status).toBe(404)
    await joinAs(business_id, user_id, 'viewer', 'direct')
    expect((await me.put('/user', { default_business_id: business_id })).status).toBe(404)
    expect((await me.put('/user', { timezone: 'Mars/Olympus' })).status).toBe(400)
    expect((await me.put('/user', { locale: 'not a locale' })).status).toBe(400)
    expect((await me.put('/user', { date_format: 'odd' })).status).toBe(422)
    expect((await me.put('/user', { name: '' })).status).toBe(422)
  })
})

describe('memberships', () => {
  it('lists businesses with role, status and source', async () => {
    const team = await newBusiness()
    const person = await newMember(team.business_id, 'bookkeeper')
    const other = await newBusiness()
    await sql(`update businesses set name = 'A first name' where id = $1`, [other.business_id])
    await joinAs(other.business_id, person.user_id, 'accountant', 'firm')
    const { data } = await person.client.get('/user/memberships', { sort_by: 'business_name', descending: false, include_total_count: true })
    expect(data.items).toMatchObject([
      { business_id: other.business_id, business_name: 'A first name', role: 'accountant', status: 'suspended', source: 'firm' },
      { business_id: team.business_id, business_name: 'Test Trading', role: 'bookkeeper', status: 'active', source: 'direct' },
    ])
    expect(data.total).toBe(2)
    expect((await person.client.get('/user/memberships', { role: 'accountant' })).data.items).toHaveLength(1)
    expect((await person.client.get('/user/memberships', { status: 'active' })).data.items).toHaveLength(1)
  })
})

describe('security events', () => {
  it('lists the own ones, newest first, by type where asked', async () => {
    const [person, other] = await Promise.all([newPerson(), newPerson()])
    await anyone.post('/user/sign-in', { email: person.email, password: 'not the password' }, { headers: { 'x-request-id': 'request-of-the-test' } })
    await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })
    const { data } = await person.client.get('/user/security-events')
    expect(data.items.map(({ type }: { type: string }) => type)).toEqual(['user.signed_in', 'user.sign_in_failed'])
    expect(data.items[1]).toMatchObject({ ip: '127.0.0.1', request_id: 'request-of-the-test', detail: { step: 'password' } })
    expect((await person.client.get('/user/security-events', { type: 'user.sign_in_failed' })).data.items).toHaveLength(1)
    expect((await person.client.get('/user/security-events', { type: 'user.exploded' })).status).toBe(422)
    expect((await other.client.get('/user/security-events')).data.items).toEqual([])
  })

  it('cannot be changed afterwards', async () => {
    const person = await newPerson()
    await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })
    await expect(sql('delete from user_events where user_id = $1', [person.user_id])).rejects.toThrow('append-only')
  })
})

describe('closing the account', () => {
  it('ends every credential, removes memberships, frees the address', async () => {
    const team = await newBusiness()
    const person = await newMember(team.business_id, 'accountant', 'Leaving Person')
    const api = client(await newToken(person, ['user:read']))
    await anyone.post('/user/password/forgot', { email: person.email })
    const me = client(person.token)
    expect((await me.call('DELETE', '/user', { query: { dry_run: true } })).data.status).toBe('closed')
    expect((await me.get('/user')).data.status).toBe('active')

    const closed = await me.delete('/user')
    expect([closed.status, closed.data.status, closed.data.email]).toEqual([200, 'closed', `closed-${person.user_id}@invalid`])
    expect((await me.get('/user')).status).toBe(401)
    expect((await api.get('/user')).status).toBe(401)
    expect((await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })).status).toBe(401)
    expect(await sql('select * from memberships where user_id = $1', [person.user_id])).toEqual([])
    const [left] = await sql('select name, password_hash, totp_secret from users where id = $1', [person.user_id])
    expect(left).toEqual({ name: 'Leaving Person', password_hash: '', totp_secret: null })
    expect(await sql('select count(*)::int as usable from mail_tokens where user_id = $1 and used_at is null', [person.user_id])).toEqual([{ usable: 0 }])
    expect((await mailsTo(person.email))[0]?.subject).toBe('Your account was closed')
    expect((await sql('select type from user_events where user_id = $1 order by at desc limit 1', [person.user_id]))[0].type).toBe('user.closed')

    await anyone.post('/user/sign-up', { email: person.email, password: PASSWORD, name: 'Next Person' })
    const next = await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })
    expect(next.data.user.name).toBe('Next Person')
    expect((await client(next.data.session_token).get('/user/memberships')).data.items).toEqual([])
  })

  it('is refused to the last owner, by the name of the business', async () => {
    const team = await newBusiness()
    await sql(`update businesses set name = 'Orphan Works' where id = $1`, [team.business_id])
    const second = await newMember(team.business_id, 'owner')
    await sql(`update memberships set status = 'suspended' where user_id = $1`, [second.user_id])
    const refused = await team.owner.client.delete('/user')
    expect([refused.status, refused.detail]).toEqual([400, expect.stringContaining('Orphan Works')])
    expect((await team.owner.client.get('/user')).data.status).toBe('active')
    await sql(`update sessions set reauthenticated_at = now() - interval '11 minutes' where user_id = $1`, [team.owner.user_id])
    expect((await team.owner.client.delete('/user')).status).toBe(403)
  })

  it('of all owners who close at once, one stays', async () => {
    const team = await newBusiness()
    const owners = [team.owner, ...(await Promise.all([1, 2, 3].map(() => newMember(team.business_id, 'owner'))))]
    const answers = await Promise.all(owners.map(({ token }) => client(token).delete('/user')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400])
    expect(await sql(`select count(*)::int as owners from memberships where business_id = $1 and role = 'owner'`, [team.business_id])).toEqual([{ owners: 1 }])
  })
})

describe('the sweep', () => {
  it('takes away what is over and nothing else', async () => {
    const { program } = await service()
    const { user_id } = await newPerson()
    const [old, young] = [hashToken(newId()), hashToken(newId())]
    for (const [hash, days] of [[old, 9], [young, 0]] as const) {
      await sql(`insert into sign_in_attempts (id, account_hash, at) values (gen_random_uuid(), $1, now() - make_interval(days => $2))`, [hash, days])
      await sql(
        `insert into mail_tokens (token_hash, user_id, purpose, email, created_at, expires_at)
         values ($1, $2, 'verify_email', 'a@example.com', now(), now() - make_interval(days => $3))`,
        [hash, user_id, days])
      await sql(
        `insert into two_factor_challenges (token_hash, user_id, tries, created_at, expires_at)
         values ($1, $2, 0, now(), now() - make_interval(days => $3))`,
        [hash, user_id, days])
    }
    await sweepUserTraces.run({ database: program.database, log: openLog('silent'), mailer: null, job_id: plainRequest.request_id }, {} as never)
    const left = await sql(
      `select 'attempt' as what from sign_in_attempts where account_hash = any($1) union all
       select 'token' from mail_tokens where token_hash = any($1) union all
       select 'challenge' from two_factor_challenges where token_hash = any($1)`,
      [[old, young]])
    expect(left.map(({ what }) => what)).toEqual(['attempt', 'token', 'challenge'])
  })
})
