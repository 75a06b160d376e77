// Tax codes over HTTP: what each treatment needs, and what stays once a code was used.
import { beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { TaxCode } from './contract.ts'

let team: Team
let client: Client
let agencies: { id: string; payable_ledger_id: string }[]
let rate_id: string
let group_id: string
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  agencies = await Promise.all(['One', 'Two'].map(async (name) => (await client.post('/tax/agencies', { name, country: 'GB' })).data))
  const rate = async (index: number): Promise<string> =>
    (await client.post('/tax/rates', { name: 'VAT', agency_id: agencies[index]?.id, versions: [{ percent: '20', valid_from: '2026-01-01' }] })).data.id
  rate_id = await rate(0)
  group_id = (await client.post('/tax/groups', { name: 'Both', components: [{ rate_id }, { rate_id: await rate(1) }] })).data.id
})

let made = 0
async function newCode(more: object = {}): Promise<TaxCode> {
  const answer = await client.post('/tax/codes', { code: `C${++made}`, name: 'Code', treatment: 'taxable', rate_id, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

const use = (tax_code_id: string) =>
  post(team.business_id, {
    date: '2026-02-10', lines: [{ ledger_id: agencies[0]!.payable_ledger_id, amount: 100, tax_code_id }, [agencies[1]!.payable_ledger_id, -100]],
  })

const setDefault = (tax: object) => client.patch(`/businesses/${team.business_id}/settings`, { tax })

describe('tax codes', () => {
  it('a new business has the plain ones', async () => {
    const { items } = (await (await newBusiness()).client.get('/tax/codes', { descending: false })).data
    expect(items.map(({ code, name, treatment, rate_id: rate, group_id: group, version }: TaxCode) => [code, name, treatment, rate, group, version])).toEqual([
      ['EXEMPT', 'Exempt', 'exempt', null, null, 1], ['OUT', 'Out of scope', 'out_of_scope', null, null, 1],
      ['ZERO', 'Zero rated', 'zero_rated', null, null, 1],
    ])
    expect(await eventsOf(items[0].id)).toEqual(['tax_code.created'])
  })

  it('are created, read and changed', async () => {
    const code = await newCode({ code: 'S20', name: 'Standard', boxes: { sales_net: '6', sales_tax: '1' } })
    expect(code).toMatchObject({
      code: 'S20', name: 'Standard', treatment: 'taxable', rate_id, group_id: null, archived: false, version: 1,
      boxes: { sales_net: '6', sales_tax: '1', purchases_net: null, purchases_tax: null },
    })
    expect((await client.get(`/tax/codes/${code.id}`)).data).toEqual(code)
    const { data } = await client.put(`/tax/codes/${code.id}`, { code: 's-20', boxes: { sales_net: null, purchases_tax: '4' }, rate_id: null, group_id })
    expect(data).toMatchObject({
      code: 's-20', rate_id: null, group_id, boxes: { sales_net: null, sales_tax: '1', purchases_net: null, purchases_tax: '4' }, version: 2,
    })
    expect((await client.put(`/tax/codes/${code.id}`, { boxes: {}, group_id })).data.version).toBe(2)
    expect((await client.put(`/tax/codes/${code.id}`, { treatment: 'exempt', group_id: null })).data)
      .toMatchObject({ treatment: 'exempt', rate_id: null, group_id: null })
    expect(await eventsOf(code.id)).toEqual(['tax_code.created', 'tax_code.updated', 'tax_code.updated'])
  })

  it('need a rate or a group by their treatment', async () => {
    const neither = (treatment: string) => `A code that is ${treatment} has neither a rate nor a group: leave rate_id and group_id out, or null.`
    const unknown = newId()
    const cases: [object, number, unknown][] = [
      [{ treatment: 'taxable', rate_id: null, group_id: null }, 400, 'A taxable code needs either a rate_id or a group_id.'],
      [{ treatment: 'taxable', rate_id, group_id }, 400, 'A taxable code needs either a rate_id or a group_id.'],
      [{ treatment: 'reverse_charge', rate_id: null, group_id: null }, 400, 'A reverse_charge code needs either a rate_id or a group_id.'],
      [{ treatment: 'zero_rated', rate_id, group_id: null }, 400, neither('zero rated')],
      [{ treatment: 'exempt', rate_id: null, group_id }, 400, neither('exempt')],
      [{ treatment: 'out_of_scope', rate_id, group_id }, 400, neither('out of scope')],
      [{ rate_id: unknown, group_id: null }, 404, `Tax rate ${unknown} not found.`],
      [{ rate_id: null, group_id: unknown }, 404, `Tax group ${unknown} not found.`],
      [{ code: '' }, 422, [expect.objectContaining({ type: 'string_too_short' })]],
      [{ code: 'x'.repeat(11) }, 422, [expect.objectContaining({ type: 'string_too_long' })]],
      [{ code: 'A B' }, 422, [expect.objectContaining({ type: 'value_error' })]],
      [{ treatment: 'free' }, 422, [expect.objectContaining({ type: 'enum' })]],
      [{ boxes: { sales_net: '' } }, 422, [expect.objectContaining({ loc: ['body', 'boxes', 'sales_net'] })]],
    ]
    const code = await newCode()
    for (const [body, status, detail] of cases) {
      expect(await client.post('/tax/codes', { code: `C${++made}`, name: 'Wrong', treatment: 'taxable', ...body })).toMatchObject({ status, detail })
      expect(await client.put(`/tax/codes/${code.id}`, body)).toMatchObject({ status, detail })
    }
    expect((await client.get(`/tax/codes/${code.id}`)).data).toEqual(code)
    expect((await newCode({ treatment: 'reverse_charge', rate_id: null, group_id })).treatment).toBe('reverse_charge')
  })

  it('are written differently, ignoring case, also when made by two at once', async () => {
    const answers = await Promise.all(['TWICE', 'twice'].map((code) => client.post('/tax/codes', { code, name: 'Twin', treatment: 'exempt' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    const detail = 'Another tax code is written like this: choose another code.'
    expect(answers.find(({ status }) => status === 400)?.detail).toBe(detail)
    expect(await client.put(`/tax/codes/${(await newCode()).id}`, { code: 'Twice' })).toMatchObject({ status: 400, detail })
    expect((await client.call('POST', '/tax/codes', { query: { dry_run: true }, body: { code: 'tWICE', name: 'Twin', treatment: 'exempt' } })).status).toBe(400)
  })

  it('once used keep treatment, rate and group; the rest can change', async () => {
    const code = await newCode({ code: 'USED' })
    await use(code.id)
    const refusal = { status: 400, detail: 'The tax code USED was used, so its treatment, rate and group stay: make another code.' }
    for (const body of [{ treatment: 'reverse_charge' }, { rate_id: null, group_id }, { treatment: 'exempt', rate_id: null }]) {
      expect(await client.put(`/tax/codes/${code.id}`, body)).toMatchObject(refusal)
    }
    expect(await client.put(`/tax/codes/${code.id}`, { code: 'WORN', name: 'Worn', treatment: 'taxable', boxes: { sales_tax: '1' } }))
      .toMatchObject({ status: 200, data: { code: 'WORN', name: 'Worn' } })
  })

  it('used and changed at once: the change comes first, or not at all', async () => {
    for (const code of [await newCode(), await newCode(), await newCode()]) {
      const [changed] = await Promise.all([client.put(`/tax/codes/${code.id}`, { treatment: 'reverse_charge' }), use(code.id)])
      expect([200, 400]).toContain(changed.status)
      expect((await client.get(`/tax/codes/${code.id}`)).data.treatment).toBe(changed.status === 200 ? 'reverse_charge' : 'taxable')
      expect((await client.put(`/tax/codes/${code.id}`, { treatment: 'exempt', rate_id: null })).status).toBe(400)
    }
  })

  it('are deleted while unused, else archived', async () => {
    const [unused, used, preset] = [await newCode(), await newCode(), await newCode()]
    await use(used.id)
    await sql('update ledgers set default_tax_code_id = $2 where id = $1', [agencies[0]!.payable_ledger_id, preset.id])
    expect((await client.delete(`/tax/codes/${unused.id}`)).data).toMatchObject({ id: unused.id, archived: false })
    expect((await client.get(`/tax/codes/${unused.id}`)).status).toBe(404)
    for (const code of [used, preset]) {
      expect(await client.delete(`/tax/codes/${code.id}`)).toMatchObject({ status: 200, data: { archived: true, version: 2 } })
      expect((await client.delete(`/tax/codes/${code.id}`)).data.version).toBe(2)
      expect((await client.put(`/tax/codes/${code.id}`, { archived: false })).data).toMatchObject({ archived: false, version: 3 })
      expect(await eventsOf(code.id)).toEqual(['tax_code.created', 'tax_code.archived', 'tax_code.restored'])
    }
    expect(await eventsOf(unused.id)).toEqual(['tax_code.created', 'tax_code.deleted'])
  })

  it('cannot go while they are a default of the settings', async () => {
    const [sales, purchase] = [await newCode({ code: 'SALES' }), await newCode({ code: 'BUY' })]
    expect((await setDefault({ default_sales_code_id: sales.id.toUpperCase(), default_purchase_code_id: purchase.id })).status).toBe(200)
    for (const [code, name] of [[sales, 'sales'], [purchase, 'purchase']] as const) {
      const refusal = { status: 400, detail: `The tax code ${code.code} is the default ${name} code: choose another one in the settings first.` }
      expect(await client.delete(`/tax/codes/${code.id}`)).toMatchObject(refusal)
      expect(await client.put(`/tax/codes/${code.id}`, { archived: true })).toMatchObject(refusal)
      expect((await client.put(`/tax/codes/${code.id}`, { name: 'Renamed' })).status).toBe(200)
    }
    await setDefault({ default_sales_code_id: null, default_purchase_code_id: null })
    expect((await client.delete(`/tax/codes/${sales.id}`)).status).toBe(200)
  })

  it('are listed by code, name, treatment, agency and whether archived', async () => {
    const byRate = await newCode({ code: 'ZA', name: 'zebra Alpha' })
    const byGroup = await newCode({ code: 'zb', name: 'Zebra beta', treatment: 'reverse_charge', rate_id: null, group_id })
    await client.put(`/tax/codes/${(await newCode({ code: 'ZC', name: 'Zebra gone' })).id}`, { archived: true })
    const codes = async (query: Record<string, string>) =>
      (await client.get('/tax/codes', { descending: false, limit: 100, ...query })).data.items.map(({ code }: TaxCode) => code)
    expect(await codes({ q: 'ZEBRA' })).toEqual(['ZA', 'zb'])
    expect(await codes({ q: 'zb' })).toEqual(['zb'])
    expect(await codes({ q: 'zebra', archived: 'all', sort_by: 'name' })).toEqual(['ZA', 'zb', 'ZC'])
    expect(await codes({ q: 'zebra', treatment: 'reverse_charge' })).toEqual([byGroup.code])
    expect(await codes({ q: 'zebra', agency_id: agencies[0]!.id })).toEqual([byRate.code, byGroup.code])
    expect(await codes({ q: 'zebra', agency_id: agencies[1]!.id })).toEqual([byGroup.code])
    expect(await codes({ agency_id: newId() })).toEqual([])
  })
})
