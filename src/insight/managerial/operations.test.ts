import { describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { newBusiness } from '../../../test/support/people.ts'
import { randomBooks, randomOf } from '../../../test/support/random-books.ts'

const amountsIn = (rows: any[]): Map<string, number[]> => new Map(rows.map((row) => [row.key, row.cells.map(({ amount }: any) => amount)]))

describe('profit and loss by a managerial key', () => {
  it('has a section per value in its order, what is unmapped apart, and net income as its total', async () => {
    const team = await newBusiness()
    const { named, role } = await chartOf(team.business_id)
    const bank = named('Checking')
    await team.client.put(`/businesses/${team.business_id}/managerial-key-mappings`, {
      mappings: [{ ledger_id: named('Rent'), key: 'cost_behavior', value: 'fixed' }, { ledger_id: named('Travel'), key: 'cost_behavior',
        value: 'variable' }, { ledger_id: named('Utilities'), key: 'cost_behavior', value: 'fixed' }],
    })
    await post(team.business_id,
      { date: '2026-01-10', lines: [[bank, 1_000], [role('sales'), -1_000]] },
      { date: '2026-01-11', lines: [[named('Rent'), 300], [named('Travel'), 50], [named('Utilities'), 20], [named('Meals'), 7], [bank, -377]] },
      { date: '2026-02-11', lines: [[named('Travel'), 5], [bank, -5]] },
    )
    const { data } = await team.client.get('/reports/managerial', { key: 'cost_behavior', end_date: '2026-02-28', columns: 'month' })
    expect([...amountsIn(data.rows)]).toEqual([['value:variable', [-50, -5]], ['value:fixed', [-320, 0]], ['unmapped', [993, 0]], ['net_income', [623, -5]]])
    expect(data.rows.map(({ label }: any) => label)).toEqual(['Variable', 'Fixed', 'Unmapped', 'Net income'])
    expect(data.rows[1].rows.map(({ ledger_id }: any) => ledger_id)).toEqual([named('Rent'), named('Utilities')])
    expect(data.checks).toEqual([{ key: 'total_equals_net_income', ok: true, difference: 0 }])
    expect((await team.client.get('/reports/managerial/export', { key: 'cost_behavior', end_date: '2026-02-28' })).body).toContain('Net income,6.18')
    expect((await team.client.get('/reports/managerial', { key: 'nothing' })).detail).toBe('Key nothing not found.')
    expect((await team.client.get('/reports/managerial', {})).detail[0]).toMatchObject({ loc: ['query', 'key'], type: 'missing' })
  })

  it.each(['accrual', 'cash'])('comes to the net income of the profit and loss, by any axis (%s)', async (basis) => {
    const team = await newBusiness()
    await randomBooks(team.business_id, 20, randomOf(41))
    const { role } = await chartOf(team.business_id)
    await team.client.put(`/businesses/${team.business_id}/managerial-key-mappings`, { mappings: [{ ledger_id: role('sales'), key: 'function',
      value: 'revenue' }] })
    for (const columns of ['total', 'month', 'project']) {
      const query = { start_date: '2026-01-05', end_date: '2026-06-20', basis, columns }
      const { data } = await team.client.get('/reports/managerial', { ...query, key: 'function' })
      const profit = (await team.client.get('/reports/profit-and-loss', query)).data
      expect(amountsIn(data.rows).get('net_income')).toEqual(amountsIn(profit.rows).get('net_income'))
      expect(data.checks[0].ok).toBe(true)
    }
  })
})
