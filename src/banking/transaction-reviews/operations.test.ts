// Tests of reviewing: what each choice posts, what is refused, what comes back, and what two people at once may do.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside } from '../../../test/support/books.ts'
import { client as clientOf, type Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { claim, lockTransactions, recordTransactions } from '../../ledger/cash-book/operations.ts'

let team: Team
let client: Client
let at: Record<'checking' | 'rent' | 'office' | 'meals' | 'sales' | 'payable' | 'recoverable' | 'receivable' | 'uncategorized_income' | 'uncategorized_expense', string>
beforeAll(async () => {
  ({ team, client, at } = await founded())
})

async function founded() {
  const made = await newBusiness()
  const { named, role } = await chartOf(made.business_id)
  const places = {
    checking: named('Checking'), rent: named('Rent'), office: named('Office Supplies'), meals: named('Meals'), sales: role('sales'), payable: role('sales_tax_payable'),
    recoverable: role('sales_tax_recoverable'), receivable: role('accounts_receivable'), uncategorized_income: role('uncategorized_income'),
    uncategorized_expense: role('uncategorized_expense'),
  }
  return { team: made, client: made.client, at: places }
}

type Place = keyof typeof at
const typed = async (amount: number, more: object = {}, by: Client = client): Promise<string> => {
  const { data, detail } = await by.post('/transactions', { ledger_id: at.checking, amount, datetime: '2026-03-10', ...more })
  if (!data) throw new Error(JSON.stringify(detail))
  return data.id
}
const put = (id: string, verb: string, body: object = {}, by: Client = client) => by.put(`/transactions/${id}/${verb}`, body)
const get = async (id: string) => (await client.get(`/transactions/${id}`)).data

async function balances(business_id: string, ...names: Place[]): Promise<number[]> {
  const rows = await sql(`select ledger_id, sum(debit - credit)::float8 as amount from ledger_months where business_id = $1 group by ledger_id`, [business_id])
  return names.map((name) => rows.find(({ ledger_id }) => ledger_id === at[name])?.amount ?? 0)
}

/** What the work changed on these ledgers. */
async function change(names: Place[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await balances(team.business_id, ...names)
  await work()
  const after = await balances(team.business_id, ...names)
  return after.map((amount, index) => amount - (before[index] ?? 0))
}

const entriesOf = (id: string) => sql(
  `select number::int, status, date::text, reversal_of_id is not null as reversal from journal_entries where source_id = $1 order by number`, [id])

async function take(transaction_id: string, amount: number) {
  await inside(team.business_id, async (tx) => {
    const transaction = (await lockTransactions(tx, [transaction_id])).get(transaction_id) as CashRow
    claim(tx, [{ id: newId(), transaction, document_type: 'invoice', document_id: newId(), amount }])
  })
}

describe('a category', () => {
  it('puts the transaction into the books, changes by reversal, and goes by undo', async () => {
    const id = await typed(-4_500, { counterparty: 'Corner Coffee' })
    let answer: any
    expect(await change(['checking', 'meals'], async () => { answer = await put(id, 'categorize', { ledger_id: at.meals, memo: 'Coffee' }) })).toEqual([-4_500, 4_500])
    expect(answer.data).toMatchObject({
      status: 'categorized', allocated_amount: 4_500, unallocated_amount: 0, matches: [], category_source: 'person', category_memo: 'Coffee', posting_date: '2026-03-10',
      needs_category: false, suggestion: null, version: 2, lines: [{ ledger_id: at.meals, amount: 4_500, tax_amount: 0, tax_code_id: null, dimension_value_ids: [] }],
    })
    expect(await get(id)).toEqual(answer.data)
    expect((await client.get(`/journal-entries/${answer.data.journal_entry_ids[0]}`)).data).toMatchObject({ source_type: 'transaction', source_id: id, memo: 'Coffee' })
    expect(await change(['checking', 'meals'], () => put(id, 'categorize', { ledger_id: at.meals, memo: 'Coffee' }))).toEqual([0, 0])
    expect(await entriesOf(id)).toHaveLength(1)
    expect(await change(['checking', 'meals', 'office'], () => put(id, 'categorize', { ledger_id: at.office }))).toEqual([0, -4_500, 4_500])
    expect((await entriesOf(id)).map(({ status, reversal }) => [status, reversal])).toEqual([['reversed', false], ['posted', true], ['posted', false]])
    expect(await change(['checking', 'office'], async () => { answer = await put(id, 'undo') })).toEqual([4_500, -4_500])
    expect(answer.data).toMatchObject({ status: 'unreviewed', lines: [], journal_entry_ids: [], category_source: null, posting_date: null, allocated_amount: 0 })
    expect([(await put(id, 'undo')).status, (await entriesOf(id)).length]).toEqual([200, 4])
    const events = await sql(`select type from events where business_id = $1 and resource_id = $2 order by seq`, [team.business_id, id])
    expect(events.map(({ type }) => type)).toEqual(['created', 'categorized', 'categorized', 'undone'].map((verb) => `transaction.${verb}`))
  })

  it('of a deposit credits the ledger, with the tax of a code within the amount', async () => {
    const { data: agency } = await client.post('/tax/agencies', { name: 'State', country: 'US' })
    const { data: rate } = await client.post('/tax/rates', { name: 'State tax', agency_id: agency.id, versions: [{ percent: '6', valid_from: '2020-01-01' }], recoverable_percent: '100' })
    const { data: code } = await client.post('/tax/codes', { code: 'S6', name: 'Sales 6', treatment: 'taxable', rate_id: rate.id })
    const id = await typed(10_600)
    expect(await change(['checking', 'sales', 'payable'], () => put(id, 'categorize', { ledger_id: at.sales, tax_code_id: code.id }))).toEqual([10_600, -10_000, -600])
    expect((await get(id)).lines).toMatchObject([{ amount: 10_600, tax_amount: 600, tax_code_id: code.id }])
    expect(await change(['checking', 'sales', 'payable'], () => put(id, 'undo'))).toEqual([-10_600, 10_000, 600])
    const bought = await typed(-10_600)
    expect(await change(['checking', 'rent', 'recoverable'], () => put(bought, 'categorize', { ledger_id: at.rent, tax_code_id: code.id }))).toEqual([-10_600, 10_000, 600])
    await client.put(`/tax/codes/${code.id}`, { archived: true })
    expect((await put(await typed(-5), 'categorize', { ledger_id: at.rent, tax_code_id: code.id })).detail).toMatch(/S6 is archived/)
    expect((await put(await typed(-5), 'categorize', { ledger_id: at.rent, tax_code_id: newId() })).status).toBe(404)
  })

  it('carries analysis, and the customer of the transaction unless said otherwise', async () => {
    const { data: dimension } = await client.post('/accounting-dimensions', { key: 'shop', name: 'Shop' })
    const { data: value } = await client.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'N', name: 'North' })
    const { data: customer } = await client.post('/customers', { name: 'Ada', email: 'ada@example.com' })
    const id = await typed(700, { customer_id: customer.id })
    const { data } = await put(id, 'categorize', { ledger_id: at.sales, dimension_value_ids: [value.id] })
    expect(data.lines).toMatchObject([{ customer_id: customer.id, dimension_value_ids: [value.id] }])
    const { data: entry } = await client.get(`/journal-entries/${data.journal_entry_ids[0]}`)
    expect(entry.lines.find(({ ledger_id }: any) => ledger_id === at.sales)).toMatchObject({ customer_id: customer.id, dimension_value_ids: [value.id] })
    expect((await put(id, 'categorize', { ledger_id: at.sales, customer_id: null })).data.lines).toMatchObject([{ customer_id: null, dimension_value_ids: [] }])
    expect((await client.get('/transactions', { category_ledger_id: at.sales })).data.items.map((row: any) => row.id)).toContain(id)
  })

  it('of another currency is posted at the rate of its day, in both columns without a remainder', async () => {
    const { data: bank } = await client.post('/ledgers', { name: 'Euro bank', type: 'asset', subtype: 'bank', currency: 'EUR' })
    const id = await typed(-3_333, { ledger_id: bank.id })
    expect((await put(id, 'categorize', { ledger_id: at.rent })).detail).toMatch(/^No EUR\/USD rate on or before 2026-03-10/)
    expect(await get(id)).toMatchObject({ status: 'unreviewed', version: 1 })
    await client.post('/fx/rates', { from_currency: 'EUR', to_currency: 'USD', date: '2026-03-01', rate: '1.0837' })
    const { data } = await put(id, 'split', { lines: [{ ledger_id: at.rent, percent: '33.3' }, { ledger_id: at.meals, percent: '33.3' }, { ledger_id: at.office, percent: '33.4' }] })
    const { data: entry } = await client.get(`/journal-entries/${data.journal_entry_ids[0]}`)
    const sum = (key: string) => entry.lines.reduce((total: number, line: any) => total + line[key], 0)
    expect([sum('amount'), sum('base_amount'), entry.lines.map(({ currency }: any) => currency)]).toEqual([0, 0, ['EUR', 'EUR', 'EUR', 'EUR']])
    expect(entry.lines.find(({ ledger_id }: any) => ledger_id === bank.id)).toMatchObject({ amount: -3_333 })
    expect((await put(id, 'undo')).data.status).toBe('unreviewed')
  })

  it('may be as large as an amount can be', async () => {
    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    const { data } = await own.client.post('/transactions', { ledger_id: named('Checking'), amount: Number.MIN_SAFE_INTEGER, datetime: '2026-03-10' })
    expect((await put(data.id, 'categorize', { ledger_id: named('Rent') }, own.client)).data).toMatchObject({ allocated_amount: Number.MAX_SAFE_INTEGER, status: 'categorized' })
    expect((await own.client.get('/books/verification')).data.ok).toBe(true)
    expect((await put(data.id, 'undo', {}, own.client)).status).toBe(200)
  })

  it.each<[string, () => Promise<string> | string, () => object, number, RegExp]>([
    ['the ledger of the transaction itself', () => typed(-5), () => ({ ledger_id: at.checking }), 400, /Checking is where this money was/],
    ['another cash ledger', () => typed(-5, { ledger_id: at.checking }), () => ({ ledger_id: named['undeposited'] }), 400, /is a cash ledger/],
    ['a control ledger', () => typed(-5), () => ({ ledger_id: at.receivable }), 400, /is made up by documents/],
    ['a tax ledger', () => typed(-5), () => ({ ledger_id: at.payable }), 400, /is made up by documents/],
    ['an archived ledger', () => typed(-5), () => ({ ledger_id: named['archived'] }), 400, /is archived: restore it/],
    ['a ledger that is not there', () => typed(-5), () => ({ ledger_id: newId() }), 404, /^Ledger .* not found/],
    ['a customer who is not there', () => typed(-5), () => ({ ledger_id: at.rent, customer_id: newId() }), 404, /^Customer .* of line 1 not found/],
    ['a value that is not there', () => typed(-5), () => ({ ledger_id: at.rent, dimension_value_ids: [newId()] }), 404, /^Dimension value .* of line 1 not found/],
    ['a day before the transaction', () => typed(-5), () => ({ ledger_id: at.rent, posting_date: '2026-03-09' }), 400, /^posting_date cannot be before 2026-03-10/],
    ['a day before the books', () => typed(-5, { datetime: '2020-01-01' }), () => ({ ledger_id: at.rent }), 400, /lies before the first period/],
    ['a transaction that is not there', () => newId(), () => ({ ledger_id: at.rent }), 404, /^Transaction not found/],
    ['no ledger', () => typed(-5), () => ({}), 422, /./],
  ])('is refused with %s', async (_what, transaction, body, status, detail) => {
    const answer = await put(await transaction(), 'categorize', body())
    expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringMatching(status === 422 ? /ledger_id/ : new RegExp(detail.source.replace('^', '^"')))])
  })

  const named: Record<string, string> = {}
  beforeAll(async () => {
    named['undeposited'] = (await chartOf(team.business_id)).role('undeposited_funds')
    const { data } = await client.post('/ledgers', { name: 'Old costs', type: 'expense', subtype: 'operating' })
    await client.put(`/ledgers/${data.id}/archive`)
    named['archived'] = data.id
  })
})

