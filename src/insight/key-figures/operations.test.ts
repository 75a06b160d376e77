import { expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { newBusiness } from '../../../test/support/people.ts'

it('key figures come from the books, on either basis, with their formulas', async () => {
  const team = await newBusiness()
  const { named, role } = await chartOf(team.business_id)
  const bank = named('Checking')
  const [customer_id, vendor_id] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
  await post(team.business_id,
    { date: '2026-01-02', lines: [[bank, 100_000], [named("Owner's Capital"), -100_000]] },
    { date: '2026-02-05', source_type: 'invoice', lines: [{ ledger_id: role('accounts_receivable'), amount: 50_000, customer_id }, [role('sales'), -50_000]] },
    { date: '2026-02-06', source_type: 'bill', lines: [{ ledger_id: role('accounts_payable'), amount: -20_000, vendor_id },
      [role('cost_of_goods_sold'), 20_000]] },
    { date: '2026-02-07', lines: [[named('Rent'), 30_000], [bank, -30_000]] },
  )
  const range = { start_date: '2026-02-01', end_date: '2026-02-28' }
  const { data } = await team.client.get('/reports/key-figures', range)
  const values = Object.fromEntries(data.figures.map(({ key, value }: any) => [key, value]))
  // Burnt: 300.00 in 28 days, or 321.43 in 30.
  expect(values).toEqual({ gross_margin: '60.00', net_margin: '0.00', current_ratio: '6.00', quick_ratio: '6.00', dso: '28.0', dpo: '28.0',
    cash: '700.00', burn: '321.43', cash_runway: '2.2' })
  expect(data.figures.every(({ formula, inputs }: any) => formula.length > 10 && inputs.length > 0)).toBe(true)
  expect(data.figures[0].inputs).toEqual([{ name: 'revenue', amount: 50_000 }, { name: 'cost of goods sold', amount: 20_000 }])
  expect(data).toMatchObject({ report: 'key-figures', basis: 'accrual', parameters: range })

  const cash = await team.client.get('/reports/key-figures', { ...range, basis: 'cash' })
  expect(Object.fromEntries(cash.data.figures.map(({ key, value }: any) => [key, value])))
    .toMatchObject({ gross_margin: null, net_margin: null, dso: null, dpo: null, cash: '700.00' })
  const before = await team.client.get('/reports/key-figures', { ...range, known_at: '2020-01-01T00:00:00Z' })
  expect(before.data.figures.find(({ key }: any) => key === 'cash').value).toBe('0.00')
  expect((await team.client.get('/reports/key-figures/export', range)).body).toContain('Gross margin,60.00,percent,')
  expect((await team.client.get('/reports/key-figures', { start_date: '2026-03-01', end_date: '2026-02-01' })).status).toBe(400)
})
