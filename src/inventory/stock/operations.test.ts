import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chartOf, inside } from '../../../test/support/books.ts'
import { letGo, problemsOf } from '../../../test/support/damage.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { balance, deliver, giveBack, mainLocation, newItem, receive, stockAndCost, undo } from '../../../test/support/stock.ts'
import { newId } from '../../foundation/ids.ts'
import { issueStock } from './operations.ts'

let team: Team
let id: string
beforeAll(async () => (await service()).clock.set('2026-03-20T12:00:00Z'))
afterAll(async () => {
  (await service()).clock.set(null)
  await letGo()
})
beforeEach(async () => {
  team = await newBusiness()
  id = team.business_id
})

const refusal = (work: Promise<unknown>) => work.then(() => { throw new Error('It was not refused.') }, (error: any) => error.detail as string)

describe('stories', () => {
  it('1: cents are neither lost nor made', async () => {
    const { variant_id } = await newItem(team.client)
    await receive(id, variant_id, 3, 1000, '2026-01-05')
    const first = await deliver(id, variant_id, 1, '2026-01-06')
    expect([first.cost, (await deliver(id, variant_id, 1, '2026-01-06')).cost, (await deliver(id, variant_id, 1, '2026-01-06')).cost]).toEqual([333, 334, 333])
    expect(await stockAndCost(id)).toEqual([0, 1000])
    const again = await deliver(id, variant_id, 1, '2026-01-07', first)
    expect(again.moved).toEqual({ entry: null, lines: [{ source_line_id: first.source_line_id, quantity: 0, value: 0 }] })
    expect(await refusal(deliver(id, variant_id, 1, '2026-01-08'))).toMatch(/at Main is short 1 on 2026-01-08/)
    expect(await balance(id, 'goods_received_not_invoiced')).toBe(-1000)
  })

  it('2: layers leave in the order they came, and come back at what they left with', async () => {
    const { variant_id } = await newItem(team.client)
    await receive(id, variant_id, 10, 5000, '2026-01-05')
    await receive(id, variant_id, 10, 6000, '2026-01-10')
    const sale = await deliver(id, variant_id, 15, '2026-01-12')
    expect(sale.cost).toBe(8000)
    expect(await stockAndCost(id)).toEqual([3000, 8000])
    await giveBack(id, sale, 3, '2026-01-15')
    expect(await stockAndCost(id)).toEqual([4600, 6400])
    await giveBack(id, sale, 12, '2026-01-16')
    expect(await stockAndCost(id)).toEqual([11000, 0])
    expect(await refusal(giveBack(id, sale, 1, '2026-01-17'))).toBe('Only 0 of the 1 units can come back: no more were issued.')
  })

  it('3: weighted average', async () => {
    const { variant_id } = await newItem(team.client, { costing_method: 'weighted_average' })
    await receive(id, variant_id, 10, 1000, '2026-01-05')
    await receive(id, variant_id, 5, 666, '2026-01-06')
    expect([(await deliver(id, variant_id, 7, '2026-01-07')).cost, (await deliver(id, variant_id, 8, '2026-01-08')).cost]).toEqual([777, 889])
    expect(await stockAndCost(id)).toEqual([0, 1666])
  })

  it('4: what is backdated costs everything later anew', async () => {
    const { clock } = await service()
    const { variant_id } = await newItem(team.client)
    const at = async (day: string, work: () => Promise<unknown>) => {
      clock.set(`2026-01-${day}T12:00:00Z`)
      try {
        return await work()
      } finally {
        clock.set('2026-03-20T12:00:00Z')
      }
    }
    await at('10', () => receive(id, variant_id, 10, 6000, '2026-01-10'))
    await at('15', () => deliver(id, variant_id, 8, '2026-01-15'))
    expect(await stockAndCost(id)).toEqual([1200, 4800])
    await at('20', () => receive(id, variant_id, 10, 5000, '2026-01-05'))
    expect(await stockAndCost(id)).toEqual([7000, 4000])
    const corrections = await sql(`select value::int, effective_date::text as date from stock_movements where business_id = $1 and type = 'correction'`, [id])
    expect(corrections).toEqual([{ value: 800, date: '2026-01-15' }])
    const valuation = async (query: object) => (await team.client.get('/inventory/reports/valuation', query as never)).data
    expect((await valuation({ as_of: '2026-01-14' })).total_value).toBe(11000)
    expect(await balance(id, 'cost_of_goods_sold', '2026-01-15', '2026-01-19')).toBe(4800)
    expect((await valuation({ as_of: '2026-01-15', known_at: '2026-01-19T00:00:00Z' })).total_value).toBe(1200)
    const location_id = await mainLocation(id)
    const short = await team.client.post('/inventory/adjustments', {
      kind: 'quantity', reason: 'damage', adjusted_on: '2026-01-12', post: true, lines: [{ variant_id, location_id, quantity: -13 }],
    })
    expect([short.status, short.detail]).toEqual([400, expect.stringContaining('short 1 on 2026-01-15')])
    const { data: { items } } = await team.client.get('/accounting-periods', { descending: false })
    const closed = await team.client.put(`/accounting-periods/${items[0].id}/close`, { accept_warnings: true })
    expect(closed.status, JSON.stringify(closed.detail)).toBe(200)
    expect(await refusal(receive(id, variant_id, 1, 100, '2026-01-31'))).toMatch(/closed/)
    expect((await team.client.post('/inventory/adjustments', {
      kind: 'quantity', reason: 'found', adjusted_on: '2026-01-31', post: true, lines: [{ variant_id, location_id, quantity: 1 }],
    })).status).toBe(400)
  })

  it('5: below zero at a guess, until a receipt says what it was', async () => {
    await team.client.patch(`/businesses/${id}/settings`, { inventory: { allow_negative_stock: true } })
    const { variant_id } = await newItem(team.client, {}, { standard_cost: 400 })
    await deliver(id, variant_id, 5, '2026-01-05')
    expect(await stockAndCost(id)).toEqual([-2000, 2000])
    expect(await sql('select estimated from stock_movements where business_id = $1', [id])).toEqual([{ estimated: true }])
    await receive(id, variant_id, 8, 3600, '2026-01-06')
    expect(await stockAndCost(id)).toEqual([1350, 2250])
    expect((await sql('select quantity::int, value::int from stock_pools where business_id = $1', [id]))).toEqual([{ quantity: 3, value: 1350 }])
    expect((await team.client.patch(`/businesses/${id}/settings`, { inventory: { allow_negative_stock: false } })).status).toBe(200)
  })
})

