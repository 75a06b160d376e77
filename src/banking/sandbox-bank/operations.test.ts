// Tests of the embedded bank: days come in once, post nothing by themselves, and can be worked off until cash ties.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import { client as clientOf, type Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let client: Client
let chart: Awaited<ReturnType<typeof chartOf>>
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  chart = await chartOf(team.business_id);
  (await service()).clock.set('2026-04-15T16:00:00Z')
})
afterAll(async () => (await service()).clock.set(null))

const days = (ledger_id: string, count: unknown, by: Client = client) => by.post(`/sandbox/bank/${ledger_id}/days`, { days: count })

describe('the embedded bank', () => {
  it('reports each day once, also to many who ask at the same time', async () => {
    const own = await newBusiness()
    const checking = (await chartOf(own.business_id)).named('Checking')
    const answers = await Promise.all([10, 10, 5, 10].map((count) => days(checking, count, own.client)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const [{ count }] = await sql('select count(*)::int as count from transactions where business_id = $1', [own.business_id])
    expect(answers.reduce((sum, { data }) => sum + data.added, 0)).toBe(count)
    const again = (await days(checking, 10, own.client)).data
    expect(again).toEqual({ ledger_id: checking, from: '2026-04-06', to: '2026-04-15', added: 0, known: count, categorized: 0 })
    const more = (await days(checking, 12, own.client)).data
    expect([more.known, more.from]).toEqual([count, '2026-04-04'])
    const { data: { items } } = await own.client.get('/transactions', { limit: 200 })
    expect(items.every((row: any) => row.source === 'feed' && row.status === 'unreviewed' && row.counterparty_raw !== null && row.counterparty !== null)).toBe(true)
    expect(await sql('select from journal_entries where business_id = $1', [own.business_id])).toEqual([])
  })

  it('knows cards, and tells the accounts of two businesses apart', async () => {
    const { data: card } = await client.post('/ledgers', { name: 'Company card', type: 'liability', subtype: 'credit_card' })
    expect((await days(card.id, 30)).data.added).toBeGreaterThan(20)
    const { data: { items } } = await client.get('/transactions', { ledger_id: card.id, limit: 200 })
    expect(items.map((row: any) => row.counterparty_raw).some((name: string) => name.startsWith('SQ *CORNER COFFEE'))).toBe(true)
  })

  it.each([
    ['a ledger that is not there', () => newId(), 3, 404, 'Ledger not found.'],
    ['a ledger that is no cash ledger', () => chart.named('Rent'), 3, 400, /is no cash ledger/],
    ['a ledger that no bank reports on', () => chart.role('undeposited_funds'), 3, 400, /is no bank account/],
    ['no days', () => chart.named('Checking'), 0, 422, null],
    ['too many days', () => chart.named('Checking'), 367, 422, null],
  ])('refuses %s', async (_what, ledger, count, status, detail) => {
    const answer = await days(ledger(), count)
    expect(answer.status).toBe(status)
    if (detail) expect(answer.detail).toMatch(detail)
  })

  it('is for the owner alone, in their own business, and only where nothing is real', async () => {
    const checking = chart.named('Checking')
    const admin = await newMember(team.business_id, 'admin')
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect([(await days(checking, 1, admin.client)).status, (await days(checking, 1, bookkeeper.client)).status]).toEqual([403, 403])
    expect((await days(checking, 1, clientOf(await newToken(team.owner, ['transactions:read']), team.business_id))).status).toBe(403)
    expect((await days(checking, 1, clientOf(null, team.business_id))).status).toBe(401)
    const stranger = await newBusiness()
    expect((await days(checking, 1, stranger.client)).status).toBe(404)
    expect((await days(checking, 1, clientOf(stranger.owner.token, team.business_id))).status).toBe(403)
    const { url, program } = await startService({ DAYBOOK_STRIPE_KEY: 'sk_test_1', DAYBOOK_STRIPE_WEBHOOK_SECRET: 'whsec_1' })
    const answer = await days(checking, 1, clientOf(team.owner.token, team.business_id, url))
    await program.stop()
    expect([answer.status, answer.detail]).toEqual([404, 'Test door not found.'])
  })
})

it('a month of the bank is worked off: defaults, choices, the rest, and cash ties to the cent', async () => {
  const [checking, rent, utilities] = [chart.named('Checking'), chart.named('Rent'), chart.named('Utilities')]
  const usual = (body: object) => client.post('/counterparty-defaults', { direction: 'out', auto_apply: true, ...body })
  await client.post('/counterparty-aliases', { pattern: 'HARBOUR PROPERTY', match_type: 'starts_with', counterparty: 'Harbour Property' })
  await client.post('/counterparty-aliases', { pattern: 'CITY POWER', match_type: 'starts_with', counterparty: 'City Power' })
  expect([(await usual({ counterparty: 'Harbour Property', ledger_id: rent })).status, (await usual({ counterparty: 'City Power', ledger_id: utilities })).status]).toEqual([201, 201])
  const { data: first } = await days(checking, 30)
  expect(first).toMatchObject({ from: '2026-03-17', to: '2026-04-15', known: 0, categorized: 2 })
  const read = async (query: object) => (await client.get('/transactions', { ledger_id: checking, limit: 200, ...query })).data.items
  const balance = async () => (await client.get('/transactions/summary', { ledger_id: checking })).data[0].book_balance
  const sum = (rows: any[]) => rows.reduce((total, { amount }) => total + amount, 0)
  expect(await balance()).toBe(sum(await read({ status: ['categorized'] })))
  const deposits = (await read({ status: ['unreviewed'], flow: 'in' })).map(({ id }: any) => ({ transaction_id: id, ledger_id: chart.role('sales') }))
  expect((await client.post('/transactions/bulk-categorize', { transactions: deposits })).data).toMatchObject({ succeeded: deposits.length, failed: 0 })
  const [payroll] = await read({ status: ['unreviewed'], q: 'payroll' })
  const wages = [{ ledger_id: chart.named('Salaries and Wages'), percent: '82.5' }, { ledger_id: chart.named('Payroll Taxes'), percent: '17.5' }]
  expect((await client.put(`/transactions/${payroll.id}/split`, { lines: wages })).data.status).toBe('categorized')
  const left = await read({ status: ['unreviewed'] })
  expect((await client.post('/transactions/post-uncategorized', { through: '2026-04-15', ledger_ids: [checking] })).data).toEqual({ posted: left.length, skipped: 0, more: false })
  const all = await read({})
  expect([await balance(), all.length]).toEqual([sum(all), first.added])
  expect(await read({ status: ['unreviewed'] })).toEqual([])
  const { data: trial } = await client.get('/reports/trial-balance', { as_of: '2026-04-15' })
  expect([trial.checks.length > 0, trial.checks.filter(({ ok }: any) => !ok)]).toEqual([true, []])
  const [{ debit, credit, cash }] = await sql(
    `select sum(debit)::float8 as debit, sum(credit)::float8 as credit, sum(debit - credit) filter (where ledger_id = $2)::float8 as cash from ledger_months where business_id = $1`,
    [team.business_id, checking])
  expect([debit, cash]).toEqual([credit, sum(all)])
  expect((await client.get('/books/verification')).data.checks.filter(({ ok }: any) => !ok)).toEqual([])
})
