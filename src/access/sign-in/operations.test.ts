// Tests of signing in. They run on a server that believes X-Forwarded-For, so that each test has an address of its own to fail from.
import { argon2Sync } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client, type Call } from '../../../test/support/client.ts'
import { mailsTo, newPerson, PASSWORD, sql, type Person } from '../../../test/support/people.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { seal } from '../../foundation/secrets.ts'
import { newTotpSecret } from '../../foundation/totp.ts'

let own: Service
let addresses = 0
beforeAll(async () => {
  own = await startService({ DAYBOOK_TRUST_PROXY: 'true' })
})
afterAll(() => own.program.stop())
afterEach(() => own.clock.set(null))

/** A caller from an address that nobody else has. */
function stranger() {
  const ip = `2001:db8::${newId().slice(-4)}:${(++addresses).toString(16)}`
  const post = (path: string, body: unknown, call: Call = {}) =>
    client(call.token ?? null, null, own.url).post(path, body, { ...call, headers: { 'x-forwarded-for': ip, ...call.headers } })
  return { ip, post, signIn: (email: string, password = PASSWORD, call: Call = {}) => post('/user/sign-in', { email, password }, call) }
}

const codeAt = (secret: string, time: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: time })

/** A person whose password was hashed long ago at a low cost, so that many guesses take little time. */
async function newOldPerson(): Promise<Person> {
  const person = await newPerson()
  await sql('update users set password_hash = $2 where id = $1', [person.user_id, CHEAP_HASH])
  return person
}

const nonce = Buffer.from('a salt of old')
const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const cheap = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, memory: 8, passes: 1, parallelism: 1 })
const CHEAP_HASH = `$argon2id$v=19$m=8,t=1,p=1$${plain(nonce)}$${plain(cheap)}`

/** A person with two-factor sign-in on. */
async function newCarefulPerson(): Promise<Person & { secret: string }> {
  const person = await newOldPerson()
  const secret = newTotpSecret()
  const sealed = seal(Buffer.alloc(32, 7), secret, `users.totp_secret ${person.user_id}`)
  await sql('update users set two_factor_enabled = true, totp_secret = $2 where id = $1', [person.user_id, sealed])
  return { ...person, secret }
}

