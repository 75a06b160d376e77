import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { reverseEntry } from '../posting/operations.ts'
import { revaluationVerifications } from './verifications.ts'

type Books = Team & { chart: Awaited<ReturnType<typeof chartOf>>; cad: string; capital: string }

/** A business with a bank ledger in CAD. */
async function newBooks(): Promise<Books> {
  const team = await newBusiness()
  const made = await team.client.post('/ledgers', { number: '1020', name: 'Checking CAD', type: 'asset', subtype: 'bank', is_bank: true, currency: 'CAD' })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const chart = await chartOf(team.business_id)
  return { ...team, chart, cad: made.data.id, capital: chart.named("Owner's Capital") }
}

const setRate = async ({ client }: Team, from_currency: string, date: string, rate: string) =>
  expect((await client.post('/fx/rates', { from_currency, to_currency: 'USD', date, rate })).status).toBe(201)

/** The base balance of a ledger at the end of a day, from the lines. */
async function baseAt({ business_id }: Team, ledger_id: string, date: string, from = '0001-01-01'): Promise<number> {
  const [{ sum }] = await sql(
    'select coalesce(sum(base_amount), 0) as sum from journal_lines where business_id = $1 and ledger_id = $2 and date between $4 and $3',
    [business_id, ledger_id, date, from])
  return Number(sum)
}

/** What `daybook verify` would say. */
async function verified(books: Team): Promise<string[]> {
  return (await inside(books.business_id, async (tx) => Promise.all(revaluationVerifications.map(({ run }) => run(tx))))).flatMap(({ problems }) => problems)
}

const deposit = (books: Books, amount = 1_000_000, date = '2026-03-10') =>
  post(books.business_id, { date, currency: 'CAD', lines: [[books.cad, amount], [books.capital, -amount]] })

describe('a year with a CAD account', () => {
  let books: Books
  let gains: string
  const inMonth = (month: string, last: string) => baseAt(books, gains, last, `${month}-01`)
  beforeAll(async () => {
    books = await newBooks()
    gains = books.chart.role('unrealized_fx')
    await setRate(books, 'CAD', '2026-03-10', '0.75')
    await deposit(books)
  })

  it('is carried at the rate of the deposit', async () => {
    expect(await baseAt(books, books.cad, '2026-03-31')).toBe(750_000)
  })

  it('is exposed at the end of March, and revalued with a mirror on the day after', async () => {
    await setRate(books, 'CAD', '2026-03-31', '0.72')
    const { data } = await books.client.get('/fx/exposure', { as_of: '2026-03-31' })
    expect(data).toMatchObject({ as_of: '2026-03-31', base_currency: 'USD', unrealized_gain: -30_000, realized_gain: 0, missing_rates: [] })
    expect(data.items).toEqual([{
      ledger_id: books.cad, ledger_number: '1020', ledger_name: 'Checking CAD', currency: 'CAD', balance: 1_000_000, carrying_base: 750_000,
      rate: '0.72', rate_date: '2026-03-31', revalued_base: 720_000, gain: -30_000, kind: 'unrealized', booked: 0,
    }])
    const preview = await books.client.post('/fx/revalue', { as_of: '2026-03-31', preview: true })
    expect([preview.status, preview.data.items, preview.data.revaluation]).toEqual([201, data.items, null])
    expect(await baseAt(books, books.cad, '2026-03-31')).toBe(750_000)
    const done = await books.client.post('/fx/revalue', { as_of: '2026-03-31' })
    expect(done.data).toMatchObject({ items: data.items, unrealized_gain: -30_000, reverses_on: '2026-04-01', replaces_id: null })
    expect(done.data.revaluation).toMatchObject({ status: 'live', unrealized_gain: -30_000 })
    expect([await baseAt(books, books.cad, '2026-03-31'), await baseAt(books, books.cad, '2026-04-01')]).toEqual([720_000, 750_000])
    const after = await books.client.get('/fx/exposure', { as_of: '2026-03-31' })
    expect(after.data.items[0]).toMatchObject({ carrying_base: 750_000, gain: -30_000, booked: -30_000 })
    expect(await verified(books)).toEqual([])
  })

  it('is revalued again when the rate changes, and one run stands', async () => {
    const [before] = await sql(`select id from fx_revaluations where business_id = $1`, [books.business_id])
    await setRate(books, 'CAD', '2026-03-31', '0.73')
    const { data } = await books.client.post('/fx/revalue', { as_of: '2026-03-31' })
    expect(data).toMatchObject({ unrealized_gain: -20_000, replaces_id: before.id })
    expect(data.items).toMatchObject([{ carrying_base: 750_000, revalued_base: 730_000, booked: -30_000 }])
    const runs = await sql('select status from fx_revaluations where business_id = $1 order by status', [books.business_id])
    expect(runs.map(({ status }) => status)).toEqual(['live', 'replaced'])
    expect(await inMonth('2026-03', '2026-03-31')).toBe(20_000)
    expect(await baseAt(books, books.cad, '2026-03-31')).toBe(730_000)
    expect(await baseAt(books, books.cad, '2026-04-01')).toBe(750_000)
    expect(await verified(books)).toEqual([])
  })

  it('goes on in April, and stops where there is no rate', async () => {
    await setRate(books, 'CAD', '2026-04-30', '0.74')
    expect((await books.client.post('/fx/revalue', { as_of: '2026-04-30' })).data).toMatchObject({ unrealized_gain: -10_000, replaces_id: null })
    expect(await baseAt(books, books.cad, '2026-04-30')).toBe(740_000)
    // Of income, debit positive: April gains 100.00, the year loses 100.00.
    expect(await inMonth('2026-04', '2026-04-30')).toBe(-10_000)
    expect(await inMonth('2026-01', '2026-04-30')).toBe(10_000)
    const refused = await books.client.post('/fx/revalue', { as_of: '2026-06-30' })
    expect([refused.status, refused.detail]).toEqual([400, 'No CAD/USD rate on or before 2026-06-30: add one with POST /fx/rates.'])
    expect((await books.client.get('/fx/exposure', { as_of: '2026-06-30' })).data).toMatchObject({
      missing_rates: [{ from_currency: 'CAD', to_currency: 'USD', on: '2026-06-30' }], items: [{ rate: null, revalued_base: null, gain: null }],
    })
    expect(await verified(books)).toEqual([])
    expect((await books.client.get('/events', { type: 'fx.revalued' })).data.items).toHaveLength(3)
  })
})

