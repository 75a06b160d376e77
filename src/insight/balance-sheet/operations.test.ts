import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, addMonths } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import { chartOf, post } from '../../../test/support/books.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import type { Report, ReportRow } from '../report-shape/contract.ts'

const path = '/reports/balance-sheet'
afterAll(async () => (await service()).clock.set(null))

const reader = (team: () => Team) => async (query: Record<string, string> = {}, report = path): Promise<Report> => {
  const { status, data, detail } = await team().client.get(report, query)
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

describe('the two bases', () => {
  let team: Team
  const get = reader(() => team)
  beforeAll(async () => {
    ;(await service()).clock.set('2026-06-15T12:00:00Z')
    team = await newBusiness()
    const { named, role } = await chartOf(team.business_id)
    const receivable = { ledger_id: role('accounts_receivable'), customer_id: newId() }
    const [invoice] = await post(team.business_id, {
      date: '2026-03-10', source_type: 'invoice', source_id: newId(),
      lines: [{ ...receivable, amount: 106_000 }, [role('sales'), -100_000], [role('sales_tax_payable'), -6_000]],
    })
    const settles_line_id = invoice?.lines[0]?.id ?? null
    await post(
      team.business_id,
      { date: '2026-04-15', lines: [[named('Checking'), 53_000], { ...receivable, amount: -53_000, settles_line_id }] },
      { date: '2026-05-20', lines: [[named('Checking'), 53_000], { ...receivable, amount: -53_000, settles_line_id }] },
    )
  })

  it('balance with the unpaid share of what is not income on the receivable', async () => {
    const cash = await get({ as_of: '2026-04-30', basis: 'cash' })
    expect(['bank', 'accounts_receivable', 'sales_tax', 'current_year_earnings'].map((key) => amounts(cash, key)[0])).toEqual([53_000, 3_000, 6_000, 50_000])
    const totals = ['total_assets', 'total_liabilities', 'total_equity', 'total_liabilities_and_equity']
    expect(totals.map((key) => amounts(cash, key)[0])).toEqual([56_000, 6_000, 50_000, 56_000])
    expect(cash.checks).toEqual([{ key: 'assets_equal_liabilities_and_equity', ok: true, difference: 0 }])
    const accrual = await get({ as_of: '2026-04-30' })
    expect(['bank', 'accounts_receivable', 'sales_tax', 'current_year_earnings'].map((key) => amounts(accrual, key)[0])).toEqual([53_000, 53_000, 6_000, 100_000])
  })

  it('by month shows the end of each, and compares with the month and the year before', async () => {
    const report = await get({ start_date: '2026-03-01', as_of: '2026-05-25', columns: 'month' })
    expect(report.columns.map(({ key, start_date, end_date }) => [key, start_date, end_date])).toEqual([['2026-03', null, '2026-03-31'], ['2026-04', null, '2026-04-30'], ['2026-05', null, '2026-05-25']])
    expect(amounts(report, 'accounts_receivable')).toEqual([106_000, 53_000, 0])
    const compared = await get({ as_of: '2026-04-30', compare: 'previous_period,previous_year' })
    expect(rowOf(compared, 'accounts_receivable').cells.map(({ amount, variance, variance_percent }) => [amount, variance, variance_percent])).toEqual([
      [53_000, undefined, undefined], [106_000, -53_000, '-50.0'], [0, 53_000, null],
    ])
  })

  it('split by an axis it balances as a whole; filtered there is nothing to check', async () => {
    const report = await get({ as_of: '2026-04-30', columns: 'customer' })
    expect(report.columns.map(({ key }) => key).at(-1)).toBe('unassigned')
    expect(report.checks).toEqual([{ key: 'assets_equal_liabilities_and_equity', ok: true, difference: 0 }])
    expect(amounts(report, 'total_assets').reduce((sum, amount) => sum + amount, 0)).toBe(106_000)
    const { data: dimension } = await team.client.post('/accounting-dimensions', { key: 'place', name: 'Place' })
    const { data: value } = await team.client.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'N', name: 'North' })
    expect((await get({ dimension_value_id: value.id })).checks).toEqual([])
  })

  it('leads to the lines of its earnings', async () => {
    const report = await get({ as_of: '2026-04-30' })
    const href = rowOf(report, 'current_year_earnings').cells[0]?.href
    expect(href).toMatch(/^\/reports\/explain\?ledger_id=[\w-]+&start_date=2026-01-01&end_date=2026-04-30&basis=accrual$/)
    expect(rowOf(report, 'bank').cells[0]?.href).toMatch(/^\/reports\/explain\?ledger_id=[\w-]+&end_date=2026-04-30&basis=accrual$/)
    expect(rowOf(report, 'retained_earnings').cells[0]?.href).toBeNull()
  })

  it('is not compared with a budget', async () => {
    expect(await team.client.get(path, { compare: `budget:${newId()}` })).toMatchObject({ status: 400, detail: expect.stringContaining('A budget plans income and expenses') })
  })
})

