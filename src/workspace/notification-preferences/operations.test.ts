// Tests of preferences over HTTP.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client, type Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newPerson, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { TOPICS } from '../notification-kinds/contract.ts'
import { unsubscribeToken } from './rules.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})
afterEach(async () => (await service()).clock.set(null))

async function somebody(): Promise<{ person: Person; mine: Client }> {
  const person = await newMember(team.business_id, 'viewer')
  return { person, mine: client(person.token) }
}
const rowOf = (data: any, topic: string, business_id: string | null = null) => data.preferences.find((row: any) => row.topic === topic && row.business_id === business_id)
const save = (by: Client, ...preferences: object[]) => by.put('/notification-preferences', { preferences })

describe('the matrix', () => {
  it('shows the defaults, and that mail about security is fixed', async () => {
    const { mine } = await somebody()
    const { data } = await mine.get('/notification-preferences')
    expect(data.preferences.map(({ topic }: any) => topic)).toEqual([...TOPICS])
    expect(rowOf(data, 'invoice')).toEqual({
      topic: 'invoice', business_id: null, in_app: true, email: true, digest: true, min_severity: 'warning',
      sources: { in_app: 'default', email: 'default', digest: 'default', min_severity: 'default' },
    })
    expect(rowOf(data, 'security').sources).toMatchObject({ email: 'fixed', min_severity: 'fixed', digest: 'default' })
    expect(data).toMatchObject({ digest: { frequency: 'daily', hour: 8, weekday: 0 }, quiet_hours: null, timezone: { value: 'UTC', source: 'default' }, version: 0, updated_at: null })
  })

  it('is saved value by value, for all businesses or one, and says where each comes from', async () => {
    const { mine } = await somebody()
    await save(mine, { topic: 'task', email: false, min_severity: 'critical' }, { topic: 'task', business_id: team.business_id, email: true })
    const { data } = await save(mine, { topic: 'task', digest: false })
    expect(rowOf(data, 'task')).toMatchObject({ email: false, digest: false, min_severity: 'critical', sources: { in_app: 'default', email: 'topic', digest: 'topic', min_severity: 'topic' } })
    expect(rowOf(data, 'task', team.business_id)).toMatchObject({ email: true, digest: false, sources: { email: 'business', digest: 'topic', in_app: 'default' } })
    const there = (await mine.get('/notification-preferences', { business_id: team.business_id })).data
    expect(there.preferences.map(({ business_id }: any) => business_id)).toEqual(TOPICS.map(() => team.business_id))
    const cleared = (await save(mine, { topic: 'task', email: null })).data
    expect(rowOf(cleared, 'task')).toMatchObject({ email: true, sources: { email: 'default', digest: 'topic' } })
    const whole = (await mine.get('/notification-preferences')).data
    expect((await save(mine, ...whole.preferences)).status).toBe(200)
  })

  it('keeps mail about security and critical billing on', async () => {
    const { mine } = await somebody()
    for (const given of [{ topic: 'security', email: false }, { topic: 'security', min_severity: 'critical' }, { topic: 'billing', email: false }]) {
      const answer = await save(mine, { topic: 'task', email: false }, given)
      expect([answer.status, answer.detail]).toEqual([400, expect.stringMatching(/security|billing/)])
    }
    expect(rowOf((await mine.get('/notification-preferences')).data, 'task').email).toBe(true)
    expect((await save(mine, { topic: 'billing', min_severity: 'critical' })).status).toBe(200)
    expect((await save(mine, { topic: 'task' }, { topic: 'task' })).status).toBe(400)
    expect((await save(mine, { topic: 'weather' })).detail[0]).toMatchObject({ loc: ['body', 'preferences', 0, 'topic'], type: 'enum' })
    expect((await save(mine)).status).toBe(422)
  })

  it('knows no business that the caller is not in', async () => {
    const { mine } = await somebody()
    const foreign = (await newBusiness()).business_id
    for (const business_id of [foreign, newId()]) {
      expect((await save(mine, { topic: 'task', business_id, email: false })).status).toBe(404)
      expect((await mine.get('/notification-preferences', { business_id })).status).toBe(404)
      expect((await mine.delete('/notification-preferences', { query: { business_id } })).status).toBe(404)
    }
  })

  it('goes back to the defaults, of one business or altogether', async () => {
    const { mine } = await somebody()
    await save(mine, { topic: 'task', email: false }, { topic: 'task', business_id: team.business_id, in_app: false })
    await mine.put('/notification-preferences/digest', { digest: { frequency: 'off' } })
    const there = (await mine.delete('/notification-preferences', { query: { business_id: team.business_id } })).data
    expect(rowOf(there, 'task', team.business_id)).toMatchObject({ in_app: true, email: false })
    expect(there.digest.frequency).toBe('off')
    const { data } = await mine.delete('/notification-preferences')
    expect(rowOf(data, 'task').email).toBe(true)
    expect(data.digest).toEqual({ frequency: 'daily', hour: 8, weekday: 0 })
  })

  it('two who save at once lose nothing', async () => {
    const { mine } = await somebody()
    await Promise.all([save(mine, { topic: 'task', email: false }), save(mine, { topic: 'task', digest: false }), save(mine, { topic: 'cash', email: false })])
    const { data } = await mine.get('/notification-preferences')
    expect([rowOf(data, 'task'), rowOf(data, 'cash')]).toMatchObject([{ email: false, digest: false }, { email: false }])
  })
})

