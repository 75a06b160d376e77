// Tax exemptions over HTTP.
import { beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { TaxAgency } from '../tax-agencies/contract.ts'
import type { TaxCode } from '../tax-codes/contract.ts'
import type { TaxExemption } from './contract.ts'

let team: Team
let client: Client
let agency: TaxAgency
let other: TaxAgency
let customer_id: string
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  agency = (await client.post('/tax/agencies', { name: 'State', country: 'US' })).data
  other = (await client.post('/tax/agencies', { name: 'County', country: 'US' })).data
  customer_id = await newCustomer(client)
})

const create = (body: object) => client.post('/tax/exemptions', { customer_id, valid_from: '2026-01-01', ...body })

async function newExemption(more: object = {}): Promise<TaxExemption> {
  const answer = await create(more)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

describe('tax exemptions', () => {
  it('are created, read and changed', async () => {
    const exemption = await newExemption({ agency_ids: [agency.id, agency.id], certificate_number: 'A-1', valid_to: '2026-12-31' })
    expect(exemption).toMatchObject({
      customer_id, agency_ids: [agency.id], certificate_number: 'A-1', valid_from: '2026-01-01', valid_to: '2026-12-31', document_id: null,
      archived: false, version: 1,
    })
    expect((await client.get(`/tax/exemptions/${exemption.id}`)).data).toEqual(exemption)
    const { data } = await client.put(`/tax/exemptions/${exemption.id}`, { agency_ids: [], valid_to: null, customer_id: newId() })
    expect(data).toMatchObject({ customer_id, agency_ids: [], valid_to: null, certificate_number: 'A-1', version: 2 })
    expect((await client.put(`/tax/exemptions/${exemption.id}`, { agency_ids: [] })).data.version).toBe(2)
    expect(await eventsOf(exemption.id)).toEqual(['tax_exemption.created', 'tax_exemption.updated'])
  })

  it('need a customer that is there', async () => {
    const id = newId()
    expect(await create({ customer_id: id })).toMatchObject({ status: 404, detail: `Customer ${id} not found.` })
    const stranger = await newCustomer((await newBusiness()).client)
    expect((await create({ customer_id: stranger })).status).toBe(404)
  })

  it('refuse what is not there, archived or turned round', async () => {
    const id = newId()
    const gone = (await client.post('/tax/agencies', { name: 'Gone', country: 'US' })).data
    await client.put(`/tax/agencies/${gone.id}`, { archived: true })
    const exemption = await newExemption()
    const cases: [object, number, unknown][] = [
      [{ agency_ids: [agency.id, id] }, 404, `Tax agency ${id} not found.`],
      [{ agency_ids: [gone.id] }, 400, 'The tax agency “Gone” is archived: restore it first.'],
      [{ document_id: id }, 404, `Document ${id} not found.`],
      [{ valid_from: '2026-03-01', valid_to: '2026-02-28' }, 400, 'The exemption would end on 2026-02-28, before it begins on 2026-03-01.'],
      [{ valid_to: '2026-02-30' }, 422, [expect.objectContaining({ type: 'date_parsing' })]],
      [{ agency_ids: ['x'] }, 422, [expect.objectContaining({ loc: ['body', 'agency_ids', 0] })]],
    ]
    for (const [body, status, detail] of cases) {
      expect(await create(body)).toMatchObject({ status, detail })
      expect(await client.put(`/tax/exemptions/${exemption.id}`, body)).toMatchObject({ status, detail })
    }
    expect(await client.put(`/tax/exemptions/${exemption.id}`, { valid_to: '2025-12-31' })).toMatchObject({ status: 400 })
    expect((await client.get(`/tax/exemptions/${exemption.id}`)).data).toEqual(exemption)
  })

  it('are deleted unless they can have counted, else archived', async () => {
    const own = await newCustomer(client)
    const code = (await client.get('/tax/codes', { q: 'zero' })).data.items[0] as TaxCode
    const [before, during, open] = [
      await newExemption({ customer_id: own, valid_to: '2026-02-09' }),
      await newExemption({ customer_id: own, valid_from: '2026-02-10', valid_to: '2026-02-10' }),
      await newExemption({ customer_id: own })]
    const line = { ledger_id: agency.payable_ledger_id, customer_id: own }
    await post(team.business_id,
      { date: '2026-02-10', lines: [{ ...line, amount: 100, tax_code_id: code.id }, [other.payable_ledger_id, -100]] },
      { date: '2026-02-01', lines: [{ ...line, amount: 100 }, [other.payable_ledger_id, -100]] })
    expect((await client.delete(`/tax/exemptions/${before.id}`)).data).toMatchObject({ id: before.id, archived: false })
    expect((await client.get(`/tax/exemptions/${before.id}`)).status).toBe(404)
    for (const exemption of [during, open]) {
      expect(await client.delete(`/tax/exemptions/${exemption.id}`)).toMatchObject({ status: 200, data: { archived: true, version: 2 } })
      expect((await client.delete(`/tax/exemptions/${exemption.id}`)).data.version).toBe(2)
    }
    expect((await client.put(`/tax/exemptions/${open.id}`, { archived: false })).data.archived).toBe(false)
    expect(await eventsOf(open.id)).toEqual(['tax_exemption.created', 'tax_exemption.archived', 'tax_exemption.restored'])
    expect(await eventsOf(before.id)).toEqual(['tax_exemption.created', 'tax_exemption.deleted'])
  })

  it('changed by two at once with the same ETag: one meets the other', async () => {
    const exemption = await newExemption()
    const answers = await Promise.all(['A', 'B'].map((certificate_number) =>
      client.put(`/tax/exemptions/${exemption.id}`, { certificate_number }, { headers: { 'if-match': '"1"' } })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
  })

  it('are listed by customer, agency, number and whether archived', async () => {
    const own = await newCustomer(client)
    const every = await newExemption({ customer_id: own, certificate_number: 'ALL-1', valid_from: '2026-03-01' })
    const one = await newExemption({ customer_id: own, certificate_number: 'one-2', agency_ids: [agency.id], valid_from: '2026-02-01' })
    await client.put(`/tax/exemptions/${(await newExemption({ customer_id: own, certificate_number: 'gone-3' })).id}`, { archived: true })
    const ids = async (query: Record<string, string>) =>
      (await client.get('/tax/exemptions', { customer_id: own, ...query })).data.items.map(({ id }: TaxExemption) => id)
    expect(await ids({ sort_by: 'valid_from' })).toEqual([every.id, one.id])
    expect(await ids({ sort_by: 'created_at', descending: 'false' })).toEqual([every.id, one.id])
    expect(await ids({ agency_id: agency.id })).toHaveLength(2)
    expect(await ids({ agency_id: other.id })).toEqual([every.id])
    expect(await ids({ q: 'ONE' })).toEqual([one.id])
    expect(await ids({ archived: 'all' })).toHaveLength(3)
    expect(await ids({ customer_id: newId() })).toEqual([])
  })
})
