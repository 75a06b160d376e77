// Tests of periods over HTTP, with postings through the door.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import type { AccountingPeriod, PeriodCheck } from './contract.ts'

let team: Team
let checking: string
let rent: string
const period = async (name: string): Promise<AccountingPeriod> =>
  (await team.client.get('/accounting-periods', { limit: 100 })).data.items.find((each: AccountingPeriod) => each.name === name)
const act = async (name: string, action: string, body?: object, client = team.client) => client.put(`/accounting-periods/${(await period(name)).id}/${action}`, body)
const close = (name: string) => act(name, 'close', { accept_warnings: true })
const rentOn = (date: string, amount = 150_000) => post(team.business_id, { date, lines: [[rent, amount], [checking, -amount]] })

beforeEach(async () => {
  (await service()).clock.set('2026-06-15T12:00:00Z')
  team = await newBusiness()
  const chart = await chartOf(team.business_id)
  checking = chart.named('Checking')
  rent = chart.named('Rent')
})
afterEach(async () => (await service()).clock.set(null))

describe('the periods of a new business', () => {
  it('are the twelve of its fiscal year, open', async () => {
    const { data } = await team.client.get('/accounting-periods')
    expect(data.items.map((each: AccountingPeriod) => `${each.name} ${each.start_date} ${each.end_date} ${each.status}`).toReversed().slice(0, 2))
      .toEqual(['2026-01 2026-01-01 2026-01-31 open', '2026-02 2026-02-01 2026-02-28 open'])
    expect(data.items).toHaveLength(12)
  })

  it('follow the fiscal year that the business has, while nothing is posted', async () => {
    await team.client.put(`/businesses/${team.business_id}`, { fiscal_year_start_month: 7, books_start_date: '2025-07-01' })
    const { data } = await team.client.get('/accounting-periods', { descending: false })
    expect([data.items[0].name, data.items[0].fiscal_year, data.items[11].name]).toEqual(['2025-07', 2026, '2026-06'])
    await rentOn('2026-06-01')
    const refused = await team.client.put(`/businesses/${team.business_id}`, { fiscal_year_start_month: 1 })
    expect([refused.status, refused.detail]).toEqual([400, 'The first month of the fiscal year is fixed: entries are posted in its periods already.'])
    expect((await team.client.put(`/businesses/${team.business_id}`, { base_currency: 'EUR' })).detail).toMatch(/base currency stays USD/)
  })

  it('know the one of today and the first open date of each area', async () => {
    await act('2026-01', 'lock', { areas: ['receivables'] })
    const { data } = await team.client.get('/accounting-periods/current')
    expect(data.period.name).toBe('2026-06')
    expect(data.first_open_dates).toEqual({ receivables: '2026-02-01', payables: '2026-01-01', banking: '2026-01-01', inventory: '2026-01-01', journal: '2026-01-01' })
  })
})

describe('fiscal years', () => {
  it('are made on both sides of those that exist, once', async () => {
    const made = await team.client.post('/accounting-periods/generate', { fiscal_year: 2025 })
    expect([made.status, made.data.length, made.data[1].end_date]).toEqual([201, 12, '2025-02-28'])
    expect((await team.client.post('/accounting-periods/generate', { fiscal_year: 2025 })).data).toEqual(made.data)
    expect((await team.client.post('/accounting-periods/generate', { fiscal_year: 2023 })).detail).toBe('The years that exist are 2025 to 2026: make 2024 first.')
  })

  it('go on by themselves when something is posted beyond the last, once however many do', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => rentOn(`2027-0${1 + (index % 3)}-28`)))
    const { data } = await team.client.get('/accounting-periods', { fiscal_year: 2027 })
    expect(data.items).toHaveLength(12)
    await expect(rentOn('2399-01-01')).rejects.toThrow(/more than 10 years after the last period/)
  })

  it('before the first period nothing is posted', async () => {
    await expect(rentOn('2025-12-31')).rejects.toThrow(/2025-12-31 lies before the first period, which starts on 2026-01-01/)
  })
})

