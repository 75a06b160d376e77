import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { contractsByIds, lockContracts, moveContracts } from './operations.ts'
import type { Move } from './rules.ts'

let team: Team
let customer_id: string
beforeAll(async () => {
  ;(await service()).clock.set('2026-03-15T12:00:00Z')
  team = await newBusiness()
  customer_id = await newCustomer(team.client)
})
afterAll(async () => (await service()).clock.set(null))

const body = (more: object = {}) => ({ customer_id, title: 'Agreed', original_value: 30_000, start_date: '2026-01-01', ...more })
const create = (more: object = {}) => team.client.post('/contracts', body(more))
const made = async (more: object = {}) => {
  const { data, detail } = await create(more)
  expect(detail).toBeUndefined()
  return data
}
const active = async (more: object = {}) => (await team.client.put(`/contracts/${(await made(more)).id}/activate`, {})).data
const get = async (id: string) => (await team.client.get(`/contracts/${id}`)).data
const events = async (id: string) => (await sql('select type from events where business_id = $1 and resource_id = $2 order by seq', [team.business_id, id])).map(({ type }) => type)
const move = (id: string, ...moves: Move[]) => inside(team.business_id, async (tx) => {
  const contract = (await lockContracts(tx, [id])).get(id)
  if (contract) moveContracts(tx, moves.map((one) => ({ contract, ...one })))
})