describe('doors', () => {
  it('move each line of a document once, in any number of steps', async () => {
    const { variant_id } = await newItem(team.client)
    await receive(id, variant_id, 10, 1000, '2026-01-05')
    const first = await deliver(id, variant_id, 4, '2026-01-06')
    const rest = await deliver(id, variant_id, 7, '2026-01-07', first)
    expect(rest.moved.lines).toEqual([{ source_line_id: first.source_line_id, quantity: 3, value: 300 }])
    const retries = await Promise.all(Array.from({ length: 4 }, () => deliver(id, variant_id, 7, '2026-01-07', first)))
    expect(retries.map(({ cost }) => cost)).toEqual([0, 0, 0, 0])
    expect(await stockAndCost(id)).toEqual([300, 700])
    const credit = { source_id: newId(), source_line_id: newId() }
    await giveBack(id, first, 2, '2026-01-08', credit)
    const again = await giveBack(id, first, 5, '2026-01-08', credit)
    expect(again.lines).toEqual([{ source_line_id: credit.source_line_id, quantity: 3, value: 300 }])
    expect(await stockAndCost(id)).toEqual([800, 200])
  })

  it('post one entry with the tags and ledgers of the lines', async () => {
    const { role } = await chartOf(id)
    const spoiled = (await team.client.post('/ledgers', { name: 'Cost of the special', type: 'expense', subtype: 'cost_of_goods_sold' })).data.id
    const own = (await team.client.post('/ledgers', { name: 'Goods of others', type: 'asset', subtype: 'inventory' })).data.id
    const [a, b] = [await newItem(team.client), await newItem(team.client, { cogs_ledger_id: spoiled, inventory_ledger_id: own })]
    await receive(id, a.variant_id, 10, 1000, '2026-01-05')
    await receive(id, b.variant_id, 10, 2000, '2026-01-05')
    const [customer_id, other] = [newId(), newId()]
    const line = (variant_id: string, customer: string) => ({ source_line_id: newId(), variant_id, quantity: 2, customer_id: customer })
    const { entry } = await inside(id, (tx) => issueStock(tx, {
      source_type: 'invoice', source_id: newId(), date: '2026-01-06', memo: 'Delivered',
      lines: [line(a.variant_id, customer_id), line(a.variant_id, customer_id), line(a.variant_id, other), line(b.variant_id, customer_id)],
    }))
    expect(entry).toMatchObject({ source_type: 'invoice', date: '2026-01-06', memo: 'Delivered' })
    const lines = entry?.lines.map(({ ledger_id, amount, customer_id: customer }) => [ledger_id, amount, customer])
    expect(lines).toHaveLength(5)
    expect(lines).toEqual(expect.arrayContaining([
      [role('cost_of_goods_sold'), 400, customer_id], [role('cost_of_goods_sold'), 200, other], [role('inventory'), -600, null],
      [spoiled, 400, customer_id], [own, -400, null],
    ]))
    expect(await problemsOf(team.client)).toEqual({})
  })

  it('take a kit apart, and put it together again', async () => {
    const [a, b] = [await newItem(team.client), await newItem(team.client)]
    const kit = await newItem(team.client, { type: 'kit' })
    expect(await refusal(deliver(id, kit.variant_id, 1, '2026-01-06'))).toMatch(/kit without components/)
    await team.client.put(`/inventory/products/${kit.product_id}/kit-components`, { components: [{ variant_id: a.variant_id, quantity: 1 }, { variant_id: b.variant_id, quantity: 2 }] })
    await receive(id, a.variant_id, 5, 500, '2026-01-05')
    await receive(id, b.variant_id, 10, 333, '2026-01-05')
    expect((await team.client.get(`/inventory/products/${kit.product_id}`)).data.variants[0]).toMatchObject({ on_hand: 0, available: 5 })
    const sale = await deliver(id, kit.variant_id, 3, '2026-01-06')
    expect([sale.cost, ...(await stockAndCost(id))]).toEqual([500, 333, 500])
    const answers = await Promise.allSettled([deliver(id, kit.variant_id, 2, '2026-01-07'), deliver(id, kit.variant_id, 1, '2026-01-07')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await giveBack(id, sale, 1, '2026-01-08')
    const back = await giveBack(id, sale, 2, '2026-01-08')
    expect(back.lines[0]?.quantity).toBe(2)
    const returned = await sql(`select sum(value)::int as value from stock_movements where business_id = $1 and type = 'sale_return'`, [id])
    expect(returned).toEqual([{ value: 500 }])
    expect(await problemsOf(team.client)).toEqual({})
  })

  it('let one of two have the last unit', async () => {
    const { variant_id, sku } = await newItem(team.client)
    await receive(id, variant_id, 1, 100, '2026-01-05')
    const answers = await Promise.allSettled(Array.from({ length: 3 }, () => deliver(id, variant_id, 1, '2026-01-06')))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [refused] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.detail] : []))
    expect(refused).toBe(`Not enough stock: ${sku} at Main is short 1 on 2026-01-06. Receive it first, or allow negative stock.`)
  })

  it('name all short lines at once, and leave services alone', async () => {
    const [a, b, service_] = [await newItem(team.client), await newItem(team.client), await newItem(team.client, { type: 'service' })]
    await receive(id, a.variant_id, 1, 100, '2026-01-05')
    const lines = [[a, 3], [b, 2], [service_, 7]].map(([item, quantity]: any) => ({ source_line_id: newId(), variant_id: item.variant_id, quantity }))
    const issue = (some: typeof lines) => inside(id, (tx) => issueStock(tx, { source_type: 'invoice', source_id: newId(), date: '2026-01-06', lines: some }))
    const detail = await refusal(issue(lines))
    expect(detail).toContain(`${a.sku} at Main is short 2 on 2026-01-06`)
    expect(detail).toContain(`${b.sku} at Main is short 2 on 2026-01-06`)
    expect(await issue(lines.slice(2))).toEqual({ entry: null, lines: [{ source_line_id: lines[2]?.source_line_id, quantity: 7, value: 0 }] })
  })

  it('refuse days to come, days too far back, and places that do not sell or receive', async () => {
    const { variant_id } = await newItem(team.client)
    await receive(id, variant_id, 5, 500, '2026-01-05')
    expect(await refusal(deliver(id, variant_id, 1, '2026-03-21'))).toMatch(/yet to come: use 2026-03-20 or earlier/)
    await team.client.patch(`/businesses/${id}/settings`, { inventory: { backdating_days: 10 } })
    expect(await refusal(deliver(id, variant_id, 1, '2026-03-09'))).toMatch(/more than 10 days back: use 2026-03-10 or later/)
    expect((await deliver(id, variant_id, 1, '2026-03-10')).cost).toBe(100)
    const { data: store } = await team.client.post('/inventory/locations', { name: 'Back room', code: 'BACK', sells: false, receives: false })
    expect(await refusal(deliver(id, variant_id, 1, '2026-03-10', { location_id: store.id }))).toMatch(/Nothing is sold from Back room/)
    expect(await refusal(receive(id, variant_id, 1, 1, '2026-03-10', { location_id: store.id }))).toMatch(/Nothing is delivered to Back room/)
    await team.client.put(`/inventory/locations/${store.id}/archive`)
    expect(await refusal(deliver(id, variant_id, 1, '2026-03-10', { location_id: store.id }))).toMatch(/archived/)
    expect(await refusal(deliver(id, variant_id, 1, '2026-03-10', { location_id: newId() }))).toMatch(/not found/)
    expect(await refusal(deliver(id, newId(), 1, '2026-03-10'))).toMatch(/not found/)
    const other = await newItem(team.client)
    await receive(id, other.variant_id, 5, 500, '2026-03-15')
    await team.client.patch(`/businesses/${id}/settings`, { inventory: { recost_limit: 1, backdating_days: null } })
    await deliver(id, other.variant_id, 1, '2026-03-16')
    expect(await refusal(receive(id, other.variant_id, 1, 1, '2026-03-14'))).toMatch(/more than recost_limit \(1\)/)
  })

  it('keep what was recorded', async () => {
    const { variant_id } = await newItem(team.client)
    await receive(id, variant_id, 5, 500, '2026-01-05')
    await expect(sql('update stock_movements set value = 1 where business_id = $1', [id])).rejects.toThrow('append-only')
    await expect(sql('delete from stock_movements where business_id = $1', [id])).rejects.toThrow('append-only')
  })
})

