// Figures of dashboards over HTTP: the same as the reports that they name, of one moment, and only for those who may read them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { newMember, newToken, type Person } from '../../../test/support/people.ts'
import { newSeller, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'

let team: Seller
let viewer: Person
beforeAll(async () => {
  ;(await service()).clock.set('2026-04-15T12:00:00Z')
  team = await newSeller()
  viewer = await newMember(team.business_id, 'viewer')
  const { named, role } = await chartOf(team.business_id)
  await team.open({ line_items: [{ description: 'Work', unit_price: 123_457 }], invoice_date: '2026-01-10', due_date: '2026-02-10' })
  await team.open({ line_items: [{ description: 'Work', unit_price: 50_003 }], invoice_date: '2026-03-12' })
  await post(team.business_id,
    { date: '2026-02-05', lines: [[named('Rent'), 80_001], [role('accounts_payable'), -80_001]] },
    { date: '2026-03-05', lines: [[named('Rent'), 20_009], [named('Checking'), -20_009]] },
    { date: '2026-01-02', lines: [[named('Checking'), 500_000], [role('sales'), -500_000]] })
})
afterAll(async () => (await service()).clock.set(null))

const newBoard = async (widgets: object[], more: object = {}) => (await team.client.post('/dashboards', { name: 'Figures', visibility: 'business', widgets,
  ...more })).data
const dataOf = async (id: string, query = {}, by = team.client) => {
  const { status, data, detail } = await by.get(`/dashboards/${id}/data`, query)
  expect(status, JSON.stringify(detail)).toBe(200)
  return data
}
const rowOf = (rows: any[], key: string): any => rows.flatMap((row) => [row, ...(row.rows ?? [])]).find((row) => row.key === key)
const values = (widget: any) => widget.figures.map(({ value_cents, decimal }: any) => value_cents ?? decimal)

describe('the figures of a board', () => {
  it('equal their reports to the cent, at one known_at, and lead to their lines', async () => {
    const board = await newBoard([
      { kind: 'metric', query: { metric: 'revenue' } }, { kind: 'line', query: { metric: 'net_income' } }, { kind: 'aging' },
      { kind: 'metric', query: { metric: 'cash_balance' } }, { kind: 'table', query: { metric: 'expense_by_ledger' } }, { kind: 'text', text: 'Words' },
      { kind: 'metric', query: { metric: 'payable' } }, { kind: 'metric', query: { metric: 'revenue', period: 'last_month' } },
    ])
    const data = await dataOf(board.id)
    expect(data).toMatchObject({ as_of: '2026-04-15T12:00:00.000Z', currency: 'USD', basis: 'accrual', period: 'fiscal_ytd', start_date: '2026-01-01',
      end_date: '2026-04-15' })
    expect(new Set(data.widgets.map(({ as_of }: any) => as_of))).toEqual(new Set([data.as_of]))
    const common = { start_date: data.start_date, end_date: data.end_date, basis: data.basis, known_at: data.as_of }
    const [revenue, profit, aging, cash, expenses, text, payable, march] = data.widgets
    const statement = (await team.client.get('/reports/profit-and-loss', common)).data
    const monthly = (await team.client.get('/reports/profit-and-loss', { ...common, columns: 'month' })).data
    expect(values(revenue)).toEqual([rowOf(statement.rows, 'revenue').cells[0].amount])
    expect(values(revenue)).toEqual([673_460])
    expect(values(profit)).toEqual(rowOf(monthly.rows, 'net_income').cells.map(({ amount }: any) => amount))
    const { totals } = (await team.client.get('/invoices/aging', { as_of: data.end_date, known_at: data.as_of })).data
    const total = aging.figures.filter(({ row }: any) => row === 'total')
    expect(Object.fromEntries(total.map(({ column, value_cents }: any) => [column, value_cents])))
      .toMatchObject({ total: totals.total, d61_90: totals.d61_90, current: totals.current })
    const sheet = (await team.client.get('/reports/balance-sheet', { as_of: data.end_date, basis: data.basis, known_at: data.as_of })).data
    expect(values(payable)).toEqual([rowOf(sheet.rows.flatMap((row: any) => [row, ...row.rows]), 'accounts_payable').cells[0].amount])
    expect(values(cash)).toEqual([479_991])
    expect(values(expenses)).toEqual([100_010])
    expect(text).toMatchObject({ text: 'Words', figures: [], restricted: false, problem: null })
    expect([march.start_date, march.end_date, ...values(march)]).toEqual(['2026-03-01', '2026-03-31', 50_003])
    const lines = await team.client.get(revenue.figures[0].href)
    expect(lines.data.amount).toBe(-673_460)
    expect(revenue.figures[0].href).toContain(`known_at=${encodeURIComponent(data.as_of)}`)
    const one = (await team.client.get(`/dashboards/${board.id}/widgets/${profit.id}`)).data
    expect(one).toEqual(profit)
  })

  it('follow the period and the basis that are asked for, and keep nothing of it', async () => {
    const board = await newBoard([{ kind: 'metric', query: { metric: 'revenue' } }, { kind: 'metric', query: { metric: 'revenue', period: 'this_month' } }],
      { filters: { comparison: 'prior_period' } })
    const cash = await dataOf(board.id, { basis: 'cash', period: 'last_quarter' })
    expect(cash).toMatchObject({ basis: 'cash', period: 'last_quarter', start_date: '2026-01-01', end_date: '2026-03-31' })
    expect(cash.widgets.map((widget: any) => [widget.start_date, values(widget)[0]])).toEqual([['2026-01-01', 500_000], ['2026-01-01', 500_000]])
    const compared = (await dataOf(board.id, { period: 'last_month' })).widgets[0]
    expect(compared.figures.map(({ column, value_cents, decimal, formatted }: any) => [column, value_cents ?? decimal, formatted])).toEqual([
      ['total', 50_003, 'USD\u00a0500.03'], ['total:previous_period', 0, 'USD\u00a00.00'], ['total:previous_period:variance', 50_003, 'USD\u00a0500.03'],
      ['total:previous_period:variance_percent', null, 'n/m'],
    ])
    expect((await team.client.get(`/dashboards/${board.id}/widgets/${board.widgets[1].id}`, { period: 'last_month' })).data.start_date).toBe('2026-03-01')
    expect((await dataOf(board.id)).basis).toBe('accrual')
    expect((await team.client.get(`/dashboards/${board.id}`)).data).toMatchObject({ version: 1, filters: board.filters })
    expect((await team.client.get(`/dashboards/${board.id}/data`, { period: 'soon' })).status).toBe(422)
  })

  it('say why they have no value, and one that fails leaves the others alone', async () => {
    const { data: dimension } = await team.client.post('/accounting-dimensions', { key: 'region', name: 'Region' })
    const { data: value } = await team.client.post(`/accounting-dimensions/${dimension.id}/values`, { name: 'North', code: 'N' })
    const board = await newBoard([
      { kind: 'metric', query: { metric: 'gross_margin' } }, { kind: 'metric', query: { metric: 'cash_balance' } }, { kind: 'metric',
        query: { metric: 'revenue' } },
    ], { filters: { dimension: [value.id] } })
    const [margin, cash, revenue] = (await dataOf(board.id)).widgets
    expect(margin.figures[0]).toMatchObject({ value_cents: null, decimal: null, formatted: 'n/m', reason: 'There is no revenue to divide by.' })
    expect(cash).toMatchObject({ figures: [], restricted: false, problem: 'Cash cannot be filtered by dimension value.' })
    expect(values(revenue)).toEqual([0])
  })

  it('are restricted where the caller may not read the report', async () => {
    const board = await newBoard([{ kind: 'metric', query: { metric: 'revenue' } }, { kind: 'aging' }, { kind: 'text', text: 'Words' }])
    const scoped = client(await newToken(team.owner, ['dashboards:read', 'reports:read']), team.business_id)
    const bare = client(await newToken(team.owner, ['dashboards:read']), team.business_id)
    const restricted = async (by: typeof bare) => (await dataOf(board.id, {}, by)).widgets.map(({ restricted: is, figures, problem }: any) => [is,
      figures.length, problem])
    expect(await restricted(scoped)).toEqual([[false, 1, null], [true, 0, null], [false, 0, null]])
    expect(await restricted(bare)).toEqual([[true, 0, null], [true, 0, null], [false, 0, null]])
    expect((await bare.post('/dashboards/query', { metric: 'revenue' })).data).toMatchObject({ restricted: true, points: [] })
    expect((await bare.get('/dashboards/overview')).data)
      .toMatchObject({ cash: { restricted: true, figures: [] }, profit_by_month: { restricted: true, figures: [] } })
    const catalogue = (await scoped.get('/dashboards/metrics')).data
    expect(catalogue.filter((metric: any) => metric.restricted).map(({ metric }: any) => metric)).toEqual(['receivable_overdue'])
  })

  it('of the built-in boards can all be had', async () => {
    for (const board of (await viewer.client.get('/dashboards')).data.items.filter(({ built_in }: any) => built_in)) {
      const data = await dataOf(board.id, {}, viewer.client)
      expect(data.widgets.length).toBeGreaterThan(5)
      for (const widget of data.widgets) expect([widget.title, widget.problem, widget.figures.length > 0]).toEqual([widget.title, null, true])
    }
  })
})

describe('a question on no board', () => {
  it('gets the series of a metric, as its report says', async () => {
    const { status, data } = await viewer.client.post('/dashboards/query', { metric: 'revenue', period: 'fiscal_ytd', group_by: 'month',
      compare: 'prior_period' })
    expect(status).toBe(201)
    expect(data).toMatchObject({ metric: 'revenue', report: 'profit-and-loss', known_at: '2026-04-15T12:00:00.000Z', group_by: 'month' })
    expect(data.points.map(({ key, value_cents, compared }: any) => [key, value_cents, compared.value_cents])).toEqual([
      ['2026-01', 623_457, 0], ['2026-02', 0, 623_457], ['2026-03', 50_003, 0], ['2026-04', 0, expect.any(Number)],
    ])
    const { data: own } = await team.client.post('/dashboards/query', { metric: 'revenue', filters: { customer_id: team.customer_id, vendor_id: null } })
    expect(own.points[0].value_cents).toBe(173_460)
  })

  it.each([
    ['an unknown metric', { metric: 'luck' }, 422],
    ['a grouping that the metric has not', { metric: 'net_income', group_by: 'vendor' }, 400],
    ['a filter that it has not', { metric: 'burn', filters: { project_id: '00000000-0000-0000-0000-000000000001' } }, 400],
    ['more than 400 points', { metric: 'revenue', group_by: 'month', start_date: '1980-01-01', end_date: '2026-01-01' }, 400],
    ['a period and dates', { metric: 'revenue', period: 'this_year', start_date: '2026-01-01' }, 400],
    ['a period that is none', { metric: 'revenue', period: 'soon' }, 422],
  ])('refuses %s', async (_, body, status) => {
    const answer = await team.client.post('/dashboards/query', body)
    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.detail[0].loc[1]).toBe(Object.keys(body).at(-1))
  })
})