describe('closing', () => {
  it('goes in order, when the month is over, and keeps a certificate', async () => {
    await rentOn('2026-01-20')
    expect((await close('2026-02')).detail).toBe('2026-01 is open: close it before 2026-02.')
    expect((await close('2026-06')).detail).toBe('2026-06 is not over: it can be closed from 2026-07-01 on.')
    const closed = await close('2026-01')
    expect(closed.data).toMatchObject({ status: 'closed', closed_by: team.owner.user_id, closing_hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const { data: certificate } = await team.client.get(`/accounting-periods/${closed.data.id}/certificate`)
    expect(certificate).toMatchObject({ hash: closed.data.closing_hash, journal_number: 1, signed_by: team.owner.user_id })
    expect(certificate.trial_balance.map((row: { name: string; closing: number }) => [row.name, row.closing])).toEqual([['Checking', -150_000], ['Rent', 150_000]])
    await expect(rentOn('2026-01-31')).rejects.toThrow('2026-01 is closed; use 2026-02-01 or later, or reopen the period.')
    expect((await team.client.get(`/accounting-periods/${closed.data.id}/drift`)).data).toMatchObject({ unchanged: true, entries: [], changes: [] })
    // Again: the same, and no second certificate.
    expect((await close('2026-01')).data.version).toBe(closed.data.version)
  })

  it('reopened and closed again, drift tells what came between', async () => {
    await rentOn('2026-01-20')
    const { id } = (await close('2026-01')).data
    await close('2026-02')
    expect((await act('2026-01', 'reopen', { reason: 'Late bill' })).detail).toBe('2026-02 is closed: reopen it before 2026-01.')
    await act('2026-02', 'reopen', { reason: 'Late bill' })
    const reopened = await act('2026-01', 'reopen', { reason: 'Late bill' })
    expect(reopened.data).toMatchObject({ status: 'open', reopen_reason: 'Late bill', closing_hash: null, closed_at: null })
    const [late] = await rentOn('2026-01-25', 1000)
    const { data: drift } = await team.client.get(`/accounting-periods/${id}/drift`)
    expect([drift.unchanged, drift.entries.map((entry: { id: string }) => entry.id), drift.changes.map((change: { difference: number }) => change.difference).toSorted()])
      .toEqual([false, [late?.id], [-1000, 1000]])
    await close('2026-01')
    expect((await team.client.get(`/accounting-periods/${id}/drift`)).data.unchanged).toBe(true)
    expect((await eventsOf(id)).filter((type) => !type.endsWith('generated'))).toEqual(['accounting_period.closed', 'accounting_period.reopened', 'accounting_period.closed'])
  })

  it('a whole year goes at once, or not at all', async () => {
    await team.client.post('/accounting-periods/generate', { fiscal_year: 2025 })
    expect((await team.client.post('/accounting-periods/close-year', { fiscal_year: 2026 })).detail).toBe('2025-01 is open: close it before 2026-01.')
    const { data } = await team.client.post('/accounting-periods/close-year', { fiscal_year: 2025 })
    expect(data.map((each: AccountingPeriod) => each.status)).toEqual(Array(12).fill('closed'))
    const refused = await team.client.post('/accounting-periods/close-year', { fiscal_year: 2026 })
    expect([refused.status, refused.detail]).toEqual([400, '2026-06 is not over: it can be closed from 2026-07-01 on.'])
    expect((await period('2026-01')).status).toBe('open')
    expect((await team.client.post('/accounting-periods/close-year', { fiscal_year: 2024 })).status).toBe(404)
  })

  it('warnings need to be accepted', async () => {
    const chart = await chartOf(team.business_id)
    await post(team.business_id, { date: '2026-01-10', lines: [[chart.role('uncategorized_expense'), 4500], [checking, -4500]] })
    const { data: checks } = await team.client.get(`/accounting-periods/${(await period('2026-01')).id}/checks`)
    expect(checks.filter((check: PeriodCheck) => !check.ok)).toMatchObject([{ key: 'uncategorized_expense', severity: 'warning', count: 1 }])
    expect((await act('2026-01', 'close', {})).detail).toMatch(/^2026-01 has warnings; close it with accept_warnings to go on: .* holds 45\.00 USD\.$/)
    expect((await close('2026-01')).status).toBe(200)
  })

  it('no entry slips in behind a close: each that was answered is in the certificate', async () => {
    const { id } = await period('2026-01')
    const posting = Array.from({ length: 20 }, () => rentOn('2026-01-31', 100).then(() => true, () => false))
    const [posted, closed] = await Promise.all([Promise.all(posting), close('2026-01')])
    expect(closed.status).toBe(200)
    const { data } = await team.client.get(`/accounting-periods/${id}/certificate`)
    const sworn = data.trial_balance.find((row: { ledger_id: string }) => row.ledger_id === rent)?.closing ?? 0
    expect(sworn).toBe(100 * posted.filter(Boolean).length)
    expect((await team.client.get(`/accounting-periods/${id}/drift`)).data.unchanged).toBe(true)
  })
})

describe('locks', () => {
  it('keep one area out', async () => {
    const locked = await act('2026-03', 'lock', { areas: ['journal', 'payables'] })
    expect(locked.data.locks).toEqual(['payables', 'journal'])
    await expect(rentOn('2026-03-10')).rejects.toThrow('2026-03 is locked for journal; use 2026-04-01 or later, or unlock it.')
    expect((await act('2026-03', 'lock', { areas: ['journal'] })).data.version).toBe(locked.data.version)
    await act('2026-03', 'unlock', { areas: ['journal'] })
    await rentOn('2026-03-10')
  })

  it('a soft close lets in those who may override and say why', async () => {
    expect((await act('2026-02', 'soft-close')).detail).toBe('2026-01 is open: close it, at least softly, before 2026-02.')
    await act('2026-01', 'soft-close')
    // The service itself may override, but has given no reason.
    await expect(rentOn('2026-01-10')).rejects.toThrow(/softly closed; use 2026-02-01 or later, or give the header x-override-reason/)
    await close('2026-01')
    expect((await act('2026-01', 'soft-close')).detail).toBe('2026-01 is closed: reopen it first.')
    expect((await act('2026-01', 'lock', { areas: ['journal'] })).detail).toBe('2026-01 is closed: reopen it first.')
  })
})

describe('who', () => {
  it.each(['bookkeeper', 'viewer', 'approver'] as const)('a %s reads periods and closes none', async (role) => {
    const { client } = await newMember(team.business_id, role)
    const { id } = await period('2026-01')
    expect((await client.get(`/accounting-periods/${id}`)).status).toBe(200)
    expect((await client.put(`/accounting-periods/${id}/close`, {})).status).toBe(403)
  })

  it('of two who close at once both find it closed, by one of them', async () => {
    const { id } = await period('2026-01')
    const answers = await Promise.all([1, 2].map(() => team.client.put(`/accounting-periods/${id}/close`, { accept_warnings: true })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await eventsOf(id)).filter((type) => type === 'accounting_period.closed')).toHaveLength(1)
  })
})