describe('undoing', () => {
  it('brings an issue back at its cost, and lets it happen again', async () => {
    const { variant_id } = await newItem(team.client)
    await receive(id, variant_id, 3, 1000, '2026-01-05')
    const sale = await deliver(id, variant_id, 2, '2026-01-06')
    await deliver(id, variant_id, 1, '2026-01-08')
    const { entries } = await undo(id, 'invoice', sale.source_id)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ date: '2026-01-06', total: 667 })
    expect(await stockAndCost(id)).toEqual([667, 333])
    expect((await undo(id, 'invoice', sale.source_id)).entries).toEqual([])
    expect((await deliver(id, variant_id, 2, '2026-01-09', sale)).cost).toBe(667)
    expect(await stockAndCost(id)).toEqual([0, 1000])
    expect(await problemsOf(team.client)).toEqual({})
  })

  it('takes a receipt away only while it is all there, and a return only before its units are sold again', async () => {
    const { variant_id } = await newItem(team.client)
    const first = await receive(id, variant_id, 3, 300, '2026-01-05')
    const second = await receive(id, variant_id, 3, 600, '2026-01-06')
    const sale = await deliver(id, variant_id, 1, '2026-01-07')
    expect(await refusal(undo(id, 'purchase_order', first.source_id))).toMatch(/Only 2 of the 3 units that came in are still there/)
    await undo(id, 'purchase_order', second.source_id)
    expect([...(await stockAndCost(id)), await balance(id, 'goods_received_not_invoiced')]).toEqual([200, 100, -300])
    const credit = { source_id: newId(), source_line_id: newId() }
    await giveBack(id, sale, 1, '2026-01-08', credit)
    expect(await refusal(undo(id, 'invoice', sale.source_id))).toMatch(/undo the return first/)
    await undo(id, 'credit_memo', credit.source_id)
    expect(await stockAndCost(id)).toEqual([200, 100])
    await giveBack(id, sale, 1, '2026-01-08')
    expect(await refusal(undo(id, 'invoice', sale.source_id, '2026-01-01'))).toMatch(/cannot be before 2026-01-07/)
    expect(await problemsOf(team.client)).toEqual({})
  })

  it('corrects on the first open day where the period is closed', async () => {
    const { variant_id } = await newItem(team.client, { costing_method: 'weighted_average' })
    await receive(id, variant_id, 10, 1000, '2026-01-10')
    const { data: { items } } = await team.client.get('/accounting-periods', { descending: false })
    await receive(id, variant_id, 10, 3000, '2026-02-05')
    await deliver(id, variant_id, 10, '2026-02-20')
    await team.client.put(`/accounting-periods/${items[0].id}/close`, { accept_warnings: true })
    expect(await stockAndCost(id)).toEqual([2000, 2000])
    await receive(id, variant_id, 20, 2000, '2026-02-01')
    await team.client.put(`/accounting-periods/${items[1].id}/close`, { accept_warnings: true })
    expect(await stockAndCost(id)).toEqual([4500, 1500])
    expect(await sql(`select value::int, effective_date::text as date from stock_movements where business_id = $1 and type = 'correction'`, [id]))
      .toEqual([{ value: 500, date: '2026-02-20' }])
    expect(await problemsOf(team.client)).toEqual({})
  })
})
