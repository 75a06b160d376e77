// Tests of aging: the stories, and that it ties to the books at any day and any moment, whichever way it is worked out.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inside, post } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { sql } from '../../../test/support/people.ts'
import { randomOf, seedFrom } from '../../../test/support/random-books.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { addDays, daysBetween } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import type { AgingAmounts, AgingItem, AgingRow } from './contract.ts'
import * as store from './store.ts'

const at = async (time: string | null) => (await service()).clock.set(time)
let seller: Seller
beforeAll(() => at('2026-03-15T15:00:00Z'))
afterAll(() => at(null))
beforeEach(async () => {
  await at('2026-03-15T15:00:00Z')
  seller = await newSeller()
})

const aging = async (query = {}) => ok(await seller.client.get('/invoices/aging', query))
const put = async (id: string, action: string, body: object = {}) => ok(await seller.client.put(`/invoices/${id}/${action}`, body))
const pay = async (id: string, body: object) => ok(await seller.client.post(`/invoices/${id}/payments`, body))
const of = (unit_price: number) => ({ line_items: [{ description: 'Work', unit_price }] })
const nothing = { current: 0, d1_30: 0, d31_60: 0, d61_90: 0, over_90: 0, unapplied_credits: 0, total: 0 }

describe('aging', () => {
  it('puts every invoice into its column and ties to the receivable', async () => {
    expect(await aging()).toMatchObject({ items: [], has_next: false, totals: nothing, control_balance: 0, difference: 0, as_of: '2026-03-15', buckets: [30, 60, 90], base_currency: 'USD', aging_by: 'due_date' })
    const days = [0, 1, 30, 31, 60, 61, 90, 91]
    for (const [index, late] of days.entries()) await seller.open({ ...of(1 << index), invoice_date: '2026-01-01', due_date: addDays('2026-04-15', -late) })
    const first = await aging({ as_of: '2026-04-15' })
    expect(first).toMatchObject({
      items: [{ customer_id: seller.customer_id, customer_name: 'Acme Widgets', current: 1, d1_30: 6, d31_60: 24, d61_90: 96, over_90: 128, unapplied_credits: 0, total: 255, items: null }],
      totals: { total: 255 }, control_balance: 255, difference: 0,
    })
    expect((await aging({ as_of: '2026-04-15', bucket_days: '10,20,200' })).totals).toEqual({ current: 1, d1_30: 2, d31_60: 0, d61_90: 252, over_90: 0, unapplied_credits: 0, total: 255 })
    expect((await aging({ as_of: '2026-04-15', aging_by: 'invoice_date' })).totals).toEqual({ ...nothing, over_90: 255, total: 255 })
  })

  it('without a due date counts from the invoice date; its rows can be sorted, paged and filtered', async () => {
    const [b, a] = [await newCustomer(seller.client, { name: 'beta' }), await newCustomer(seller.client, { name: 'Alpha' })]
    const { id } = await seller.open({ ...of(500), invoice_date: '2026-02-20', customer_id: b })
    ok(await seller.client.put(`/invoices/${id}`, { id, due_date: null }))
    await seller.open({ ...of(300), invoice_date: '2026-02-20', due_date: '2026-03-10', customer_id: a })
    await seller.open({ ...of(800), invoice_date: '2026-03-15', customer_id: seller.customer_id })
    const names = ({ items }: { items: AgingRow[] }) => items.map(({ customer_name }) => customer_name)
    expect(names(await aging())).toEqual(['Acme Widgets', 'beta', 'Alpha'])
    expect(names(await aging({ sort_by: 'customer_name', descending: false }))).toEqual(['Acme Widgets', 'Alpha', 'beta'])
    const page = await aging({ limit: 2 })
    expect(names(page)).toEqual(['Acme Widgets', 'beta'])
    // Somebody posts between the pages.
    await seller.open({ ...of(50), customer_id: a, invoice_date: '2026-03-15' })
    const next = await aging({ limit: 2, cursor: page.next_cursor, include_total_count: true })
    expect([names(next), next.total, next.has_next, next.totals.total]).toEqual([['Alpha'], 3, false, 1_650])
    expect((await seller.client.get('/invoices/aging', { cursor: page.next_cursor, as_of: '2026-03-14' })).status).toBe(400)
    expect(await aging({ customer_id: b })).toMatchObject({ items: [{ d1_30: 500, total: 500 }], totals: { total: 500 }, control_balance: 500, difference: 0 })
    const { items: [{ items }] } = await aging({ customer_id: b, detail: true })
    expect(items).toEqual([{ invoice_id: id, credit_memo_id: null, journal_entry_id: expect.any(String), number: 'INV-0001', date: '2026-02-20', due_date: null, days: 23, amount: 500 }])
  })

  it.each([
    ['bucket_days=30,30,90', 'value_error'], ['bucket_days=30,60', 'value_error'], ['bucket_days=0,1,2', 'greater_than_equal'], ['aging_by=age', 'enum'],
    ['as_of=2026-02-30', 'date_parsing'], ['known_at=yesterday', 'datetime_parsing'], ['currency=XXX', 'enum'], ['sort_by=age', 'enum'],
  ])('%s is refused', async (query, type) => {
    expect(await seller.client.get(`/invoices/aging?${query}`)).toMatchObject({ status: 422, detail: [expect.objectContaining({ type })] })
  })

  it('of an unknown customer is a 404', async () => {
    expect((await seller.client.get('/invoices/aging', { customer_id: newId() })).status).toBe(404)
  })

  it('story 5: a write-off leaves it, and what is marked unpaid comes back', async () => {
    const { id } = await seller.open({ ...of(50_000), invoice_date: '2026-03-01' })
    await pay(id, { amount: 10_000, paid_on: '2026-03-05' })
    await put(id, 'uncollectible')
    expect(await aging()).toMatchObject({ items: [], totals: nothing, control_balance: 0, difference: 0 })
    expect((await aging({ as_of: '2026-03-14' })).totals.total).toBe(40_000)
    const recovery = await pay(id, { amount: 15_000 })
    expect((await aging()).totals.total).toBe(0)
    ok(await seller.client.delete(`/invoices/${id}/payments/${recovery.id}`))
    await put(id, 'unpaid')
    expect(await aging()).toMatchObject({ totals: { current: 40_000, total: 40_000 }, control_balance: 40_000, difference: 0 })
  })

  it('story 6: foreign invoices count at what they are carried at, also while the books are revalued', async () => {
    const customer_id = await newCustomer(seller.client, { name: 'Euro', currency: 'EUR' })
    const { id } = await seller.open({ customer_id, fx_rate: '1.10', invoice_date: '2026-01-10', due_date: '2026-02-10' })
    await seller.open({ ...of(700), invoice_date: '2026-02-01' })
    await pay(id, { amount: 4_000, transaction_amount: 4_480, deposit_ledger_id: await seller.ledger('Checking'), paid_on: '2026-03-05' })
    expect(await aging({ as_of: '2026-02-28' })).toMatchObject({ totals: { d1_30: 11_000, current: 700, total: 11_700 }, difference: 0 })
    expect(await aging({ currency: 'EUR' })).toMatchObject({ totals: { d31_60: 6_600, total: 6_600 }, control_balance: 6_600, difference: 0 })
    ok(await seller.client.post('/fx/rates', { from_currency: 'EUR', to_currency: 'USD', date: '2026-02-28', rate: '1.15' }))
    ok(await seller.client.post('/fx/revalue', { as_of: '2026-02-28' }))
    const revalued = await aging({ as_of: '2026-02-28', detail: true })
    expect(revalued).toMatchObject({ totals: { d1_30: 11_000, current: 1_200, total: 12_200 }, control_balance: 12_200, difference: 0 })
    expect(revalued.items.find((row: AgingRow) => row.customer_id === null)).toMatchObject({ customer_name: null, current: 500, total: 500, items: [{ invoice_id: null, journal_entry_id: null, amount: 500, days: 0 }] })
    expect((await aging()).items.map(({ total }: AgingRow) => total)).toEqual([6_600, 700])
  })

  it('shows a payment before its invoice as a credit, and follows an invoice to its new date and customer', async () => {
    const { id } = await seller.open({ ...of(900), invoice_date: '2026-03-10', due_date: '2026-03-20' })
    await pay(id, { amount: 400, paid_on: '2026-03-01' })
    expect((await aging({ as_of: '2026-03-05' })).totals).toEqual({ ...nothing, unapplied_credits: -400, total: -400 })
    expect((await aging({ as_of: '2026-03-10' })).totals).toEqual({ ...nothing, current: 500, total: 500 })
    await at('2026-03-15T16:00:00Z')
    ok(await seller.client.put(`/invoices/${id}`, { id, invoice_date: '2026-02-10', due_date: '2026-02-20' }))
    expect((await aging({ as_of: '2026-03-05' })).totals).toEqual({ ...nothing, d1_30: 500, total: 500 })
    expect(await aging({ as_of: '2026-03-05', known_at: '2026-03-15T15:30:00Z' })).toMatchObject({ totals: { unapplied_credits: -400, total: -400 }, control_balance: -400, difference: 0 })
    const other = await seller.open({ ...of(100), invoice_date: '2026-03-10' })
    const customer_id = await newCustomer(seller.client, { name: 'Other' })
    ok(await seller.client.put(`/invoices/${other.id}`, { id: other.id, customer_id }))
    expect((await aging({ customer_id })).totals.total).toBe(100)
    expect((await aging({ customer_id: seller.customer_id })).totals.total).toBe(500)
  })

  it('holds items of the journal, also where they cancel out, and settlements by hand', async () => {
    const second = await newCustomer(seller.client, { name: 'Second' })
    const ledger_id = await seller.ledger('accounts_receivable')
    await post(seller.business_id, { date: '2026-02-01', lines: [{ ledger_id, amount: 250, customer_id: second }, { ledger_id, amount: -250, customer_id: seller.customer_id }] })
    expect(await aging()).toMatchObject({
      items: [{ customer_name: 'Second', d31_60: 250, total: 250 }, { customer_name: 'Acme Widgets', unapplied_credits: -250, total: -250 }],
      totals: { d31_60: 250, unapplied_credits: -250, total: 0 }, difference: 0,
    })
    const { id } = await seller.open({ ...of(1_000), invoice_date: '2026-03-01' })
    const [{ receivable_line_id: settles_line_id }] = await sql('select receivable_line_id from invoices where id = $1', [id])
    await post(seller.business_id, { date: '2026-03-03', lines: [{ ledger_id, amount: -300, customer_id: seller.customer_id, settles_line_id }, [await seller.ledger('Checking'), 300]] })
    expect(await aging({ customer_id: seller.customer_id })).toMatchObject({ totals: { current: 700, unapplied_credits: -250, total: 450 }, difference: 0 })
    ok(await seller.client.post(`/customers/${second}/merge`, { source_ids: [seller.customer_id] }))
    expect(await aging()).toMatchObject({ items: [{ customer_id: second, current: 700, d31_60: 250, unapplied_credits: -250, total: 700 }] })
    expect((await aging({ customer_id: seller.customer_id })).totals.total).toBe(700)
  })

  it('keeps to the journal where a document has gone astray', async () => {
    const { id } = await seller.open({ ...of(1_000), invoice_date: '2026-03-01' })
    await sql('update invoices set base_balance = 999 where id = $1', [id])
    expect(await aging({ detail: true })).toMatchObject({ items: [{ total: 1_000, items: [{ invoice_id: id, amount: 1_000 }] }], control_balance: 1_000, difference: 0 })
  })

  it('is another for every business', async () => {
    await seller.open()
    const other = await newSeller()
    expect(ok(await other.client.get('/invoices/aging')).items).toEqual([])
  })
})