describe('what documents have taken', () => {
  it('is not categorized again: the rest is', async () => {
    const id = await typed(10_000)
    await take(id, 6_000)
    expect(await change(['checking', 'sales'], () => put(id, 'categorize', { ledger_id: at.sales }))).toEqual([4_000, -4_000])
    expect(await get(id)).toMatchObject({ status: 'matched', allocated_amount: 10_000, matches: [{ type: 'invoice', amount: 6_000 }], lines: [{ amount: 4_000 }] })
    await expect(take(id, 1)).rejects.toThrow('has 0.00 USD left, less than 0.01: undo its category first.')
    expect((await put(id, 'undo')).data).toMatchObject({ status: 'partially_allocated', allocated_amount: 6_000, lines: [] })
    expect((await put(id, 'undo')).detail).toMatch(/is partially allocated by invoice .*: remove the payment there\.$/)
  })

  it('leaves nothing where they took all', async () => {
    const id = await typed(10_000)
    await take(id, 10_000)
    expect((await put(id, 'categorize', { ledger_id: at.sales })).detail).toMatch(/is matched by invoice .*: nothing is left of it to categorize\.$/)
    expect((await put(id, 'undo')).status).toBe(400)
  })

  it('and posted without the bank is in the books already', async () => {
    const id = await inside(team.business_id, async (tx) => {
      const [transaction] = (await recordTransactions(tx, [{ ledger_id: at.checking, amount: 123_457, datetime: '2026-03-10' }])) as [CashRow]
      claim(tx, [{ id: newId(), transaction, document_type: 'invoice', document_id: newId(), amount: 123_457 }])
      return transaction.id
    })
    expect((await put(id, 'categorize', { ledger_id: at.sales })).detail).toMatch(/is in the books already, posted by invoice/)
    expect((await put(id, 'undo')).detail).toMatch(/was posted by invoice .*: change or void that instead\.$/)
    expect(await get(await typed(123_457, { datetime: '2026-03-19' }))).toMatchObject({ possible_duplicate_of: id })
    expect(await get(await typed(123_457, { datetime: '2026-03-21' }))).toMatchObject({ possible_duplicate_of: null })
  })

  it('an excluded row stays out, and a categorized one is neither changed, excluded nor deleted', async () => {
    const id = await typed(-5)
    await put(id, 'exclude')
    expect([(await put(id, 'categorize', { ledger_id: at.rent })).detail, (await put(id, 'undo')).detail]).toEqual([
      expect.stringMatching(/is excluded: restore it first\.$/), expect.stringMatching(/is excluded: restore it instead\.$/)])
    await put(id, 'restore')
    await put(id, 'categorize', { ledger_id: at.rent })
    const said = expect.stringMatching(/is categorized, so it .*: undo that first\.$/)
    expect([(await put(id, 'exclude')).detail, (await client.delete(`/transactions/${id}`)).detail, (await client.put(`/transactions/${id}`, { amount: -6 })).detail])
      .toEqual([said, said, said])
    expect((await client.put(`/transactions/${id}`, { note: 'Seen' })).data).toMatchObject({ note: 'Seen', status: 'categorized', lines: [{ amount: 5 }] })
  })
})

