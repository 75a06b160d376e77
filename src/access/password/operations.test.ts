// Tests of changing and resetting the password.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { client, type Client } from '../../../test/support/client.ts'
import { mailedToken, mailsTo, newPerson, newSession, newToken, PASSWORD, sql, type Person } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

const NEW_PASSWORD = 'another long passphrase'
const anyone = client()
let person: Person
let other: Client
let api: Client
beforeEach(async () => {
  person = await newPerson()
  other = await newSession(person.user_id)
  api = client(await newToken(person, ['user:read']))
})
afterEach(async () => (await service()).clock.set(null))

const statuses = async () => Promise.all([person.client, other, api].map(async (caller) => (await caller.get('/user')).status))
const signIn = async (password: string) => (await anyone.post('/user/sign-in', { email: person.email, password })).status

describe('changing the password', () => {
  it('ends the other sessions, keeps tokens, tells the user', async () => {
    const answer = await person.client.put('/user/password', { current_password: PASSWORD, new_password: NEW_PASSWORD })
    expect([answer.status, answer.data.id]).toEqual([200, person.user_id])
    expect(JSON.stringify(answer.body)).not.toContain('argon2')
    expect(await statuses()).toEqual([200, 401, 200])
    expect([await signIn(PASSWORD), await signIn(NEW_PASSWORD)]).toEqual([401, 201])
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain('Your password was changed')
    const events = await sql(`select detail from user_events where user_id = $1 and type = 'user.password_changed'`, [person.user_id])
    expect(events).toEqual([{ detail: { by: 'change', tokens_revoked: false } }])
  })

  it('revokes tokens where asked', async () => {
    await person.client.put('/user/password', { current_password: PASSWORD, new_password: NEW_PASSWORD, revoke_tokens: true })
    expect(await statuses()).toEqual([200, 401, 401])
  })

  it('refuses a wrong, a bad and a short one, a stale session and a dry run', async () => {
    const change = (body: object, call = {}) => person.client.put('/user/password', { current_password: PASSWORD, new_password: NEW_PASSWORD, ...body }, call)
    expect((await change({ current_password: 'not the password' })).detail).toBe('The password is wrong.')
    expect((await change({ new_password: person.email })).status).toBe(400)
    expect((await change({ new_password: '123456789012' })).status).toBe(400)
    expect((await change({ new_password: 'short' })).status).toBe(422)
    expect((await change({}, { query: { dry_run: true } })).status).toBe(400)
    await sql(`update sessions set reauthenticated_at = now() - interval '11 minutes' where user_id = $1`, [person.user_id])
    expect((await change({})).status).toBe(403)
    expect(await statuses()).toEqual([200, 200, 200])
    expect(await signIn(PASSWORD)).toBe(201)
  })

})

describe('resetting the password', () => {
  it('ends every session, leaves two-factor sign-in on, voids a waiting challenge', async () => {
    await sql(`update users set two_factor_enabled = true where id = $1`, [person.user_id])
    const { data: { challenge } } = await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })
    await anyone.post('/user/password/forgot', { email: person.email.toUpperCase() })
    const token = await mailedToken(person.email)
    const answer = await anyone.post('/user/password/reset', { token, password: NEW_PASSWORD })
    expect([answer.status, Object.keys(answer.data)]).toEqual([201, ['email', 'password_changed_at']])
    expect(await statuses()).toEqual([401, 401, 200])
    expect((await anyone.post('/user/sign-in/two-factor', { challenge, recovery_code: 'aaaa-bbbb-cccc' })).detail).toContain('Sign in again')
    expect((await anyone.post('/user/sign-in', { email: person.email, password: NEW_PASSWORD })).data.two_factor_required).toBe(true)
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain('Your password was changed')
  })

  it('leaves no session to a sign-in with the old password that was under way', async () => {
    await anyone.post('/user/password/forgot', { email: person.email })
    const token = await mailedToken(person.email)
    const signingIn = Array.from({ length: 4 }, () => anyone.post('/user/sign-in', { email: person.email, password: PASSWORD }))
    const [reset, ...signedIn] = await Promise.all([anyone.post('/user/password/reset', { token, password: NEW_PASSWORD }), ...signingIn])
    expect(reset.status).toBe(201)
    const seen = await Promise.all(signedIn.map(async ({ status, data }) => (status === 201 ? (await client(data.session_token).get('/user')).status : status)))
    expect(seen).toEqual([401, 401, 401, 401])
  })

  it('works once, for one of two at once', async () => {
    await anyone.post('/user/password/forgot', { email: person.email })
    const token = await mailedToken(person.email)
    const passwords = ['first long passphrase', 'second long passphrase', 'third long passphrase']
    const answers = await Promise.all(passwords.map((password) => anyone.post('/user/password/reset', { token, password, revoke_tokens: true })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect(await signIn(passwords[answers.findIndex(({ status }) => status === 201)] ?? '')).toBe(201)
    expect(await statuses()).toEqual([401, 401, 401])
  })

  it('a bad password leaves the token good; the newest token is the only one; 30 minutes end it', async () => {
    await anyone.post('/user/password/forgot', { email: person.email })
    const first = await mailedToken(person.email)
    await anyone.post('/user/password/forgot', { email: person.email })
    const token = await mailedToken(person.email)
    expect((await anyone.post('/user/password/reset', { token: first, password: NEW_PASSWORD })).status).toBe(400)
    expect((await anyone.post('/user/password/reset', { token, password: person.email })).status).toBe(400)
    const { clock } = await service()
    clock.set(new Date(Date.now() + 30 * 60_000 + 1000).toISOString())
    expect((await anyone.post('/user/password/reset', { token, password: NEW_PASSWORD })).status).toBe(400)
    clock.set(new Date(Date.now() + 29 * 60_000).toISOString())
    expect((await anyone.post('/user/password/reset', { token, password: NEW_PASSWORD })).status).toBe(201)
  })

  it('verifies the address, since the mail arrived there', async () => {
    await sql(`update users set status = 'unverified', email_verified_at = null where id = $1`, [person.user_id])
    await anyone.post('/user/password/forgot', { email: person.email })
    await anyone.post('/user/password/reset', { token: await mailedToken(person.email), password: NEW_PASSWORD })
    const { data } = await anyone.post('/user/sign-in', { email: person.email, password: NEW_PASSWORD })
    expect(data.user).toMatchObject({ status: 'active', email_verified_at: expect.any(String) })
  })

  it('answers unknown, locked and known addresses alike', async () => {
    const locked = await newPerson()
    await sql(`update users set status = 'locked' where id = $1`, [locked.user_id])
    const answers = await Promise.all([person.email, locked.email, `${newId()}@example.com`].map(async (email) => {
      const { status, data } = await anyone.post('/user/password/forgot', { email })
      return [status, { ...data, email: data.email === email }]
    }))
    expect(answers).toEqual(answers.map(() => [201, { email: true, reset_sent: true }]))
    expect(await mailsTo(locked.email)).toEqual([])
  })
})
