import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside } from '../../../test/support/books.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { deliver, mainLocation, newItem, receive } from '../../../test/support/stock.ts'
import { newId } from '../../foundation/ids.ts'
import { variantsByIds } from './operations.ts'

let team: Team
beforeAll(async () => {
  (await service()).clock.set('2026-03-20T12:00:00Z')
  team = await newBusiness()
})
afterAll(async () => (await service()).clock.set(null))

const PATH = '/inventory/products'
const make = async (body: object) => {
  const { data, detail } = await team.client.post(PATH, body)
  if (!data) throw new Error(JSON.stringify(detail))
  return data
}

describe('products', () => {
  it('have a variant each, made from themselves where none is given', async () => {
    const plain = await make({ name: 'Plain' })
    expect(plain).toMatchObject({ type: 'stocked', tracking: 'none', costing_method: 'fifo', unit: 'piece', status: 'active', on_hand: 0, value: 0 })
    expect(plain.variants).toEqual([expect.objectContaining({ name: 'Plain', sku: expect.stringMatching(/^P-/), is_default: true, price: 0, available: 0, unit_cost: null })])
    await team.client.patch(`/businesses/${team.business_id}/settings`, { inventory: { costing_method: 'weighted_average' } })
    expect((await make({ name: 'Later', sku: 'LATER', price: 5 })).variants[0]).toMatchObject({ sku: 'LATER', price: 5 })
    expect((await make({ name: 'Average' })).costing_method).toBe('weighted_average')
    await team.client.patch(`/businesses/${team.business_id}/settings`, { inventory: { costing_method: null } })
    const shirt = await make({
      name: 'Shirt', options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [{ sku: 'SHIRT-S', option_values: { Size: 'S' } }, { sku: 'SHIRT-M', option_values: { Size: 'M' }, is_default: true, barcode: '4006381333931' }],
    })
    expect(shirt.variants.map((variant: any) => [variant.sku, variant.is_default])).toEqual([['SHIRT-S', false], ['SHIRT-M', true]])
    const { variants: [first] } = shirt
    const sellable = await inside(team.business_id, (tx) => variantsByIds(tx, [first.id, newId()]))
    expect([...sellable.values()]).toEqual([expect.objectContaining({ id: first.id, sku: 'SHIRT-S', product_name: 'Shirt', type: 'stocked', status: 'active', price: 0, income_ledger_id: null })])
  })

  it('say no with a reason', async () => {
    const { role } = await chartOf(team.business_id)
    await make({ name: 'Taken', external_id: 'shop-1', variants: [{ sku: 'TAKEN', barcode: '123' }] })
    const rows: [object, number, RegExp][] = [
      [{ name: 'A', sku: 'taken' }, 400, /Another variant has this sku/],
      [{ name: 'A', variants: [{ sku: 'A1', barcode: '123' }] }, 400, /barcode/],
      [{ name: 'A', variants: [{ sku: 'A1' }, { sku: 'a1' }] }, 400, /Two variants have the sku a1/],
      [{ name: 'A', external_id: 'shop-1' }, 400, /external_id/],
      [{ name: 'A', sku: 'A1', variants: [{ sku: 'A2' }] }, 400, /Give sku and price with the variants/],
      [{ name: 'A', variants: [{ sku: 'A1', is_default: true }, { sku: 'A2', is_default: true }] }, 400, /one default variant only/],
      [{ name: 'A', variants: [{ sku: 'A1', option_values: { Size: 'S' } }] }, 400, /has no option Size/],
      [{ name: 'A', options: [{ name: 'Size', values: ['S'] }], variants: [{ sku: 'A1', option_values: { Size: 'XL' } }] }, 400, /is one of: S/],
      [{ name: 'A', options: [{ name: 'Size', values: ['S'] }, { name: 'Size', values: ['M'] }] }, 400, /the option Size twice/],
      [{ name: 'A', income_ledger_id: role('inventory') }, 400, /income_ledger_id needs a ledger of type income/],
      [{ name: 'A', cogs_ledger_id: newId() }, 404, /Ledger/],
      [{ name: 'A', tax_code_id: newId() }, 404, /ax code/],
      [{ name: 'A', tracking: 'lot', type: 'nonsense' }, 422, /./],
    ]
    for (const [body, status, detail] of rows) {
      const answer = await team.client.post(PATH, body)
      expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringMatching(detail)])
    }
  })

  it('change, but not in what their stock was costed by', async () => {
    const { product_id, variant_id } = await newItem(team.client)
    expect((await team.client.put(`${PATH}/${product_id}`, { type: 'service', costing_method: 'weighted_average', category: 'Things' })).data).toMatchObject({ type: 'service', category: 'Things', version: 2 })
    await team.client.put(`${PATH}/${product_id}`, { type: 'stocked' })
    await receive(team.business_id, variant_id, 3, 900, '2026-03-01')
    const put = (body: object) => team.client.put(`${PATH}/${product_id}`, body)
    expect((await put({ type: 'service' })).detail).toMatch(/its type stays stocked/)
    expect((await put({ costing_method: 'fifo' })).detail).toMatch(/its costing method stays weighted_average/)
    const own = (await team.client.post('/ledgers', { name: 'Own goods', type: 'asset', subtype: 'inventory' })).data.id
    expect((await put({ inventory_ledger_id: own })).detail).toMatch(/change the ledger once there is none/)
    expect((await put({ name: 'Renamed', tags: ['new'] })).data).toMatchObject({ name: 'Renamed', tags: ['new'], on_hand: 3, value: 900 })
    expect((await team.client.get(PATH, { tag: 'new', has_stock: true, location_id: await mainLocation(team.business_id) })).data.items.map((item: any) => item.id)).toEqual([product_id])
    for (const sort_by of ['name', 'sku', 'created_at', 'on_hand', 'value']) {
      expect((await team.client.get(PATH, { sort_by, q: 'Renamed' })).data.items.map((item: any) => item.id)).toEqual([product_id])
    }
  })

  it('go while they are unused, else into the archive once nothing is left', async () => {
    const unused = await newItem(team.client)
    expect((await team.client.delete(`${PATH}/${unused.product_id}`)).status).toBe(200)
    const { product_id, variant_id, sku } = await newItem(team.client)
    await receive(team.business_id, variant_id, 1, 100, '2026-03-01')
    expect((await team.client.delete(`${PATH}/${product_id}`)).detail).toMatch(/is used: archive it instead/)
    expect((await team.client.put(`${PATH}/${product_id}/archive`)).detail).toBe(`${sku} is on hand: sell or adjust it away first.`)
    await deliver(team.business_id, variant_id, 1, '2026-03-02')
    const archived = await team.client.put(`${PATH}/${product_id}/archive`)
    expect(archived.data.status).toBe('archived')
    expect((await team.client.put(`${PATH}/${product_id}/archive`)).data.version).toBe(archived.data.version)
    expect((await inside(team.business_id, (tx) => variantsByIds(tx, [variant_id]))).get(variant_id)?.status).toBe('archived')
    expect((await team.client.post(`${PATH}/${product_id}/variants`, { sku: newId() })).detail).toMatch(/is archived/)
    expect((await team.client.put(`${PATH}/${product_id}/unarchive`)).data.status).toBe('active')
  })

  it('leave as CSV, with formulas made harmless', async () => {
    await make({ name: '=evil()', category: 'export', variants: [{ sku: 'CSV-1', price: 1290 }] })
    const { body } = await team.client.get(`${PATH}/export.csv`, { category: 'export' })
    expect(body).toBe("product,type,category,sku,variant,barcode,unit,status,external_id,price,on_hand,value\r\n'=evil(),stocked,export,CSV-1,'=evil(),,piece,active,,12.90,0,0.00\r\n")
  })
})