describe('a split', () => {
  it('by percent or amount always comes to the whole', async () => {
    const id = await typed(-4_501)
    const half = [{ ledger_id: at.meals, percent: '50' }, { ledger_id: at.office, percent: '50' }]
    expect(await change(['meals', 'office', 'checking'], () => put(id, 'split', { lines: half }))).toEqual([2_251, 2_250, -4_501])
    const fee = [{ ledger_id: at.sales, amount: 10_000, memo: 'Sold' }, { ledger_id: at.office, amount: -300 }]
    expect(await change(['sales', 'office', 'checking'], async () => put(await typed(9_700), 'split', { lines: fee }))).toEqual([-10_000, 300, 9_700])
    expect((await put(id, 'split', { lines: [{ ledger_id: at.meals, amount: 4_500 }, { ledger_id: at.office, amount: 2 }] })).detail)
      .toBe('The lines add up to 45.02 USD, and 45.01 USD of the transaction is to be split.')
    expect((await put(id, 'split', { lines: [half[0]] })).status).toBe(422)
    expect((await put(id, 'split', { lines: [{ ...half[0], percent: '101' }, half[1]] })).status).toBe(422)
    expect(await get(id)).toMatchObject({ lines: [{ amount: 2_251 }, { amount: 2_250 }] })
  })
})

