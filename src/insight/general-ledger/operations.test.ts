import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newLedger } from '../../../test/support/example-books.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { randomBooks, randomOf } from '../../../test/support/random-books.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { generatePeriods } from '../../ledger/accounting-periods/operations.ts'
import { mergeLedger } from '../../ledger/ledgers/operations.ts'
import { exportGeneralLedger, fileOf } from './operations.ts'

type Line = { id: string; ledger_id: string; date: string; base_amount: number; cash_basis: boolean; recorded_at: string }

/** Straight from the tables, without any of the code under test. */
async function linesOf(business_id: string, basis: 'accrual' | 'cash'): Promise<Line[]> {
  const recorded_at = `to_char(e.recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as recorded_at`
  const from = (table: string) => `select x.id, x.ledger_id, x.date::text, x.base_amount::float8, ${recorded_at}, ${table === 'cash_basis_lines'} as cash_basis
    from ${table} x join journal_entries e on e.business_id = x.business_id and e.id = x.entry_id where x.business_id = $1`
  const rows = await sql(`${from('journal_lines')} union all ${from('cash_basis_lines')} and $2`, [business_id, basis === 'cash'])
  return rows.sort((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? -1 : 1))
}

/** Every page one way, as one. */
async function pages(team: Team, query: Record<string, string | number>, direction: 'next' | 'prev' = 'next') {
  const found: any[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, detail }: any = await team.client.get('/reports/general-ledger', { ...query, direction, ...(cursor ? { cursor } : {}) })
    expect(detail).toBeUndefined()
    found.push(data)
    cursor = direction === 'next' ? data.next_cursor : data.prev_cursor
    expect(direction === 'next' ? data.has_next : data.has_prev).toBe(cursor !== null)
  }
  if (direction === 'prev') found.reverse()
  return { pages: found, items: found.flatMap((page) => page.items), ledgers: found.flatMap((page) => page.ledgers) }
}

const RANGE = { start_date: '2026-02-10', end_date: '2026-05-20' }
const sum = (lines: readonly { base_amount: number }[]) => lines.reduce((total, line) => total + line.base_amount, 0)

