import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import { chartOf, post } from '../../../test/support/books.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import type { Report, ReportRow } from '../report-shape/contract.ts'

const path = '/reports/trial-balance'
let team: Team
let ids: Record<'checking' | 'rent' | 'accrued' | 'sales' | 'opening' | 'receivable' | 'retained', string>

beforeAll(async () => {
  ;(await service()).clock.set('2027-02-20T12:00:00Z')
  team = await newBusiness()
  const { named, role } = await chartOf(team.business_id)
  ids = {
    checking: named('Checking'), rent: named('Rent'), accrued: named('Accrued Expenses'), sales: role('sales'), opening: role('opening_balance'),
    receivable: role('accounts_receivable'), retained: role('retained_earnings'),
  }
  const { checking, rent, accrued, sales, opening, receivable, retained } = ids
  const customer_id = newId()
  await post(
    team.business_id,
    { date: '2026-01-01', source_type: 'opening', lines: [[checking, 1_000_000], [opening, -1_000_000]] },
    { date: '2026-01-31', is_adjusting: true, auto_reverse_on: '2026-02-01', lines: [[rent, 150_000], [accrued, -150_000]] },
    { date: '2026-03-15', lines: [[checking, 40_000], [sales, -40_000]] },
    { date: '2026-12-31', lines: [{ ledger_id: receivable, amount: 9_000, customer_id }, { ledger_id: sales, amount: -9_000, customer_id }] },
    { date: '2027-01-10', lines: [[rent, 5_000], [checking, -5_000]] },
    { date: '2027-02-10', is_adjusting: true, lines: [[rent, 700], [retained, -700]] },
  )
})
afterAll(async () => (await service()).clock.set(null))

const get = async (query: Record<string, string> = {}): Promise<Report> => {
  const { status, data, detail } = await team.client.get(path, query)
  expect(status, JSON.stringify(detail)).toBe(200)
  return data
}
const all = (rows: readonly ReportRow[]): ReportRow[] => rows.flatMap((row) => [row, ...all(row.rows)])
const amounts = (report: Report, key: string) => all(report.rows).find((row) => row.key === key)?.cells.map(({ amount }) => amount)
const balanced = ['debits_equal_credits', 'opening_balances', 'closing_balances'].map((key) => ({ key, ok: true, difference: 0 }))

