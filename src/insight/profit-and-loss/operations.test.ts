import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newLedger } from '../../../test/support/example-books.ts'
import { newBusiness, newMember, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import type { Report, ReportRow } from '../report-shape/contract.ts'
import { getProfitAndLoss } from './operations.ts'

const path = '/reports/profit-and-loss'
let team: Team
let ledgers: Record<'bank' | 'receivable' | 'sales' | 'discount' | 'goods' | 'rent' | 'office' | 'interest' | 'tax', string>
const customers = [newId(), newId()] as const

beforeAll(async () => {
  const { clock } = await service()
  clock.set('2026-05-20T12:00:00Z')
  team = await newBusiness()
  const { business_id } = team
  const { role } = await chartOf(business_id)
  const add = (name: string, type: string, subtype: string, parent_id: string | null = null) => newLedger(business_id, { name, type, subtype, parent_id })
  const rent = await add('Test rent', 'expense', 'operating')
  ledgers = {
    bank: await newLedger(business_id, { name: 'Test bank', type: 'asset', subtype: 'bank', is_bank: true }),
    receivable: role('accounts_receivable'), sales: role('sales'), discount: await add('Test discount', 'income', 'discount'),
    goods: role('cost_of_goods_sold'), rent, office: await add('Test office', 'expense', 'operating', rent),
    interest: await add('Test interest', 'expense', 'interest_expense'), tax: await add('Test tax', 'expense', 'income_tax'),
  }
  const { bank, receivable, sales, discount, goods, office, interest, tax } = ledgers
  const [first, second] = customers
  const [invoice] = await post(business_id, {
    date: '2026-03-10', source_type: 'invoice', source_id: newId(),
    lines: [{ ledger_id: receivable, amount: 106_000, customer_id: first }, { ledger_id: sales, amount: -100_000, customer_id: first }, { ledger_id: role('sales_tax_payable'), amount: -6_000 }],
  })
  const settles_line_id = invoice?.lines[0]?.id ?? null
  await team.client.post('/accounting-periods/generate', { fiscal_year: 2025 })
  await post(
    business_id,
    { date: '2026-04-15', lines: [[bank, 53_000], { ledger_id: receivable, amount: -53_000, customer_id: first, settles_line_id }] },
    { date: '2026-02-28', lines: [[bank, 40_000], { ledger_id: sales, amount: -40_000, customer_id: second }] },
    { date: '2026-02-28', lines: [[discount, 1_000], [bank, -1_000]] },
    { date: '2026-03-31', lines: [[goods, 30_000], [bank, -30_000]] },
    { date: '2026-03-31', lines: [[rent, 5_000], [office, 2_000], [bank, -7_000]] },
    { date: '2026-04-30', is_adjusting: true, lines: [[interest, 700], [tax, 300], [bank, -1_000]] },
    { date: '2025-03-15', lines: [[bank, 80_000], [sales, -80_000]] },
  )
})
afterAll(async () => (await service()).clock.set(null))

const get = async (query: Record<string, string> = {}): Promise<Report> => {
  const { status, data, detail } = await team.client.get(path, query)
  expect(status, JSON.stringify(detail)).toBe(200)
  return data
}
const rowOf = (report: Report, key: string): ReportRow => {
  const find = (rows: readonly ReportRow[]): ReportRow | undefined => rows.flatMap((row) => [row, find(row.rows)]).find((row) => row?.key === key)
  const found = find(report.rows)
  if (!found) throw new Error(`No row ${key}`)
  return found
}
const amounts = (report: Report, key: string) => rowOf(report, key).cells.map(({ amount }) => amount)

describe('profit and loss', () => {
  it('has its sections and subtotals, for the fiscal year to date on the basis of the business', async () => {
    const report = await get()
    expect(report).toMatchObject({
      report: 'profit-and-loss', title: 'Profit and loss', basis: 'accrual', currency: 'USD', generated_at: '2026-05-20T12:00:00.000Z', journal_version: 8, checks: [],
      parameters: { start_date: '2026-01-01', end_date: '2026-05-20', basis: 'accrual' },
      columns: [{ key: 'total', label: 'Total', start_date: '2026-01-01', end_date: '2026-05-20' }],
    })
    expect(report.rows.map(({ kind, key, cells }) => [kind, key, cells[0]?.amount])).toEqual([
      ['section', 'revenue', 140_000], ['section', 'discounts', -1_000], ['subtotal', 'net_revenue', 139_000], ['section', 'cost_of_goods_sold', 30_000], ['subtotal', 'gross_profit', 109_000],
      ['section', 'operating_expense', 7_000], ['subtotal', 'operating_income', 102_000], ['section', 'other_income', 0], ['section', 'disposal_gain_loss', 0],
      ['section', 'other_expense', 0], ['section', 'interest', 700], ['subtotal', 'income_before_tax', 101_300], ['section', 'income_tax', 300], ['total', 'net_income', 101_000],
    ])
  })

  it('nests ledgers, rolls them up at a depth, and shows empty ones when asked', async () => {
    const rent = rowOf(await get(), ledgers.rent)
    expect(rent).toMatchObject({ kind: 'ledger', label: 'Test rent', ledger_id: ledgers.rent, depth: 2 })
    expect(rent.rows.map(({ key, cells, depth }) => [key, cells[0]?.amount, depth])).toEqual([[`${ledgers.rent}:direct`, 5_000, 3], [ledgers.office, 2_000, 3]])
    expect(rowOf(await get({ depth: '1' }), ledgers.rent)).toMatchObject({ rows: [], cells: [{ amount: 7_000 }] })
    expect(rowOf(await get({ show_zero: 'true' }), 'other_expense').rows.length + rowOf(await get({ show_zero: 'true' }), 'other_income').rows.length).toBeGreaterThan(0)
  })

  it('counts income when it is paid on the cash basis, and by default where the business says so', async () => {
    const months = { start_date: '2026-03-01', end_date: '2026-05-20', columns: 'month' }
    expect(amounts(await get({ ...months, basis: 'cash' }), 'revenue')).toEqual([0, 50_000, 0])
    expect(amounts(await get(months), 'revenue')).toEqual([100_000, 0, 0])
    await team.client.put(`/businesses/${team.business_id}`, { default_basis: 'cash' })
    const report = await get(months)
    await team.client.put(`/businesses/${team.business_id}`, { default_basis: 'accrual' })
    expect(report.basis).toBe('cash')
    expect(amounts(report, 'revenue')).toEqual([0, 50_000, 0])
  })

  it('compares with the period and the year before', async () => {
    const report = await get({ period: 'last_month', compare: 'previous_period,previous_year' })
    expect(report.columns.map(({ key, start_date, end_date }) => [key, start_date, end_date])).toEqual([
      ['total', '2026-04-01', '2026-04-30'], ['total:previous_period', '2026-03-01', '2026-03-31'], ['total:previous_year', '2025-04-01', '2025-04-30'],
    ])
    expect(rowOf(report, 'net_income').cells.map(({ amount, variance, variance_percent }) => [amount, variance, variance_percent])).toEqual([
      [-1_000, undefined, undefined], [63_000, -64_000, '-101.6'], [0, -1_000, null],
    ])
    expect(amounts(await get({ start_date: '2026-03-01', end_date: '2026-03-31', compare: 'previous_year' }), 'revenue')).toEqual([100_000, 80_000])
  })

  it('splits by an axis, whose columns add up to the whole', async () => {
    const report = await get({ columns: 'customer' })
    expect(report.columns.map(({ key }) => key)).toEqual([...customers.toSorted(), 'unassigned'])
    const whole = await get()
    for (const key of ['revenue', 'cost_of_goods_sold', 'operating_expense', 'net_income']) {
      expect(amounts(report, key).reduce((sum, amount) => sum + amount, 0)).toBe(amounts(whole, key)[0])
    }
    const monthly = await get({ columns: 'month' })
    expect(amounts(monthly, 'net_income').reduce((sum, amount) => sum + amount, 0)).toBe(101_000)
    expect(amounts(await get({ columns: 'project' }), 'net_income')).toEqual([101_000])
  })

  it('leads from each amount to its lines', async () => {
    const row = rowOf(await get({ columns: 'customer', basis: 'cash' }), ledgers.sales)
    expect(row.cells[0]?.href).toBe(`/reports/explain?ledger_id=${ledgers.sales}&start_date=2026-01-01&end_date=2026-05-20&basis=cash&customer_id=${customers.toSorted()[0]}`)
    expect(row.cells.at(-1)?.href).toBeNull()
    expect(rowOf(await get(), 'operating_expense').cells[0]?.href).toBe(`/reports/explain?ledger_id=${ledgers.rent},${ledgers.office}&start_date=2026-01-01&end_date=2026-05-20&basis=accrual`)
  })

  it('can leave adjusting entries out, and say what was known at a moment', async () => {
    expect(amounts(await get({ adjusting: 'exclude' }), 'net_income')).toEqual([102_000])
    expect(amounts(await get({ known_at: '2026-05-20T11:00:00Z' }), 'net_income')).toEqual([0])
    expect(amounts(await get({ known_at: '2026-05-20T12:00:00Z' }), 'net_income')).toEqual([101_000])
  })

  it('filters by what lines carry', async () => {
    const other = await newBusiness()
    const { role } = await chartOf(other.business_id)
    const customer_id = await newCustomer(other.client)
    const project_id = newId()
    await post(
      other.business_id,
      { date: '2026-02-10', lines: [[role('undeposited_funds'), 300], { ledger_id: role('sales'), amount: -100, customer_id, project_id }, { ledger_id: role('sales'), amount: -200, project_id }] },
      { date: '2026-05-03', lines: [[role('undeposited_funds'), 70], { ledger_id: role('sales'), amount: -70, customer_id }] },
    )
    const asked = async (query: Record<string, string>) => amounts((await other.client.get(path, query)).data, 'revenue')
    expect(await asked({ customer_id })).toEqual([170])
    expect(await asked({ customer_id, end_date: '2026-05-02' })).toEqual([100])
    expect(await asked({ customer_id, columns: 'project' })).toEqual([100, 70])
    expect(await asked({ customer_id, columns: 'customer' })).toEqual([170, 0])
    expect(await team.client.get(path, { customer_id: newId() })).toMatchObject({ status: 404 })
    expect(await team.client.get(path, { dimension_value_id: newId() })).toMatchObject({ status: 404 })
    expect(await team.client.get(path, { columns: 'dimension:none' })).toMatchObject({ status: 404, detail: 'Dimension none not found.' })
  })

  it('compares with a budget where there is one', async () => {
    const budget_id = newId()
    expect(await team.client.get(path, { compare: `budget:${budget_id}` })).toMatchObject({ status: 404, detail: `Budget ${budget_id} not found.` })
    const query = { start_date: '2026-03-01', end_date: '2026-04-30', columns: 'month', compare: [`budget:${budget_id}`] }
    const report = await inside(team.business_id, (tx) => getProfitAndLoss(tx, query, async (_tx, id, ranges) => {
      expect(id).toBe(budget_id)
      expect(ranges.map(({ start_date }) => start_date)).toEqual(['2026-03-01', '2026-04-01'])
      return new Map([[ledgers.sales, [90_000, 10_000]], [ledgers.rent, [4_000, -500]]])
    }))
    expect(rowOf(report, 'revenue').cells.map(({ amount, variance }) => [amount, variance])).toEqual([[100_000, undefined], [90_000, 10_000], [0, undefined], [10_000, -10_000]])
    expect(amounts(report, 'operating_expense')).toEqual([7_000, 4_000, 0, -500])
    expect(rowOf(report, ledgers.sales).cells.map(({ href }) => href === null)).toEqual([false, true, false, true])
    await expect(inside(team.business_id, (tx) => getProfitAndLoss(tx, { columns: 'customer', compare: [`budget:${budget_id}`] }, async () => new Map()))).rejects.toThrow('over time only')
  })

  it.each([
    [{ columns: 'month', start_date: '2015-01-01', end_date: '2026-01-01' }, 400],
    [{ start_date: '2026-02-01', end_date: '2026-01-01' }, 400],
    [{ period: 'this_month', end_date: '2026-01-01' }, 400],
    [{ end_date: '2026-01-01', as_of: '2026-01-02' }, 400],
    [{ columns: 'week' }, 422],
    [{ compare: 'budget:none' }, 422],
    [{ depth: '6' }, 422],
    [{ basis: 'modified' }, 422],
    [{ end_date: '2026-02-30' }, 422],
  ])('refuses %o with %i', async (query, status) => {
    expect((await team.client.get(path, query as Record<string, string>)).status).toBe(status)
  })

  it('everyone in the business may read it', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.get(path)).status).toBe(200)
  })
})