describe('the general ledger', () => {
  let team: Team
  let types: Map<string, string>
  const natural = (ledger_id: string, amount: number) => (['asset', 'expense'].includes(types.get(ledger_id) ?? '') ? amount : 0 - amount)

  beforeAll(async () => {
    team = await newBusiness()
    await randomBooks(team.business_id, 25, randomOf(7))
    types = new Map((await sql('select id, type from ledgers where business_id = $1', [team.business_id])).map((row) => [row.id, row.type]))
  })

  it.each(['accrual', 'cash'] as const)('has every line of the range with its balance, in pages of any size, both ways (%s)', async (basis) => {
    const all = await linesOf(team.business_id, basis)
    const wanted = all.filter(({ date }) => date >= RANGE.start_date && date <= RANGE.end_date)
    const big = await pages(team, { ...RANGE, basis, limit: 1000 })
    expect(big.items.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
    expect(big.items.filter(({ cash_basis }) => cash_basis)).toHaveLength(wanted.filter(({ cash_basis }) => cash_basis).length)
    for (const section of big.ledgers) {
      const own = all.filter(({ ledger_id }) => ledger_id === section.ledger_id)
      // The books began in this fiscal year, so income and expenses open with all that came before.
      let balance = sum(own.filter(({ date }) => date < RANGE.start_date))
      expect(section.opening).toBe(natural(section.ledger_id, balance))
      expect(section.balance_before).toBe(section.opening)
      const inside_range = own.filter(({ date }) => date >= RANGE.start_date && date <= RANGE.end_date)
      const shown = big.items.filter(({ ledger_id }) => ledger_id === section.ledger_id)
      expect(shown.map(({ id }) => id)).toEqual(inside_range.map(({ id }) => id))
      expect(shown.map((line) => line.balance)).toEqual(inside_range.map(({ base_amount }) => natural(section.ledger_id, (balance += base_amount))))
      expect(section.closing).toBe(natural(section.ledger_id, balance))
      expect(section.debit - section.credit).toBe(sum(inside_range))
    }
    for (const [limit, direction] of [[7, 'next'], [7, 'prev']] as const) {
      const small = await pages(team, { ...RANGE, basis, limit }, direction)
      expect(small.items).toEqual(big.items)
      for (const page of small.pages) {
        expect(page.items.length).toBeLessThanOrEqual(limit)
        for (const section of page.ledgers) {
          const first = page.items.find(({ ledger_id }: Line) => ledger_id === section.ledger_id)
          if (first) expect(section.balance_before).toBe(first.balance - natural(first.ledger_id, first.debit - first.credit))
        }
      }
      // Every ledger of the long page has its place on one of the short ones.
      expect(new Set(small.ledgers.map(({ ledger_id }) => ledger_id))).toEqual(new Set(big.ledgers.map(({ ledger_id }) => ledger_id)))
    }
  })

  it.each(['accrual', 'cash'] as const)('closes as the trial balance does (%s)', async (basis) => {
    const { ledgers } = await pages(team, { ...RANGE, basis, limit: 1000 })
    const { data } = await team.client.get('/reports/trial-balance', { ...RANGE, basis, show_zero: true })
    const closing = new Map<string, number[]>()
    const visit = (rows: any[]) => rows.forEach((row) => {
      if (row.ledger_id && row.rows.length === 0) closing.set(row.ledger_id, [row.cells[0].amount, row.cells[3].amount])
      visit(row.rows)
    })
    visit(data.rows)
    expect(ledgers.length).toBeGreaterThan(5)
    for (const { ledger_id, opening, closing: closed } of ledgers) expect([ledger_id, opening, closed]).toEqual([ledger_id, ...(closing.get(ledger_id) ?? [])])
  })

  it('shows what the books said at a moment', async () => {
    const all = await linesOf(team.business_id, 'cash')
    const times = [...new Set(all.map(({ recorded_at }) => recorded_at))].sort()
    const moment = times[Math.floor(times.length / 2)] ?? ''
    const known = all.filter(({ recorded_at, date }) => recorded_at <= moment && date <= '2026-12-31')
    const { items, ledgers } = await pages(team, { end_date: '2026-12-31', basis: 'cash', known_at: moment, limit: 1000 })
    expect(items.map(({ id }) => id).toSorted()).toEqual(known.map(({ id }) => id).toSorted())
    for (const { ledger_id, closing } of ledgers) expect(closing).toBe(natural(ledger_id, sum(known.filter((line) => line.ledger_id === ledger_id))))
    expect(known.length).toBeLessThan(all.length)
  })

  it('shows one ledger, and counts its lines where asked', async () => {
    const all = await linesOf(team.business_id, 'accrual')
    const { ledger_id } = all[0] as Line
    const { data } = await team.client.get('/reports/general-ledger', { period: 'all_time', ledger_id, limit: 3, include_total_count: true })
    const own = all.filter((line) => line.ledger_id === ledger_id)
    expect(data.total).toBe(own.length)
    expect(data.items.map(({ id }: Line) => id)).toEqual(own.slice(0, 3).map(({ id }) => id))
    expect(data.ledgers).toHaveLength(1)
    expect(data).toMatchObject({ report: 'general-ledger', basis: 'accrual', currency: 'USD', limit: 3, has_prev: false, prev_cursor: null })
    expect(data.items[0].href).toBe(`/journal-entries/${data.items[0].entry_id}`)
  })

  it('exports all lines as CSV, with opening and closing of each ledger', async () => {
    const { items, ledgers } = await pages(team, { ...RANGE, basis: 'cash', limit: 1000 })
    const answer = await team.client.get('/reports/general-ledger/export', { ...RANGE, basis: 'cash' })
    expect(answer.headers.get('content-disposition')).toContain('general-ledger-2026-05-20.csv')
    const rows = (answer.body as string).trimEnd().split('\r\n').slice(1)
    expect(rows.filter((row) => row.includes('Opening balance'))).toHaveLength(ledgers.length)
    expect(rows.filter((row) => row.includes('Closing balance')).map((row) => row.split(',')[9]))
      .toEqual(ledgers.map(({ closing }) => (closing / 100).toFixed(2)))
    expect(rows).toHaveLength(items.length + 2 * ledgers.length)
    expect(await (await file({ ...RANGE, basis: 'cash', format: 'csv' })).text()).toBe(answer.body)
    for (const [format, type] of [['xlsx', 'spreadsheetml'], ['pdf', 'application/pdf']] as const) {
      expect((await file({ ...RANGE, format })).headers.get('content-type')).toContain(type)
    }
  })

  /** As it is, without holding it against the description, which knows of JSON only. */
  const file = async (query: Record<string, string>) => fetch(`${(await service()).url}/api/v1/reports/general-ledger?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${team.owner.token}`, 'x-business-id': team.business_id },
  })

  it('refuses a cursor of another question, a ledger that is not there, and dates the wrong way round', async () => {
    const first = await team.client.get('/reports/general-ledger', { ...RANGE, limit: 1 })
    const again = await team.client.get('/reports/general-ledger', { ...RANGE, basis: 'cash', limit: 1, cursor: first.data.next_cursor })
    expect([again.status, again.detail]).toEqual([400, 'This cursor does not belong to this report with these parameters. Start again without a cursor.'])
    expect((await team.client.get('/reports/general-ledger', { ...RANGE, cursor: 'W10' })).status).toBe(400)
    const ledger_id = newId()
    expect((await team.client.get('/reports/general-ledger', { ledger_id })).detail).toBe(`Ledger ${ledger_id} not found.`)
    expect((await team.client.get('/reports/general-ledger', { start_date: '2026-03-01', end_date: '2026-02-01' })).status).toBe(400)
    expect((await team.client.get('/reports/general-ledger', { period: 'this_month', end_date: '2026-02-01' })).status).toBe(400)
    const other = await newBusiness()
    const theirs = [...types.keys()][0] ?? ''
    expect((await client(other.owner.token, other.business_id).get('/reports/general-ledger', { ledger_id: theirs })).status).toBe(404)
    expect((await (await newMember(team.business_id, 'viewer')).client.get('/reports/general-ledger', RANGE)).status).toBe(200)
  })
})

