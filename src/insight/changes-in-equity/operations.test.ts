import { describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { newBusiness, sql } from '../../../test/support/people.ts'
import { randomBooks, randomOf } from '../../../test/support/random-books.ts'
import { generatePeriods } from '../../ledger/accounting-periods/operations.ts'

const rowsIn = (rows: any[]): any[] => rows.flatMap((row) => [row, ...rowsIn(row.rows)])
const amountsOf = (rows: any[], key: string): number[] => rowsIn(rows).find((row) => row.key === key)?.cells.map(({ amount }: any) => amount)

describe('changes in equity', () => {
  it('tell capital, distributions, profit and the rest apart, over the end of a year', async () => {
    const team = await newBusiness()
    const { named, role } = await chartOf(team.business_id)
    const bank = named('Checking')
    await inside(team.business_id, (tx) => generatePeriods(tx, 2025))
    await post(team.business_id,
      { date: '2025-03-01', lines: [[bank, 1_000], [named("Owner's Capital"), -1_000]] },
      { date: '2025-05-01', lines: [[bank, 300], [role('sales'), -300]] },
      { date: '2026-01-10', lines: [[bank, 70], [role('sales'), -70]] },
      { date: '2026-02-10', lines: [[bank, 500], [named("Owner's Capital"), -500]] },
      { date: '2026-02-11', lines: [[named("Owner's Distributions"), 40], [bank, -40]] },
      { date: '2026-02-12', lines: [[named('Rent'), 25], [bank, -25]] },
      { date: '2026-02-13', lines: [[role('retained_earnings'), 9], [bank, -9]] },
    )
    const { data } = await team.client.get('/reports/changes-in-equity', { start_date: '2026-02-01', end_date: '2026-02-28' })
    expect(data.columns.map(({ key }: any) => key)).toEqual(['opening', 'capital', 'distributions', 'net_income', 'other', 'closing'])
    expect(amountsOf(data.rows, named("Owner's Capital"))).toEqual([1_000, 500, 0, 0, 0, 1_500])
    expect(amountsOf(data.rows, named("Owner's Distributions"))).toEqual([0, 0, -40, 0, 0, -40])
    expect(amountsOf(data.rows, 'profit')).toEqual([370, 0, 0, -25, 0, 345])
    expect(amountsOf(data.rows, role('retained_earnings'))).toEqual([0, 0, 0, 0, -9, -9])
    expect(amountsOf(data.rows, 'retained_earnings')).toEqual([370, 0, 0, -25, -9, 336])
    expect(amountsOf(data.rows, 'total_equity')).toEqual([1_370, 500, -40, -25, -9, 1_796])
    expect(data.checks).toEqual([{ key: 'opening_equals_balance_sheet', ok: true, difference: 0 }, { key: 'closing_equals_balance_sheet', ok: true,
      difference: 0 }])
    expect((await team.client.get('/reports/changes-in-equity/export', { end_date: '2026-02-28' })).body)
      .toContain('Total equity,13.00,5.00,-0.40,0.45,-0.09,17.96')
    expect((await team.client.get('/reports/changes-in-equity', { start_date: '2026-03-01', end_date: '2026-02-28' })).status).toBe(400)
  })

  it.each(['accrual', 'cash'])('tie to the balance sheets of both days and to the lines, in books that nobody planned (%s)', async (basis) => {
    const team = await newBusiness()
    await randomBooks(team.business_id, 25, randomOf(23))
    const range = { start_date: '2026-02-11', end_date: '2026-05-19' }
    const { data } = await team.client.get('/reports/changes-in-equity', { ...range, basis })
    const total = amountsOf(data.rows, 'total_equity')
    for (const [place, as_of] of [[0, '2026-02-10'], [5, range.end_date]] as const) {
      const sheet = (await team.client.get('/reports/balance-sheet', { as_of, basis })).data
      expect(total[place]).toBe(amountsOf(sheet.rows, 'equity')[0])
      const [{ amount }] = await sql(
        `select coalesce(sum(x.base_amount), 0)::float8 as amount
         from (select business_id, ledger_id, date, base_amount from journal_lines union all select business_id, ledger_id, date, base_amount
           from cash_basis_lines where $3) as x
         join ledgers g on g.business_id = x.business_id and g.id = x.ledger_id where x.business_id = $1 and x.date <= $2 and g.type in ('asset', 'liability')`,
        [team.business_id, as_of, basis === 'cash'])
      expect(total[place]).toBe(amount)
    }
    const profit = (await team.client.get('/reports/profit-and-loss', { ...range, basis })).data
    expect(total[3]).toBe(amountsOf(profit.rows, 'net_income')[0])
    expect(data.checks.every(({ ok }: any) => ok)).toBe(true)
    // Each row leads from its opening to its closing.
    for (const row of rowsIn(data.rows)) {
      const amounts = row.cells.map(({ amount }: any) => amount)
      expect(amounts.slice(0, 5).reduce((sum: number, amount: number) => sum + amount, 0)).toBe(amounts[5])
    }
  })
})