describe('receivables, payables and the rest', () => {
  it('are revalued by ledger and currency; inventory, prepayments and equity are not', async () => {
    const books = await newBooks()
    const { chart, business_id, client } = books
    const [receivable, payable] = [chart.role('accounts_receivable'), chart.role('accounts_payable')]
    const [stock, prepaid] = [chart.role('inventory'), chart.role('vendor_prepayments')]
    for (const [currency, rate] of [['CAD', '0.75'], ['EUR', '1.1']] as const) await setRate(books, currency, '2026-03-01', rate)
    const [customer_id, vendor_id] = [newId(), newId()]
    await post(business_id,
      { date: '2026-03-05', currency: 'CAD', lines: [{ ledger_id: receivable, amount: 10_000, customer_id }, [chart.role('sales'), -10_000]] },
      { date: '2026-03-06', currency: 'EUR', lines: [{ ledger_id: stock, amount: 5_000 }, { ledger_id: payable, amount: -5_000, vendor_id }] },
      { date: '2026-03-07', currency: 'EUR', lines: [{ ledger_id: prepaid, amount: 2_000, vendor_id }, { ledger_id: books.capital, amount: -2_000 }] })
    for (const [currency, rate] of [['CAD', '0.8'], ['EUR', '1']] as const) await setRate(books, currency, '2026-03-31', rate)
    const { data } = await client.post('/fx/revalue', { as_of: '2026-03-31' })
    expect(data.items.map((item: any) => [item.ledger_id, item.currency, item.balance, item.carrying_base, item.gain])).toEqual([
      [receivable, 'CAD', 10_000, 7_500, 500], [payable, 'EUR', -5_000, -5_500, 500],
    ])
    const lines = await sql(
      'select ledger_id, currency, amount::int, base_amount::int from journal_lines where entry_id = $1 order by position', [data.revaluation.entry_id])
    expect(lines).toEqual([
      { ledger_id: receivable, currency: 'CAD', amount: 0, base_amount: 500 },
      { ledger_id: payable, currency: 'EUR', amount: 0, base_amount: 500 },
      { ledger_id: chart.role('unrealized_fx'), currency: 'USD', amount: -1_000, base_amount: -1_000 },
    ])
    const [march] = await sql(`select id from accounting_periods where business_id = $1 and name = '2026-03'`, [business_id])
    const { data: checks } = await client.get(`/accounting-periods/${march.id}/checks`)
    expect(checks.find((check: any) => check.key === 'control_accounts')).toMatchObject({ ok: true })
    const [cash] = await sql(
      'select sum(debit - credit + cash_debit - cash_credit)::int as gain from ledger_months where business_id = $1 and ledger_id = $2 and month <= $3',
      [business_id, chart.role('unrealized_fx'), '2026-03-01'])
    expect(cash.gain).toBe(0)

    const narrow = await client.post('/fx/revalue', { as_of: '2026-03-31', currencies: ['EUR'], ledger_ids: [payable] })
    expect(narrow.data).toMatchObject({ unrealized_gain: 500, replaces_id: data.revaluation.id, revaluation: { currencies: ['EUR'], ledger_ids: [payable] } })
    expect([await baseAt(books, receivable, '2026-03-31'), await baseAt(books, payable, '2026-03-31')]).toEqual([7_500, -5_000])
    expect((await client.post('/fx/revalue', { as_of: '2026-03-31', ledger_ids: [stock] })).detail).toMatch(/Inventory is not revalued/)
    expect((await client.post('/fx/revalue', { as_of: '2026-03-31', ledger_ids: [newId()] })).status).toBe(404)
    expect((await client.post('/fx/revalue', { as_of: '2026-03-31', currencies: ['GBP'] })).detail).toMatch(/^There is no foreign balance to revalue/)
    expect(await verified(books)).toEqual([])
  })

  it('a remainder on a balance of zero is realized for good', async () => {
    const books = await newBooks()
    await setRate(books, 'CAD', '2026-03-01', '0.75')
    await deposit(books, 10_000, '2026-03-02')
    await setRate(books, 'CAD', '2026-03-15', '0.7')
    await deposit(books, -10_000, '2026-03-16')
    const { data } = await books.client.post('/fx/revalue', { as_of: '2026-03-31' })
    expect(data).toMatchObject({ unrealized_gain: 0, realized_gain: -500 })
    expect(data.items).toMatchObject([{ kind: 'realized', balance: 0, carrying_base: 500, gain: -500, rate: null }])
    expect(data.revaluation).toMatchObject({ entry_id: null, mirror_id: null, realized_entry_id: expect.any(String) })
    expect(await baseAt(books, books.cad, '2026-03-31')).toBe(0)
    expect(await baseAt(books, books.cad, '2026-12-31')).toBe(0)
    expect(await baseAt(books, books.chart.role('realized_fx'), '2026-12-31')).toBe(500)
    expect((await books.client.post('/fx/revalue', { as_of: '2026-03-31' })).detail).toMatch(/^There is no foreign balance/)
    expect(await verified(books)).toEqual([])
  })

  it('that stand at their rate are revalued to nothing', async () => {
    const books = await newBooks()
    await setRate(books, 'CAD', '2026-03-10', '0.75')
    await deposit(books)
    const { data } = await books.client.post('/fx/revalue', { as_of: '2026-03-31' })
    expect(data).toMatchObject({ unrealized_gain: 0, revaluation: { entry_id: null, mirror_id: null, realized_entry_id: null } })
  })
})

