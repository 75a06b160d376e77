// Tax calculation over HTTP, and as documents call it.
import { beforeAll, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { TaxAgency } from '../tax-agencies/contract.ts'
import { openTax } from './operations.ts'

let team: Team
let client: Client
let agencies: TaxAgency[]
let gst: string
let codes: Record<'gst' | 'both' | 'reverse' | 'zero', string>
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  agencies = await Promise.all(['Canada', 'Quebec'].map(async (name) => (await client.post('/tax/agencies', { name, country: 'CA' })).data))
  const rate = async (name: string, percent: string, index: number, more = {}): Promise<string> =>
    (await client.post('/tax/rates', {
      name, agency_id: agencies[index]?.id, versions: [{ percent, valid_from: '2026-01-01' }, { percent: '10', valid_from: '2027-01-01' }], ...more,
    })).data.id
  gst = await rate('GST', '5', 0)
  const qst = await rate('QST', '9.975', 1, { recoverable_percent: '50' })
  const group_id: string = (await client.post('/tax/groups', { name: 'GST and QST', components: [{ rate_id: gst }, { rate_id: qst, compound: true }] })).data.id
  const code = async (name: string, more: object): Promise<string> => (await client.post('/tax/codes', { code: name, name, ...more })).data.id
  codes = {
    gst: await code('GST', { treatment: 'taxable', rate_id: gst }),
    both: await code('BOTH', { treatment: 'taxable', group_id }),
    reverse: await code('REV', { treatment: 'reverse_charge', rate_id: gst }),
    zero: (await client.get('/tax/codes', { q: 'ZERO' })).data.items[0].id,
  }
})

const ask = (more: object, caller = client) => caller.post('/tax/calculate', { date: '2026-03-10', direction: 'sale', ...more })
const setTax = (tax: object) => client.patch(`/businesses/${team.business_id}/settings`, { tax })

