import { describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { newLedger } from '../../../test/support/example-books.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { randomBooks, randomOf } from '../../../test/support/random-books.ts'

const amountsIn = (rows: any[]): Map<string, number[]> => new Map(rows.flatMap((row) => [[row.key, row.cells.map(({ amount }: any) => amount)],
  ...amountsIn(row.rows)]))
const one = (rows: any[]): Record<string, number> => Object.fromEntries([...amountsIn(rows)].map(([key, [amount]]) => [key, amount as number]))

/** What the lines on cash ledgers come to: banks, undeposited funds, clearing, and whatever is said to be cash. */
async function cashOf({ business_id }: Team, start_date: string, end_date: string): Promise<number> {
  const [{ amount }] = await sql(
    `select coalesce(sum(l.base_amount), 0)::float8 as amount from journal_lines l join ledgers g on g.business_id = l.business_id and g.id = l.ledger_id
     where l.business_id = $1 and l.date between $2 and $3
       and (g.is_bank or g.role in ('undeposited_funds', 'processor_clearing') or g.cash_flow_class = 'cash')`,
    [business_id, start_date, end_date])
  return amount
}

describe('a year of everything', () => {
  it('is shown by both methods', async () => {
    const team = await newBusiness()
    const { named, role } = await chartOf(team.business_id)
    const bank = named('Checking')
    const euros = await newLedger(team.business_id, { name: 'Euros', type: 'asset', subtype: 'bank', currency: 'EUR', is_bank: true })
    const receivable = { ledger_id: role('accounts_receivable'), customer_id: '01900000-0000-7000-8000-000000000001' }
    const [invoice] = await post(team.business_id,
      { date: '2026-01-10', source_type: 'invoice', lines: [{ ...receivable, amount: 10_000 }, [role('sales'), -10_000]] },
      { date: '2026-01-15', lines: [[bank, 50_000], [named("Owner's Capital"), -50_000]] },
      { date: '2026-01-20', lines: [[named('Equipment'), 24_000], [bank, -24_000]] },
      { date: '2026-01-31', lines: [[named('Depreciation'), 4_000], [role('accumulated_depreciation'), -4_000]] },
      { date: '2026-02-10', lines: [[bank, 30_000], [named('Long-Term Loans'), -30_000]] },
      { date: '2026-02-20', lines: [[named('Rent'), 2_000], [named('Accrued Expenses'), -2_000]] },
      { date: '2026-02-25', currency: 'EUR', rate: '1.1', lines: [[euros, 1_000], [role('sales'), -1_000]] },
      {
        date: '2026-02-28', source_type: 'fx_revaluation',
        lines: [{ ledger_id: euros, currency: 'EUR', amount: 0, base_amount: 70 }, [role('unrealized_fx'), -70]],
      },
    )
    await post(team.business_id,
      { date: '2026-02-12', source_type: 'payment', lines: [[bank, 6_000], { ...receivable, amount: -6_000, settles_line_id: invoice?.lines[0]?.id ?? '' }] },
      // Sold for 21,000: cost 24,000, of which 4,000 were worn off, leaves a gain of 1,000.
      {
        date: '2026-02-26',
        lines: [
          [bank, 21_000], [role('accumulated_depreciation'), 4_000], [named('Equipment'), -24_000], [named('Gain or Loss on Disposal of Assets'), -1_000],
        ],
      },
      { date: '2026-02-27', lines: [[named("Owner's Distributions"), 500], [bank, -500]] },
    )
    const range = { start_date: '2026-01-01', end_date: '2026-02-28' }
    const { data } = await team.client.get('/reports/cash-flow', range)
    const found = one(data.rows)
    // 10,000 + 1,100 of sales, 70 of exchange, 1,000 of gain, less 4,000 of depreciation and 2,000 of rent.
    expect(found).toMatchObject({
      net_income: 6_170, non_cash: 4_000 - 70, shown_elsewhere: -1_000, operating_changes: -4_000 + 2_000, operating: 7_100,
      investing: 21_000 - 24_000, financing: 50_000 + 30_000 - 500, exchange_rates: 70, net_change: 83_670, opening_cash: 0, closing_cash: 83_670,
    })
    expect(data.checks).toEqual([{ key: 'net_change_equals_cash', ok: true, difference: 0 }])
    expect(found['net_change']).toBe(await cashOf(team, range.start_date, range.end_date))

    const direct = await team.client.get('/reports/cash-flow', { ...range, method: 'direct' })
    expect(one(direct.data.rows)).toMatchObject({
      operating_receipts: 6_000 + 1_100, operating: 7_100, investing: -3_000, financing_receipts: 80_000, financing_payments: -500,
        exchange_rates: 70, net_change: 83_670, closing_cash: 83_670,
    })
    // On the cash basis a payment counts as what was invoiced.
    const cash = await team.client.get('/reports/cash-flow', { ...range, method: 'direct', basis: 'cash' })
    expect(amountsIn(cash.data.rows).get(role('sales'))).toEqual([7_100])
    expect(cash.data.checks[0].ok).toBe(true)

    const months = await team.client.get('/reports/cash-flow', { ...range, columns: 'month' })
    for (const [key, amounts] of amountsIn(months.data.rows)) {
      if (key === 'opening_cash') expect(amounts)
        .toEqual([0, found['closing_cash']! - months.data.rows.find((row: any) => row.key === 'net_change').cells[1].amount])
      else if (key !== 'closing_cash' && key in found) expect([key, amounts[0]! + amounts[1]!]).toEqual([key, found[key]])
    }
    const compared = await team.client.get('/reports/cash-flow', { start_date: '2026-02-01', end_date: '2026-02-28', compare: 'previous_period' })
    expect(compared.data.columns.map(({ key }: any) => key)).toEqual(['total', 'total:previous_period'])
    expect(amountsIn(compared.data.rows).get('net_change')?.[1]).toBe(await cashOf(team, '2026-01-01', '2026-01-31'))
    expect((await team.client.get('/reports/cash-flow/export', range)).body).toContain('Net change of cash,836.70')
  })
})

it('the revaluation of a bank account stands apart, on its day and on the day that takes it back', async () => {
  const team = await newBusiness()
  const { named } = await chartOf(team.business_id)
  const dollars = await newLedger(team.business_id, { name: 'Canada', type: 'asset', subtype: 'bank', currency: 'CAD', is_bank: true })
  const pair = { from_currency: 'CAD', to_currency: 'USD' }
  await team.client.post('/fx/rates', { rates: [{ ...pair, date: '2026-03-10', rate: '0.75' }, { ...pair, date: '2026-03-31', rate: '0.72' }] })
  await post(team.business_id, { date: '2026-03-10', currency: 'CAD', lines: [[dollars, 1_000_000], [named("Owner's Capital"), -1_000_000]] })
  expect((await team.client.post('/fx/revalue', { as_of: '2026-03-31' })).status).toBe(201)
  for (const method of ['indirect', 'direct']) {
    const { data } = await team.client.get('/reports/cash-flow', { start_date: '2026-03-01', end_date: '2026-04-30', columns: 'month', method })
    const found = amountsIn(data.rows)
    expect(['operating', 'financing', 'exchange_rates', 'net_change', 'closing_cash'].map((key) => [key, found.get(key)])).toEqual([
      ['operating', [0, 0]], ['financing', [750_000, 0]], ['exchange_rates', [-30_000, 30_000]],
      ['net_change', [720_000, 30_000]], ['closing_cash', [720_000, 750_000]],
    ])
    expect(data.checks[0].ok).toBe(true)
  }
})

describe('books that nobody planned', () => {
  it('come to the change of cash by both methods, on both bases, at any moment', async () => {
    const team = await newBusiness()
    await randomBooks(team.business_id, 30, randomOf(3))
    const [{ at }] = await sql(
      `select to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
       from journal_entries where business_id = $1 order by number offset 15 limit 1`, [team.business_id])
    for (const range of [{ start_date: '2026-01-01', end_date: '2026-12-31' }, { start_date: '2026-02-11', end_date: '2026-04-19' }]) {
      const change = await cashOf(team, range.start_date, range.end_date)
      for (const method of ['indirect', 'direct']) {
        for (const basis of ['accrual', 'cash']) {
          const { data } = await team.client.get('/reports/cash-flow', { ...range, method, basis })
          expect([method, basis, one(data.rows)['net_change'], data.checks[0].ok]).toEqual([method, basis, change, true])
          const { data: months } = await team.client.get('/reports/cash-flow', { ...range, method, basis, columns: 'month', known_at: at })
          expect(months.checks[0].ok).toBe(true)
        }
      }
    }
  })
})

it('refuses columns of an axis, budgets, and too many days for the direct method', async () => {
  const team = await newBusiness()
  const refused = async (query: object) => (await team.client.get('/reports/cash-flow', query as never)).detail
  expect(await refused({ columns: 'customer' })).toContain('choose columns total, month, quarter or year')
  expect(await refused({ compare: 'budget:01900000-0000-7000-8000-000000000001' })).toContain('A budget plans income and expenses')
  expect(await refused({ method: 'direct', start_date: '2025-01-01', end_date: '2026-12-31' }))
    .toBe('The direct method covers at most 400 days, and this would be 730: choose fewer, or the indirect method.')
  expect((await refused({ method: 'sideways' }))[0]).toMatchObject({ loc: ['query', 'method'], type: 'enum' })
})