describe('variants', () => {
  it('are added, changed, found, archived and deleted', async () => {
    const { product_id, variant_id, sku } = await newItem(team.client)
    const at = `${PATH}/${product_id}/variants`
    const { data: second } = await team.client.post(at, { sku: `${sku}-2`, barcode: `b${sku}`, price: 100 })
    expect(second).toMatchObject({ is_default: false, price: 100 })
    expect((await team.client.patch(`${at}/${second.id}`, { is_default: true, price: 150 })).data).toMatchObject({ is_default: true, price: 150 })
    expect((await team.client.get(at)).data.map((variant: any) => [variant.id, variant.is_default])).toEqual([[variant_id, false], [second.id, true]])
    expect((await team.client.patch(`${at}/${second.id}`, { is_default: false })).detail).toMatch(/make another variant the default instead/)
    expect((await team.client.patch(`${at}/${second.id}`, { sku: sku.toUpperCase() })).detail).toMatch(/Another variant has this sku/)
    expect((await team.client.delete(`${at}/${second.id}`)).detail).toMatch(/is the default/)
    expect((await team.client.put(`${at}/${second.id}/archive`)).detail).toMatch(/is the default/)
    expect((await team.client.get(`${PATH}/lookup`, { sku: sku.toLowerCase() })).data).toMatchObject({ id: variant_id, product_type: 'stocked' })
    expect((await team.client.get(`${PATH}/lookup`, { barcode: `b${sku}` })).data.id).toBe(second.id)
    expect((await team.client.get(`${PATH}/lookup`, { barcode: 'nothing' })).status).toBe(404)
    expect((await team.client.get(`${PATH}/lookup`)).detail).toBe('Give either sku or barcode.')
    await receive(team.business_id, variant_id, 1, 100, '2026-03-01')
    expect((await team.client.delete(`${at}/${variant_id}`)).detail).toMatch(/is used: archive it instead/)
    expect((await team.client.put(`${at}/${variant_id}/archive`)).detail).toMatch(/is on hand/)
    await deliver(team.business_id, variant_id, 1, '2026-03-02')
    expect((await team.client.put(`${at}/${variant_id}/archive`)).data.status).toBe('archived')
    expect((await team.client.patch(`${at}/${variant_id}`, { is_default: true })).detail).toMatch(/is archived and cannot be the default/)
    const { data: third } = await team.client.post(at, { sku: `${sku}-3` })
    expect((await team.client.delete(`${at}/${third.id}`)).status).toBe(200)
    const alone = await newItem(team.client)
    expect((await team.client.delete(`${PATH}/${alone.product_id}/variants/${alone.variant_id}`)).detail).toMatch(/last variant/)
    expect(await sql(`select type from events where business_id = $1 and resource_id = $2 order by seq`, [team.business_id, second.id]))
      .toEqual([{ type: 'variant.created' }, { type: 'variant.price_changed' }])
  })
})

