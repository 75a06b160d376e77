// Tests of turning the second factor on and off.
import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { mailsTo, newBusiness, newPerson, PASSWORD, sql, type Person } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'

const anyone = client()
const codeOf = (secret: string, time: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: time })

afterEach(async () => (await service()).clock.set(null))

/** Turns it on as a person would; the clock then stands one step after the confirmed code. */
async function turnOn(person: Person): Promise<{ secret: string; codes: string[] }> {
  const { clock } = await service()
  const { data: { secret } } = await person.client.post('/user/two-factor/enroll')
  const now = clock.now().getTime()
  const { data, status } = await person.client.post('/user/two-factor/confirm', { code: codeOf(secret, now) })
  expect(status).toBe(201)
  clock.set(new Date(now + 30_000).toISOString())
  return { secret, codes: data.recovery_codes }
}

const challenge = async (person: Person) => (await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })).data.challenge as string
async function recover(person: Person, recovery_code = ''): Promise<number> {
  return (await anyone.post('/user/sign-in/two-factor', { challenge: await challenge(person), recovery_code })).status
}

describe('turning it on', () => {
  it('enroll, confirm, ten recovery codes once; nothing before the confirmation', async () => {
    const person = await newPerson()
    expect((await person.client.get('/user/two-factor')).data).toEqual({ enabled: false, recovery_codes_left: 0, enrollment_expires_at: null })
    const enrolled = await person.client.post('/user/two-factor/enroll')
    expect(enrolled.data.otpauth_uri).toContain(`secret=${enrolled.data.secret}`)
    const begun = { enabled: false, recovery_codes_left: 0, enrollment_expires_at: enrolled.data.expires_at }
    expect((await person.client.get('/user/two-factor')).data).toEqual(begun)
    expect((await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })).data.two_factor_required).toBe(false)

    const code = codeOf(enrolled.data.secret, Date.now())
    const confirmed = await Promise.all([1, 2].map(() => person.client.post('/user/two-factor/confirm', { code })))
    expect(confirmed.map(({ status }) => status).sort()).toEqual([201, 400])
    const recovery_codes: string[] = confirmed.find(({ status }) => status === 201)?.data.recovery_codes ?? []
    expect(new Set(recovery_codes).size).toBe(10)
    expect((await person.client.get('/user/two-factor')).data).toEqual({ enabled: true, recovery_codes_left: 10, enrollment_expires_at: null })
    expect((await person.client.get('/user')).data.two_factor_enabled).toBe(true)
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toContain('Two-factor sign-in was turned on')

    const stored = JSON.stringify(await sql(
      `select to_jsonb(u) as u, (select jsonb_agg(c) from recovery_codes c where c.user_id = u.id) as c from users u where id = $1`, [person.user_id]))
    for (const shown of [enrolled.data.secret, Buffer.from(enrolled.data.secret).toString('hex'), ...recovery_codes]) expect(stored).not.toContain(shown)
    // The code that confirmed it is used up.
    expect((await anyone.post('/user/sign-in/two-factor', { challenge: await challenge(person), code })).status).toBe(401)
  })

  it('refuses a wrong code, an enrollment that is over, none at all, and a second one', async () => {
    const person = await newPerson()
    expect((await person.client.post('/user/two-factor/confirm', { code: '000000' })).detail).toContain('No enrollment')
    expect((await person.client.post('/user/two-factor/recovery-codes')).status).toBe(400)
    const { data: { secret } } = await person.client.post('/user/two-factor/enroll')
    const wrong = codeOf(secret, Date.now()) === '000000' ? '111111' : '000000'
    expect((await person.client.post('/user/two-factor/confirm', { code: wrong })).detail).toContain('The code is wrong')
    const { clock } = await service()
    clock.set(new Date(Date.now() + 10 * 60_000 + 1000).toISOString())
    expect((await person.client.post('/user/two-factor/confirm', { code: codeOf(secret, clock.now().getTime()) })).detail).toContain('No enrollment')
    expect((await person.client.post('/user/two-factor/enroll')).status).toBe(403)
    clock.set(null)
    await turnOn(person)
    expect((await person.client.post('/user/two-factor/enroll')).detail).toContain('on already')
  })

  it('keeps the secrets of an answer sealed under an idempotency key', async () => {
    const person = await newPerson()
    const call = { headers: { 'idempotency-key': 'enroll-1' } }
    const first = await person.client.post('/user/two-factor/enroll', undefined, call)
    const again = await person.client.post('/user/two-factor/enroll', undefined, call)
    expect(again.data).toEqual(first.data)
    const [row] = await sql('select sealed, answer from idempotency_keys where user_id = $1', [person.user_id])
    expect([row.sealed, row.answer.includes(first.data.secret)]).toEqual([true, false])
  })
})