describe('fiscal years that start in April', () => {
  let team: Team
  let lines: { date: string; type: string; amount: number }[]
  const get = reader(() => team)
  const random = sequence(7)

  beforeAll(async () => {
    ;(await service()).clock.set('2026-03-20T12:00:00Z')
    team = await newBusiness()
    const changed = await team.client.put(`/businesses/${team.business_id}`, { fiscal_year_start_month: 4, books_start_date: '2023-04-01' })
    expect(changed.status, JSON.stringify(changed.detail)).toBe(200)
    for (const fiscal_year of [2026, 2025, 2024]) await team.client.post('/accounting-periods/generate', { fiscal_year })
    const { named, role } = await chartOf(team.business_id)
    const customer_id = newId()
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const open: { id: string; amount: number; date: string }[] = []
    for (let index = 0; index < 45; index++) {
      const date = addDays('2023-04-01', Math.floor(random() * 1080))
      const amount = 1 + Math.floor(random() * 100_000)
      const paid = open.length > 3 ? open.shift() : undefined
      if (paid) {
        const settling = { ledger_id: role('accounts_receivable'), customer_id, amount: -paid.amount, settles_line_id: paid.id }
        await post(team.business_id, { date: paid.date > date ? paid.date : date, lines: [[named('Checking'), paid.amount], settling] })
      } else if (random() < 0.5) {
        const item = { ledger_id: role('accounts_receivable'), customer_id, amount: amount + 7 }
        const lines = [item, { ledger_id: role('sales'), amount: -amount }, { ledger_id: role('sales_tax_payable'), amount: -7 }]
        const [entry] = await post(team.business_id, { date, source_type: 'invoice', source_id: newId(), lines })
        open.push({ id: entry?.lines[0]?.id ?? '', amount: amount + 7, date })
      } else {
        const debit = { ledger_id: pick([named('Rent'), named('Utilities'), role('retained_earnings'), role('inventory')]), amount }
        const credit = { ledger_id: pick([named('Checking'), role('accounts_payable'), role('sales')]), amount: -amount, vendor_id: customer_id }
        await post(team.business_id, { date, is_adjusting: random() < 0.3, lines: [debit, credit] })
      }
    }
    lines = await sql(
      `select l.date::text as date, g.type, l.base_amount::float8 as amount
       from journal_lines l join ledgers g on g.business_id = l.business_id and g.id = l.ledger_id where l.business_id = $1`, [team.business_id])
  })

  const dates = ['2023-04-01', '2024-02-29', '2024-03-31', '2024-04-01', '2025-03-30', '2025-03-31', '2025-04-01', '2025-12-31', '2026-02-14', '2026-03-20', '2027-06-30']

  it.each(dates)('balance on %s on both bases, and the year\'s earnings are its profit to date', async (as_of) => {
    const year = Number(as_of.slice(0, 4)) - (as_of.slice(5) < '04-01' ? 1 : 0)
    for (const basis of ['accrual', 'cash']) {
      for (const adjusting of ['all', 'exclude']) {
        const sheet = await get({ as_of, basis, adjusting })
        expect(sheet.checks).toEqual([{ key: 'assets_equal_liabilities_and_equity', ok: true, difference: 0 }])
        const earned = async (start_date: string, end_date: string) => rowOf(await get({ start_date, end_date, basis, adjusting }, '/reports/profit-and-loss'), 'net_income').cells[0]?.amount
        expect(amounts(sheet, 'current_year_earnings')[0]).toBe(await earned(`${year}-04-01`, as_of))
        expect(amounts(sheet, 'prior_years_earnings')[0]).toBe(await earned('2020-01-01', addDays(`${year}-04-01`, -1)))
      }
    }
    const assets = lines.filter(({ type, date }) => type === 'asset' && date <= as_of).reduce((sum, { amount }) => sum + amount, 0)
    expect(amounts(await get({ as_of }), 'total_assets')[0]).toBe(assets)
  })

  it('columns by year start where the fiscal year does', async () => {
    const report = await get({ start_date: '2023-04-01', as_of: '2026-03-20', columns: 'year' })
    expect(report.columns.map(({ key, end_date }) => [key, end_date])).toEqual([['2024', '2024-03-31'], ['2025', '2025-03-31'], ['2026', '2026-03-20']])
    expect(report.checks[0]?.ok).toBe(true)
    const [first = 0, second = 0] = amounts(report, 'current_year_earnings')
    expect(amounts(report, 'prior_years_earnings')).toEqual([0, first, first + second])
    expect(amounts(await get({ as_of: addMonths('2026-03-20', 1) }), 'prior_years_earnings')[0]).toBe(first + second + (amounts(report, 'current_year_earnings')[2] ?? 0))
  })
})

/** The same numbers in every run. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