describe('trial balance', () => {
  it('shows opening, debit, credit and closing of each ledger, and the same total on both sides', async () => {
    const report = await get({ start_date: '2026-01-01', end_date: '2026-01-31' })
    expect(report.columns.map(({ key, start_date, end_date }) => [key, start_date, end_date])).toEqual([
      ['opening', null, '2025-12-31'], ['debit', '2026-01-01', '2026-01-31'], ['credit', '2026-01-01', '2026-01-31'], ['closing', null, '2026-01-31'],
    ])
    expect(report.rows.map(({ key }) => key)).toEqual(['assets', 'liabilities', 'equity', 'expenses', 'total'])
    expect(amounts(report, ids.checking)).toEqual([0, 1_000_000, 0, 1_000_000])
    expect(amounts(report, ids.accrued)).toEqual([0, 0, 150_000, 150_000])
    expect(amounts(report, ids.rent)).toEqual([0, 150_000, 0, 150_000])
    expect(amounts(report, 'total')).toEqual([0, 1_150_000, 1_150_000, 1_150_000])
    expect(report.checks).toEqual(balanced)
  })

  it('opens income and expenses with the fiscal year; profit of years before stands apart', async () => {
    const report = await get({ start_date: '2027-02-01', end_date: '2027-02-28' })
    expect(amounts(report, ids.rent)).toEqual([5_000, 700, 0, 5_700])
    expect(amounts(report, ids.sales)).toBeUndefined()
    expect(amounts(report, 'prior_years_earnings')).toEqual([49_000, 0, 0, 49_000])
    expect(amounts(report, ids.retained)).toEqual([0, 0, 700, 700])
    expect(amounts(report, 'total')).toEqual([1_049_000, 700, 700, 1_049_700])
    expect(report.checks).toEqual(balanced)
    expect(report.parameters).toMatchObject({ mode: 'adjusted', start_date: '2027-02-01', end_date: '2027-02-28' })
  })

  it('unadjusted is without the adjusting entries of the period, but with older ones', async () => {
    const january = await get({ start_date: '2026-01-01', end_date: '2026-01-31', mode: 'unadjusted' })
    expect(amounts(january, ids.rent)).toBeUndefined()
    expect(amounts(january, 'total')).toEqual([0, 1_000_000, 1_000_000, 1_000_000])
    const february = await get({ start_date: '2026-02-01', end_date: '2026-02-28', mode: 'unadjusted' })
    expect(amounts(february, ids.rent)).toEqual([150_000, 0, 0, 150_000])
    expect(february.checks).toEqual(balanced)
    expect(amounts(await get({ start_date: '2026-02-01', end_date: '2026-02-28', adjusting: 'exclude' }), ids.rent)).toBeUndefined()
  })

  it('after closing has the profit in equity and no income or expense', async () => {
    const report = await get({ start_date: '2027-02-01', end_date: '2027-02-28', mode: 'post_closing' })
    expect(report.rows.map(({ key }) => key)).toEqual(['assets', 'equity', 'total'])
    expect(amounts(report, 'closed_earnings')).toEqual([-5_000, 700, 0, -5_700])
    expect(amounts(report, 'prior_years_earnings')).toEqual([49_000, 0, 0, 49_000])
    expect(report.checks).toEqual(balanced)
  })

  it('as a worksheet carries the adjusted balances on to both statements, which net income balances', async () => {
    const report = await get({ start_date: '2026-01-01', end_date: '2026-01-31', mode: 'worksheet' })
    expect(report.columns.map(({ key }) => key)).toEqual(['unadjusted', 'adjustments', 'adjusted', 'profit_and_loss', 'balance_sheet'].flatMap((key) => [`${key}_debit`, `${key}_credit`]))
    expect(amounts(report, ids.rent)).toEqual([0, 0, 150_000, 0, 150_000, 0, 150_000, 0, 0, 0])
    expect(amounts(report, ids.checking)).toEqual([1_000_000, 0, 0, 0, 1_000_000, 0, 0, 0, 1_000_000, 0])
    expect(amounts(report, 'net_income')).toEqual([0, 0, 0, 0, 0, 0, 0, 150_000, 150_000, 0])
    expect(amounts(report, 'total')).toEqual([1_000_000, 1_000_000, 150_000, 150_000, 1_150_000, 1_150_000, 150_000, 150_000, 1_150_000, 1_150_000])
    expect(report.checks).toEqual([{ key: 'debits_equal_credits', ok: true, difference: 0 }])
    expect(await team.client.get(path, { mode: 'worksheet', columns: 'month' })).toMatchObject({ status: 400, detail: 'A worksheet has its own columns: leave columns out.' })
  })

  it('on the cash basis shows what ledgers moved on balance', async () => {
    const report = await get({ start_date: '2026-12-01', end_date: '2026-12-31', basis: 'cash' })
    expect(amounts(report, ids.receivable)).toBeUndefined()
    expect(amounts(report, 'total')).toEqual([1_040_000, 0, 0, 1_040_000])
    expect(amounts(await get({ start_date: '2026-12-01', end_date: '2026-12-31' }), ids.receivable)).toEqual([0, 9_000, 0, 9_000])
  })

  it('by month has four columns for each, and each closing is the next opening', async () => {
    const report = await get({ start_date: '2026-01-01', end_date: '2026-12-31', columns: 'month' })
    expect(report.columns).toHaveLength(48)
    expect(report.columns[4]?.key).toBe('2026-02:opening')
    const rent = amounts(report, ids.rent) ?? []
    expect(rent.slice(0, 12)).toEqual([0, 150_000, 0, 150_000, 150_000, 0, 150_000, 0, 0, 0, 0, 0])
    expect(report.checks).toEqual(balanced)
    expect(await team.client.get(path, { start_date: '2025-01-01', end_date: '2026-12-31', columns: 'month' })).toMatchObject({ status: 400 })
  })

  it('by an axis balances as a whole', async () => {
    for (const mode of ['adjusted', 'unadjusted', 'post_closing']) {
      const report = await get({ start_date: '2026-01-01', end_date: '2026-12-31', columns: 'customer', mode })
      expect(report.columns).toHaveLength(8)
      expect(report.checks).toEqual(balanced)
    }
  })

  it('leads to the lines of a movement and of a balance', async () => {
    const cells = (report: Report, key: string) => all(report.rows).find((row) => row.key === key)?.cells.map(({ href }) => href?.replace(/ledger_id=[\w,-]+/, 'L') ?? null)
    const dates = { start_date: '2027-02-01', end_date: '2027-02-28' }
    const [year, range] = ['start_date=2027-01-01', 'start_date=2027-02-01']
    expect(cells(await get(dates), ids.rent)).toEqual([
      `/reports/explain?L&${year}&end_date=2027-01-31&basis=accrual`, `/reports/explain?L&${range}&end_date=2027-02-28&basis=accrual`,
      `/reports/explain?L&${range}&end_date=2027-02-28&basis=accrual`, `/reports/explain?L&${year}&end_date=2027-02-28&basis=accrual`,
    ])
    expect(cells(await get(dates), ids.checking)?.at(-1)).toBe('/reports/explain?L&end_date=2027-02-28&basis=accrual')
    expect(cells(await get(dates), 'prior_years_earnings')?.[0]).toBe('/reports/explain?L&end_date=2026-12-31&basis=accrual')
    expect(cells(await get({ ...dates, mode: 'unadjusted' }), ids.checking)).toEqual([
      '/reports/explain?L&end_date=2027-01-31&basis=accrual', `/reports/explain?L&${range}&end_date=2027-02-28&basis=accrual&adjusting=exclude`,
      `/reports/explain?L&${range}&end_date=2027-02-28&basis=accrual&adjusting=exclude`, null,
    ])
  })

  it('closes with the sum of all lines, for any ledger, date and basis', async () => {
    const rows: { ledger_id: string; type: string; date: string; amount: number; cash: boolean }[] = await sql(
      `select l.ledger_id, g.type, l.date::text as date, l.base_amount::float8 as amount, l.cash from (
         select business_id, ledger_id, date, base_amount, false as cash from journal_lines union all select business_id, ledger_id, date, base_amount, true from cash_basis_lines) l
       join ledgers g on g.business_id = l.business_id and g.id = l.ledger_id where l.business_id = $1`, [team.business_id])
    for (const date of ['2026-01-15', '2026-01-31', '2026-02-28', '2026-06-30', '2026-12-31']) {
      for (const basis of ['accrual', 'cash']) {
        const report = await get({ start_date: '2026-01-01', end_date: date, basis, show_zero: 'true' })
        for (const { ledger_id, cells } of all(report.rows).filter((row) => row.ledger_id !== null)) {
          const own = rows.filter((row) => row.ledger_id === ledger_id && row.date <= date && (basis === 'cash' || !row.cash))
          const sign = ['asset', 'expense'].includes(own[0]?.type ?? 'asset') ? 1 : -1
          expect(cells.at(-1)?.amount).toBe(0 + own.reduce((sum, { amount }) => sum + sign * amount, 0))
        }
        expect(report.checks).toEqual(balanced)
      }
    }
  })
})
