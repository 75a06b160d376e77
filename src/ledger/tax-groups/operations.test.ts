// Tax groups over HTTP: components in their order, and what stays once a group was used.
import { beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { TaxGroup } from './contract.ts'

let team: Team
let client: Client
let agencies: { id: string; payable_ledger_id: string }[]
let gst: string
let qst: string
let gone: string
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  agencies = await Promise.all(['Canada', 'Quebec'].map(async (name) => (await client.post('/tax/agencies', { name, country: 'CA' })).data))
  const rate = async (name: string, percent: string, index: number): Promise<string> =>
    (await client.post('/tax/rates', { name, agency_id: agencies[index]?.id, versions: [{ percent, valid_from: '2026-01-01' }] })).data.id
  ;[gst, qst, gone] = await Promise.all([rate('GST', '5', 0), rate('QST', '9.975', 1), rate('Gone', '1', 0)])
  await client.put(`/tax/rates/${gone}`, { archived: true })
})

async function newGroup(more: object = {}): Promise<TaxGroup> {
  const answer = await client.post('/tax/groups', { name: 'GST and QST', components: [{ rate_id: gst }, { rate_id: qst, compound: true }], ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

let made = 0
const newCode = async (group_id: string): Promise<string> =>
  (await client.post('/tax/codes', { code: `C${++made}`, name: 'Code', treatment: 'taxable', group_id })).data.id

describe('tax groups', () => {
  it('are created, read and changed, with their components in order', async () => {
    const group = await newGroup()
    expect(group).toMatchObject({
      name: 'GST and QST', components: [{ rate_id: gst, compound: false }, { rate_id: qst, compound: true }], archived: false, version: 1,
    })
    expect((await client.get(`/tax/groups/${group.id}`)).data).toEqual(group)
    const { data } = await client.put(`/tax/groups/${group.id}`, { components: [{ rate_id: qst }, { rate_id: gst }] })
    expect(data).toMatchObject({ name: 'GST and QST', components: [{ rate_id: qst, compound: false }, { rate_id: gst, compound: false }], version: 2 })
    expect((await client.get(`/tax/groups/${group.id}`)).data).toEqual(data)
    expect((await client.put(`/tax/groups/${group.id}`, { components: data.components, name: data.name })).data.version).toBe(2)
    expect(await eventsOf(group.id)).toEqual(['tax_group.created', 'tax_group.updated'])
  })

  it('refuse rates that are not there, archived or given twice, and lists that are empty or too long', async () => {
    const id = newId()
    const group = await newGroup()
    const cases: [object[], number, unknown][] = [
      [[{ rate_id: gst }, { rate_id: id }], 404, `Tax rate ${id} not found.`],
      [[{ rate_id: gst }, { rate_id: gone }], 400, 'The tax rate “Gone” is archived: restore it first.'],
      [[{ rate_id: gst }, { rate_id: qst }, { rate_id: gst, compound: true }], 400, `The rate ${gst} is in the group twice: leave one of them out.`],
      [[], 422, [expect.objectContaining({ loc: ['body', 'components'] })]],
      [Array.from({ length: 11 }, () => ({ rate_id: newId() })), 422, [expect.objectContaining({ loc: ['body', 'components'] })]],
      [[{ compound: true }], 422, [expect.objectContaining({ loc: ['body', 'components', 0, 'rate_id'], type: 'missing' })]],
    ]
    for (const [components, status, detail] of cases) {
      expect(await client.post('/tax/groups', { name: 'Wrong', components })).toMatchObject({ status, detail })
      expect(await client.put(`/tax/groups/${group.id}`, { components })).toMatchObject({ status, detail })
    }
    expect((await client.get(`/tax/groups/${group.id}`)).data).toEqual(group)
  })

  it('once used keep their components; an archived rate in them goes on', async () => {
    const group = await newGroup({ name: 'Used' })
    const code_id = await newCode(group.id)
    const lines = [{ ledger_id: agencies[0]!.payable_ledger_id, amount: 100, tax_code_id: code_id }, [agencies[1]!.payable_ledger_id, -100] as const]
    expect((await client.put(`/tax/groups/${group.id}`, { components: [{ rate_id: gst }] })).status).toBe(200)
    await Promise.all([post(team.business_id, { date: '2026-02-10', lines }), client.put(`/tax/groups/${group.id}`, { components: group.components })])
    const refusal = { status: 400, detail: 'The tax group “Used” was used, so its components stay: make another group, and a code for it.' }
    const kept: TaxGroup['components'] = (await client.get(`/tax/groups/${group.id}`)).data.components
    expect(await client.put(`/tax/groups/${group.id}`, { components: [{ rate_id: qst }] })).toMatchObject(refusal)
    expect(await client.put(`/tax/groups/${group.id}`, { components: kept.map((component) => ({ ...component, compound: !component.compound })) }))
      .toMatchObject(refusal)
    expect(await client.put(`/tax/groups/${group.id}`, { components: kept, name: 'Renamed' }))
      .toMatchObject({ status: 200, data: { name: 'Renamed', components: kept } })
  })

  it('are deleted with their components while no code has them, else archived', async () => {
    const [unused, coded] = [await newGroup(), await newGroup({ name: 'Coded' })]
    await newCode(coded.id)
    expect((await client.delete(`/tax/groups/${unused.id}`)).data).toMatchObject({ id: unused.id, archived: false })
    expect((await client.get(`/tax/groups/${unused.id}`)).status).toBe(404)
    expect(await sql('select from tax_group_components where group_id = $1', [unused.id])).toEqual([])
    expect(await client.delete(`/tax/groups/${coded.id}`)).toMatchObject({ status: 200, data: { archived: true, version: 2 } })
    expect((await client.delete(`/tax/groups/${coded.id}`)).data.version).toBe(2)
    expect(await client.post('/tax/codes', { code: 'OLD', name: 'Old', treatment: 'taxable', group_id: coded.id }))
      .toMatchObject({ status: 400, detail: 'The tax group “Coded” is archived: restore it first.' })
    expect((await client.put(`/tax/groups/${coded.id}`, { archived: false })).data.archived).toBe(false)
    expect(await eventsOf(coded.id)).toEqual(['tax_group.created', 'tax_group.archived', 'tax_group.restored'])
    expect(await eventsOf(unused.id)).toEqual(['tax_group.created', 'tax_group.deleted'])
  })

  it('deleted while a code is made for them: one of the two meets the other', async () => {
    for (const group of await Promise.all(Array.from({ length: 4 }, () => newGroup()))) {
      const [removed, code] = await Promise.all([
        client.delete(`/tax/groups/${group.id}`), client.post('/tax/codes', { code: `R${++made}`, name: 'Racing', treatment: 'taxable', group_id: group.id })])
      expect([removed.status, removed.data.archived]).toEqual([200, code.status === 201])
      expect([201, 404]).toContain(code.status)
    }
  })

  it('are listed by name, agency and whether archived', async () => {
    const names = async (query: Record<string, string>) =>
      (await client.get('/tax/groups', { descending: false, limit: 100, ...query })).data.items.map(({ name }: TaxGroup) => name)
    await newGroup({ name: 'Zebra', components: [{ rate_id: gst }] })
    const archived = await newGroup({ name: 'Zero', components: [{ rate_id: qst }] })
    await client.put(`/tax/groups/${archived.id}`, { archived: true })
    expect(await names({ q: 'ZE' })).toEqual(['Zebra'])
    expect(await names({ q: 'ze', archived: 'all' })).toEqual(['Zebra', 'Zero'])
    expect(await names({ q: 'ze', archived: 'all', agency_id: agencies[1]!.id })).toEqual(['Zero'])
    expect(await names({ agency_id: newId() })).toEqual([])
  })
})
