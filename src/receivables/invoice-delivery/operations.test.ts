import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let seller: Seller
let variant_id: string
let main: string
beforeAll(async () => {
  ;(await service()).clock.set('2026-03-15T15:00:00Z')
  seller = await newSeller()
  main = ok(await seller.client.get('/inventory/locations')).items[0].id
  const product = ok(await seller.client.post('/inventory/products', { name: 'Widget', type: 'stocked', variants: [{ sku: newId(), price: 2_000 }] }))
  variant_id = product.variants[0].id
  ok(await seller.client.post('/inventory/adjustments', { kind: 'quantity', reason: 'found', adjusted_on: '2026-03-01', lines: [{ variant_id, location_id: main, quantity: 3, unit_cost: 1_000, cost_per: 3 }], post: true }))
})
afterAll(async () => (await service()).clock.set(null))

const sell = (quantity: number, more: object = {}) => seller.open({ line_items: [{ variant_id, quantity }], ...more })
const deliver = (id: string, body: object = {}) => seller.client.put(`/invoices/${id}/delivered`, body)

describe('delivery', () => {
  it('takes stock once at its cost, whether paid or not; three for 10.00 cost 333, 334, 333', async () => {
    const one = await sell(1)
    const delivered = ok(await deliver(one.id, { delivered_on: '2026-03-10' }))
    expect(delivered).toMatchObject({ delivered: true, delivered_on: '2026-03-10T00:00:00.000Z', status: 'open', line_items: [{ quantity_delivered: 1 }] })
    expect(delivered.journal_entries.map(({ role, date, total }: any) => [role, date, total])).toEqual([['finalization', '2026-03-15', 2_000], ['delivery', '2026-03-10', 333]])
    expect(ok(await deliver(one.id)).journal_entries).toHaveLength(2)
    const [two, three] = [await sell(1), await sell(1)]
    ok(await seller.client.put(`/invoices/${two.id}/paid`, {}))
    expect(ok(await deliver(two.id)).journal_entries.at(-1)).toMatchObject({ role: 'delivery', total: 334 })
    expect(ok(await deliver(three.id)).journal_entries.at(-1).total).toBe(333)
    expect(await seller.balances('inventory', 'cost_of_goods_sold')).toEqual([0, 1_000])
    const short = await deliver((await sell(1)).id)
    expect([short.status, short.detail]).toEqual([400, expect.stringContaining('Main')])
  })

  it('a void brings the goods back at the cost they left with', async () => {
    ok(await seller.client.post('/inventory/adjustments', { kind: 'quantity', reason: 'found', adjusted_on: '2026-03-02', lines: [{ variant_id, location_id: main, quantity: 5, unit_cost: 700 }], post: true }))
    const { id } = await sell(4)
    ok(await deliver(id))
    expect((await seller.balances('inventory'))[0]).toBe(700)
    expect(ok(await seller.client.put(`/invoices/${id}/void`, {}))).toMatchObject({ status: 'void', delivered: false, delivered_on: null, journal_entries: [], line_items: [{ quantity_delivered: 0 }] })
    expect(await seller.balances('inventory', 'accounts_receivable')).toEqual([3_500, 6_000])
    expect(ok(await seller.client.get('/books/verification')).checks.filter(({ ok: holds }: any) => !holds)).toEqual([])
  })

  it('two deliveries of the last unit: one 200, one 400', async () => {
    const [a, b] = [await sell(5), await sell(5)]
    const answers = await Promise.all([deliver(a.id), deliver(b.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('drafts and void invoices are not delivered; lines without stock only get the flag', async () => {
    expect((await deliver((await seller.invoice()).id)).status).toBe(400)
    const plain = await seller.open()
    expect(ok(await deliver(plain.id))).toMatchObject({ delivered: true, delivered_on: '2026-03-15T15:00:00.000Z', journal_entries: [{ role: 'finalization' }] })
    ok(await seller.client.put(`/invoices/${plain.id}/void`, {}))
    expect((await deliver(plain.id)).status).toBe(400)
  })
})