describe('a closed period', () => {
  it('takes no entry and gives none back, but on a later day', async () => {
    const { team: own, client: mine, at: places } = await founded()
    const row = async (amount: number) => (await mine.post('/transactions', { ledger_id: places.checking, amount, datetime: '2026-01-20' })).data.id
    const [before, late, moved] = [await row(-100), await row(-200), await row(-300)]
    await put(before, 'categorize', { ledger_id: places.rent }, mine)
    await put(moved, 'categorize', { ledger_id: places.rent }, mine)
    const { data: { items } } = await mine.get('/accounting-periods', { descending: false, limit: 1 })
    expect((await mine.put(`/accounting-periods/${items[0].id}/close`, { accept_warnings: true })).status).toBe(200)
    const closed = /^2026-01 is closed; use 2026-02-01 or later/
    expect((await put(late, 'categorize', { ledger_id: places.rent }, mine)).detail).toMatch(closed)
    expect((await put(before, 'undo', {}, mine)).detail).toMatch(closed)
    expect((await put(before, 'undo', { reversal_date: '2026-01-31' }, mine)).detail).toMatch(closed)
    expect((await put(before, 'undo', { reversal_date: '2026-01-02' }, mine)).detail).toMatch(/cannot be before 2026-01-20/)
    expect((await put(moved, 'categorize', { ledger_id: places.meals }, mine)).detail).toMatch(closed)
    expect((await put(late, 'categorize', { ledger_id: places.rent, posting_date: '2026-02-01' }, mine)).data).toMatchObject({ posting_date: '2026-02-01', status: 'categorized' })
    expect((await put(before, 'undo', { reversal_date: '2026-02-03' }, mine)).data).toMatchObject({ status: 'unreviewed' })
    expect((await put(moved, 'categorize', { ledger_id: places.meals, posting_date: '2026-02-02' }, mine)).data).toMatchObject({ posting_date: '2026-02-02' })
    expect((await entriesOf(before)).map(({ date }) => date)).toEqual(['2026-01-20', '2026-02-03'])
    expect((await entriesOf(moved)).map(({ date }) => date)).toEqual(['2026-01-20', '2026-02-02', '2026-02-02'])
    expect((await mine.get('/books/verification')).data.ok).toBe(true)
    expect(own.business_id).toBeTruthy()
  })
})