describe('the first page', () => {
  it('has cash, receivables by age, payables and the profit by month', async () => {
    const { data } = await viewer.client.get('/dashboards/overview')
    expect(data).toMatchObject({ as_of: '2026-04-15T12:00:00.000Z', start_date: '2025-05-01', end_date: '2026-04-15', basis: 'accrual' })
    expect([values(data.cash), values(data.payables)]).toEqual([[479_991], [80_001]])
    const ages = Object.fromEntries(data.receivables_by_age.figures.map(({ column, value_cents }: any) => [column, value_cents]))
    expect(ages).toMatchObject({ d61_90: 123_457, total: 173_460 })
    const months = data.profit_by_month.figures.filter(({ row }: any) => row === 'net_income').map(({ column, value_cents }: any) => [column, value_cents])
    expect(months).toHaveLength(12)
    expect(months.slice(-4)).toEqual([['2026-01', 623_457], ['2026-02', -80_001], ['2026-03', 29_994], ['2026-04', 0]])
    expect((await viewer.client.get('/dashboards/overview', { basis: 'cash' })).data.basis).toBe('cash')
  })

  it('the catalogue names what each metric equals', async () => {
    const { data } = await viewer.client.get('/dashboards/metrics')
    expect(data.length).toBeGreaterThan(20)
    expect(data.find(({ metric }: any) => metric === 'revenue'))
      .toMatchObject({ report: 'profit-and-loss', row: 'revenue', unit: 'currency', restricted: false })
  })
})
