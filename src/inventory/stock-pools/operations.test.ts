import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letGo, problemsOf, whileDamaged } from '../../../test/support/damage.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { randomOf, seedFrom, type Random } from '../../../test/support/random-books.ts'
import { service } from '../../../test/support/service.ts'
import { deliver, giveBack, mainLocation, newItem, receive, undo, type Delivery } from '../../../test/support/stock.ts'
import { Refusal } from '../../foundation/refusal.ts'

const seed = seedFrom('STOCK_SEED')
const attempts = Number(process.env['STOCK_ATTEMPTS'] ?? 60)

beforeAll(async () => (await service()).clock.set('2026-06-30T12:00:00Z'))
afterAll(async () => {
  (await service()).clock.set(null)
  await letGo()
})

/** Whatever documents may do to stock, in any order and on any day. */
async function randomStock(team: Team, tries: number, below: Random, costing_method: string): Promise<{ refused: string[] }> {
  const { business_id: id, client } = team
  const day = () => `2026-0${1 + below(6)}-${String(1 + below(28)).padStart(2, '0')}`
  const items = [await newItem(client, { costing_method }, { standard_cost: 137 }), await newItem(client, { costing_method })]
  const places = [await mainLocation(id), (await client.post('/inventory/locations', { name: `Store ${costing_method}`, code: costing_method, negative_stock: 'allow' })).data.id]
  const sales: Delivery[] = []
  const documents: [string, string][] = []
  const refused: string[] = []
  for (let turn = 0; turn < tries; turn++) {
    const [variant_id, location_id] = [items[below(2)]?.variant_id ?? '', places[below(2)] as string]
    try {
      switch (below(7)) {
        case 0: case 1:
          documents.push(['purchase_order', (await receive(id, variant_id, 1 + below(30), below(9000), day(), { location_id })).source_id])
          break
        case 2: case 3:
          sales.push(await deliver(id, variant_id, 1 + below(12), day(), { location_id }))
          documents.push(['invoice', sales.at(-1)?.source_id ?? ''])
          break
        case 4: {
          const sale = sales[below(Math.max(1, sales.length))]
          if (sale) await giveBack(id, sale, 1 + below(4), day(), below(2) === 0 ? { location_id } : {})
          break
        }
        case 5: {
          const [type, source_id] = documents[below(Math.max(1, documents.length))] ?? []
          if (type && source_id) await undo(id, type, source_id)
          break
        }
        default: {
          const line = below(10) < 7 ? { quantity: below(20) - 8 || 1 } : { value: below(400) - 250 || 1 }
          const kind = 'quantity' in line ? 'quantity' : 'value'
          const { status, detail, data } = await client.post('/inventory/adjustments', { kind, reason: 'correction', adjusted_on: day(), post: true, lines: [{ variant_id, location_id, ...line }] })
          if (status === 400) refused.push(detail)
          else documents.push(['adjustment', data.id])
        }
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push(error.detail)
    }
  }
  return { refused }
}

describe('stock that nobody planned', () => {
  it.each(['fifo', 'weighted_average'])(`agrees with its movements, layers, ledgers and costs (%s, STOCK_SEED=${seed} STOCK_ATTEMPTS=${attempts})`, async (method) => {
    const team = await newBusiness()
    const { refused } = await randomStock(team, attempts, randomOf(seed), method)
    expect(refused.length).toBeLessThan(attempts * 0.7)
    expect(await problemsOf(team.client)).toEqual({})
    for (const as_of of ['2026-02-14', '2026-04-30', '2026-06-30']) {
      const { data } = await team.client.get('/inventory/reports/valuation', { as_of, by: 'pool' })
      expect([as_of, data.difference, data.ledgers.reduce((sum: number, ledger: any) => sum + ledger.stock_value, 0)]).toEqual([as_of, 0, data.total_value])
    }
    const [numbers] = await sql('select count(*)::int as count, max(sequence)::int as last from stock_movements where business_id = $1', [team.business_id])
    expect(numbers.count).toBe(numbers.last)
    const below = await sql(
      `select count(*)::int as count from (select sum(quantity) over (partition by m.variant_id, m.location_id order by m.effective_date, m.sequence) as stock from stock_movements m
         join locations l on l.business_id = m.business_id and l.id = m.location_id where m.business_id = $1 and l.is_default) as days where stock < 0`, [team.business_id])
    expect(below).toEqual([{ count: 0 }])
  }, 600_000)

  it('gives the same however many move it at once', async () => {
    const team = await newBusiness()
    const { variant_id } = await newItem(team.client, {}, {})
    await receive(team.business_id, variant_id, 12, 1000, '2026-01-05')
    const days = ['2026-01-20', '2026-01-10', '2026-01-15', '2026-01-06', '2026-01-12', '2026-01-18']
    await Promise.all([...days.map((date) => deliver(team.business_id, variant_id, 2, date)), receive(team.business_id, variant_id, 6, 700, '2026-01-05')])
    expect(await problemsOf(team.client)).toEqual({})
    expect((await sql('select quantity::int from stock_pools where business_id = $1', [team.business_id]))).toEqual([{ quantity: 6 }])
  })
})

describe('verification', () => {
  it('says what is off', async () => {
    const team = await newBusiness()
    const { business_id } = team
    const { variant_id, sku } = await newItem(team.client)
    await receive(business_id, variant_id, 10, 1000, '2026-01-05')
    await deliver(business_id, variant_id, 4, '2026-01-06')
    const damaged = (table: string, change: string) => whileDamaged(business_id, table, change, () => problemsOf(team.client))
    expect(await damaged('stock_pools', 'update stock_pools set value = value + 1 where business_id = $1')).toEqual({
      'Every pool of stock is the sum of its movements': [`${sku} at Main has 6 worth 6.01; its movements come to 6 worth 6.00`],
      'Every pool of stock is the sum of its layers less what was issued short': [`${sku} at Main has 6 worth 6.01; its layers come to 6 worth 6.00`],
      'Costing every movement of stock again gives the costs that are recorded': [`a pool of ${sku} is not what its movements make of it`],
    })
    expect(await damaged('stock_layers', 'update stock_layers set quantity = quantity - 1 where business_id = $1')).toEqual({
      'Every pool of stock is the sum of its layers less what was issued short': [`${sku} at Main has 6 worth 6.00; its layers come to 5 worth 6.00`],
    })
    expect(await damaged('stock_ledgers', 'update stock_ledgers set value = value - 5 where business_id = $1')).toEqual({
      'What the stock is worth equals the balances of its ledgers': [expect.stringContaining('carries stock worth 5.95; its movements come to 6.00, its balance is 6.00')],
    })
    const moved = `update stock_movements set value = value - 3, counter_value = counter_value + 3 where business_id = $1 and type = 'sale'`
    expect((await damaged('stock_movements', moved))['Costing every movement of stock again gives the costs that are recorded']).toEqual([`movement 2 of ${sku} should be worth 0.03 more`])
  })
})