describe('many at once', () => {
  it('are categorized and taken back in one call, all or nothing unless said otherwise', async () => {
    const ids = await Promise.all([-1, -2, -3].map((amount) => typed(amount)))
    const items = ids.map((transaction_id) => ({ transaction_id, ledger_id: at.rent }))
    const wrong = [...items, { transaction_id: newId(), ledger_id: at.rent }, { transaction_id: ids[0], ledger_id: at.meals }, { transaction_id: await typed(-4), ledger_id: at.receivable }]
    const refused = await client.post('/transactions/bulk-categorize', { transactions: wrong })
    expect([refused.status, refused.detail]).toEqual([400, expect.stringMatching(/^Item 3: Transaction .* not found\.$/)])
    expect((await get(ids[0] ?? '')).status).toBe('unreviewed')
    expect(await change(['checking', 'rent'], async () => {
      const { data } = await client.post('/transactions/bulk-categorize', { transactions: wrong, atomic: false })
      expect([data.succeeded, data.failed, data.results.map(({ status }: any) => status)]).toEqual([3, 3, ['ok', 'ok', 'ok', 'error', 'error', 'error']])
      expect(data.results[4].detail).toMatch(/is in this call twice/)
    })).toEqual([-6, 6])
    expect(await change(['rent', 'meals'], () => client.post('/transactions/bulk-categorize', { transactions: items.map((item) => ({ ...item, ledger_id: at.meals })) }))).toEqual([-6, 6])
    expect(await change(['checking', 'meals'], async () => {
      const { data } = await client.post('/transactions/bulk-undo', { transaction_ids: [...ids, newId()], atomic: false })
      expect([data.succeeded, data.failed]).toEqual([3, 1])
    })).toEqual([6, -6])
    expect((await client.post('/transactions/bulk-undo', { transaction_ids: ids })).data.succeeded).toBe(3)
    expect((await client.post('/transactions/bulk-categorize', { transactions: [] })).status).toBe(422)
  })

  it('of whom two choose for one transaction both win one after the other, and it is in one entry', async () => {
    const id = await typed(-9_000)
    const answers = await Promise.all([at.rent, at.meals, at.office, at.rent, at.meals].map((ledger_id) => put(id, 'categorize', { ledger_id })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const [{ standing }] = await sql(
      `select count(*)::int as standing from journal_entries where source_id = $1 and reversed_by_id is null and reversal_of_id is null`, [id])
    expect(standing).toBe(1)
    const stale = await Promise.all([at.rent, at.sales].map((ledger_id) => client.put(`/transactions/${id}/categorize`, { ledger_id }, { headers: { 'if-match': `"${answers.length}"` } })))
    expect(stale.every(({ status }) => status === 200 || status === 412)).toBe(true)
    const undone = await Promise.all([1, 2, 3].map(() => put(id, 'undo')))
    expect(undone.map(({ status, data }) => [status, data.status])).toEqual(undone.map(() => [200, 'unreviewed']))
  })

  it('of whom one pays a document and the other categorizes never take more than there is', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => typed(1_000)))
    await Promise.all(ids.flatMap((id) => [put(id, 'categorize', { ledger_id: at.sales }), take(id, 700).catch(() => null)]))
    for (const id of ids) {
      const { status, matches, lines } = await get(id)
      expect([['categorized', 0, 1_000], ['matched', 700, 300]]).toContainEqual([status, matches[0]?.amount ?? 0, lines[0].amount])
    }
  })

  it('with the same idempotency key categorize once', async () => {
    const id = await typed(-77)
    const headers = { 'idempotency-key': newId() }
    const answers = [await client.put(`/transactions/${id}/categorize`, { ledger_id: at.rent }, { headers }), await client.put(`/transactions/${id}/categorize`, { ledger_id: at.rent }, { headers })]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect((await client.call('PUT', `/transactions/${id}/undo`, { body: {}, query: { dry_run: true } })).data.status).toBe('unreviewed')
    expect(await entriesOf(id)).toHaveLength(1)
  })
})