describe('a file of lines', () => {
  it('is read in parts, all as of its beginning', async () => {
    const team = await newBusiness()
    const { named } = await chartOf(team.business_id)
    const [rent, checking] = [named('Rent'), named('Checking')]
    const entry = (parts: number) => {
      const lines = Array.from({ length: parts }, () => [rent, 5] as const)
      return { date: '2026-03-01', lines: [...lines, [checking, -5 * parts] as const] }
    }
    await post(team.business_id, entry(600), entry(700))
    const { body } = await inside(team.business_id, (tx) => exportGeneralLedger(tx, { end_date: '2026-12-31', basis: 'accrual' }, 'csv'))
    if (typeof body !== 'function') throw new Error('It is held as a whole.')
    await post(team.business_id, entry(1))
    let text = ''
    let reads = 0
    for await (const part of body((work) => (reads++, inside(team.business_id, work)))) text += part
    const rows = text.trimEnd().split('\r\n').slice(1)
    expect(rows).toHaveLength(1_300 + 2 + 2 * 2)
    expect(rows.at(-1)).toContain('Closing balance,,,,,65.00,')
    expect(reads).toBe(2)
  })

  it('as a spreadsheet or on paper has at most 50,000 of them', async () => {
    const team = await newBusiness()
    const sheet = { file_name: 'lines', title: 'Lines', columns: [{ key: 'n', label: 'N', kind: 'integer' as const }] }
    const rows = async function* () {
      for (let n = 0; n <= 50_000; n++) yield { n }
    }
    for (const format of ['xlsx', 'pdf'] as const) {
      const made = inside(team.business_id, (tx) => fileOf(tx, format, sheet, rows))
      await expect(made).rejects.toThrow('There are more than 50,000 lines: ask for format=csv, or for fewer.')
    }
  })
})