describe('aging of receivables that nobody planned', () => {
  const seed = seedFrom('AGING_SEED')

  it(`ties at any day and any moment, by the documents, by the journal and counted by hand (AGING_SEED=${seed})`, async () => {
    const random = randomOf(seed)
    const moments = await play(random)
    const days = ['2025-12-31', ...Array.from({ length: 12 }, () => addDays('2026-01-01', random(120))), '2026-03-31', '2026-12-31']
    const books = await read()
    for (const as_of of days) {
      const naive = count(books, as_of, null)
      expect(await bothWays(as_of), `by both ways at ${as_of}`).toEqual([naive, naive])
      expect(await shown({ as_of }), `at ${as_of}`).toEqual(naive)
      const known_at = moments[random(moments.length)] as string
      expect(await shown({ as_of, known_at }), `at ${as_of} as known at ${known_at}`).toEqual(count(books, as_of, known_at))
    }
  })

  /** Does what people do, on days that jump back and forth; answers the moments between. What is refused leaves nothing. */
  async function play(random: (below: number) => number): Promise<string[]> {
    const { client } = seller
    const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T
    const customers = [seller.customer_id, await newCustomer(client, { name: 'Second' }), await newCustomer(client, { name: 'Third', currency: 'EUR' }), await newCustomer(client, { name: 'Fourth' })]
    const receivable = await seller.ledger('accounts_receivable')
    const checking = await seller.ledger('Checking')
    const sales = await seller.ledger('sales')
    ok(await client.post('/fx/rates', { from_currency: 'EUR', to_currency: 'USD', date: '2026-01-01', rate: '1.17' }))
    const invoices: string[] = []
    const memos: { id: string; customer_id: string }[] = []
    const owed = new Map<string, string>()
    const items: { id: string; customer_id: string; amount: number }[] = []
    const day = () => addDays('2026-01-01', random(110))
    const moves: (() => Promise<unknown>)[] = [
      ...Array.from({ length: 6 }, () => async () => {
        const customer_id = pick(customers)
        const invoice_date = day()
        const { data } = await client.post('/invoices', {
          customer_id, ...of(1_000 + random(9_000)), invoice_date, due_date: random(4) === 0 ? null : addDays(invoice_date, random(60)), fx_rate: customer_id === customers[2] ? `1.${random(900) + 100}` : undefined, finalize: true,
        })
        if (data) invoices.push(data.id)
        if (data) owed.set(customer_id, data.id)
      }),
      ...Array.from({ length: 4 }, () => () => client.post(`/invoices/${pick(invoices)}/payments`, { amount: 1 + random(6_000), paid_on: day(), deposit_ledger_id: checking })),
      () => client.put(`/invoices/${pick(invoices)}/paid`, { paid_on: day() }),
      () => client.put(`/invoices/${pick(invoices)}/unpaid`, {}),
      () => client.put(`/invoices/${pick(invoices)}/uncollectible`, { uncollectible_on: day() }),
      () => client.put(`/invoices/${pick(invoices)}/void`, random(2) === 0 ? {} : { reversal_date: '2026-05-02' }),
      () => client.put(`/invoices/${invoices.at(-1)}`, { id: invoices.at(-1), invoice_date: day(), due_date: '2026-07-01' }),
      () => client.put(`/invoices/${invoices.at(-1)}`, { id: invoices.at(-1), customer_id: customers[random(2)] }),
      async () => {
        const [customer_id, amount] = [pick(customers), (random(2) === 0 ? 1 : -1) * (1 + random(3_000))]
        const { data } = await client.post('/journal-entries', { date: day(), post: true, lines: [{ ledger_id: receivable, amount, customer_id }, { ledger_id: sales, amount: -amount }] })
        if (data?.lines) items.push({ id: data.lines[0].id, customer_id, amount })
      },
      async () => {
        const item = pick(items)
        if (item) await client.post('/journal-entries', { date: day(), post: true, lines: [{ ledger_id: receivable, amount: -Math.trunc(item.amount / 2), customer_id: item.customer_id, settles_line_id: item.id }, { ledger_id: checking, amount: Math.trunc(item.amount / 2) }] })
      },
      async () => {
        const [invoice] = await sql(`select receivable_line_id, customer_id, currency from invoices where id = $1 and currency = 'USD'`, [pick(invoices) ?? null])
        if (invoice) await client.post('/journal-entries', { date: day(), post: true, lines: [{ ledger_id: receivable, amount: -10, customer_id: invoice.customer_id, settles_line_id: invoice.receivable_line_id }, { ledger_id: checking, amount: 10 }] })
      },
      ...Array.from({ length: 2 }, () => async () => {
        const { data } = await client.post('/credit-memos', { customer_id: pick(customers), kind: 'credit_note', credit_date: day(), fx_rate: '1.2', line_items: [{ description: 'Back', unit_price: 500 + random(2_000) }], finalize: true })
        if (data) memos.push(data)
      }),
      ...Array.from({ length: 2 }, () => () => {
        const memo = pick(memos)
        return client.post(`/credit-memos/${memo?.id}/apply`, { allocations: [{ invoice_id: owed.get(memo?.customer_id ?? '') ?? newId(), amount: 1 + random(800) }], applied_on: addDays('2026-03-20', random(60)) })
      }),
      () => client.put(`/credit-memos/${pick(memos)?.id}/void`, {}),
      () => client.post(`/credit-memos/${pick(memos)?.id}/refund`, { method: 'bank', amount: 1 + random(400), refunded_on: day(), ledger_id: checking }),
    ]
    const moments: string[] = []
    for (let step = 0; step < 60; step++) {
      const moment = new Date(Date.parse('2026-03-15T15:00:00Z') + step * 3_600_000).toISOString()
      await at(moment)
      moments.push(moment)
      await (step < 4 ? moves[0] : pick(moves))?.()
    }
    await client.post(`/customers/${customers[1]}/merge`, { source_ids: [customers[3]] })
    return moments
  }

  type Line = { id: string; item_id: string; date: string; recorded_at: string; customer_id: string; amount: number; opens: boolean; invoice_id: string | null }
  type Books = { lines: Line[]; invoices: Map<string, { due_date: string | null; invoice_date: string; receivable_line_id: string | null }>; targets: Map<string, string> }

  async function read(): Promise<Books> {
    const { business_id } = seller
    const lines = await sql(
      `select l.id, coalesce(l.settles_line_id, l.id) as item_id, l.date::text, to_char(e.recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as recorded_at, l.customer_id, l.base_amount::float8 as amount,
         l.settles_line_id is null as opens, case when e.source_type = 'invoice' then e.source_id end as invoice_id
       from journal_lines l join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
       where l.business_id = $1 and l.ledger_id = (select id from ledgers where business_id = $1 and role = 'accounts_receivable')`, [business_id])
    const invoices = await sql('select id, due_date::text, invoice_date::text, receivable_line_id from invoices where business_id = $1', [business_id])
    const customers = await sql('select id, target_id from customers where business_id = $1', [business_id])
    return { lines, invoices: new Map(invoices.map(({ id, ...invoice }) => [id, invoice])), targets: new Map(customers.map(({ id, target_id }) => [id, target_id])) }
  }

  type Figures = { totals: AgingAmounts; rows: Record<string, AgingAmounts> }

  function count({ lines, invoices, targets }: Books, as_of: string, known_at: string | null): Figures {
    const rows: Record<string, AgingAmounts> = {}
    const totals = { ...nothing }
    const openers = new Map(lines.filter(({ opens }) => opens).map((line) => [line.id, line]))
    for (const [item_id, own] of Map.groupBy(lines.filter(({ date, recorded_at }) => date <= as_of && (known_at === null || recorded_at <= known_at)), (line) => line.item_id)) {
      const amount = own.reduce((sum, line) => sum + line.amount, 0)
      if (amount === 0) continue
      const opener = openers.get(item_id) as Line
      const invoice = invoices.get(opener.invoice_id ?? '')
      const dated = invoice?.receivable_line_id === item_id ? invoice.invoice_date : opener.date
      const days = daysBetween(invoice?.due_date ?? dated, as_of)
      const column = amount < 0 ? 'unapplied_credits' : days <= 0 ? 'current' : days <= 30 ? 'd1_30' : days <= 60 ? 'd31_60' : days <= 90 ? 'd61_90' : 'over_90'
      const row = (rows[targets.get(opener.customer_id) ?? ''] ??= { ...nothing })
      for (const each of [row, totals]) {
        each[column] += amount
        each.total += amount
      }
    }
    return { totals, rows }
  }

  const byCustomer = (rows: readonly AgingRow[]) => Object.fromEntries(rows.map(({ customer_id, customer_name: _name, items: _items, ...amounts }) => [customer_id, amounts]))

  async function shown(query: object): Promise<Figures> {
    const { totals, items, control_balance, difference } = await aging({ limit: 1000, detail: true, ...query })
    expect([control_balance, difference]).toEqual([totals.total, 0])
    for (const row of items) expect(row.items.reduce((sum: number, item: AgingItem) => sum + item.amount, 0)).toBe(row.total)
    return { totals, rows: byCustomer(items) }
  }

  function bothWays(as_of: string): Promise<Figures[]> {
    return inside(seller.business_id, async (tx) => {
      const ledger_ids = [await seller.ledger('accounts_receivable')]
      const asked = { as_of, last_number: null, by_due_date: true, first_days: 30, second_days: 60, third_days: 90, customer_ids: null, currency: null, ledger_ids }
      return Promise.all([store.byDocuments, store.byJournal].map(async (way) => ({
        totals: await tx.get(way.totals, asked, 'Aging'), rows: byCustomer((await tx.page(way.rows, { limit: 1000, ...asked })).items.map(({ totals: _totals, ...row }) => ({ ...row, items: null }))),
      })))
    })
  }
})
