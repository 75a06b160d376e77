import { beforeAll, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { tieMilestones } from './operations.ts'

let team: Team
let customer_id: string
beforeAll(async () => {
  team = await newBusiness()
  customer_id = await newCustomer(team.client)
})

const contract = async (more: object = {}) =>
  (await team.client.post('/contracts', { customer_id, title: 'Agreed', original_value: 10_000, start_date: '2026-01-01', ...more })).data
const add = (contract_id: string, body: object) => team.client.post(`/contracts/${contract_id}/milestones`, body)
const put = ({ id, contract_id }: { id: string; contract_id: string }, body: object) => team.client.put(`/contracts/${contract_id}/milestones/${id}`, body)
const remove = ({ id, contract_id }: { id: string; contract_id: string }) => team.client.delete(`/contracts/${contract_id}/milestones/${id}`)
const listed = async (id: string) => (await team.client.get(`/contracts/${id}/milestones`)).data
const amounts = async (id: string) => (await listed(id)).map(({ name, amount }: { name: string; amount: number }) => `${name} ${amount}`)

describe('milestones', () => {
  it('are added by amount or percent, shown by due date, and told of', async () => {
    const { id } = await contract()
    const late = (await add(id, { name: 'Late', percent: '33.3333', due_on: '2026-09-01' })).data
    const early = (await add(id, { name: 'Early', amount: 2000, due_on: '2026-03-01' })).data
    await add(id, { name: 'Some day', percent: '33.3333' })
    expect(late).toMatchObject({ contract_id: id, amount: 3333, percent: '33.3333', done_on: null, invoice_id: null, version: 1 })
    expect(early).toMatchObject({ amount: 2000, percent: null })
    expect(await amounts(id)).toEqual(['Early 2000', 'Late 3334', 'Some day 3333'])
    expect((await team.client.get(`/contracts/${id}`)).data.milestones).toEqual(await listed(id))
    const events = await sql('select type from events where business_id = $1 and resource_id = $2 order by seq', [team.business_id, late.id])
    expect(events.map(({ type }) => type)).toEqual(['contract_milestone.created', 'contract_milestone.updated'])
  })

  it('are updated: one measure takes the place of the other, the same is no change', async () => {
    const { id } = await contract()
    const { data: milestone } = await add(id, { name: 'A', percent: '50' })
    expect((await put(milestone, { done_on: '2026-02-01' })).data).toMatchObject({ amount: 5000, percent: '50', done_on: '2026-02-01', version: 2 })
    expect((await put(milestone, { percent: '50.0', name: 'A' })).data.version).toBe(2)
    expect((await put(milestone, { amount: 700 })).data).toMatchObject({ amount: 700, percent: null, version: 3 })
    expect((await put(milestone, { percent: '10' })).data).toMatchObject({ amount: 1000, percent: '10', version: 4 })
    expect((await put(milestone, { done_on: null })).data.done_on).toBe(null)
    expect((await put(milestone, { amount: 1, percent: '1' })).status).toBe(400)
  })

  it('never come to more than the value', async () => {
    const { id, number } = await contract()
    const { data: milestone } = await add(id, { name: 'A', percent: '60' })
    expect((await add(id, { name: 'B', amount: 4001 })).detail).toBe(`The milestones of ${number} would come to 100.01, above its value of 100.00.`)
    await add(id, { name: 'B', amount: 4000 })
    expect((await put(milestone, { percent: '60.1' })).status).toBe(400)
    expect(await amounts(id)).toEqual(['A 6000', 'B 4000'])
    expect((await team.client.put(`/contracts/${id}`, { original_value: 9000 })).status).toBe(400)
    const answers = await Promise.all([remove(milestone), ...Array.from({ length: 3 }, () => add(id, { name: 'C', amount: 3000 }))])
    expect(answers[0]?.status).toBe(200)
    const sum = (await listed(id)).reduce((total: number, { amount }: { amount: number }) => total + amount, 0)
    expect(sum).toBeLessThanOrEqual(10_000)
  })

  it('that are billed stay, until they come off their invoice', async () => {
    const { id } = await contract()
    const [{ data: one }, { data: two }] = [await add(id, { name: 'One', percent: '50' }), await add(id, { name: 'Two', percent: '50' })]
    const invoice_id = newId()
    const tie = (ids: string[], to: string | null) => inside(team.business_id, (tx) => tieMilestones(tx, id, ids, to))
    await tie([one.id], invoice_id)
    expect((await listed(id))[0]).toMatchObject({ invoice_id, version: 2 })
    expect((await put(one, { name: 'Other' })).detail).toBe('The milestone “One” is billed: take it off its invoice first.')
    expect((await remove(one)).status).toBe(400)
    expect((await put(one, { name: 'One' })).status).toBe(200)
    await expect(tie([one.id, two.id], newId())).rejects.toThrow('is billed')
    await expect(tie([newId()], invoice_id)).rejects.toThrow('not found')
    await tie([one.id], invoice_id)
    await tie([one.id], null)
    expect((await remove(one)).data.id).toBe(one.id)
    expect(await amounts(id)).toEqual(['Two 5000'])
  })

  it('stay when the contract is over', async () => {
    const { id, number } = await contract({ milestones: [{ name: 'A', amount: 1 }] })
    await team.client.put(`/contracts/${id}/activate`, {})
    const [milestone] = await listed(id)
    expect((await put(milestone, { done_on: '2026-02-01' })).status).toBe(200)
    await team.client.put(`/contracts/${id}/terminate`, {})
    const refusal = `The contract ${number} is terminated: its milestones stay.`
    expect([(await add(id, { name: 'B', amount: 1 })).detail, (await put(milestone, { name: 'B' })).detail, (await remove(milestone)).detail]).toEqual([refusal, refusal, refusal])
  })

  it('are found under their own contract only', async () => {
    const [one, other] = [await contract(), await contract()]
    const { data: milestone } = await add(one.id, { name: 'A', amount: 1 })
    expect((await put({ id: milestone.id, contract_id: other.id }, { name: 'B' })).status).toBe(404)
    expect((await team.client.get(`/contracts/${newId()}/milestones`)).status).toBe(404)
  })
})