describe('kits', () => {
  it('consist of stocked products, and are as many as the scarcest allows', async () => {
    const [kit, a, b] = [await newItem(team.client, { type: 'kit' }), await newItem(team.client), await newItem(team.client)]
    const at = `${PATH}/${kit.product_id}/kit-components`
    const put = (...components: object[]) => team.client.put(at, { components })
    expect((await team.client.put(`${PATH}/${a.product_id}/kit-components`, { components: [] })).detail).toMatch(/only a kit has components/)
    expect((await put({ variant_id: kit.variant_id, quantity: 1 })).detail).toMatch(/a kit consists of stocked products/)
    expect((await put({ variant_id: a.variant_id, quantity: 1 }, { variant_id: a.variant_id, quantity: 2 })).detail).toMatch(/is named twice/)
    expect((await put({ variant_id: newId(), quantity: 1 })).status).toBe(404)
    expect((await put({ variant_id: a.variant_id, quantity: 1 }, { variant_id: b.variant_id, quantity: 3 })).data.components).toHaveLength(2)
    await receive(team.business_id, a.variant_id, 5, 500, '2026-03-01')
    await receive(team.business_id, b.variant_id, 8, 500, '2026-03-03')
    const available = async (date?: string) => (await team.client.get(`${PATH}/availability`, { variant_ids: [kit.variant_id, a.variant_id], ...(date ? { date } : {}) })).data
      .map((row: any) => [row.variant_id, row.on_hand, row.available])
    expect(new Set(await available())).toEqual(new Set([[kit.variant_id, 0, 2], [a.variant_id, 5, 5]]))
    expect(new Set(await available('2026-03-02'))).toEqual(new Set([[kit.variant_id, 0, 0], [a.variant_id, 5, 5]]))
    expect((await team.client.put(`${PATH}/${a.product_id}`, { type: 'kit' })).status).toBe(400)
    const c = await newItem(team.client)
    await put({ variant_id: c.variant_id, quantity: 1 })
    expect((await team.client.put(`${PATH}/${c.product_id}/archive`)).detail).toMatch(/is part of/)
    expect((await team.client.delete(`${PATH}/${c.product_id}`)).detail).toMatch(/is used/)
  })
})

