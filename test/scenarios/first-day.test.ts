// The first day of a small business, over HTTP alone: from nothing to a team at work, with the clock set.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/foundation/ids.ts'
import { client, type Client } from '../support/client.ts'
import { deliver } from '../support/events.ts'
import { service } from '../support/service.ts'

const ada = { email: `ada-${newId()}@example.com`, name: 'Ada', password: 'an owner of many words' }
const ben = { email: `ben-${newId()}@example.com`, name: 'Ben', password: 'a bookkeeper of few words' }

let owner: Client
let bookkeeper: Client
let business_id = ''

const at = async (time: string | null) => (await service()).clock.set(time)

beforeAll(() => at('2027-03-01T14:00:00Z'))
afterAll(() => at(null))

/** The token in the newest mail that has one, as a person without a mail server reads it. */
async function tokenInMailbox(reader: Client, to: string): Promise<string> {
  const { data } = await reader.get('/sandbox/mail', { to })
  const tokens = data.items.flatMap((mail: { text_body: string }) => /The token by itself: (\S+)/.exec(mail.text_body)?.[1] ?? [])
  return tokens[0] ?? ''
}

describe('a first day', () => {
  it('Ada signs up, signs in, confirms her address', async () => {
    expect((await client().post('/user/sign-up', ada)).data).toEqual({ email: ada.email, verification_sent: true })
    const { data } = await client().post('/user/sign-in', ada)
    owner = client(data.session_token)
    expect(data.user).toMatchObject({ email: ada.email, status: 'unverified' })
    expect((await client().post('/user/verify-email', { token: await tokenInMailbox(owner, ada.email) })).status).toBe(201)
    expect((await owner.get('/user')).data.status).toBe('active')
  })

  it('She founds a business: it is in trial, has its numbering, and she owns it', async () => {
    const { data } = await owner.post('/businesses', { name: 'Ada & Sons', timezone: 'America/New_York' })
    business_id = data.id
    expect(data).toMatchObject({ role: 'owner', plan_tier: 'trial', access: 'full', base_currency: 'USD', books_start_date: '2027-01-01' })
    const numbering = await owner.get(`/businesses/${business_id}/numbering`)
    expect(numbering.data.find(({ kind }: { kind: string }) => kind === 'invoice').preview).toBeTruthy()
    owner = client(owner.token, business_id)
  })

  it('She invites Ben, who joins with a password of his own and may not invite anybody', async () => {
    await owner.post('/invitations', { email: ben.email, role: 'bookkeeper', name: 'Ben' })
    const token = await tokenInMailbox(owner, ben.email)
    expect((await client().post('/invitations/lookup', { token })).data).toMatchObject({ needs_sign_up: true })
    expect((await client().post('/invitations/sign-up', { token, name: ben.name, password: ben.password })).status).toBe(201)
    const { data } = await client().post('/user/sign-in', ben)
    bookkeeper = client(data.session_token, business_id)
    expect((await bookkeeper.post('/invitations', { email: 'x@example.com', role: 'viewer' })).status).toBe(403)
  })

  it('They share a task: assigned, discussed, labelled, done; the next one appears by itself', async () => {
    const { data: members } = await owner.get(`/businesses/${business_id}/members`)
    const benId = members.items.find(({ email }: { email: string }) => email === ben.email).user_id
    const { data: todo } = await owner.post('/todos', {
      title: 'Close the month', due_date: '2027-01-31', assignee_id: benId, recurrence: { frequency: 'monthly' }, checklist: [{ label: 'Bank' }],
    })
    await bookkeeper.post('/notes', { resource_type: 'todo', resource_id: todo.id, body: `Waiting for the bank, @${ada.email}` })
    const { data: tag } = await bookkeeper.post('/tags', { name: 'Month end' })
    await bookkeeper.post('/tags/assign', { tag_ids: [tag.id], resource_type: 'todo', resource_ids: [todo.id] })
    expect((await bookkeeper.put(`/todos/${todo.id}/complete`)).status).toBe(400)
    await bookkeeper.patch(`/todos/${todo.id}/checklist/${todo.checklist[0].id}`, { done: true })
    expect((await bookkeeper.put(`/todos/${todo.id}/complete`)).data.status).toBe('done')
    const { data: open } = await owner.get('/todos', { status: 'open' })
    expect(open.items).toMatchObject([{ title: 'Close the month', due_date: '2027-02-28', assignee_id: benId }])
    expect((await owner.get('/notes', { mentions_me: true })).data.items).toHaveLength(1)
  })

  it('A year of month ends never drifts', async () => {
    const due: string[] = []
    for (let month = 0; month < 12; month++) {
      const { data } = await owner.get('/todos', { status: 'open' })
      due.push(data.items[0].due_date)
      await owner.put(`/todos/${data.items[0].id}/complete`, { force: true })
    }
    expect(due).toEqual([
      '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30', '2027-07-31',
      '2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31', '2028-01-31',
    ])
    expect((await owner.get('/todos', { status: 'open' })).data.items[0].due_date).toBe('2028-02-29')
  })

  it('Ben leaves: the door is shut at once, his task is nobody’s, and everything is on record', async () => {
    expect((await bookkeeper.delete(`/businesses/${business_id}/members/me`)).status).toBe(200)
    expect((await bookkeeper.get('/todos')).status).toBe(403)
    await deliver(business_id)
    expect((await owner.get('/todos', { status: 'open' })).data.items[0].assignee_id).toBeNull()
    const { data } = await owner.get('/events', { limit: 1000, after: 0 })
    expect(data.items.map(({ seq }: { seq: number }) => seq)).toEqual(data.items.map((_: unknown, index: number) => index + 1))
    expect((await owner.get('/audit-trail/verify')).data).toMatchObject({ ok: true, checked: data.items.length })
  })

  it('The trial ends: after 14 days of grace Ada can read everything and change nothing', async () => {
    const again = async () => client((await client().post('/user/sign-in', ada)).data.session_token, business_id)
    await at('2027-04-14T13:59:59Z')
    expect((await (await again()).post('/tags', { name: 'Still welcome' })).status).toBe(201)
    await at('2027-04-14T14:00:00Z')
    const late = await again()
    expect((await late.post('/tags', { name: 'Too late' })).status).toBe(403)
    expect((await late.get('/todos')).status).toBe(200)
  })
})
