// Tests of mail and digests, by the rows of the mailbox: what is written to whom, when, and that it is written once.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { client, type Client } from '../../../test/support/client.ts'
import { raise } from '../../../test/support/notifications.ts'
import { newBusiness, newMember, newSession, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { openLog } from '../../foundation/log.ts'
import { sendDueNotifications } from './jobs.ts'

let team: Team
let person: Person
let mine: Client
beforeAll(async () => {
  team = await newBusiness()
  await sql(`update users set status = 'unverified' where id = $1`, [team.owner.user_id])
})
beforeEach(async () => {
  ;(await service()).clock.set('2026-03-10T10:00:00Z')
  person = await newMember(team.business_id, 'bookkeeper')
  mine = client(person.token)
})
afterEach(async () => {
  ;(await service()).clock.set(null)
  await sql(`delete from memberships where business_id = $1 and user_id = $2`, [team.business_id, person.user_id])
})

const at = async (now: string) => (await service()).clock.set(now)
const mails = (): Promise<{ subject: string; text_body: string; headers: Record<string, string> | null; business_id: string | null }[]> =>
  sql('select subject, text_body, headers, business_id from mails where recipient = $1 order by created_at, id', [person.email])
const subjects = async () => (await mails()).map(({ subject }) => subject)
/** Several workers at once, as often as the clock would. */
async function work(): Promise<void> {
  const { database } = (await service()).program
  const run = () => sendDueNotifications.run({ database, log: openLog('silent'), mailer: null, job_id: 'test' }, {} as never)
  await Promise.all([run(), run(), run()])
  await run()
}
const happen = async (type: string, data: Record<string, unknown> = {}) => raise(team.business_id, type, data, undefined, (await service()).clock.now().toISOString())
const set = (body: object) => mine.put('/notification-preferences/digest', body)

describe('mail', () => {
  it('from warning on, with a way to stop it, between Daybook and the person', async () => {
    await happen('accounting_period.closed', { name: '2026-02' })
    expect(await subjects()).toEqual([])
    await happen('recurring.failed', { name: 'Rent', last_error: 'The period is closed.' })
    const [mail] = await mails()
    expect(mail?.subject).toBe('Test Trading: A recurring document was not made: Rent')
    expect(mail?.business_id).toBeNull()
    const { url } = await service()
    expect(mail?.text_body).toContain('The period is closed.')
    expect(mail?.text_body).toContain(`${url}/recurring/`)
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': expect.stringMatching(/^<http:\/\/.+\/api\/v1\/notification-preferences\/unsubscribe\?token=[\w-]+>$/), 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    const address = mail?.headers?.['List-Unsubscribe']?.slice(1, -1) ?? ''
    expect((await fetch(address, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })).status).toBe(201)
    await happen('recurring.failed', { name: 'Insurance' })
    expect(await subjects()).toHaveLength(1)
    expect((await mine.get('/sandbox/mail')).data.items[0].headers).toEqual(mail?.headers)
  })

  it('not to addresses that nobody has verified, nor of what happened long ago, nor by those who want none', async () => {
    await happen('dispute.opened')
    expect(await sql('select 1 from mails where recipient = $1 and subject like $2', [team.owner.email, '%disputes%'])).toEqual([])
    expect(await subjects()).toEqual(['Test Trading: A customer disputes a payment'])
    await raise(team.business_id, 'dispute.opened', {}, undefined, '2026-03-08T00:00:00Z')
    expect(await subjects()).toHaveLength(1)
    await mine.put('/notification-preferences', { preferences: [{ topic: 'payment', business_id: team.business_id, email: false, in_app: false }] })
    await happen('dispute.opened')
    expect(await subjects()).toHaveLength(1)
    expect((await mine.get('/notifications', { topic: 'payment' })).data.items).toHaveLength(2)
  })

  it('waits for the end of quiet hours, unless it is critical; what was seen meanwhile is not sent', async () => {
    await set({ quiet_hours: { from: '09:00', to: '17:00' } })
    await happen('dispute.opened')
    expect(await subjects()).toHaveLength(1)
    await happen('recurring.failed', { name: 'Seen' })
    await happen('recurring.failed', { name: 'Held' })
    const [{ id }] = (await mine.get('/notifications')).data.items.filter(({ title }: { title: string }) => title.includes('Seen'))
    await mine.put(`/notifications/${id}/read`)
    await at('2026-03-10T16:59:00Z')
    await work()
    expect(await subjects()).toHaveLength(1)
    await at('2026-03-10T17:00:00Z')
    await work()
    expect((await subjects()).slice(1)).toEqual(['Test Trading: A recurring document was not made: Held'])
  })

  it('is not sent to somebody who has left meanwhile', async () => {
    await set({ quiet_hours: { from: '09:00', to: '17:00' } })
    await happen('recurring.failed', { name: 'Held' })
    await sql(`update memberships set status = 'suspended' where business_id = $1 and user_id = $2`, [team.business_id, person.user_id])
    await at('2026-03-11T17:00:00Z')
    await work()
    expect(await subjects()).toEqual([])
  })
})

describe('the digest', () => {
  it('comes once a day at its hour where the person is, with what was not mailed, and not at all where there is nothing', async () => {
    await set({ timezone: 'America/New_York', digest: { hour: 7 } })
    await happen('accounting_period.closed', { name: '2026-01' })
    await happen('accounting_period.closed', { name: '2026-02' })
    await happen('recurring.failed', { name: 'Mailed' })
    expect(await subjects()).toHaveLength(1)
    await at('2026-03-10T10:59:00Z')
    await work()
    expect(await subjects()).toHaveLength(1)
    await at('2026-03-10T11:02:00Z')
    await work()
    const digests = (await mails()).slice(1)
    expect(digests.map(({ subject }) => subject)).toEqual(['Your digest: 2 notifications'])
    expect(digests[0]?.text_body).toMatch(/^Test Trading\n- 2026-02 is closed\n.+\n- 2026-01 is closed\n/)
    expect(digests[0]?.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })

    // Another hour of the same day gives no second one.
    mine = await newSession(person.user_id)
    await happen('accounting_period.closed', { name: '2026-03' })
    await set({ digest: { hour: 8 } })
    await at('2026-03-10T12:30:00Z')
    await work()
    expect(await subjects()).toHaveLength(2)
    await at('2026-03-11T12:00:00Z')
    await work()
    expect((await subjects()).slice(2)).toEqual(['Your digest: 1 notification'])
    await at('2026-03-12T12:00:00Z')
    await work()
    expect(await subjects()).toHaveLength(3)
  })

  it('is empty, and not sent, where all was read, dismissed or settled; and not where it is off', async () => {
    await happen('accounting_period.closed', { name: '2026-01' })
    await mine.post('/notifications/mark-all-read')
    await at('2026-03-11T09:00:00Z')
    await work()
    expect(await subjects()).toEqual([])
    mine = await newSession(person.user_id)
    await happen('accounting_period.closed', { name: '2026-02' })
    await set({ digest: { frequency: 'off' } })
    await at('2026-03-13T09:00:00Z')
    await work()
    expect(await subjects()).toEqual([])
  })

  it('once a week where so wanted', async () => {
    await set({ digest: { frequency: 'weekly', weekday: 4, hour: 9 } })
    await happen('accounting_period.closed', { name: '2026-01' })
    await at('2026-03-12T10:00:00Z')
    await work()
    expect(await subjects()).toEqual([])
    await at('2026-03-13T09:00:00Z')
    await work()
    expect(await subjects()).toEqual(['Your digest: 1 notification'])
  })
})