describe('calculation', () => {
  it('answers lines and totals from the set-up', async () => {
    const lines = [
      { amount: 100_000, tax_code_id: codes.both }, { amount: 999, tax_code_id: codes.gst }, { amount: 500, tax_code_id: codes.zero }, { amount: 700 },
      { amount: -999, tax_code_id: codes.gst },
    ]
    const { status, data } = await ask({ lines })
    expect(status).toBe(201)
    expect(data).toMatchObject({ date: '2026-03-10', direction: 'sale', inclusive: false })
    expect(data.lines[0]).toMatchObject({
      tax_code_id: codes.both, treatment: 'taxable', reverse_charge: false, net: 100_000, tax: 15_474, gross: 115_474,
      components: [
        { rate_id: gst, agency_id: agencies[0]?.id, name: 'GST', percent: '5', tax: 5_000, recoverable_tax: 0, exemption_id: null },
        { agency_id: agencies[1]?.id, name: 'QST', percent: '9.975', tax: 10_474, recoverable_tax: 0, exemption_id: null },
      ],
    })
    expect(data.lines.map(({ net, tax, gross }: Record<string, number>) => [net, tax, gross])).toEqual(
      [[100_000, 15_474, 115_474], [999, 50, 1_049], [500, 0, 500], [700, 0, 700], [-999, -50, -1_049]])
    expect(data.totals).toEqual({ net: 101_200, tax: 15_474, reverse_charge_tax: 0, gross: 116_674, recoverable_tax: 0, cost: 101_200 })
  })

  it('splits what a purchase gives back from what it costs', async () => {
    const lines = [{ amount: 115_474, tax_code_id: codes.both }, { amount: 1_000, tax_code_id: codes.reverse }]
    const { data } = await ask({ direction: 'purchase', inclusive: true, lines })
    expect(data.lines[0]).toMatchObject({ net: 100_000, tax: 15_474, gross: 115_474, recoverable_tax: 10_237, cost: 105_237 })
    expect(data.lines[1]).toMatchObject({ reverse_charge: true, net: 1_000, tax: 50, gross: 1_000, recoverable_tax: 50, cost: 1_000 })
    expect(data.totals).toEqual({ net: 101_000, tax: 15_474, reverse_charge_tax: 50, gross: 116_474, recoverable_tax: 10_287, cost: 106_237 })
  })

  it('takes defaults from the settings, by direction', async () => {
    const bare = { lines: [{ amount: 2_100 }] }
    await setTax({ default_sales_code_id: codes.gst.toUpperCase(), default_purchase_code_id: codes.both, prices_include_tax: true })
    expect((await ask(bare)).data).toMatchObject({ inclusive: true, lines: [{ tax_code_id: codes.gst, net: 2_000, tax: 100 }] })
    expect((await ask({ ...bare, inclusive: false })).data).toMatchObject({ inclusive: false, lines: [{ net: 2_100, tax: 105 }] })
    expect((await ask({ ...bare, direction: 'purchase' })).data).toMatchObject({ inclusive: false, lines: [{ tax_code_id: codes.both, net: 2_100, tax: 325 }] })
    const { data } = await ask({ lines: [{ amount: 100, tax_code_id: codes.zero }, { amount: 100, tax_code_id: null }] })
    expect(data.lines.map((line: { tax: number }) => line.tax)).toEqual([0, 5])
    await setTax({ default_sales_code_id: newId() })
    expect(await ask(bare)).toMatchObject({ status: 400, detail: 'The default sales code of the settings does not exist: choose another one there.' })
    expect((await ask({ lines: [{ amount: 100, tax_code_id: codes.zero }] })).status).toBe(201)
    await setTax({ default_sales_code_id: null, default_purchase_code_id: null, prices_include_tax: null })
    expect((await ask(bare)).data).toMatchObject({ inclusive: false, lines: [{ tax_code_id: null, net: 2_100, tax: 0 }] })
  })

  it('takes the version of the date', async () => {
    const percentOn = async (date: string) => (await ask({ date, lines: [{ amount: 1_000, tax_code_id: codes.gst }] })).data.lines[0].components[0].percent
    expect([await percentOn('2026-12-31'), await percentOn('2027-01-01')]).toEqual(['5', '10'])
    expect(await ask({ date: '2025-12-31', lines: [{ amount: 1_000, tax_code_id: codes.both }] }))
      .toMatchObject({ status: 400, detail: expect.stringMatching(/^The tax rate “GST” has no percent on 2025-12-31: its first version/) })
  })

  it('leaves out what the customer is exempt from', async () => {
    const customer_id = await newCustomer(client)
    const [{ id }] = await sql(
      `insert into tax_exemptions (business_id, id, customer_id, agency_ids, valid_from, valid_to, archived, created_at, updated_at, version)
       values ($1, gen_random_uuid(), $2, array[$3::uuid], '2026-03-01', '2026-03-31', false, now(), now(), 1) returning id`,
      [team.business_id, customer_id, agencies[0]?.id])
    const question = { date: '2026-03-31', direction: 'sale' as const, customer_id, lines: [{ amount: 10_000, tax_code_id: codes.both }] }
    const taxed = await inside(team.business_id, async (tx) => (await openTax(tx, [question]))(question))
    expect(taxed.lines[0]?.components.map(({ tax, exemption_id }) => [tax, exemption_id])).toEqual([[0, id], [998, null]])
    expect((await ask(question)).data).toEqual(taxed)
    expect((await ask({ ...question, date: '2026-04-01' })).data.totals.tax).toBe(1_547)
    expect((await ask({ ...question, customer_id: null })).data.totals.tax).toBe(1_547)
    const unknown = newId()
    expect(await ask({ ...question, customer_id: unknown })).toMatchObject({ status: 404, detail: `Customer ${unknown} not found.` })
  })

  it.each<[string, () => object, number, unknown]>([
    ['a code that is not there', () => ({ lines: [{ amount: 1, tax_code_id: '01980000-0000-7000-8000-000000000000' }] }), 404,
      'Tax code 01980000-0000-7000-8000-000000000000 not found.'],
    ['an amount beyond the range', () => ({ lines: [{ amount: Number.MAX_SAFE_INTEGER, tax_code_id: codes.gst }] }), 400,
      expect.stringMatching(/^The amount is out of range/)],
    ['a sum beyond the range', () => ({ lines: [{ amount: Number.MAX_SAFE_INTEGER }, { amount: 1 }] }), 400,
      expect.stringMatching(/^The amount is out of range/)],
    ['no lines', () => ({ lines: [] }), 422, [expect.objectContaining({ loc: ['body', 'lines'] })]],
    ['a fraction of a cent', () => ({ lines: [{ amount: 0.5 }] }), 422, [expect.objectContaining({ loc: ['body', 'lines', 0, 'amount'], type: 'int_type' })]],
    ['no such direction', () => ({ direction: 'gift', lines: [{ amount: 1 }] }), 422, [expect.objectContaining({ type: 'enum' })]],
    ['no such date', () => ({ date: '2026-02-30', lines: [{ amount: 1 }] }), 422, [expect.objectContaining({ type: 'date_parsing' })]],
  ])('refuses %s', async (_, more, status, detail) => {
    expect(await ask(more())).toMatchObject({ status, detail })
  })

  it('refuses an archived code; a rate or group that is archived goes on', async () => {
    const { data: group } = await client.post('/tax/groups', { name: 'Old', components: [{ rate_id: gst }] })
    const { data: code } = await client.post('/tax/codes', { code: 'OLD', name: 'Old', treatment: 'taxable', group_id: group.id })
    await client.put(`/tax/groups/${group.id}`, { archived: true })
    const lines = [{ amount: 1_000, tax_code_id: code.id }]
    expect((await ask({ lines })).data.totals.tax).toBe(50)
    await client.put(`/tax/codes/${code.id}`, { archived: true })
    expect(await ask({ lines })).toMatchObject({ status: 400, detail: 'The tax code OLD is archived: restore it, or choose another code.' })
  })

  it('needs no more than reading, also in a business that is read-only', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await ask({ lines: [{ amount: 1 }] }, viewer.client)).status).toBe(201)
    const own = await newBusiness()
    await own.client.put(`/businesses/${own.business_id}/archive`)
    expect((await own.client.post('/tax/codes', { code: 'X', name: 'X', treatment: 'exempt' })).status).toBe(403)
    expect((await ask({ lines: [{ amount: 1 }] }, own.client)).status).toBe(201)
  })

  it('knows the codes of its own business only', async () => {
    expect((await ask({ lines: [{ amount: 1, tax_code_id: codes.gst }] }, (await newBusiness()).client)).status).toBe(404)
  })
})
