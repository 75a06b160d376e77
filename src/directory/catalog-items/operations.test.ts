import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside } from '../../../test/support/books.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { catalogItemsByIds, noteSold } from './operations.ts'

let team: Team
let chart: Awaited<ReturnType<typeof chartOf>>
beforeAll(async () => {
  team = await newBusiness()
  chart = await chartOf(team.business_id)
})

const usd = (unit_price: number) => [{ currency: 'USD', unit_price }]
const create = (body: object) => team.client.post('/catalog-items', body)
const made = async (body: object = {}) => (await create({ name: 'Item', prices: usd(1000), ...body })).data
const events = (id: string) => sql('select type, data from events where business_id = $1 and resource_id = $2 order by seq', [team.business_id, id])

describe('a catalog item', () => {
  it('is created with defaults, tidied, and told of', async () => {
    const { status, data } = await create({ name: '  Advice ', code: ' ADV ', prices: [{ currency: 'EUR', unit_price: 900 }, { currency: 'USD', unit_price: 1000 }] })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      name: 'Advice', code: 'ADV', description: null, kind: 'service', unit: null, income_ledger_id: null, expense_ledger_id: null, tax_code_id: null,
      deferred: false, recognition: null, archived: false, last_sold_on: null, version: 1,
      prices: [{ currency: 'USD', unit_price: 1000 }, { currency: 'EUR', unit_price: 900 }],
    })
    expect((await team.client.get(`/catalog-items/${data.id}`)).data).toEqual(data)
    expect((await events(data.id)).map(({ type }) => type)).toEqual(['catalog_item.created'])
  })

  it('takes what fits: ledgers, a tax code and a way to recognise', async () => {
    const [{ id: tax_code_id }] = (await team.client.get('/tax/codes', { q: 'ZERO' })).data.items
    const data = await made({
      income_ledger_id: chart.role('sales'), expense_ledger_id: chart.named('Rent'), tax_code_id, deferred: true, recognition: { method: 'monthly', months: 12 },
    })
    expect(data).toMatchObject({ tax_code_id, deferred: true, recognition: { method: 'monthly', months: 12 } })
  })

  it.each<[string, () => object | Promise<object>, number, RegExp]>([
    ['a code that is taken, in whatever case', async () => ({ name: 'X', code: (await made({ code: `t-${newId().slice(-8)}` })).code.toUpperCase() }), 400, /Another catalog item has this code/],
    ['an expense ledger for income', () => ({ name: 'X', income_ledger_id: chart.named('Rent') }), 400, /Rent is of the type expense: income_ledger_id takes a ledger of the type income/],
    ['an income ledger for expenses', () => ({ name: 'X', expense_ledger_id: chart.role('sales') }), 400, /expense_ledger_id takes a ledger of the type expense/],
    ['an unknown ledger', () => ({ name: 'X', income_ledger_id: newId() }), 404, /of income_ledger_id not found/],
    ['an unknown tax code', () => ({ name: 'X', tax_code_id: newId() }), 404, /of tax_code_id not found/],
    ['two prices in one currency', () => ({ name: 'X', prices: [...usd(1), ...usd(2)] }), 400, /two prices in USD/],
    ['months without a number', () => ({ name: 'X', recognition: { method: 'daily', months: null } }), 400, /recognition by daily needs months/],
    ['a negative price', () => ({ name: 'X', prices: usd(-1) }), 422, /greater_than_equal/],
    ['an archived ledger', async () => {
      const { data } = await team.client.post('/ledgers', { name: `Old ${newId()}`, type: 'income', subtype: 'revenue' })
      await team.client.put(`/ledgers/${data.id}/archive`)
      return { name: 'X', income_ledger_id: data.id }
    }, 400, /is archived: restore it, or choose another ledger/],
    ['an archived tax code', async () => {
      const { data } = await team.client.post('/tax/codes', { code: newId().slice(-10), name: 'Old', treatment: 'exempt' })
      await team.client.put(`/tax/codes/${data.id}`, { archived: true })
      return { name: 'X', tax_code_id: data.id }
    }, 400, /is archived/],
  ])('is refused with %s', async (_, body, status, detail) => {
    const answer = await create(await body())
    expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringMatching(detail)])
  })

  it('of two with one code at once, one is made', async () => {
    const answers = await Promise.all([create({ name: 'A', code: 'RACE' }), create({ name: 'B', code: 'race' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })

  it('is updated: absent stays, null clears, prices are replaced, the same is no change', async () => {
    const before = await made({ code: 'UPD', unit: 'hour', prices: [...usd(1000), { currency: 'CAD', unit_price: 1300 }] })
    const { data } = await team.client.put(`/catalog-items/${before.id}`, { unit: null, prices: usd(1200) })
    expect(data).toEqual({ ...before, unit: null, prices: usd(1200), version: 2, updated_at: data.updated_at })
    expect((await team.client.put(`/catalog-items/${before.id}`, { code: 'UPD', prices: usd(1200) })).data.version).toBe(2)
    expect((await team.client.put(`/catalog-items/${before.id}`, { code: 'upd' })).data.code).toBe('upd')
    expect((await team.client.get(`/catalog-items/${before.id}`)).data.prices).toEqual(usd(1200))
  })

  it('keeps a ledger that was archived since', async () => {
    const { data: ledger } = await team.client.post('/ledgers', { name: `Kept ${newId()}`, type: 'income', subtype: 'revenue' })
    const item = await made({ income_ledger_id: ledger.id })
    await team.client.put(`/ledgers/${ledger.id}/archive`)
    expect((await team.client.put(`/catalog-items/${item.id}`, { income_ledger_id: ledger.id, name: 'Same' })).status).toBe(200)
  })

  it('holds its ledger and its tax code', async () => {
    const { data: ledger } = await team.client.post('/ledgers', { name: `Held ${newId()}`, type: 'income', subtype: 'revenue' })
    const { data: code } = await team.client.post('/tax/codes', { code: newId().slice(-10), name: 'Held', treatment: 'exempt' })
    await made({ income_ledger_id: ledger.id, tax_code_id: code.id })
    const answers = [await team.client.delete(`/ledgers/${ledger.id}`), await team.client.delete(`/tax/codes/${code.id}`)]
    expect(answers.map(({ status, detail }) => [status, detail])).toEqual([
      [400, 'A catalog item earns on this ledger: choose another one there first, or archive the ledger.'],
      [400, 'A catalog item has this tax code: choose another one there first, or archive the code.'],
    ])
  })

  it('is archived and restored, each once', async () => {
    const { id } = await made()
    const path = `/catalog-items/${id}`
    expect((await team.client.put(`${path}/archive`)).data).toMatchObject({ archived: true, version: 2 })
    expect((await team.client.put(`${path}/archive`)).data.version).toBe(2)
    expect((await team.client.put(`${path}/restore`)).data).toMatchObject({ archived: false, version: 3 })
    expect((await team.client.put(`${path}/restore`)).data.version).toBe(3)
    expect((await events(id)).map(({ type }) => type)).toEqual(['catalog_item.created', 'catalog_item.archived', 'catalog_item.restored'])
  })

  it('is copied without its code and its past', async () => {
    const { id } = await made({ name: 'Original', code: 'ORIG', description: 'As it is' })
    await inside(team.business_id, async (tx) => noteSold(tx, [id], '2026-03-01'))
    const { status, data } = await team.client.post(`/catalog-items/${id}/duplicate`)
    expect([status, data]).toMatchObject([201, { name: 'Original (copy)', code: null, description: 'As it is', prices: usd(1000), last_sold_on: null, version: 1 }])
    expect(data.id).not.toBe(id)
  })

  it('is deleted where it was never used', async () => {
    const { id } = await made()
    expect((await team.client.delete(`/catalog-items/${id}`)).status).toBe(200)
    expect((await team.client.get(`/catalog-items/${id}`)).status).toBe(404)
    expect(await sql('select from catalog_item_prices where item_id = $1', [id])).toEqual([])
    const sold = await made({ name: 'Sold' })
    await inside(team.business_id, async (tx) => noteSold(tx, [sold.id], '2026-03-01'))
    const { status, detail } = await team.client.delete(`/catalog-items/${sold.id}`)
    expect([status, detail]).toEqual([400, '“Sold” was used: archive it instead.'])
  })

  it('is not deleted while any other record points at it', async () => {
    const { id } = await made({ name: 'Pointed at' })
    const table = `points_${newId().slice(-12)}`
    await sql(`create table ${table} (business_id uuid, item_id uuid, foreign key (business_id, item_id) references catalog_items (business_id, id))`)
    try {
      await sql(`insert into ${table} values ($1, $2)`, [team.business_id, id])
      const { status, detail } = await team.client.delete(`/catalog-items/${id}`)
      expect([status, detail]).toEqual([400, '“Pointed at” was used: archive it instead.'])
      expect((await team.client.get(`/catalog-items/${id}`)).status).toBe(200)
    } finally {
      await sql(`drop table ${table}`)
    }
  })

  it('is written by bookkeepers and read by everyone', async () => {
    const [bookkeeper, viewer] = [await newMember(team.business_id, 'bookkeeper'), await newMember(team.business_id, 'viewer')]
    const { data } = await bookkeeper.client.post('/catalog-items', { name: 'By the bookkeeper' })
    expect((await viewer.client.get(`/catalog-items/${data.id}`)).status).toBe(200)
    expect((await viewer.client.put(`/catalog-items/${data.id}`, { name: 'X' })).status).toBe(403)
  })
})

describe('the doors', () => {
  it('give items with their prices, and only those of the business', async () => {
    const [one, two] = [await made({ name: 'One' }), await made({ name: 'Two', prices: [] })]
    const other = await newBusiness()
    const { data: foreign } = await other.client.post('/catalog-items', { name: 'Foreign' })
    const found = await inside(team.business_id, (tx) => catalogItemsByIds(tx, [one.id, two.id, foreign.id, newId()]))
    expect([...found.values()].toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([one, two])
    expect(await inside(team.business_id, (tx) => catalogItemsByIds(tx, []))).toEqual(new Map())
  })

  it('note the latest sale, whatever the order, without a change of the version', async () => {
    const [one, two] = [await made(), await made()]
    for (const [ids, date] of [[[one.id, two.id], '2026-03-10'], [[one.id], '2026-02-01'], [[two.id], '2026-04-01'], [[], '2026-05-01']] as const) {
      await inside(team.business_id, async (tx) => noteSold(tx, ids, date))
    }
    expect((await team.client.get(`/catalog-items/${one.id}`)).data).toEqual({ ...one, last_sold_on: '2026-03-10' })
    expect((await team.client.get(`/catalog-items/${two.id}`)).data.last_sold_on).toBe('2026-04-01')
  })
})

describe('the list', () => {
  let own: Team
  const names = async (query: Record<string, string | number | boolean>) =>
    (await own.client.get('/catalog-items', { descending: false, ...query })).data.items.map(({ name }: { name: string }) => name)
  beforeAll(async () => {
    own = await newBusiness()
    const items = [
      { name: 'beta cleaning', code: 'B-200', kind: 'fee', prices: usd(1) },
      { name: 'Alpha', code: 'a-100', description: 'Window cleaning', prices: [...usd(1), { currency: 'EUR', unit_price: 2 }] },
      { name: 'gamma', kind: 'time' },
      { name: 'delta', code: 'D-1' },
    ]
    const { data } = await own.client.post('/catalog-items/bulk', { items })
    const [, alpha, gamma, delta] = data.results.map(({ id }: { id: string }) => id)
    await own.client.put(`/catalog-items/${delta}/archive`)
    await inside(own.business_id, async (tx) => noteSold(tx, [alpha], '2026-03-01'))
    const { data: tag } = await own.client.post('/tags', { name: 'Marked' })
    await own.client.post('/tags/assign', { tag_ids: [tag.id], resource_type: 'catalog_item', resource_ids: [gamma] })
  })

  it.each<[object, string[]]>([
    [{}, ['Alpha', 'beta cleaning', 'gamma']],
    [{ descending: true }, ['gamma', 'beta cleaning', 'Alpha']],
    [{ sort_by: 'code' }, ['Alpha', 'beta cleaning', 'gamma']],
    [{ sort_by: 'last_sold_on' }, ['Alpha', 'beta cleaning', 'gamma']],
    [{ archived: 'true' }, ['delta']],
    [{ archived: 'all' }, ['Alpha', 'beta cleaning', 'delta', 'gamma']],
    [{ kind: 'time' }, ['gamma']],
    [{ currency: 'EUR' }, ['Alpha']],
    [{ currency: 'GBP' }, []],
    [{ code: 'A-100' }, ['Alpha']],
    [{ search: 'clean' }, ['Alpha', 'beta cleaning']],
    [{ search: 'clean win' }, ['Alpha']],
    [{ search: 'b-20' }, ['beta cleaning']],
    [{ search: '%' }, []],
    [{ updated_since: '2100-01-01T00:00:00Z' }, []],
  ])('with %o shows %o', async (query, expected) => {
    expect(await names(query as Record<string, string>)).toEqual(expected)
  })

  it('goes by tags', async () => {
    const [{ id }] = (await own.client.get('/tags')).data.items
    expect(await names({ tag_id: id })).toEqual(['gamma'])
  })

  it('is a file too', async () => {
    const { headers, body } = await own.client.get('/catalog-items/export', { archived: 'all' })
    expect(headers.get('content-disposition')).toContain('catalog-items.csv')
    const [header, ...rows] = body.trimEnd().split('\r\n')
    expect(header).toBe('Code,Name,Kind,Unit,Description,Price USD,Price CAD,Price AUD,Price EUR,Price GBP,Deferred,Archived,Last sold on,Id')
    expect(rows.map((row: string) => row.split(',').slice(0, 13).join(','))).toEqual([
      'a-100,Alpha,service,,Window cleaning,0.01,,,0.02,,false,false,2026-03-01',
      'B-200,beta cleaning,fee,,,0.01,,,,,false,false,',
      'D-1,delta,service,,,,,,,,false,true,',
      ',gamma,time,,,,,,,,false,false,',
    ])
    const sheet = await own.client.get('/catalog-items/export', { format: 'xlsx' })
    expect(sheet.headers.get('content-type')).toContain('spreadsheetml')
  })
})

describe('bulk', () => {
  it('creates new ones and updates those whose code is known', async () => {
    const known = await made({ name: 'Known', code: 'BULK-1', unit: 'hour' })
    const { status, data } = await team.client.post('/catalog-items/bulk', {
      items: [{ code: 'bulk-1', prices: usd(7) }, { name: 'New', code: 'BULK-2' }, { name: 'Without a code' }, { code: 'BULK-1'.toLowerCase() + 'x', name: 'Other' }],
    })
    expect([status, data.succeeded, data.failed]).toEqual([201, 4, 0])
    expect(data.results[0].id).toBe(known.id)
    expect((await team.client.get(`/catalog-items/${known.id}`)).data).toMatchObject({ name: 'Known', code: 'bulk-1', unit: 'hour', prices: usd(7), version: 2 })
    expect((await team.client.get('/catalog-items', { code: 'BULK-2' })).data.items).toMatchObject([{ name: 'New' }])
  })

  it('is all or nothing unless said otherwise', async () => {
    const items = [{ name: 'Fine', code: 'PART-1' }, { code: 'PART-2' }, { name: 'Twice', code: 'part-1' }, { name: 'Wrong', income_ledger_id: newId() }]
    const whole = await team.client.post('/catalog-items/bulk', { items })
    expect([whole.status, whole.detail]).toEqual([400, 'Item 1: A new item needs a name.'])
    expect((await team.client.get('/catalog-items', { code: 'PART-1' })).data.items).toEqual([])
    const { data } = await team.client.post('/catalog-items/bulk', { items, atomic: false })
    expect(data).toMatchObject({ succeeded: 1, failed: 3 })
    expect(data.results.map(({ detail }: { detail: string | null }) => detail)).toEqual([
      null, 'A new item needs a name.', 'The code part-1 is given twice: give each item once.', expect.stringMatching(/of income_ledger_id not found/),
    ])
  })
})

describe('changing many prices', () => {
  it('by percent of those a filter chooses, and tells which', async () => {
    const own = await newBusiness()
    await own.client.post('/catalog-items/bulk', {
      items: [
        { name: 'a', kind: 'fee', prices: [...usd(1050), { currency: 'EUR', unit_price: 999 }] }, { name: 'b', kind: 'fee', prices: usd(0) },
        { name: 'c', kind: 'time', prices: usd(500) },
      ],
    })
    const before = (await own.client.get('/catalog-items', { descending: false })).data.items
    const change = { filter: { kind: 'fee' }, percent: '10', round_to: 50 }
    const preview = await own.client.call('PUT', '/catalog-items/prices', { body: change, query: { dry_run: true } })
    const { status, data } = await own.client.put('/catalog-items/prices', change)
    expect([status, data]).toEqual([200, preview.data])
    expect(data).toEqual({ changed: 1, unchanged: 1, items: [{ id: before[0].id, prices: [{ currency: 'USD', unit_price: 1150 }, { currency: 'EUR', unit_price: 1100 }] }] })
    const after = (await own.client.get('/catalog-items', { descending: false })).data.items
    expect(after.map(({ version }: { version: number }) => version)).toEqual([2, 1, 1])
    expect(after[0].prices).toEqual(data.items[0].prices)
    const [, told] = await sql('select type, data from events where business_id = $1 and resource_id = $2 order by seq', [own.business_id, before[0].id])
    expect(told).toMatchObject({ type: 'catalog_item.updated', data: { prices: data.items[0].prices } })
  })

  it('to given prices of those that are named', async () => {
    const [one, two] = [await made({ prices: [] }), await made({ prices: [{ currency: 'GBP', unit_price: 5 }] })]
    const { data } = await team.client.put('/catalog-items/prices', { item_ids: [one.id, two.id], prices: [{ currency: 'AUD', unit_price: 9 }] })
    expect(data.changed).toBe(2)
    expect((await team.client.get(`/catalog-items/${two.id}`)).data.prices).toEqual([{ currency: 'AUD', unit_price: 9 }, { currency: 'GBP', unit_price: 5 }])
  })

  it.each<[string, object | (() => object), number, RegExp]>([
    ['nothing', {}, 400, /give either item_ids or filter/],
    ['an item that is not there', { item_ids: [newId()], percent: '1' }, 404, /Catalog item .* not found/],
    ['a percent below all', { filter: {}, percent: '-101' }, 400, /-100 is the least/],
    ['a percent that is none', { filter: {}, percent: 'ten' }, 422, /value_error/],
  ])('is refused with %s', async (_, body, status, detail) => {
    const answer = await team.client.put('/catalog-items/prices', body)
    expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringMatching(detail)])
  })

  it('is done one after another', async () => {
    const { id } = await made({ prices: usd(1000) })
    await Promise.all(Array.from({ length: 4 }, () => team.client.put('/catalog-items/prices', { item_ids: [id], percent: '100' })))
    expect((await team.client.get(`/catalog-items/${id}`)).data.prices).toEqual(usd(16_000))
  })
})