describe('what waits', () => {
  it('is posted to the uncategorized ledgers, so that the bank ties', async () => {
    const { team: own, client: mine, at: places } = await founded()
    const row = async (amount: number, datetime = '2026-01-20') => (await mine.post('/transactions', { ledger_id: places.checking, amount, datetime })).data.id
    const ids = [await row(-4_500), await row(250_000), await row(-1, '2026-02-01')]
    await row(-7, '2019-01-01')
    expect((await mine.post('/transactions/post-uncategorized', { through: '2026-01-31' })).data).toEqual({ posted: 2, skipped: 1, more: false })
    const read = async () => (await mine.get('/transactions', { needs_category: true })).data.items.map(({ id }: any) => id).toSorted()
    expect(await read()).toEqual([ids[0], ids[1]].toSorted())
    expect((await mine.get('/transactions', { needs_category: false })).data.items).toHaveLength(2)
    const totals = await sql(`select sum(debit - credit)::float8 as amount from ledger_months where business_id = $1 and ledger_id = $2`, [own.business_id, places.checking])
    expect(totals[0].amount).toBe(245_500)
    expect((await put(ids[0] ?? '', 'categorize', { ledger_id: places.meals }, mine)).data).toMatchObject({ needs_category: false, category_source: 'person' })
    expect((await mine.get('/books/verification')).data.ok).toBe(true)
  })
})