describe('a revaluation', () => {
  it('is refused at the wrong day and where periods are closed', async () => {
    const books = await newBooks()
    await setRate(books, 'CAD', '2026-03-10', '0.75')
    const refusal = async (as_of: string) => (await books.client.post('/fx/revalue', { as_of })).detail
    expect(await refusal('2026-03-31')).toBe('There is no foreign balance to revalue at 2026-03-31.')
    await deposit(books)
    await setRate(books, 'CAD', '2026-03-31', '0.72')
    expect(await refusal('2026-03-30')).toBe('2026-03-30 is not the end of a period: use 2026-03-31.')
    expect(await refusal('2025-12-31')).toMatch(/before the first period/)
    const lock = async (name: string, verb: 'lock' | 'unlock') => {
      const [period] = await sql('select id from accounting_periods where business_id = $1 and name = $2', [books.business_id, name])
      expect((await books.client.put(`/accounting-periods/${period.id}/${verb}`, { areas: ['journal'] })).status).toBe(200)
    }
    await lock('2026-04', 'lock')
    expect(await refusal('2026-03-31')).toMatch(/^2026-04 is locked/)
    await lock('2026-04', 'unlock')
    await lock('2026-03', 'lock')
    expect(await refusal('2026-03-31')).toMatch(/^2026-03 is locked/)
    expect((await books.client.post('/fx/revalue', {})).status).toBe(422)
    expect(await sql('select id from fx_revaluations where business_id = $1', [books.business_id])).toEqual([])
  })

  it('of a year makes the next one for its mirror', async () => {
    const books = await newBooks()
    await setRate(books, 'CAD', '2026-12-10', '0.75')
    await deposit(books, 1_000_000, '2026-12-10')
    await setRate(books, 'CAD', '2026-12-31', '0.8')
    expect((await books.client.post('/fx/revalue', { as_of: '2026-12-31' })).data).toMatchObject({ unrealized_gain: 50_000, reverses_on: '2027-01-01' })
    expect([await baseAt(books, books.cad, '2026-12-31'), await baseAt(books, books.cad, '2027-01-01')]).toEqual([800_000, 750_000])
  })

  it('by many at once stands once', async () => {
    const books = await newBooks()
    await setRate(books, 'CAD', '2026-03-10', '0.75')
    await deposit(books)
    await setRate(books, 'CAD', '2026-03-31', '0.72')
    const answers = await Promise.all(Array.from({ length: 5 }, () => books.client.post('/fx/revalue', { as_of: '2026-03-31' })))
    expect(answers.map(({ status, data }) => [status, data.unrealized_gain])).toEqual(Array.from({ length: 5 }, () => [201, -30_000]))
    expect(await baseAt(books, books.cad, '2026-03-31')).toBe(720_000)
    expect(await sql(`select id from fx_revaluations where business_id = $1 and status = 'live'`, [books.business_id])).toHaveLength(1)
    expect(await verified(books)).toEqual([])
  })

  it('is undone by reversing its entry, and can then be made anew', async () => {
    const books = await newBooks()
    await setRate(books, 'CAD', '2026-03-10', '0.75')
    await deposit(books)
    await setRate(books, 'CAD', '2026-03-31', '0.72')
    const { data } = await books.client.post('/fx/revalue', { as_of: '2026-03-31' })
    await inside(books.business_id, (tx) => reverseEntry(tx, data.revaluation.entry_id))
    expect([await baseAt(books, books.cad, '2026-03-31'), await baseAt(books, books.cad, '2026-04-01')]).toEqual([750_000, 750_000])
    expect((await books.client.get('/fx/exposure', { as_of: '2026-03-31' })).data.items[0]).toMatchObject({ carrying_base: 750_000, gain: -30_000, booked: 0 })
    expect(await verified(books)).toEqual([])
    expect((await books.client.post('/fx/revalue', { as_of: '2026-03-31' })).data).toMatchObject({ unrealized_gain: -30_000, replaces_id: data.revaluation.id })
    expect(await baseAt(books, books.cad, '2026-03-31')).toBe(720_000)
    expect(await verified(books)).toEqual([])
  })

  it('in a dry run leaves nothing, and is found out where the books were tampered with', async () => {
    const books = await newBooks()
    await setRate(books, 'CAD', '2026-03-10', '0.75')
    await deposit(books)
    await setRate(books, 'CAD', '2026-03-31', '0.72')
    const dry = await books.client.post('/fx/revalue', { as_of: '2026-03-31' }, { query: { dry_run: true } })
    expect(dry.data.revaluation.entry_id).toEqual(expect.any(String))
    expect(await sql('select id from fx_revaluations where business_id = $1', [books.business_id])).toEqual([])
    await books.client.post('/fx/revalue', { as_of: '2026-03-31' })
    await sql(`update fx_revaluations set status = 'replaced' where business_id = $1`, [books.business_id])
    expect(await verified(books)).toEqual(['the revaluation at 2026-03-31 is not undone by its mirror'])
  })

  it('is for accountants; everyone sees the exposure', async () => {
    const { business_id } = await newBooks()
    const viewer = await newMember(business_id, 'viewer')
    const bookkeeper = await newMember(business_id, 'bookkeeper')
    expect((await viewer.client.get('/fx/exposure')).data.items).toEqual([])
    expect((await bookkeeper.client.post('/fx/revalue', { as_of: '2026-03-31' })).status).toBe(403)
  })
})