describe('lines of a general ledger', () => {
  it('open income and expenses with the fiscal year, stand under the ledger that theirs is merged into, and can be filtered', async () => {
    const team = await newBusiness()
    const { business_id } = team
    const chart = await chartOf(business_id)
    const [checking, sales, rent] = [chart.named('Checking'), chart.role('sales'), chart.named('Rent')]
    const other = await newLedger(business_id, { name: 'Rooms', type: 'expense', subtype: 'operating' })
    const customer_id = await newCustomer(team.client)
    const dimension = (await team.client.post('/accounting-dimensions', { key: 'place', name: 'Place' })).data
    const valueOf = async (code: string, parent_id: string | null): Promise<string> =>
      (await team.client.post(`/accounting-dimensions/${dimension.id}/values`, { code, name: code, parent_id })).data.id
    const us = await valueOf('US', null)
    const nyc = await valueOf('NYC', us)
    await inside(business_id, (tx) => generatePeriods(tx, 2025))
    await post(business_id,
      { date: '2025-06-01', lines: [[checking, 100], { ledger_id: sales, amount: -100, customer_id }] },
      { date: '2026-01-15', lines: [[checking, 20], { ledger_id: sales, amount: -20, customer_id, dimension_value_ids: [nyc] }] },
      {
        date: '2026-02-01', memo: 'February',
        lines: [[checking, 7], { ledger_id: sales, amount: -3, customer_id, dimension_value_ids: [us] }, { ledger_id: sales, amount: -4 }],
      },
      { date: '2026-02-02', is_adjusting: true, lines: [[rent, 5], [checking, -5]] },
      { date: '2026-02-03', lines: [{ ledger_id: other, amount: 6, memo: 'Two rooms' }, [checking, -6]] },
    )
    await inside(business_id, (tx) => mergeLedger(tx, other, rent))
    const ask = (query: object) => team.client.get('/reports/general-ledger', { start_date: '2026-02-01', end_date: '2026-02-28', ...query })

    const { data } = await ask({})
    expect(data.ledgers.map(({ name, opening, debit, credit, closing }: any) => [name, opening, debit, credit, closing])).toEqual([
      ['Checking', 120, 7, 11, 116], ['Sales', 20, 0, 7, 27], ['Rent', 0, 11, 0, 11],
    ])
    expect(data.items.map(({ date, memo, debit, credit, balance }: any) => [date, memo, debit, credit, balance]).slice(-4)).toEqual([
      ['2026-02-01', 'February', 0, 3, 23], ['2026-02-01', 'February', 0, 4, 27], ['2026-02-02', null, 5, 0, 5], ['2026-02-03', 'Two rooms', 6, 0, 11],
    ])
    for (const ledger_id of [rent, other]) {
      const { data: one } = await ask({ ledger_id })
      expect(one.items.map(({ ledger_id: shown, balance }: any) => [shown, balance])).toEqual([[rent, 5], [rent, 11]])
    }
    expect((await ask({ ledger_id: rent, adjusting: 'exclude' })).data.ledgers).toMatchObject([{ opening: 0, debit: 6, closing: 6 }])
    const of_us = await ask({ dimension_value_id: us })
    expect(of_us.data.ledgers).toMatchObject([{ name: 'Sales', opening: 20, credit: 3, closing: 23 }])
    expect(of_us.data.items.map(({ balance }: any) => balance)).toEqual([23])
    expect((await ask({ dimension_value_id: nyc })).data).toMatchObject({ ledgers: [{ name: 'Sales', opening: 20, closing: 20 }], items: [] })
    const of_customer = await ask({ customer_id, limit: 1 })
    expect(of_customer.data).toMatchObject({
      ledgers: [{ name: 'Sales', opening: 20, credit: 3, closing: 23 }], items: [{ credit: 3, balance: 23, customer_id }], has_next: false,
    })
    expect((await ask({ customer_id: newId() })).status).toBe(404)
    // A page that begins in the middle of a day, with the filter.
    const all_time = (more: object) => team.client.get('/reports/general-ledger', { period: 'all_time', customer_id, limit: 1, ...more })
    const page = await all_time({})
    const next = await all_time({ cursor: page.data.next_cursor })
    expect([page.data.items[0].balance, next.data.items[0].balance, next.data.ledgers[0].balance_before]).toEqual([100, 120, 100])
  })
})

it('a cursor brings its balance along, but not into books that have changed since', async () => {
  const team = await newBusiness()
  const chart = await chartOf(team.business_id)
  const [rent, checking] = [chart.named('Rent'), chart.named('Checking')]
  const year = new Date().getUTCFullYear()
  const pay = (day: string, amount: number) => post(team.business_id, { date: `${year}-03-${day}`, lines: [[rent, amount], [checking, -amount]] })
  for (const [day, amount] of [['10', 100], ['20', 200], ['30', 400]] as const) await pay(day, amount)
  const read = async (more: object = {}) =>
    (await team.client.get('/reports/general-ledger', { ledger_id: rent, start_date: `${year}-03-01`, end_date: `${year}-03-31`, limit: 1, ...more })).data
  const first = await read()
  const second = await read({ cursor: first.next_cursor })
  expect([first, second].map(({ items: [line] }) => line.balance)).toEqual([100, 300])
  // Backdated: it stands on the first page, which is read already, and in every balance after it.
  await pay('05', 10)
  expect((await read({ cursor: first.next_cursor })).items[0].balance).toBe(310)
  const third = await read({ cursor: second.next_cursor })
  expect([third.items[0].balance, (await read({ cursor: third.prev_cursor, direction: 'prev' })).items[0].balance]).toEqual([710, 310])
  // The same place, walked the other way.
  expect((await read({ cursor: third.prev_cursor, direction: 'next', limit: 5 })).items).toEqual([])
  expect((await read({ cursor: second.next_cursor, direction: 'prev' })).items[0].balance).toBe(110)
})