describe('learning', () => {
  it('a choice made three times is proposed from then on, and can be accepted', async () => {
    const row = (amount: number) => typed(amount, { counterparty: 'Green Grocer' })
    for (const amount of [-10, -20, -30]) await put(await row(amount), 'categorize', { ledger_id: at.meals })
    const id = await row(-40)
    const { suggestion } = await get(id)
    expect(suggestion).toMatchObject({ ledger_id: at.meals, reason: 'Usual for Green Grocer.' })
    expect((await client.get('/transactions', { counterparty: 'Green Grocer' })).data.items.map((one: any) => one.suggestion !== null).toSorted()).toEqual([false, false, false, true])
    expect((await put(id, 'accept-suggestion', { suggestion_id: newId() })).detail).toMatch(/This is no longer what is proposed/)
    expect((await put(id, 'accept-suggestion', { suggestion_id: suggestion.id })).data).toMatchObject({ status: 'categorized', category_source: 'default', default_id: suggestion.id })
    const { data: { items } } = await client.get('/counterparty-defaults', { counterparty: 'green grocer' })
    expect(items).toMatchObject([{ source: 'learned', applied_count: 1, corrected_count: 0 }])
    await put(id, 'categorize', { ledger_id: at.office })
    expect((await client.get('/counterparty-defaults', { counterparty: 'green grocer' })).data.items).toMatchObject([{ corrected_count: 1 }])
  })

  it('at once where it is asked for', async () => {
    const id = await typed(-10, { counterparty: 'Hardware Store' })
    expect((await put(id, 'categorize', { ledger_id: at.office, learn: true })).status).toBe(200)
    const defaults = async () => (await client.get('/counterparty-defaults', { counterparty: 'hardware store' })).data.items
    expect(await defaults()).toMatchObject([{ ledger_id: at.office, direction: 'out', source: 'manual', auto_apply: false }])
    await put(id, 'categorize', { ledger_id: at.rent, learn: true })
    expect(await defaults()).toMatchObject([{ ledger_id: at.rent }])
    expect((await put(await typed(-10), 'categorize', { ledger_id: at.rent, learn: true })).detail).toMatch(/names no counterparty/)
    const token = clientOf(await newToken(team.owner, ['transactions:write', 'transactions:read']), team.business_id)
    expect((await put(id, 'categorize', { ledger_id: at.meals, learn: true }, token)).status).toBe(403)
    expect((await put(id, 'categorize', { ledger_id: at.meals }, token)).status).toBe(200)
  })
})

