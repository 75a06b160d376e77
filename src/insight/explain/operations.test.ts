import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { randomBooks, randomOf } from '../../../test/support/random-books.ts'
import { newId } from '../../foundation/ids.ts'

type Line = { id: string; ledger_id: string; date: string; base_amount: number; number: number; source_type: string; source_id: string | null }

async function linesOf(business_id: string, basis: string): Promise<Line[]> {
  const rows = await sql(
    `select x.id, x.ledger_id, x.date::text, x.base_amount::float8, x.entry_number::float8 as number, e.source_type, e.source_id
     from (select business_id, id, entry_id, entry_number, ledger_id, date, base_amount from journal_lines where business_id = $1
           union all select business_id, id, entry_id, entry_number, ledger_id, date, base_amount from cash_basis_lines where business_id = $1 and $2) as x
     join journal_entries e on e.business_id = x.business_id and e.id = x.entry_id`, [business_id, basis === 'cash'])
  return rows.sort((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? -1 : 1))
}

const sum = (lines: readonly Line[]) => lines.reduce((total, line) => total + line.base_amount, 0)

/** Every cell of a report that leads somewhere. */
function cellsOf(rows: any[]): { amount: number; href: string; place: number; kind: string }[] {
  return rows.flatMap((row) => [...row.cells.map((cell: any, place: number) => ({ ...cell, place, kind: row.kind })).filter(({ href }: any) => href),
    ...cellsOf(row.rows)])
}

describe('an explanation', () => {
  let team: Team
  beforeAll(async () => {
    team = await newBusiness()
    await randomBooks(team.business_id, 30, randomOf(11))
  })

  it.each(['accrual', 'cash'])('has the amount of its lines, all of them in pages, and its documents (%s)', async (basis) => {
    const chart = await chartOf(team.business_id)
    const ledger_id = [chart.role('accounts_receivable'), chart.role('sales'), chart.role('bad_debt')]
    const range = { start_date: '2026-01-20', end_date: '2026-04-11' }
    const all = await linesOf(team.business_id, basis)
    const wanted = all.filter((line) => ledger_id.includes(line.ledger_id) && line.date >= range.start_date && line.date <= range.end_date)
    const ask = (query: object) => team.client.get('/reports/explain', { ledger_id, ...range, basis, limit: 9, ...query })
    const first = await ask({ include_total_count: true })
    expect(first.data).toMatchObject({ amount: sum(wanted), line_count: wanted.length, lines: { total: wanted.length, has_prev: false } })
    const seen = [...first.data.lines.items]
    let last = first
    while (last.data.lines.has_next) {
      last = await ask({ cursor: last.data.lines.next_cursor })
      expect(last.data).toMatchObject({ amount: sum(wanted), line_count: null, documents: null })
      seen.push(...last.data.lines.items)
    }
    expect(seen.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id))
    expect(seen.map(({ debit, credit }) => debit - credit)).toEqual(wanted.map(({ base_amount }) => base_amount))
    expect(seen.map(({ entry_number, source_type, source_id }) => [entry_number, source_type, source_id]))
      .toEqual(wanted.map((line) => [line.number, line.source_type, line.source_id]))
    const back = await ask({ cursor: last.data.lines.prev_cursor, direction: 'prev' })
    const place = seen.findIndex(({ id }) => id === last.data.lines.items[0].id)
    expect(back.data.lines.items).toEqual(seen.slice(Math.max(0, place - 9), place))

    const documents = [...Map.groupBy(wanted, ({ source_type, source_id }) => `${source_type} ${source_id}`).values()]
    expect(first.data.document_count).toBe(documents.length)
    expect(first.data.documents).toHaveLength(documents.length)
    expect(first.data.documents.reduce((total: number, { amount }: any) => total + amount, 0)).toBe(sum(wanted))
    for (const { source_type, source_id, amount, count } of first.data.documents) {
      const own = wanted.filter((line) => line.source_type === source_type && line.source_id === source_id)
      expect([amount, count]).toEqual([sum(own), own.length])
    }
    const sizes = first.data.documents.map(({ amount }: any) => Math.abs(amount))
    expect(sizes).toEqual(sizes.toSorted((a: number, b: number) => b - a))
    const rows = (await team.client.get('/reports/explain/export', { ledger_id, ...range, basis })).body.trimEnd().split('\r\n')
    expect(rows).toHaveLength(wanted.length + 1)
  })

  it.each([
    ['profit-and-loss', { columns: 'month', end_date: '2026-06-30' }],
    ['balance-sheet', { as_of: '2026-05-13', basis: 'cash' }],
    ['trial-balance', { start_date: '2026-03-03', end_date: '2026-04-30' }],
    ['cash-flow', { start_date: '2026-02-01', end_date: '2026-04-30' }],
    ['changes-in-equity', { end_date: '2026-06-30' }],
    ['by-dimension', { rows: 'project', columns: 'month', end_date: '2026-06-30' }],
    ['managerial', { key: 'function', end_date: '2026-06-30' }],
  ])('is where the cells of %s lead, to the cent', async (report, query) => {
    const { data } = await team.client.get(`/reports/${report}`, query)
    const cells = cellsOf(data.rows)
      // Debit and credit of a trial balance both lead to the lines that they are the two sides of.
      .filter(({ amount, kind, place }) => amount !== 0 && kind !== 'section' && !(report === 'trial-balance' && [1, 2].includes(place)))
      .slice(0, 12)
    expect(cells.length).toBeGreaterThan(report === 'changes-in-equity' ? 0 : 3)
    for (const { href, amount } of cells) {
      const [path = '', search = ''] = href.split('?')
      const explained = await team.client.get(path, { ...Object.fromEntries(new URLSearchParams(search)), limit: 1 })
      // Statements of projects lead to records that no room has yet.
      if (explained.status === 404 && search.includes('project_id')) continue
      expect([href, Math.abs(explained.data?.amount)]).toEqual([href, Math.abs(amount)])
    }
  })

  it('refuses what is not there and dates the wrong way round', async () => {
    const chart = await chartOf(team.business_id)
    const missing = newId()
    expect((await team.client.get('/reports/explain', { ledger_id: [chart.role('sales'), missing] })).detail).toBe(`Ledger ${missing} not found.`)
    expect((await team.client.get('/reports/explain', { ledger_id: '' })).detail).toBe('Name at least one ledger.')
    expect((await team.client.get('/reports/explain', {})).detail[0]).toMatchObject({ loc: ['query', 'ledger_id'], type: 'missing' })
    const wrong = await team.client.get('/reports/explain', { ledger_id: chart.role('sales'), start_date: '2026-03-02', end_date: '2026-03-01' })
    expect([wrong.status, wrong.detail]).toEqual([400, 'start_date 2026-03-02 lies after 2026-03-01, the last day.'])
    expect((await team.client.get('/reports/explain', { ledger_id: chart.role('sales'), dimension_value_id: missing })).status).toBe(404)
    expect((await team.client.get('/reports/explain', { ledger_id: chart.role('sales'), cursor: 'x' })).status).toBe(400)
  })
})