describe('sign-in', () => {
  it('starts a session: bearer, cookie, profile, event, mail to a new device', async () => {
    const person = await newPerson()
    const { signIn, ip } = stranger()
    const answer = await signIn(person.email.toUpperCase(), PASSWORD, { headers: { 'user-agent': 'test browser' } })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({ two_factor_required: false, user: { id: person.user_id, last_sign_in_at: expect.any(String) } })
    expect(answer.data.session_token).toMatch(/^dbs_[\w-]{43}$/)
    expect(Date.parse(answer.data.expires_at) - Date.now()).toBeGreaterThan(89.9 * 86_400_000)
    expect(answer.headers.get('set-cookie')).toBe(`daybook_session=${answer.data.session_token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000`)
    expect(JSON.stringify(answer.body)).not.toMatch(/argon2|password_hash|totp_/)
    expect((await client(answer.data.session_token, null, own.url).get('/user')).data.id).toBe(person.user_id)
    const events = await sql('select type, ip, user_agent from user_events where user_id = $1', [person.user_id])
    expect(events).toEqual([{ type: 'user.signed_in', ip, user_agent: 'test browser' }])
    expect((await mailsTo(person.email))[0]?.text_body).toContain(ip)
    await signIn(person.email, PASSWORD, { headers: { 'user-agent': 'test browser' } })
    expect(await mailsTo(person.email)).toHaveLength(1)
  })

  it('stores no secret in the open', async () => {
    const person = await newPerson()
    const { data } = await stranger().signIn(person.email)
    const rows = JSON.stringify(await sql('select to_jsonb(s) as s from sessions s where user_id = $1', [person.user_id]))
    expect(rows).not.toContain(data.session_token)
    expect(rows).not.toContain(data.csrf_token)
  })

  it('answers a wrong password, an unknown address, a locked and a closed account alike', async () => {
    const [known, locked] = await Promise.all([newPerson(), newPerson()])
    await sql(`update users set status = 'locked' where id = $1`, [locked.user_id])
    const { signIn } = stranger()
    const answers = [
      await signIn(known.email, 'not the password'),
      await signIn(`${newId()}@example.com`, 'not the password'),
      await signIn(locked.email),
      await signIn(`closed-${known.user_id}@example.invalid`),
    ]
    const same = [401, { detail: 'The e-mail address or the password is wrong.' }]
    expect(answers.map(({ status, body }) => [status, body])).toEqual([same, same, same, same])
    expect(answers.every(({ headers }) => headers.get('set-cookie') === null)).toBe(true)
    const failed = await sql('select type, detail from user_events where user_id = $1', [known.user_id])
    expect(failed).toEqual([{ type: 'user.sign_in_failed', detail: { step: 'password' } }])
  })

  it('does the same work for an unknown address', async () => {
    const person = await newPerson()
    const { signIn } = stranger()
    const time = async (email: string) => {
      const begun = performance.now()
      await signIn(email, 'not the password')
      return performance.now() - begun
    }
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let round = 0; round < 4; round++) {
      known.push(await time(person.email))
      unknown.push(await time(`${newId()}@example.com`))
    }
    // The fastest of each shows the work that is always done; without it an unknown address would take a tenth.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3)
  })

  it('refuses what would leave the guess uncounted', async () => {
    const person = await newPerson()
    const { post } = stranger()
    const body = { email: person.email, password: PASSWORD }
    expect((await post('/user/sign-in', body, { query: { dry_run: true } })).status).toBe(400)
    expect((await post('/user/sign-in', body, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await post('/user/sign-in', { email: 'nobody', password: '' })).status).toBe(422)
  })

  it('raises an old hash to the present cost', async () => {
    const person = await newOldPerson()
    expect((await stranger().signIn(person.email)).status).toBe(201)
    const [row] = await sql('select password_hash from users where id = $1', [person.user_id])
    expect(row.password_hash).toContain('m=19456,t=2')
    expect((await stranger().signIn(person.email)).status).toBe(201)
  })
})

describe('guessing', () => {
  it('allows ten failures per account in 15 minutes, however many come at once and from wherever', async () => {
    const person = await newOldPerson()
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, index) => stranger().signIn(person.email, `guess number ${index}`)))
    const statuses = guesses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
    const blocked = await stranger().signIn(person.email)
    expect(blocked.status).toBe(429)
    const wait = Number(blocked.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(800)
    expect(wait).toBeLessThanOrEqual(900)
    own.clock.set(new Date(Date.now() + (wait + 1) * 1000).toISOString())
    expect((await stranger().signIn(person.email)).status).toBe(201)
  })

  it('counts an unknown address like a known one', async () => {
    const email = `${newId()}@example.com`
    const guesses = await Promise.all(Array.from({ length: 12 }, () => stranger().signIn(email, 'some guess or other')))
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(2)
  })

  it('allows fifty failures per address, over any number of accounts', async () => {
    const { ip, signIn } = stranger()
    const person = await newPerson()
    // 45 written by hand: each real one costs a hash.
    await sql(
      `insert into sign_in_attempts (id, account_hash, ip, at)
       select gen_random_uuid(), sha256(n::text::bytea), $1, now() from generate_series(1, 45) n`, [ip])
    const guesses = await Promise.all(Array.from({ length: 12 }, () => signIn(`${newId()}@example.com`, 'some guess or other')))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
    expect((await signIn(person.email)).status).toBe(429)
    expect((await stranger().signIn(person.email)).status).toBe(201)
  })

  it('counts wrong passwords of reauthenticate too', async () => {
    const person = await newOldPerson()
    const { post } = stranger()
    const guesses = await Promise.all(Array.from({ length: 13 }, () => post('/user/reauthenticate', { password: 'not the password' }, { token: person.token })))
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(3)
    expect((await stranger().signIn(person.email)).status).toBe(429)
  })
})

