// Tests of signing up and verifying the address.
import { afterEach, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { mailedToken, mailsTo, newPerson, PASSWORD, sql } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

const anyone = client()
const newAddress = () => `${newId()}@example.com`
const signUp = (email: string, more: object = {}) => anyone.post('/user/sign-up', { email, password: PASSWORD, name: 'Nia New', ...more })

afterEach(async () => (await service()).clock.set(null))

describe('sign-up', () => {
  it('makes an unverified user who can sign in, and mails a token', async () => {
    const email = newAddress()
    const answer = await signUp(email)
    expect([answer.status, answer.data]).toEqual([201, { email, verification_sent: true }])
    const signedIn = await anyone.post('/user/sign-in', { email, password: PASSWORD })
    expect(signedIn.data.user).toMatchObject({ email, name: 'Nia New', status: 'unverified', email_verified_at: null, two_factor_enabled: false })
    const [mail] = (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Verify'))
    expect(mail?.text_body).toContain(`${(await service()).url}/verify-email?token=`)
    expect(mail?.text_body).not.toContain('Nia')
  })

  it('answers a known address the same, changes nothing and tells its owner', async () => {
    const person = await newPerson('Known Person')
    const known = await signUp(person.email.toUpperCase(), { password: 'another long passphrase' })
    const fresh = newAddress()
    const unknown = await signUp(fresh)
    expect(known.status).toBe(unknown.status)
    expect({ ...known.body.data, email: '' }).toEqual({ ...unknown.body.data, email: '' })
    expect([...known.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort())
    expect(await mailsTo(person.email)).toMatchObject([{ subject: 'You already have an account' }])
    expect((await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })).data.user.name).toBe('Known Person')
  })

  it('two at once with one address make one user', async () => {
    const email = newAddress()
    const answers = await Promise.all([signUp(email), signUp(email), signUp(email.toUpperCase())])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await sql('select count(*)::int as count from users where lower(email) = $1', [email])).toEqual([{ count: 1 }])
  })

  it('stops mailing the owner of an address after ten mails in an hour', async () => {
    const { email } = await newPerson()
    await Promise.all(Array.from({ length: 3 }, () => anyone.post('/user/password/forgot', { email })))
    for (let count = 0; count < 10; count++) expect((await anyone.post('/user/password/forgot', { email })).status).toBe(201)
    expect(await mailsTo(email)).toHaveLength(10)
  })

  it.each([
    ['the address as password', (email: string) => ({ password: email }), 400],
    ['the address in capitals', (email: string) => ({ password: email.toUpperCase() }), 400],
    ['a common password', () => ({ password: 'passwordpassword' }), 400],
    ['11 characters', () => ({ password: 'short-pass1' }), 422],
    ['129 characters', () => ({ password: 'x y'.repeat(43) }), 422],
    ['no name', () => ({ name: '' }), 422],
    ['a quoted address', () => ({ email: '"a b"@example.com' }), 422],
    ['an address without a domain', () => ({ email: 'closed-1@invalid' }), 422],
  ])('refuses %s', async (_what, input, status) => {
    const email = newAddress()
    expect((await signUp(email, input(email))).status).toBe(status)
    expect(await sql('select id from users where email = $1', [email])).toEqual([])
  })
})

describe('verification', () => {
  it('verifies once; the second of two at once is refused', async () => {
    const email = newAddress()
    await signUp(email)
    const token = await mailedToken(email)
    const answers = await Promise.all([1, 2, 3].map(() => anyone.post('/user/verify-email', { token })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect(answers.find(({ status }) => status === 201)?.data).toMatchObject({ email, email_verified_at: expect.any(String) })
    expect(await sql('select status from users where email = $1', [email])).toEqual([{ status: 'active' }])
    const types = await sql('select e.type from user_events e join users u on u.id = e.user_id where u.email = $1 order by e.at', [email])
    expect(types.map(({ type }) => type)).toEqual(['user.created', 'user.verified'])
  })

  it('keeps only the hash of the token', async () => {
    const email = newAddress()
    await signUp(email)
    const token = await mailedToken(email)
    expect(token).toMatch(/^[\w-]{43}$/)
    const [row] = await sql('select t.* from mail_tokens t join users u on u.id = t.user_id where u.email = $1', [email])
    expect(JSON.stringify(row)).not.toContain(token)
  })

  it('refuses an unknown, a foreign and an expired token', async () => {
    const email = newAddress()
    await signUp(email)
    const token = await mailedToken(email)
    expect((await anyone.post('/user/verify-email', { token: 'nonsense' })).status).toBe(400)
    expect((await anyone.post('/user/password/reset', { token, password: 'another long passphrase' })).status).toBe(400)
    const { clock } = await service()
    clock.set(new Date(Date.now() + 48 * 3_600_000 + 1000).toISOString())
    expect((await anyone.post('/user/verify-email', { token })).status).toBe(400)
  })

  it('resends alike to everybody, and only the newest token works', async () => {
    const email = newAddress()
    await signUp(email)
    const first = await mailedToken(email)
    const known = await anyone.post('/user/resend-verification', { email })
    const unknown = await anyone.post('/user/resend-verification', { email: newAddress() })
    expect([known.status, known.data.verification_sent]).toEqual([unknown.status, unknown.data.verification_sent])
    expect((await anyone.post('/user/verify-email', { token: first })).status).toBe(400)
    expect((await anyone.post('/user/verify-email', { token: await mailedToken(email) })).status).toBe(201)
    await anyone.post('/user/resend-verification', { email })
    expect((await mailsTo(email)).length).toBe(2)
  })
})