describe('recovery codes', () => {
  it('each works once, however it is typed, for one of two at once', async () => {
    const person = await newPerson()
    const { codes } = await turnOn(person)
    expect(await recover(person, codes[0]?.toUpperCase().replaceAll('-', ' '))).toBe(201)
    expect(await recover(person, codes[0])).toBe(401)
    const challenges = await Promise.all([challenge(person), challenge(person)])
    const answers = await Promise.all(challenges.map((waiting) => anyone.post('/user/sign-in/two-factor', { challenge: waiting, recovery_code: codes[1] })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
    expect((await person.client.get('/user/two-factor')).data.recovery_codes_left).toBe(8)
  })

  it('new ones replace the old', async () => {
    const person = await newPerson()
    const { codes } = await turnOn(person)
    const renewed = await person.client.post('/user/two-factor/recovery-codes')
    expect(renewed.data.recovery_codes).toHaveLength(10)
    expect(await recover(person, codes[0])).toBe(401)
    expect(await recover(person, renewed.data.recovery_codes[0])).toBe(201)
  })
})

describe('turning it off', () => {
  it('needs the password and a code', async () => {
    const person = await newPerson()
    const { secret, codes } = await turnOn(person)
    const off = (body: object, call = {}) => person.client.delete('/user/two-factor', { body: { password: PASSWORD, ...body }, ...call })
    const code = codeOf(secret, (await service()).clock.now().getTime())
    expect((await off({ password: 'not the password', code })).detail).toBe('The password is wrong.')
    expect((await off({ recovery_code: 'aaaa-bbbb-cccc' })).detail).toContain('The code is wrong')
    expect((await off({})).status).toBe(422)
    expect((await off({ code }, { query: { dry_run: true } })).status).toBe(400)
    const failures = await sql(`select id from user_events where user_id = $1 and type = 'user.sign_in_failed'`, [person.user_id])
    expect(failures).toHaveLength(2)
    expect((await off({ code })).data).toEqual({ enabled: false, recovery_codes_left: 0, enrollment_expires_at: null })
    expect((await off({})).data.enabled).toBe(false)
    expect((await anyone.post('/user/sign-in', { email: person.email, password: PASSWORD })).data.two_factor_required).toBe(false)
    expect(await sql('select * from recovery_codes where user_id = $1', [person.user_id])).toEqual([])
    expect(codes).toHaveLength(10)
    const events = await sql(`select type from user_events where user_id = $1 and type like '%two_factor%' order by at`, [person.user_id])
    expect(events.map(({ type }) => type)).toEqual(['user.two_factor_enabled', 'user.two_factor_disabled'])
  })

  it('is refused where a business requires it, by name', async () => {
    const team = await newBusiness()
    const { codes } = await turnOn(team.owner)
    await sql(`update businesses set name = 'Careful Company', settings = '{"security": {"require_two_factor": true}}' where id = $1`, [team.business_id])
    const refused = await team.owner.client.delete('/user/two-factor', { body: { password: PASSWORD, recovery_code: codes[0] } })
    expect([refused.status, refused.detail]).toEqual([403, 'Two-factor sign-in is required by Careful Company.'])
    expect((await team.owner.client.get('/user/two-factor')).data).toMatchObject({ enabled: true, recovery_codes_left: 10 })
  })
})