describe('others', () => {
  const calls = (id: string, ledger_id: string): [string, string, object][] => [
    ['PUT', `/transactions/${id}/categorize`, { ledger_id }],
    ['PUT', `/transactions/${id}/split`, { lines: [{ ledger_id, percent: '50' }, { ledger_id, percent: '50' }] }],
    ['PUT', `/transactions/${id}/accept-suggestion`, { suggestion_id: newId() }],
    ['PUT', `/transactions/${id}/undo`, {}],
    ['POST', '/transactions/bulk-categorize', { transactions: [{ transaction_id: id, ledger_id }] }],
    ['POST', '/transactions/bulk-undo', { transaction_ids: [id] }],
    ['POST', '/transactions/auto-categorize', {}],
    ['POST', '/transactions/post-uncategorized', { through: '2026-12-31' }],
  ]

  it('who may only read, or whose token lacks the scope, change nothing', async () => {
    const id = await typed(-12)
    const callers = [
      (await newMember(team.business_id, 'viewer')).client, (await newMember(team.business_id, 'approver')).client,
      clientOf(await newToken(team.owner, ['transactions:read', 'journal-entries:write']), team.business_id),
    ]
    for (const caller of callers) for (const [method, path, body] of calls(id, at.rent)) expect((await caller.call(method, path, { body })).status).toBe(403)
    expect((await get(id)).status).toBe('unreviewed')
  })

  it('of another business find nothing, neither transactions nor ledgers', async () => {
    const id = await typed(-12)
    const stranger = await newBusiness()
    const strange = await chartOf(stranger.business_id)
    const statuses = await Promise.all(calls(id, strange.named('Rent')).map(async ([method, path, body]) => (await stranger.client.call(method, path, { body })).status))
    expect(statuses).toEqual([404, 404, 404, 404, 400, 400, 201, 201])
    expect((await put(id, 'categorize', { ledger_id: strange.named('Rent') })).status).toBe(404)
    expect(await get(id)).toMatchObject({ status: 'unreviewed', version: 1 })
  })
})

it('whatever happens in whatever order, cash is what was reviewed and no transaction is in two entries', async () => {
  const { team: own, client: mine, at: places } = await founded()
  const row = async (amount: number) => (await mine.post('/transactions', { ledger_id: places.checking, amount, datetime: '2026-02-10' })).data.id as string
  const ids = await Promise.all([-1_001, 2_002, -3_003, 4_004, -5_005, 6_006].map(row))
  let seed = 7
  const next = (count: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % count
  const ledgers = [places.rent, places.meals, places.sales]
  const act = () => {
    const [id, ledger_id] = [ids[next(ids.length)] ?? '', ledgers[next(3)] ?? '']
    switch (next(5)) {
      case 0: return put(id, 'undo', {}, mine)
      case 1: return put(id, 'split', { lines: [{ ledger_id, percent: '33.33' }, { ledger_id: places.office, percent: '66.67' }] }, mine)
      case 2: return put(id, 'exclude', {}, mine)
      case 3: return mine.post('/transactions/bulk-categorize', { transactions: ids.map((transaction_id) => ({ transaction_id, ledger_id })), atomic: false })
      default: return put(id, 'categorize', { ledger_id }, mine)
    }
  }
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all(Array.from({ length: 5 }, act))
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 400].includes(status))).toEqual([])
  }
  const { data: { items } } = await mine.get('/transactions', { status: ['categorized', 'matched'] })
  const [{ amount }] = await sql(`select coalesce(sum(debit - credit), 0)::float8 as amount from ledger_months where business_id = $1 and ledger_id = $2`, [own.business_id, places.checking])
  expect(amount).toBe(items.reduce((sum: number, one: any) => sum + one.amount, 0))
  const { data: { checks } } = await mine.get('/books/verification')
  expect(checks.flatMap(({ problems }: any) => problems)).toEqual([])
  const twice = await sql(`select source_id from journal_entries where business_id = $1 and source_type = 'transaction' and reversed_by_id is null and reversal_of_id is null
    group by source_id having count(*) > 1`, [own.business_id])
  expect(twice).toEqual([])
})
