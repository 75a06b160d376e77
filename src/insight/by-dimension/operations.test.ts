import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { randomBooks, randomOf } from '../../../test/support/random-books.ts'
import { newId } from '../../foundation/ids.ts'

const RANGE = { start_date: '2026-01-11', end_date: '2026-05-19' }

type Tags = { customer_id: string | null; vendor_id: string | null; project_id: string | null; values: string[] }
type Line = Tags & { ledger_id: string; month: string; base_amount: number }

async function linesOf({ business_id }: Team, basis: string, types: string[]): Promise<Line[]> {
  return sql(
    `select x.ledger_id, to_char(x.date, 'YYYY-MM') as month, x.base_amount::float8, x.customer_id, x.vendor_id, x.project_id, x.dimension_value_ids as values
     from (select business_id, ledger_id, date, base_amount, customer_id, vendor_id, project_id, dimension_value_ids from journal_lines
           union all select business_id, ledger_id, date, base_amount, customer_id, vendor_id, project_id, dimension_value_ids from cash_basis_lines
             where $2) as x
     join ledgers g on g.business_id = x.business_id and g.id = x.ledger_id
     where x.business_id = $1 and x.date between $3 and $4 and g.type = any($5)`, [business_id, basis === 'cash', RANGE.start_date, RANGE.end_date, types])
}

describe('ledgers crossed by two axes', () => {
  let team: Team
  let places: string[]
  beforeAll(async () => {
    team = await newBusiness()
    await randomBooks(team.business_id, 25, randomOf(31))
    const { named, role } = await chartOf(team.business_id)
    const dimension = (await team.client.post('/accounting-dimensions', { key: 'place', name: 'Place' })).data
    places = []
    for (const code of ['NYC', 'ROM']) places.push((await team.client.post(`/accounting-dimensions/${dimension.id}/values`, { code, name: code })).data.id)
    const customer_id = newId()
    await post(team.business_id, ...['2026-02-03', '2026-02-20', '2026-03-31', '2026-05-10'].map((date, index) => ({
      date,
      lines: [
        { ledger_id: named('Rent'), amount: 1_000 + index, dimension_value_ids: [places[index % 2] ?? ''], customer_id: index > 1 ? customer_id : null },
        { ledger_id: role('sales'), amount: -300, customer_id, dimension_value_ids: index === 0 ? [places[1] ?? ''] : [] },
        { ledger_id: named('Checking'), amount: -700 - index },
      ],
    })))
  })

  const keyOf: Record<string, (line: Line) => string> = {
    ledger: (line) => line.ledger_id,
    month: (line) => line.month,
    customer: (line) => line.customer_id ?? 'unassigned',
    vendor: (line) => line.vendor_id ?? 'unassigned',
    project: (line) => line.project_id ?? 'unassigned',
    'dimension:place': (line) => line.values.find((value) => places.includes(value)) ?? 'unassigned',
  }

  it.each([
    ['ledger', 'month', 'accrual'], ['ledger', 'customer', 'cash'], ['customer', 'project', 'accrual'], ['vendor', 'project', 'cash'], ['month',
      'dimension:place', 'accrual'],
    ['dimension:place', 'customer', 'accrual'], ['project', 'ledger', 'cash'], ['dimension:place', 'month', 'cash'],
  ])('%s by %s, %s basis: every cell is the sum of its lines, and the total is the net income', async (rows, columns, basis) => {
    const lines = await linesOf(team, basis, ['income', 'expense'])
    const { data } = await team.client.get('/reports/by-dimension', { ...RANGE, rows, columns, basis })
    const expected = new Map<string, number>()
    for (const line of lines) {
      for (const row of [keyOf[rows]!(line), 'total']) {
        for (const column of [keyOf[columns]!(line), 'total']) expected.set(`${row} ${column}`, (expected.get(`${row} ${column}`) ?? 0) - line.base_amount)
      }
    }
    const keys = data.columns.map(({ key }: any) => key)
    for (const row of data.rows) {
      for (const [place, { amount }] of row.cells.entries()) {
        expect([row.key, keys[place], amount]).toEqual([row.key, keys[place], (expected.get(`${row.key} ${keys[place]}`) ?? 0) + 0])
        expected.delete(`${row.key} ${keys[place]}`)
      }
    }
    expect([...expected.values()].filter((amount) => amount !== 0)).toEqual([])
    if (rows !== 'ledger' && rows !== 'month') expect(data.rows.at(-2).key).toBe('unassigned')
    const profit = (await team.client.get('/reports/profit-and-loss', { ...RANGE, basis })).data.rows.at(-1)
    expect(profit.key).toBe('net_income')
    expect(data.rows.at(-1).cells.at(-1).amount).toBe(profit.cells[0].amount)
    expect(data.checks).toEqual([{ key: 'total_equals_statement', ok: true, difference: 0 }])
  })

  it('takes the types and ledgers that are named; those of one side have natural signs', async () => {
    const { role } = await chartOf(team.business_id)
    const costs = await linesOf(team, 'accrual', ['expense'])
    const { data } = await team.client.get('/reports/by-dimension', { ...RANGE, type: 'expense', columns: 'project' })
    expect(data.rows.at(-1).cells.at(-1).amount).toBe(costs.reduce((sum, { base_amount }) => sum + base_amount, 0))
    const sales = (await linesOf(team, 'accrual', ['income'])).filter(({ ledger_id }) => ledger_id === role('sales'))
    const one = await team.client.get('/reports/by-dimension', { ...RANGE, ledger_id: role('sales') })
    expect(one.data.rows.map(({ key }: any) => key)).toEqual([role('sales'), 'total'])
    expect(one.data.rows[0].cells.at(-1).amount).toBe(0 - sales.reduce((sum, { base_amount }) => sum + base_amount, 0))
    expect((await team.client.get('/reports/by-dimension/export', { ...RANGE, rows: 'dimension:place', columns: 'month' })).body).toContain('NYC NYC,')
  })

  it('has the names of values and of records, and can be filtered', async () => {
    const { data } = await team.client.get('/reports/by-dimension', { ...RANGE, rows: 'dimension:place', dimension_value_id: places[0]! })
    expect(data.rows.map(({ label }: any) => label)).toEqual(['NYC NYC', 'Unassigned', 'Total'])
    expect(data.rows[0].cells.at(-1).amount).toBe(-2_002)
    const { named, role } = await chartOf(team.business_id)
    const other = await newBusiness()
    const chart = await chartOf(other.business_id)
    const customer_id = await newCustomer(other.client)
    await post(other.business_id, { date: '2026-02-03', lines: [{ ledger_id: chart.role('sales'), amount: -5, customer_id }, [chart.named('Checking'), 5]] })
    const labelled = await other.client.get('/reports/by-dimension', { ...RANGE, rows: 'customer' })
    expect(labelled.data.rows[0].label).toMatch(/^Customer \d+$/)
    expect([named('Rent'), role('sales')].includes(labelled.data.rows[0].key)).toBe(false)
  })

  it('refuses one axis twice, an axis that is not there, and too many columns', async () => {
    const refused = async (query: object) => team.client.get('/reports/by-dimension', { ...RANGE, ...query } as never)
    expect((await refused({ rows: 'month' })).detail).toBe('rows and columns are both month: choose two different axes.')
    expect((await refused({ rows: 'dimension:nothing' })).detail).toBe('Dimension nothing not found.')
    expect((await refused({ rows: 'colour' })).status).toBe(422)
    expect((await refused({ start_date: '2020-01-01' })).detail).toContain('more than 60 columns')
    expect((await refused({ ledger_id: newId() })).status).toBe(404)
  })
})
