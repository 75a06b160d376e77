// Tests of who may post, submit, approve and reject an entry.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, newToken, type Person, type Team } from '../../../test/support/people.ts'
import { client as clientOf } from '../../../test/support/client.ts'
import type { Entry } from '../journal-drafts/contract.ts'

let team: Team
let people: Record<'bookkeeper' | 'approver' | 'accountant' | 'admin' | 'viewer', Person>
let lines: (amount: number) => object[]

beforeAll(async () => {
  team = await newBusiness()
  const { named } = await chartOf(team.business_id)
  lines = (amount) => [{ ledger_id: named('Rent'), debit: amount }, { ledger_id: named('Checking'), credit: amount }]
  const roles = ['bookkeeper', 'approver', 'accountant', 'admin', 'viewer'] as const
  people = Object.fromEntries(await Promise.all(roles.map(async (role) => [role, await newMember(team.business_id, role)]))) as typeof people
  const settings = await team.client.patch(`/businesses/${team.business_id}/settings`, { accounting: { approval_required: true, approval_threshold: 10_000 } })
  expect(settings.data.accounting).toMatchObject({ approval_required: true, approval_threshold: 10_000 })
})

const write = async (amount = 10_000, by: Client = people.bookkeeper.client): Promise<Entry> =>
  (await by.post('/journal-entries', { date: '2026-03-10', lines: lines(amount) })).data
const act = (entry: Entry, action: string, by: Client, body?: object) => by.put(`/journal-entries/${entry.id}/${action}`, body)