describe('many at once', () => {
  it('are made and changed by sku or external_id', async () => {
    const bulk = (items: object[], atomic?: boolean) => team.client.post(`${PATH}/bulk`, { items, ...(atomic === undefined ? {} : { atomic }) })
    const { data } = await bulk([{ sku: 'B-1', name: 'Bulk one', price: 10 }, { external_id: 'ext-2', sku: 'B-2', name: 'Bulk two' }])
    expect(data).toMatchObject({ succeeded: 2, failed: 0 })
    const again = await bulk([{ sku: 'b-1', price: 20 }, { external_id: 'ext-2', name: 'Renamed', standard_cost: 7 }, { external_id: 'ext-3', name: 'Bulk three' }])
    expect(again.data).toMatchObject({ succeeded: 3 })
    expect((await team.client.get(`${PATH}/lookup`, { sku: 'B-1' })).data).toMatchObject({ price: 20, product_name: 'Bulk one' })
    expect((await team.client.get(`${PATH}/lookup`, { sku: 'B-2' })).data).toMatchObject({ standard_cost: 7, product_name: 'Renamed' })
    await bulk([{ external_id: 'ext-2', sku: 'B-22', variant_name: 'Blue' }])
    expect((await team.client.get(`${PATH}/lookup`, { sku: 'B-22' })).data).toMatchObject({ name: 'Blue', product_name: 'Renamed', is_default: false })
    const broken = [{ sku: 'B-1', price: 1 }, { sku: 'b-1', price: 2 }, { name: 'Nothing' }, { sku: 'NEW' }, { sku: 'B-2', external_id: 'ext-3' }, { sku: 'OK-1', name: 'Fine' }]
    expect((await bulk(broken)).detail).toBe('Item 1: The sku b-1 is in this call twice.')
    expect((await bulk(broken, false)).data).toMatchObject({
      succeeded: 2, failed: 4, results: [{ status: 'ok' }, { status: 'error' }, { detail: 'An item needs a sku or an external_id.' }, { detail: 'A new product needs a name.' },
        { detail: 'Sku B-2 belongs to another product than external_id ext-3.' }, { status: 'ok' }],
    })
  })

  it('get new prices by list, percent or margin', async () => {
    const [a, b, c] = [await newItem(team.client, {}, { price: 995 }), await newItem(team.client, {}, { price: 1000, standard_cost: 600 }), await newItem(team.client)]
    const change = (body: object) => team.client.post(`${PATH}/prices`, body)
    const variant_ids = [a.variant_id, b.variant_id]
    expect((await change({ mode: 'list', prices: [{ variant_id: a.variant_id, price: 1005 }] })).data).toEqual([{ variant_id: a.variant_id, sku: a.sku, old_price: 995, new_price: 1005 }])
    expect((await change({ mode: 'percent', variant_ids, percent: '10' })).data.map((row: any) => row.new_price)).toEqual([1106, 1100])
    expect((await change({ mode: 'percent', variant_ids, percent: '-2.5' })).data.map((row: any) => row.new_price)).toEqual([1078, 1073])
    await receive(team.business_id, a.variant_id, 3, 1000, '2026-03-01')
    expect((await change({ mode: 'margin', variant_ids, percent: '40' })).data.map((row: any) => row.new_price)).toEqual([556, 1000])
    expect((await change({ mode: 'margin', variant_ids, percent: '100' })).detail).toBe('A margin is below 100 percent.')
    expect((await change({ mode: 'margin', variant_ids: [c.variant_id], percent: '5' })).detail).toMatch(/Nothing says what/)
    expect((await change({ mode: 'percent', variant_ids, percent: '-101' })).detail).toMatch(/below 0/)
    expect((await change({ mode: 'percent', variant_ids })).detail).toMatch(/needs variant_ids and percent/)
    expect((await change({ mode: 'list' })).detail).toMatch(/needs prices/)
    expect((await change({ mode: 'percent', variant_ids: [a.variant_id, a.variant_id], percent: '1' })).detail).toMatch(/twice/)
  })
})

describe('the stock ledger', () => {
  it('is read in order, without a gap, and with a running balance', async () => {
    const { product_id, variant_id } = await newItem(team.client)
    const start = (await team.client.get('/inventory/activity/movements', { limit: 1 })).data.items[0]?.sequence ?? 0
    await receive(team.business_id, variant_id, 3, 1000, '2026-03-01')
    await deliver(team.business_id, variant_id, 1, '2026-03-02')
    await receive(team.business_id, variant_id, 1, 1, '2026-02-28')
    const copy = await team.client.get('/inventory/activity/movements', { after: start, descending: false })
    expect(copy.data.items.map(({ sequence, type, quantity, value }: any) => [sequence - start, type, quantity, value])).toEqual([
      [1, 'purchase_receipt', 3, 1000], [2, 'sale', -1, -333], [3, 'purchase_receipt', 1, 1], [4, 'correction', 0, 332],
    ])
    expect((await team.client.get('/inventory/activity/movements', { variant_id, type: 'sale' })).data.items).toHaveLength(1)
    const page = await team.client.get(`${PATH}/${product_id}/movements`, { limit: 2 })
    expect(page.data.items.map((row: any) => [row.running_quantity, row.running_value])).toEqual([[3, 1000], [3, 668]])
    const next = await team.client.get(`${PATH}/${product_id}/movements`, { limit: 2, cursor: page.data.next_cursor })
    expect(next.data.items.map((row: any) => [row.running_quantity, row.running_value])).toEqual([[2, 667], [3, 1000]])
    expect((await team.client.get(`${PATH}/${product_id}/movements`, { variant_id: newId() })).status).toBe(404)
    const { data } = await team.client.get(`${PATH}/${product_id}/stock`)
    expect(data).toEqual([expect.objectContaining({ variant_id, on_hand: 3, value: 1000 })])
    const valued = await team.client.get('/inventory/reports/valuation', { variant_id, by: 'location' })
    expect(valued.data).toMatchObject({ total_quantity: 3, total_value: 1000, difference: 0, rows: [{ location_name: 'Main', product_id: null, quantity: 3, value: 1000 }] })
    expect((await team.client.get('/inventory/reports/valuation', { variant_id, by: 'pool', format: 'csv' })).body).toContain('Main,3,333.333333,10.00')
  })
})