describe('a contract', () => {
  it('is created as a draft with the next number, in the currency of its customer', async () => {
    const { data: customer } = await team.client.post('/customers', { name: 'Euro customer', currency: 'EUR' })
    const { status, data } = await create({ customer_id: customer.id, title: ' Agreed ', retention_percent: '05.0' })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      title: 'Agreed', number: expect.stringMatching(/^CON-\d{4}$/), currency: 'EUR', original_value: 30_000, change_total: 0, value: 30_000, billing_type: 'fixed',
      end_date: null, auto_renew: false, retention_percent: '5', allow_overbilling: false, document_ids: [], status: 'draft', billed_amount: 0, unbilled_amount: 30_000,
      billing_status: 'not_started', billing_started_on: null, milestones: [], version: 1,
    })
    expect(await get(data.id)).toEqual(data)
    expect(await events(data.id)).toEqual(['contract.created'])
  })

  it('numbers go on without a gap, whatever is refused between', async () => {
    const [{ number: first }] = [await made()]
    await create({ milestones: [{ name: 'Too much', amount: 30_001 }] })
    const { number: second } = await made()
    expect(Number(second.slice(4))).toBe(Number(first.slice(4)) + 1)
  })

  it.each<[string, () => object | Promise<object>, number, RegExp]>([
    ['an unknown customer', () => ({ customer_id: newId() }), 404, /of customer_id not found/],
    ['an archived customer', async () => {
      const id = await newCustomer(team.client)
      await team.client.put(`/customers/${id}/archive`)
      return { customer_id: id }
    }, 400, /is archived/],
    ['an unknown project', () => ({ project_id: newId() }), 404, /of project_id not found/],
    ['an archived project', async () => {
      const { data: { id } } = await team.client.post('/projects', { name: 'Old', code: newId().slice(-12) })
      await team.client.put(`/projects/${id}/status`, { status: 'archived' })
      return { project_id: id }
    }, 400, /is archived/],
    ['a project of another customer', async () => ({
      project_id: (await team.client.post('/projects', { name: 'X', code: newId().slice(-12), customer_id: await newCustomer(team.client) })).data.id,
    }), 400, /is one of another customer/],
    ['a document that is not there', () => ({ document_ids: [newId()] }), 404, /not found/],
    ['an end before the start', () => ({ end_date: '2025-12-31' }), 400, /lies before the start/],
    ['auto_renew without an end', () => ({ auto_renew: true, renewal_months: 12 }), 400, /auto_renew needs end_date and renewal_months/],
    ['milestones above the value', () => ({ milestones: [{ name: 'A', amount: 20_000 }, { name: 'B', percent: '50' }] }), 400, /would come to 350.00, above its value of 300.00/],
    ['milestones below it, where billing goes by them', () => ({ billing_type: 'milestone', milestones: [{ name: 'A', amount: 20_000 }] }), 400, /come to 200.00 and not to the value of the contract, 300.00/],
    ['a milestone without a measure', () => ({ milestones: [{ name: 'A' }] }), 400, /needs an amount or a percent/],
    ['a negative value', () => ({ original_value: -1 }), 422, /greater_than_equal/],
  ])('is refused with %s', async (_, more, status, detail) => {
    const answer = await create(await more())
    expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringMatching(detail)])
  })

  it('is free as a draft: with its value, shares by percent follow', async () => {
    const { id } = await made({ milestones: [{ name: 'A', percent: '33.3333' }, { name: 'B', percent: '66.6667' }] })
    const { data } = await team.client.put(`/contracts/${id}`, { original_value: 100, title: 'Less', end_date: '2026-12-31' })
    expect(data).toMatchObject({ title: 'Less', value: 100, unbilled_amount: 100, end_date: '2026-12-31', version: 2 })
    expect(data.milestones.map(({ amount, version }: { amount: number; version: number }) => [amount, version])).toEqual([[33, 2], [67, 2]])
    expect(await get(id)).toEqual(data)
    expect((await team.client.put(`/contracts/${id}`, { original_value: 100 })).data.version).toBe(2)
  })

  it('keeps its customer while a project of that customer belongs to it', async () => {
    const { id } = await made()
    await team.client.post('/projects', { name: 'Its', code: 'ITS', contract_id: id })
    const { status, detail } = await team.client.put(`/contracts/${id}`, { customer_id: await newCustomer(team.client) })
    expect([status, detail]).toEqual([400, expect.stringMatching(/The project ITS belongs to the contract/)])
    const gone = await team.client.delete(`/contracts/${id}`)
    expect([gone.status, gone.detail]).toEqual([400, expect.stringMatching(/Other records point at the contract/)])
  })

  it('is bound when it is active, and nearly fixed when it is over', async () => {
    const { id } = await active()
    const put = (changes: object) => team.client.put(`/contracts/${id}`, changes)
    expect((await put({ original_value: 1 })).detail).toMatch(/its value changes by a change order only/)
    expect((await put({ currency: 'EUR' })).detail).toMatch(/its currency stays/)
    expect((await put({ end_date: '2027-12-31', notice_days: 30, original_value: 30_000 })).data).toMatchObject({ end_date: '2027-12-31', notice_days: 30 })
    await team.client.put(`/contracts/${id}/complete`, { waive_unbilled: true })
    expect((await put({ notice_days: 1 })).detail).toMatch(/is completed: only its document_ids can change/)
    expect((await put({ notice_days: 30 })).status).toBe(200)
  })

  it('is activated, completed and terminated, each once', async () => {
    const { id, number } = await made()
    const act = (verb: string, given: object = {}) => team.client.put(`/contracts/${id}/${verb}`, given)
    expect((await act('complete')).detail).toBe(`The contract ${number} is draft and cannot be completed.`)
    expect((await act('terminate')).detail).toBe(`The contract ${number} is draft and cannot be terminated.`)
    expect((await act('activate', { signed_on: '2026-01-02' })).data).toMatchObject({ status: 'active', signed_on: '2026-01-02', version: 2 })
    expect((await act('activate', { signed_on: '2026-02-02' })).data).toMatchObject({ signed_on: '2026-01-02', version: 2 })
    expect((await act('complete')).detail).toBe(`Of the contract ${number} 300.00 USD are not billed: bill them, or give waive_unbilled.`)
    expect((await act('complete', { waive_unbilled: true })).data).toMatchObject({ status: 'completed', version: 3 })
    expect((await act('complete')).data.version).toBe(3)
    expect((await act('terminate')).detail).toBe(`The contract ${number} is completed and cannot be terminated.`)
    expect(await events(id)).toEqual(['contract.created', 'contract.activated', 'contract.completed'])
    const other = await active()
    const end = (given: object) => team.client.put(`/contracts/${other.id}/terminate`, given)
    expect((await end({ date: '2025-12-31' })).detail).toMatch(/it cannot end on 2025-12-31/)
    expect((await end({ reason: 'Agreed' })).data).toMatchObject({ status: 'terminated', terminated_on: '2026-03-15', termination_reason: 'Agreed' })
    expect((await end({ reason: 'Again' })).data.termination_reason).toBe('Agreed')
  })

  it('with billing by milestones is activated only when they are whole', async () => {
    const { id } = await made({ billing_type: 'milestone' })
    expect((await team.client.put(`/contracts/${id}/activate`, {})).detail).toMatch(/come to 0.00 and not to the value/)
    await team.client.post(`/contracts/${id}/milestones`, { name: 'All', percent: '100' })
    expect((await team.client.put(`/contracts/${id}/activate`, {})).status).toBe(200)
  })

  it('is deleted as a draft, with its milestones', async () => {
    const { id } = await made({ milestones: [{ name: 'A', amount: 1 }] })
    expect((await team.client.delete(`/contracts/${id}`)).status).toBe(200)
    expect((await team.client.get(`/contracts/${id}`)).status).toBe(404)
    const { id: other, number } = await active()
    expect((await team.client.delete(`/contracts/${other}`)).detail).toBe(`The contract ${number} is active: only a draft is deleted; complete or terminate it.`)
  })

  it('expires on the day after its end', async () => {
    const { id } = await active({ end_date: '2026-03-14' })
    expect((await get(id)).status).toBe('expired')
    expect((await team.client.get('/contracts', { status: 'expired' })).data.items.map((item: { id: string }) => item.id)).toEqual([id])
    expect((await team.client.get('/contracts', { status: 'active', limit: 1000 })).data.items.map((item: { id: string }) => item.id)).not.toContain(id)
    expect((await team.client.put(`/contracts/${id}/terminate`, { date: '2026-03-10' })).data.status).toBe('terminated')
  })

  it('is renewed once per term, as a new active contract', async () => {
    const before = await active({ end_date: '2026-12-31', renewal_months: 12, milestones: [{ name: 'Half', percent: '50', due_on: '2026-06-30', done_on: '2026-03-01' }, { name: 'Fixed', amount: 5000 }] })
    const answers = await Promise.all([1, 2].map(() => team.client.post(`/contracts/${before.id}/renew`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    const { data } = answers.find(({ status }) => status === 201) ?? answers[0]!
    expect(data).toMatchObject({ status: 'active', start_date: '2027-01-01', end_date: '2027-12-31', original_value: 30_000, renewed_from_id: before.id, signed_on: null, billed_amount: 0 })
    expect(data.number).not.toBe(before.number)
    expect(data.milestones.map(({ name, amount, due_on, done_on }: Record<string, unknown>) => [name, amount, due_on, done_on])).toEqual([['Half', 15_000, '2027-06-30', null], ['Fixed', 5000, null, null]])
    expect((await get(before.id)).renewed_by_id).toBe(data.id)
    expect(await events(before.id)).toEqual(['contract.created', 'contract.activated', 'contract.renewed'])
    expect(answers.find(({ status }) => status === 400)?.detail).toMatch(/is renewed already/)
    expect((await team.client.post(`/contracts/${(await active()).id}/renew`)).detail).toMatch(/has no end_date/)
    expect((await team.client.post(`/contracts/${(await made({ end_date: '2026-12-31', renewal_months: 1 })).id}/renew`)).detail).toMatch(/is draft and cannot be renewed/)
  })
})

describe('the counters', () => {
  it('begin with the first amount, which activates a draft, and end with the last', async () => {
    const { id } = await made()
    await move(id, { billed: 10_000, date: '2026-02-10' })
    expect(await get(id)).toMatchObject({ status: 'active', billed_amount: 10_000, unbilled_amount: 20_000, billing_status: 'active', billing_started_on: '2026-02-10', version: 2 })
    await move(id, { billed: 20_000, paid: 5000, date: '2026-02-01' })
    expect(await get(id)).toMatchObject({ billed_amount: 30_000, paid_amount: 5000, unbilled_amount: 0, billing_status: 'complete', billing_started_on: '2026-02-10' })
    await move(id, { credited: 100, date: '2026-02-11' })
    expect((await get(id)).credited_amount).toBe(100)
    await move(id, { billed: -20_000, paid: -5000, date: '2026-02-01' }, { billed: -10_000, credited: -100, date: '2026-02-01' })
    expect(await get(id)).toMatchObject({ status: 'active', billed_amount: 0, paid_amount: 0, credited_amount: 0, billing_status: 'not_started', billing_started_on: null })
    expect(await events(id)).toEqual(['contract.created', 'contract.activated', 'contract.billing_activated', 'contract.billed', 'contract.billed', 'contract.updated', 'contract.billed'])
  })

  it('go on from where they were, also within one transaction', async () => {
    const { id } = await made()
    await inside(team.business_id, async (tx) => {
      const contract = (await lockContracts(tx, [id])).get(id)!
      moveContracts(tx, [{ contract, billed: 10_000, date: '2026-02-10' }])
      moveContracts(tx, [{ contract, billed: 10_000, date: '2026-02-11' }])
      expect(contract.billed_amount).toBe(20_000)
      moveContracts(tx, [{ contract, billed: 0, date: '2026-02-11' }])
    })
    expect(await get(id)).toMatchObject({ billed_amount: 20_000, version: 3 })
  })

  it('refuse more than the value, unless it is allowed', async () => {
    const { id, number } = await made()
    await expect(move(id, { billed: 30_001, date: '2026-02-10' })).rejects.toThrow(`The contract ${number} has 300.00 USD left to bill, and 300.01 would be too much`)
    expect((await get(id)).version).toBe(1)
    await team.client.put(`/contracts/${id}`, { allow_overbilling: true })
    await move(id, { billed: 30_001, date: '2026-02-10' })
    expect(await get(id)).toMatchObject({ billed_amount: 30_001, unbilled_amount: 0, billing_status: 'complete' })
    expect((await team.client.put(`/contracts/${id}`, { allow_overbilling: false })).detail).toMatch(/is billed above its value/)
  })

  it('hold against many at once', async () => {
    const { id } = await made()
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => move(id, { billed: 5000, date: '2026-02-10' })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    expect(await get(id)).toMatchObject({ billed_amount: 30_000, billing_status: 'complete' })
  })

  it('are those of this business only', async () => {
    const { id } = await made()
    const other = await newBusiness()
    expect(await inside(other.business_id, (tx) => lockContracts(tx, [id]))).toEqual(new Map())
    expect([...(await inside(team.business_id, (tx) => contractsByIds(tx, [id, newId()]))).keys()]).toEqual([id])
    expect(await inside(team.business_id, (tx) => contractsByIds(tx, []))).toEqual(new Map())
  })
})

describe('the list', () => {
  let own: Team
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    own = await newBusiness()
    ids['customer_id'] = await newCustomer(own.client)
    const other = await newCustomer(own.client)
    ids['project_id'] = (await own.client.post('/projects', { name: 'P', code: 'P' })).data.id
    ids['tag_id'] = (await own.client.post('/tags', { name: 'Marked' })).data.id
    const make = async (more: object) => (await own.client.post('/contracts', { title: 'X', original_value: 100, start_date: '2026-01-01', customer_id: other, ...more })).data
    const one = await make({ title: 'Roof works', customer_id: ids['customer_id'], start_date: '2026-02-01', end_date: '2026-05-01' })
    const two = await make({ title: 'Roof survey', original_value: 300, project_id: ids['project_id'], end_date: '2026-04-01' })
    const three = await make({ title: 'Garden', original_value: 200, start_date: '2026-03-01' })
    await own.client.post('/tags/assign', { tag_ids: [ids['tag_id']], resource_type: 'contract', resource_ids: [three.id] })
    await inside(own.business_id, async (tx) => {
      const contracts = await lockContracts(tx, [two.id, one.id])
      moveContracts(tx, [{ contract: contracts.get(two.id)!, billed: 50, date: '2026-02-01' }, { contract: contracts.get(one.id)!, billed: 100, date: '2026-02-01' }])
    })
  })

  it.each<[Record<string, string | boolean>, string]>([
    [{}, '1 2 3'],
    [{ descending: true }, '3 2 1'],
    [{ sort_by: 'start_date' }, '2 1 3'],
    [{ sort_by: 'end_date' }, '2 1 3'],
    [{ sort_by: 'value' }, '1 3 2'],
    [{ sort_by: 'billed_amount' }, '3 2 1'],
    [{ status: 'draft' }, '3'],
    [{ status: 'active,draft' }, '1 2 3'],
    [{ status: 'expired' }, ''],
    [{ billing_status: 'complete' }, '1'],
    [{ customer_id: 'customer_id' }, '1'],
    [{ project_id: 'project_id' }, '2'],
    [{ tag_id: 'tag_id' }, '3'],
    [{ end_before: '2026-05-01' }, '2'],
    [{ search: 'roof' }, '1 2'],
    [{ search: 'con-0003' }, '3'],
    [{ search: '0002' }, '2'],
    [{ updated_since: '2100-01-01T00:00:00Z' }, ''],
  ])('with %o shows %s', async (query, expected) => {
    const asked = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? ids[value] ?? value : value]))
    const { data } = await own.client.get('/contracts', { descending: false, ...asked })
    expect(data.items.map(({ number }: { number: string }) => Number(number.slice(4))).join(' ')).toBe(expected)
  })

  it('is a file too', async () => {
    const { headers, body: file } = await own.client.get('/contracts/export', { search: 'roof' })
    expect(headers.get('content-disposition')).toContain('contracts.csv')
    const rows = file.trimEnd().split('\r\n').map((row: string) => row.split(',').slice(0, 13).join(','))
    expect(rows.slice(1)).toEqual([
      'CON-0001,Roof works,active,fixed,complete,2026-02-01,2026-05-01,USD,1.00,1.00,0.00,0.00,0.00',
      'CON-0002,Roof survey,active,fixed,active,2026-01-01,2026-04-01,USD,3.00,0.50,0.00,0.00,2.50',
    ])
  })

  it('is read by everyone and written by bookkeepers', async () => {
    const viewer = await newMember(own.business_id, 'viewer')
    expect((await viewer.client.get('/contracts')).status).toBe(200)
    expect((await viewer.client.post('/contracts', body())).status).toBe(403)
  })
})
