import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { mainLocation, newItem, receive } from '../../../test/support/stock.ts'

let team: Team
beforeAll(async () => {
  (await service()).clock.set('2026-03-20T12:00:00Z')
  team = await newBusiness()
})
afterAll(async () => (await service()).clock.set(null))

const PATH = '/inventory/locations'
let count = 0
const make = async (more: object = {}) => {
  count += 1
  const { data, detail } = await team.client.post(PATH, { name: `Place ${count}`, code: `P${count}`, ...more })
  if (!data) throw new Error(JSON.stringify(detail))
  return data
}

describe('locations', () => {
  it('begin with Main', async () => {
    const { data } = await (await newBusiness()).client.get(PATH)
    expect(data.items).toEqual([expect.objectContaining({ name: 'Main', code: 'MAIN', type: 'warehouse', is_default: true, sells: true, receives: true, status: 'active', value: 0 })])
  })

  it('have names and codes of their own', async () => {
    await make({ name: 'Shop', code: 'SHOP' })
    expect((await team.client.post(PATH, { name: 'SHOP', code: 'X1' })).detail).toBe('A location of this name exists already: choose another name.')
    expect((await team.client.post(PATH, { name: 'Other', code: 'shop' })).detail).toBe('A location with this code exists already: choose another code.')
  })

  it('have one default, also where two choose at once', async () => {
    const [a, b] = [await make(), await make()]
    await Promise.all([a, b].map(({ id }) => team.client.put(`${PATH}/${id}/default`)))
    expect(await sql('select count(*)::int as count from locations where business_id = $1 and is_default', [team.business_id])).toEqual([{ count: 1 }])
    const { data } = await team.client.put(`${PATH}/${a.id}/default`)
    expect(data.is_default).toBe(true)
    expect((await team.client.put(`${PATH}/${a.id}/default`)).data.version).toBe(data.version)
    expect((await team.client.put(`${PATH}/${a.id}/archive`)).detail).toMatch(/is the default location: make another one the default first/)
    expect((await team.client.delete(`${PATH}/${a.id}`)).detail).toMatch(/is the default location/)
    await team.client.put(`${PATH}/${b.id}/archive`)
    expect((await team.client.put(`${PATH}/${b.id}/default`)).detail).toMatch(/is archived/)
    expect((await team.client.put(`${PATH}/${b.id}/unarchive`)).data.status).toBe('active')
  })

  it('stay while something is there, and can only be archived once something was', async () => {
    const { variant_id } = await newItem(team.client)
    const place = await make()
    await receive(team.business_id, variant_id, 3, 1000, '2026-03-01', { location_id: place.id })
    expect((await team.client.get(`${PATH}/${place.id}`)).data.value).toBe(1000)
    expect((await team.client.put(`${PATH}/${place.id}/archive`)).detail).toMatch(/Stock is at/)
    expect((await team.client.delete(`${PATH}/${place.id}`)).detail).toMatch(/is used: archive it instead/)
    const { data } = await team.client.get(`${PATH}/${place.id}/stock`)
    expect(data.items).toEqual([expect.objectContaining({ id: variant_id, on_hand: 3, available: 3, value: 1000, unit_cost: '333.333333' })])
    const { named } = await chartOf(team.business_id)
    expect((await team.client.put(`${PATH}/${place.id}`, { inventory_ledger_id: named('Checking') })).detail).toMatch(/change the ledger once there is none/)
    await team.client.post('/inventory/adjustments', { kind: 'quantity', reason: 'theft', adjusted_on: '2026-03-02', post: true, lines: [{ variant_id, location_id: place.id, quantity: -3 }] })
    const draft = await team.client.post('/inventory/adjustments', { reason: 'found', lines: [{ variant_id, location_id: place.id, quantity: 1 }] })
    expect((await team.client.put(`${PATH}/${place.id}/archive`)).detail).toMatch(/A draft of an adjustment names/)
    await team.client.delete(`/inventory/adjustments/${draft.data.id}`)
    const archived = await team.client.put(`${PATH}/${place.id}/archive`)
    expect(archived.data.status).toBe('archived')
    expect((await team.client.put(`${PATH}/${place.id}/archive`)).data.version).toBe(archived.data.version)
    const unused = await make()
    expect((await team.client.delete(`${PATH}/${unused.id}`)).status).toBe(200)
  })

  it('check their ledger', async () => {
    const { role } = await chartOf(team.business_id)
    expect((await team.client.post(PATH, { name: 'A', code: 'A', inventory_ledger_id: role('sales') })).detail).toMatch(/needs a ledger of type asset/)
    expect((await team.client.post(PATH, { name: 'A', code: 'A', inventory_ledger_id: team.business_id })).status).toBe(404)
  })

  it('can be listed by what they are, and taken away as CSV', async () => {
    await make({ name: 'Van 7', code: 'VAN7', type: 'vehicle' })
    expect((await team.client.get(PATH, { type: 'vehicle' })).data.items.map((item: any) => item.code)).toEqual(['VAN7'])
    expect((await team.client.get(PATH, { q: 'van' })).data.items).toHaveLength(1)
    const { body } = await team.client.get(`${PATH}/export.csv`, { q: 'van' })
    expect(body).toBe('name,code,type,is_default,sells,receives,status,value\r\nVan 7,VAN7,vehicle,false,true,true,active,0.00\r\n')
    expect(await mainLocation(team.business_id)).toBeTruthy()
  })
})
