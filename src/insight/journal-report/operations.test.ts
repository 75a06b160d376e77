import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { randomBooks, randomOf } from '../../../test/support/random-books.ts'
import { newId } from '../../foundation/ids.ts'

const RANGE = { start_date: '2026-02-10', end_date: '2026-05-20' }

describe('the journal', () => {
  let team: Team
  beforeAll(async () => {
    team = await newBusiness()
    await randomBooks(team.business_id, 30, randomOf(5))
  })

  const numbers = async (where: string, ...values: unknown[]): Promise<number[]> =>
    (await sql(`select number::float8 from journal_entries e where business_id = $1 and ${where} order by number`, [team.business_id,
      ...values])).map(({ number }) => number)

  async function pages(query: Record<string, string | number>, direction: 'next' | 'prev' = 'next') {
    const found: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, detail }: any = await team.client.get('/reports/journal', { ...query, direction, ...(cursor ? { cursor } : {}) })
      expect(detail).toBeUndefined()
      found.push(data.items)
      cursor = direction === 'next' ? data.next_cursor : data.prev_cursor
    }
    return direction === 'prev' ? found.toReversed().flat() : found.flat()
  }

  it('has the entries of the range by number, in pages of any size, both ways', async () => {
    const wanted = await numbers('date between $2 and $3', RANGE.start_date, RANGE.end_date)
    const all = await pages({ ...RANGE, limit: 1000 })
    expect(all.map(({ number }: any) => number)).toEqual(wanted)
    expect(await pages({ ...RANGE, limit: 7 })).toEqual(all)
    expect(await pages({ ...RANGE, limit: 7 }, 'prev')).toEqual(all)
    expect((await team.client.get('/reports/journal', { ...RANGE, limit: 1, include_total_count: true })).data.total).toBe(wanted.length)
  })

  it.each(['accrual', 'cash'])('has the lines of each entry, which balance (%s)', async (basis) => {
    for (const { number, total, lines } of await pages({ period: 'all_time', basis, limit: 1000 })) {
      const read = (columns: string, table: string, order: string) =>
        sql(
          `select id, base_amount::float8, ${columns} from ${table} where business_id = $1 and entry_number = $2 order by ${order}`,
          [team.business_id, number])
      const posted = await read('amount::float8', 'journal_lines', 'position')
      const added = basis === 'cash' ? await read('base_amount::float8 as amount', 'cash_basis_lines', 'id') : []
      expect(lines.map(({ id, debit, credit, amount, cash_basis }: any) => [id, debit - credit, amount, cash_basis]))
        .toEqual([...posted, ...added].map((line, index) => [line.id, line.base_amount, line.amount, index >= posted.length]))
      expect(lines.reduce((sum: number, { debit, credit }: any) => sum + debit - credit, 0)).toBe(0)
      expect(lines.filter(({ cash_basis }: any) => !cash_basis).reduce((sum: number, { debit }: any) => sum + debit, 0)).toBe(total)
    }
  })

  it('can be filtered by ledger, by what was known, and by whether it adjusts', async () => {
    const chart = await chartOf(team.business_id)
    const ledger_id = chart.role('bad_debt')
    const has_line = 'exists (select from journal_lines l where l.business_id = e.business_id and l.entry_number = e.number and l.ledger_id = $2)'
    const of_ledger = await numbers(has_line, ledger_id)
    expect((await pages({ period: 'all_time', ledger_id, limit: 2 })).map(({ number }: any) => number)).toEqual(of_ledger)
    expect((await pages({ period: 'all_time', ledger_id, limit: 2 }, 'prev')).map(({ number }: any) => number)).toEqual(of_ledger)
    expect((await team.client.get('/reports/journal', { period: 'all_time', ledger_id, limit: 1, include_total_count: true })).data.total)
      .toBe(of_ledger.length)
    const [{ at }] = await sql(
      `select to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
       from journal_entries where business_id = $1 order by number offset 20 limit 1`, [team.business_id])
    expect((await pages({ period: 'all_time', known_at: at, limit: 1000 })).map(({ number }: any) => number)).toEqual(await numbers('recorded_at <= $2', at))
    await post(team.business_id, { date: '2026-05-05', is_adjusting: true, lines: [[chart.named('Rent'), 1], [chart.named('Checking'), -1]] })
    expect((await pages({ period: 'all_time', adjusting: 'exclude', limit: 1000 })).map(({ number }: any) => number)).toEqual(await numbers('not is_adjusting'))
  })

  it('can be filtered by a value of a dimension', async () => {
    const chart = await chartOf(team.business_id)
    const dimension = (await team.client.post('/accounting-dimensions', { key: 'place', name: 'Place' })).data
    const value = (await team.client.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'NYC', name: 'New York' })).data
    const [entry] = await post(team.business_id, { date: '2026-05-05', lines: [{ ledger_id: chart.named('Rent'), amount: 1,
      dimension_value_ids: [value.id] }, [chart.named('Checking'), -1]] })
    const found = await pages({ period: 'all_time', dimension_value_id: value.id })
    expect(found.map(({ number, lines }: any) => [number, lines.length])).toEqual([[entry?.number, 2]])
  })

  it('is exported whole, a row per line', async () => {
    const lines = (await pages({ ...RANGE, limit: 1000 })).flatMap((entry: any) => entry.lines)
    const answer = await team.client.get('/reports/journal/export', RANGE)
    expect(answer.body.trimEnd().split('\r\n')).toHaveLength(lines.length + 1)
    expect(answer.headers.get('content-disposition')).toContain('journal-2026-05-20.csv')
  })

  it('refuses a cursor of another question and a ledger that is not there; without entries it is empty', async () => {
    const { data } = await team.client.get('/reports/journal', { ...RANGE, limit: 1 })
    expect((await team.client.get('/reports/journal', { ...RANGE, end_date: '2026-05-21', cursor: data.next_cursor })).status).toBe(400)
    expect((await team.client.get('/reports/journal', { ledger_id: newId() })).status).toBe(404)
    expect((await team.client.get('/reports/journal', { start_date: '2031-01-01', end_date: '2031-12-31' })).data)
      .toMatchObject({ items: [], has_next: false, has_prev: false })
    expect((await team.client.get('/reports/journal', { start_date: '2031-01-01', end_date: '2031-12-31', direction: 'prev' })).data.items).toEqual([])
  })
})