describe('the second factor', () => {
  it('a challenge, then a code; the same code again is a 401', async () => {
    const person = await newCarefulPerson()
    const { signIn, post } = stranger()
    own.clock.set(new Date().toISOString())
    const first = await signIn(person.email)
    expect(first.data).toEqual({ two_factor_required: true, challenge: expect.any(String), challenge_expires_at: expect.any(String) })
    expect(first.headers.get('set-cookie')).toBeNull()
    const code = codeAt(person.secret, own.clock.now().getTime())
    const done = await post('/user/sign-in/two-factor', { challenge: first.data.challenge, code })
    expect([done.status, done.data.user.id]).toEqual([201, person.user_id])
    expect((await client(done.data.session_token, null, own.url).get('/user')).status).toBe(200)

    const second = await signIn(person.email)
    expect((await post('/user/sign-in/two-factor', { challenge: second.data.challenge, code })).status).toBe(401)
    const earlier = codeAt(person.secret, own.clock.now().getTime() - 30_000)
    expect((await post('/user/sign-in/two-factor', { challenge: second.data.challenge, code: earlier })).status).toBe(401)
    own.clock.set(new Date(own.clock.now().getTime() + 30_000).toISOString())
    const later = codeAt(person.secret, own.clock.now().getTime())
    expect((await post('/user/sign-in/two-factor', { challenge: second.data.challenge, code: later })).status).toBe(201)
    expect((await post('/user/sign-in/two-factor', { challenge: second.data.challenge, code: later })).status).toBe(401)
  })

  it('two at once with one code: one session', async () => {
    const person = await newCarefulPerson()
    const { signIn, post } = stranger()
    const challenges = await Promise.all([signIn(person.email), signIn(person.email)])
    const code = codeAt(person.secret, Date.now())
    const answers = await Promise.all(challenges.map(({ data }) => post('/user/sign-in/two-factor', { challenge: data.challenge, code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
  })

  it('allows five tries, then wants a new sign-in', async () => {
    const person = await newCarefulPerson()
    const { signIn, post } = stranger()
    const { data } = await signIn(person.email)
    const tries = await Promise.all(Array.from({ length: 8 }, () => post('/user/sign-in/two-factor', { challenge: data.challenge, code: '000000' })))
    expect(tries.every(({ status }) => status === 401)).toBe(true)
    expect(tries.filter(({ detail }) => detail.startsWith('The code is wrong'))).toHaveLength(5)
    const right = { challenge: data.challenge, code: codeAt(person.secret, Date.now()) }
    expect((await post('/user/sign-in/two-factor', right)).status).toBe(401)
    const again = await signIn(person.email)
    expect((await post('/user/sign-in/two-factor', { ...right, challenge: again.data.challenge })).status).toBe(201)
  })

  it('counts wrong codes over challenges: no more than ten in all', async () => {
    const person = await newCarefulPerson()
    const { signIn, post } = stranger()
    const challenges = [await signIn(person.email), await signIn(person.email), await signIn(person.email)]
    const wrong = challenges.flatMap(({ data }) => Array.from({ length: 5 }, () => ({ challenge: data.challenge, code: '000000' })))
    const tries = await Promise.all(wrong.map((body) => post('/user/sign-in/two-factor', body)))
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(5)
    expect((await signIn(person.email)).status).toBe(429)
  })

  it('refuses an unknown and an expired challenge, a missing code and a dry run', async () => {
    const person = await newCarefulPerson()
    const { signIn, post } = stranger()
    const { data: { challenge } } = await signIn(person.email)
    expect((await post('/user/sign-in/two-factor', { challenge: 'unknown', code: '123456' })).status).toBe(401)
    expect((await post('/user/sign-in/two-factor', { challenge })).detail).toMatchObject([{ loc: ['body', 'code'], type: 'missing' }])
    const code = codeAt(person.secret, Date.now())
    expect((await post('/user/sign-in/two-factor', { challenge, code }, { query: { dry_run: true } })).status).toBe(400)
    own.clock.set(new Date(Date.now() + 5 * 60_000 + 1000).toISOString())
    expect((await post('/user/sign-in/two-factor', { challenge, code: codeAt(person.secret, own.clock.now().getTime()) })).status).toBe(401)
  })
})

describe('sessions at the gate', () => {
  it('a cookie needs the second token for writes', async () => {
    const person = await newPerson()
    const { data } = await stranger().signIn(person.email)
    const browser = client(null, null, own.url)
    const cookie = `daybook_session=${data.session_token}`
    expect((await browser.get('/user', {}, { headers: { cookie } })).status).toBe(200)
    expect((await browser.put('/user', { name: 'By Cookie' }, { headers: { cookie } })).status).toBe(403)
    expect((await browser.put('/user', { name: 'By Cookie' }, { headers: { cookie, 'x-csrf-token': 'wrong' } })).status).toBe(403)
    const written = await browser.put('/user', { name: 'By Cookie' }, { headers: { cookie, 'x-csrf-token': data.csrf_token } })
    expect([written.status, written.data.name]).toEqual([200, 'By Cookie'])
    const out = await browser.post('/user/sign-out', undefined, { headers: { cookie, 'x-csrf-token': data.csrf_token } })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await browser.get('/user', {}, { headers: { cookie } })).status).toBe(401)
  })

  it('ends 14 days after its last use and 90 days after its start', async () => {
    const person = await newPerson()
    const { data } = await stranger().signIn(person.email)
    const caller = client(data.session_token, null, own.url)
    const started = Date.parse(data.expires_at) - 90 * 86_400_000
    const at = async (days: number, seconds: number) => {
      own.clock.set(new Date(started + days * 86_400_000 + seconds * 1000).toISOString())
      return (await caller.get('/user')).status
    }
    expect(await at(14, 1)).toBe(401)
    await sql(`update sessions set last_seen_at = last_seen_at + interval '80 days' where user_id = $1`, [person.user_id])
    expect(await at(90, -1)).toBe(200)
    expect(await at(90, 1)).toBe(401)
  })

  it('reauthenticate opens the ten minutes again', async () => {
    const person = await newPerson()
    const { data } = await stranger().signIn(person.email)
    const { post } = stranger()
    const enroll = () => post('/user/two-factor/enroll', undefined, { token: data.session_token })
    own.clock.set(new Date(Date.now() + 10 * 60_000).toISOString())
    expect((await enroll()).status).toBe(403)
    expect((await post('/user/reauthenticate', { password: 'not the password' }, { token: data.session_token })).status).toBe(400)
    expect((await enroll()).status).toBe(403)
    const answer = await post('/user/reauthenticate', { password: PASSWORD }, { token: data.session_token })
    expect(Date.parse(answer.data.fresh_until) - Date.parse(answer.data.reauthenticated_at)).toBe(600_000)
    expect((await enroll()).status).toBe(201)
  })

  it('reauthenticate wants the second factor where it is on', async () => {
    const person = await newCarefulPerson()
    const { post } = stranger()
    const again = (body: object) => post('/user/reauthenticate', { password: PASSWORD, ...body }, { token: person.token })
    expect((await again({})).detail).toContain('code')
    expect((await again({ code: '000000' })).status).toBe(400)
    expect((await again({ recovery_code: 'aaaa-bbbb-cccc' })).status).toBe(400)
    const code = codeAt(person.secret, Date.now())
    expect((await again({ code })).status).toBe(201)
    expect((await again({ code })).status).toBe(400)
  })
})
