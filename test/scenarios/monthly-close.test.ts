// A monthly close over HTTP alone, with the clock set: opening balance, an accrual that reverses itself, a draft in the way, a closed
// month, and twenty people posting into a month while it is being closed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, newMember, type Team } from '../support/people.ts'
import { service } from '../support/service.ts'

let team: Team
const ledgers = new Map<string, string>()
const at = async (time: string | null) => (await service()).clock.set(time)

beforeAll(async () => {
  await at('2026-04-03T15:00:00Z')
  team = await newBusiness()
  for (const { name, id } of (await team.client.get('/ledgers', { limit: 500 })).data.items) ledgers.set(name, id)
})
afterAll(() => at(null))

const entry = (date: string, lines: [string, number][], more: object = {}) =>
  team.client.post('/journal-entries', { date, lines: lines.map(([name, amount]) => ({ ledger_id: ledgers.get(name), amount })), ...more })
const period = async (name: string) => (await team.client.get('/accounting-periods', { limit: 100 })).data.items.find((each: { name: string }) => each.name === name)
const close = async (name: string, body: object = { accept_warnings: true }) => team.client.put(`/accounting-periods/${(await period(name)).id}/close`, body)
const profit = async (start_date: string, end_date: string): Promise<number> => {
  const { data } = await team.client.get('/reports/profit-and-loss', { start_date, end_date })
  return data.rows.at(-1).cells[0].amount
}

describe('a monthly close', () => {
  it('begins with an opening balance and an accrual that reverses itself', async () => {
    expect((await entry('2026-01-01', [['Checking', 1_000_000], ['Opening Balance Equity', -1_000_000]], { post: true })).status).toBe(201)
    const { data } = await entry('2026-01-31', [['Rent', 150_000], ['Accrued Expenses', -150_000]], { post: true, auto_reverse_on: '2026-02-01' })
    expect(data).toMatchObject({ status: 'posted', number: 2, auto_reverse_on: '2026-02-01' })
  })

  it('the trial balance of January has 11,500.00 on each side; the accrual is a loss in January and gone by February', async () => {
    const { data } = await team.client.get('/reports/trial-balance', { start_date: '2026-01-01', end_date: '2026-01-31' })
    const total = data.rows.at(-1)
    expect(total.cells.map((cell: { amount: number }) => cell.amount)).toContain(1_150_000)
    expect(data.checks.every((check: { ok: boolean }) => check.ok)).toBe(true)
    expect([await profit('2026-01-01', '2026-01-31'), await profit('2026-02-01', '2026-02-28'), await profit('2026-01-01', '2026-02-28')]).toEqual([-150_000, 150_000, 0])
  })

  it('a draft stands in the way until it is gone', async () => {
    const { data: draft } = await entry('2026-01-15', [['Meals', 4_500], ['Checking', -4_500]])
    const refused = await close('2026-01')
    expect([refused.status, refused.detail]).toEqual([400, expect.stringMatching(/^2026-01 cannot be closed: .*2026-01-15/)])
    expect((await team.client.delete(`/journal-entries/${draft.id}`)).status).toBe(200)
    expect((await close('2026-01')).data.status).toBe('closed')
  })

  it('nothing enters a closed month, by post, re-dating or reversal', async () => {
    const closed = '2026-01 is closed; use 2026-02-01 or later, or reopen the period.'
    expect((await entry('2026-01-20', [['Meals', 100], ['Checking', -100]], { post: true })).detail).toBe(closed)
    const { data: later } = await entry('2026-02-10', [['Meals', 100], ['Checking', -100]], { post: true })
    expect((await team.client.put(`/journal-entries/${later.id}/date`, { date: '2026-01-20' })).detail).toBe(closed)
    const { data } = await team.client.get('/journal-entries', { end_date: '2026-01-31', sort_by: 'number', descending: false })
    const [opening] = data.items
    expect((await team.client.put(`/journal-entries/${opening.id}/reverse`)).detail).toBe(closed)
    expect((await team.client.put(`/journal-entries/${opening.id}/date`, { date: '2026-02-01' })).detail).toBe(closed)
    expect((await team.client.put(`/journal-entries/${opening.id}/reverse`, { reversal_date: '2026-02-01' })).status).toBe(200)
    expect((await team.client.put(`/journal-entries/${later.id}/reverse`)).status).toBe(200)
  })

  it('while twenty post into February it is closed: each 201 is in its certificate, all others are 400', async () => {
    const { id } = await period('2026-02')
    const posting = Array.from({ length: 20 }, () => entry('2026-02-20', [['Utilities', 1_000], ['Checking', -1_000]], { post: true }))
    const [answers, closed] = await Promise.all([Promise.all(posting), close('2026-02')])
    expect(closed.data.status).toBe('closed')
    expect(answers.every(({ status }) => status === 201 || status === 400)).toBe(true)
    const { data } = await team.client.get(`/accounting-periods/${id}/certificate`)
    const sworn = data.trial_balance.find((row: { ledger_id: string }) => row.ledger_id === ledgers.get('Utilities'))?.closing ?? 0
    expect(sworn).toBe(1_000 * answers.filter(({ status }) => status === 201).length)
  })

  it('a softly closed month lets in who may override and says why, and history tells', async () => {
    await team.client.put(`/accounting-periods/${(await period('2026-03')).id}/soft-close`)
    const body = { date: '2026-03-31', post: true, lines: [{ ledger_id: ledgers.get('Meals'), amount: 700 }, { ledger_id: ledgers.get('Checking'), amount: -700 }] }
    const headers = { 'x-override-reason': 'Receipt found in April' }
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await bookkeeper.client.post('/journal-entries', body, { headers, business_id: team.business_id })).detail).toMatch(/softly closed; .* ask someone who may override it/)
    expect((await team.client.post('/journal-entries', body)).detail).toMatch(/give the header x-override-reason/)
    const { data } = await team.client.post('/journal-entries', body, { headers })
    const { data: trail } = await team.client.get('/audit-trail', { resource_type: 'journal_entry', resource_id: data.id })
    expect(trail.items[0]).toMatchObject({ action: 'journal_entry.posted', reason: 'Receipt found in April' })
  })

  it('and what January looked like before the reversal can be had again at any time', async () => {
    const as_of = { start_date: '2026-01-01', end_date: '2026-01-31' }
    const now = (await team.client.get('/reports/trial-balance', as_of)).data
    await at('2026-04-03T20:00:00Z')
    await team.client.put(`/accounting-periods/${(await period('2026-02')).id}/reopen`, { reason: 'A late invoice' })
    await team.client.put(`/accounting-periods/${(await period('2026-01')).id}/reopen`, { reason: 'A late invoice' })
    await entry('2026-01-25', [['Meals', 9_900], ['Checking', -9_900]], { post: true })
    expect((await team.client.get('/reports/trial-balance', as_of)).data.rows).not.toEqual(now.rows)
    const before = (await team.client.get('/reports/trial-balance', { ...as_of, known_at: '2026-04-03T18:00:00Z' })).data
    const amounts = (report: { rows: { key: string; cells: { amount: number }[] }[] }) => report.rows.map(({ key, cells }) => [key, cells.map(({ amount }) => amount)])
    expect(amounts(before)).toEqual(amounts(now))
  })
})