describe('from the threshold on', () => {
  it('nobody posts what nobody has approved', async () => {
    const detail = 'An entry of 100.00 USD needs approval: submit it instead of posting it.'
    expect(await team.client.post('/journal-entries', { date: '2026-03-10', lines: lines(10_000), post: true })).toMatchObject({ status: 400, detail })
    expect(await act(await write(), 'post', team.client)).toMatchObject({ status: 400, detail })
    expect((await team.client.post('/journal-entries/preview', { date: '2026-03-10', lines: lines(10_000) })).data.refusals).toEqual([detail])
    expect(
      (await team.client.post('/journal-entries/bulk', { entries: [{ date: '2026-03-10', lines: lines(10_000) }], post: true })).detail,
    ).toBe(`Item 0: ${detail}`)
    expect((await act(await write(9_999), 'post', people.bookkeeper.client)).data.status).toBe('posted')
  })

  it('it is submitted, approved by somebody else, and thereby posted', async () => {
    const entry = await write()
    expect(await act(entry, 'approve', people.approver.client)).toMatchObject({ status: 400, detail: 'This entry is a draft: submit it first.' })
    const submitted = await act(entry, 'submit', people.bookkeeper.client)
    expect(submitted.data).toMatchObject({ status: 'pending_approval', prepared_by: people.bookkeeper.user_id })
    expect((await act(entry, 'submit', people.bookkeeper.client)).data).toEqual(submitted.data)
    expect((await act(entry, 'post', people.bookkeeper.client)).detail).toMatch(/waits for approval: somebody else than its preparer must approve it/)
    expect((await people.bookkeeper.client.put(`/journal-entries/${entry.id}`, { memo: 'x' })).detail).toMatch(/waits for approval: reject it first/)
    expect((await people.bookkeeper.client.delete(`/journal-entries/${entry.id}`)).status).toBe(400)
    const approved = await act(entry, 'approve', people.approver.client)
    expect(approved.data).toMatchObject({ id: entry.id, status: 'posted', approved_by: people.approver.user_id, prepared_by: people.bookkeeper.user_id })
    expect((await act(entry, 'approve', people.admin.client)).data).toEqual(approved.data)
    expect(await eventsOf(entry.id)).toEqual(['journal_entry.created', 'journal_entry.submitted', 'journal_entry.posted'])
  })

  it('it is rejected with a reason, and is a draft again', async () => {
    const entry = await write()
    await act(entry, 'submit', people.bookkeeper.client)
    expect((await act(entry, 'reject', people.approver.client, {})).status).toBe(422)
    const rejected = await act(entry, 'reject', people.approver.client, { reason: 'Wrong month' })
    expect(rejected.data.status).toBe('draft')
    expect((await act(entry, 'reject', people.approver.client, { reason: 'Again' })).data).toEqual(rejected.data)
    const { items } = (await team.client.get(`/journal-entries/${entry.id}/history`)).data
    expect(items[0]).toMatchObject(
      {
        action: 'journal_entry.rejected', reason: 'Wrong month', actor_name: 'approver example', before: { status: 'pending_approval' },
        after: { status: 'draft' },
      },
    )
  })

  it('whoever wrote it last does not approve it, through a token neither', async () => {
    const entry = await write()
    await people.accountant.client.put(`/journal-entries/${entry.id}`, { lines: lines(20_000) })
    await act(entry, 'submit', people.bookkeeper.client)
    expect((await act(entry, 'approve', people.accountant.client)).detail).toMatch(/Whoever prepared an entry cannot approve it/)
    const token = await newToken(people.accountant, ['entries:approve', 'journal-entries:read'])
    expect((await act(entry, 'approve', clientOf(token, team.business_id))).detail).toMatch(/Whoever prepared/)
    expect((await act(entry, 'approve', team.client)).data.status).toBe('posted')
  })

  it('what could not be posted is not submitted', async () => {
    const { data } = await people.bookkeeper.client.post('/journal-entries', { date: '2026-03-10', lines: [...lines(10_000), ...lines(1).slice(0, 1)] })
    expect((await act(data, 'submit', people.bookkeeper.client)).detail).toMatch(/does not balance/)
  })

  it('in a softly closed period it is submitted by anybody, and approved by who may post there', async () => {
    const own = await newBusiness()
    await own.client.patch(`/businesses/${own.business_id}/settings`, { accounting: { approval_required: true } })
    const { named } = await chartOf(own.business_id)
    const [period] = (await own.client.get('/accounting-periods', { descending: false })).data.items
    await own.client.put(`/accounting-periods/${period.id}/soft-close`)
    const { client } = await newMember(own.business_id, 'bookkeeper')
    const given = {
      date: '2026-01-31', auto_reverse_on: '2026-02-01', lines: [{ ledger_id: named('Rent'), debit: 1 }, { ledger_id: named('Checking'), credit: 1 }],
    }
    const { data } = await client.post('/journal-entries', given)
    expect((await act(data, 'submit', client)).data.status).toBe('pending_approval')
    expect((await act(data, 'approve', own.client)).detail).toMatch(/softly closed/)
    const approved = await own.client.put(`/journal-entries/${data.id}/approve`, undefined, { headers: { 'x-override-reason': 'Accrual' } })
    expect(approved.data).toMatchObject({ status: 'posted', date: '2026-01-31' })
  })

  it('of two who approve and reject at once one is too late', async () => {
    const entry = await write()
    await act(entry, 'submit', people.bookkeeper.client)
    const [approved, rejected] = await Promise.all([act(entry, 'approve', people.approver.client), act(entry, 'reject', people.admin.client, { reason: 'No' })])
    expect([approved.status, rejected.status].toSorted()).toEqual([200, 400])
  })
})

describe('permissions', () => {
  it.each(
    [['approver', 200], ['accountant', 200], ['admin', 200], ['bookkeeper', 403], ['viewer', 403]] as const,
  )('%s approving and rejecting: %i', async (role, status) => {
    const entry = await write(10_000, team.client)
    await act(entry, 'submit', team.client)
    const rejected = await act(entry, 'reject', people[role].client, { reason: 'No' })
    expect(rejected.status).toBe(status)
    await act(entry, 'submit', team.client)
    expect((await act(entry, 'approve', people[role].client)).status).toBe(status)
  })

  it('an approver and a viewer read, and write nothing', async () => {
    const entry = await write()
    for (const { client } of [people.approver, people.viewer]) {
      expect((await client.get(`/journal-entries/${entry.id}`)).status).toBe(200)
      expect((await client.post('/journal-entries', { date: '2026-03-10', lines: lines(1) })).status).toBe(403)
      expect((await act(entry, 'submit', client)).status).toBe(403)
    }
  })
})