describe('digest and quiet hours', () => {
  it('are set member by member', async () => {
    const { mine } = await somebody()
    await mine.put('/notification-preferences/digest', { digest: { frequency: 'weekly', weekday: 4 }, quiet_hours: { from: '22:00', to: '06:30' }, timezone: 'Europe/Vienna' })
    const { data } = await mine.put('/notification-preferences/digest', { digest: { hour: 7 } })
    expect(data).toMatchObject({ digest: { frequency: 'weekly', weekday: 4, hour: 7 }, quiet_hours: { from: '22:00', to: '06:30' }, timezone: { value: 'Europe/Vienna', source: 'set' } })
    expect((await mine.put('/notification-preferences/digest', { quiet_hours: null, timezone: null })).data).toMatchObject({ quiet_hours: null, timezone: { source: 'default' } })
    await mine.put('/user', { timezone: 'Asia/Tokyo' })
    expect((await mine.get('/notification-preferences')).data.timezone).toEqual({ value: 'Asia/Tokyo', source: 'profile' })
    expect((await mine.put('/notification-preferences/digest', { timezone: 'Mars/Base' })).status).toBe(400)
    expect((await mine.put('/notification-preferences/digest', { quiet_hours: { from: '10:00', to: '10:00' } })).status).toBe(400)
    for (const wrong of [{ digest: { hour: 24 } }, { digest: { weekday: 7 } }, { digest: { frequency: 'hourly' } }, { quiet_hours: { from: '9:00', to: '10:00' } }, { quiet_hours: { from: '09:00' } }]) {
      expect((await mine.put('/notification-preferences/digest', wrong)).status).toBe(422)
    }
  })

  it('with a tag, not over what somebody else has saved', async () => {
    const { mine } = await somebody()
    const { headers } = await mine.get('/notification-preferences')
    const call = { headers: { 'if-match': headers.get('etag') ?? '' } }
    expect((await mine.put('/notification-preferences/digest', { digest: { hour: 9 } }, call)).status).toBe(200)
    expect((await mine.put('/notification-preferences/digest', { digest: { hour: 10 } }, call)).status).toBe(412)
  })
})

describe('the sample', () => {
  it('is mailed to the caller, one a minute', async () => {
    const { clock } = await service()
    const { person, mine } = await somebody()
    const answer = await mine.post('/notification-preferences/test')
    expect([answer.status, answer.data]).toEqual([201, { email: person.email, sent: true }])
    expect(await sql('select subject from mails where recipient = $1', [person.email])).toEqual([{ subject: 'A sample notification' }])
    const again = await mine.post('/notification-preferences/test')
    expect([again.status, Number(again.headers.get('retry-after'))]).toEqual([429, expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 60)])
    expect(await Promise.all([mine.post('/notification-preferences/test'), mine.post('/notification-preferences/test')]).then((answers) => answers.map(({ status }) => status))).toEqual([429, 429])
    clock.set(new Date(Date.now() + 61_000).toISOString())
    expect((await mine.post('/notification-preferences/test')).status).toBe(201)
  })

  it('goes to no address that nobody has verified', async () => {
    const person = await newPerson()
    await sql(`update users set email_verified_at = null, status = 'unverified' where id = $1`, [person.user_id])
    expect((await person.client.post('/notification-preferences/test')).status).toBe(403)
    expect(await sql('select 1 from mails where recipient = $1', [person.email])).toEqual([])
  })
})

describe('unsubscribing', () => {
  const tokenFor = async (user_id: string, topic: (typeof TOPICS)[number] | null) => unsubscribeToken((await service()).program.database.surroundings.encryption_key, { user_id, topic })
  const click = (token: string) => client().call('POST', '/notification-preferences/unsubscribe', {
    query: { token }, raw: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

  it('takes one click as a mail program makes it: that topic, everywhere; and it stays so', async () => {
    const { person, mine } = await somebody()
    await save(mine, { topic: 'task', business_id: team.business_id, email: true, digest: false })
    const token = await tokenFor(person.user_id, 'task')
    for (let round = 0; round < 2; round++) {
      const answer = await click(token)
      expect([answer.status, answer.data]).toEqual([201, { unsubscribed: 'topic', topic: 'task' }])
    }
    const { data } = await mine.get('/notification-preferences')
    expect([rowOf(data, 'task'), rowOf(data, 'task', team.business_id), rowOf(data, 'invoice')]).toMatchObject([{ email: false, in_app: true }, { email: false, digest: false }, { email: true }])
  })

  it('of the digest, and of billing what is not critical', async () => {
    const { person, mine } = await somebody()
    expect((await click(await tokenFor(person.user_id, null))).data).toEqual({ unsubscribed: 'digest', topic: null })
    await click(await tokenFor(person.user_id, 'billing'))
    const { data } = await mine.get('/notification-preferences')
    expect(data.digest.frequency).toBe('off')
    expect(rowOf(data, 'billing')).toMatchObject({ email: true, min_severity: 'critical' })
  })

  it('needs a token of ours', async () => {
    const token = await tokenFor(team.owner.user_id, 'task')
    for (const wrong of ['nonsense', token.slice(0, -5), `B${token.slice(1)}`]) expect((await click(wrong)).status).toBe(400)
    expect((await client().post('/notification-preferences/unsubscribe')).status).toBe(422)
  })

  it('on a page, only by its button', async () => {
    const { person, mine } = await somebody()
    const { url } = await service()
    const token = await tokenFor(person.user_id, 'cash')
    const page = await fetch(`${url}/unsubscribe?token=${token}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Stop mail about cash?')])
    expect(rowOf((await mine.get('/notification-preferences')).data, 'cash').email).toBe(true)
    const done = await fetch(`${url}/unsubscribe`, { method: 'POST', body: new URLSearchParams({ token }) })
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('no more mail about cash')])
    expect(rowOf((await mine.get('/notification-preferences')).data, 'cash').email).toBe(false)
    expect((await fetch(`${url}/unsubscribe?token=wrong`)).status).toBe(400)
  })
})
