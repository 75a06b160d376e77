// Tests of payment terms over HTTP.
import { beforeAll, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { PaymentTerm, PaymentTermInput } from './contract.ts'
import { findDefaultTerm, termsByIds } from './operations.ts'

let team: Team
let client: Client
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
})

let made = 0
async function create(more: Partial<PaymentTermInput> = {}): Promise<PaymentTerm> {
  const { status, data, body } = await client.post('/payment-terms', { name: `Terms ${++made}`, kind: 'net_days', days: 20, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return data
}

const all = async (): Promise<PaymentTerm[]> => (await client.get('/payment-terms', { descending: false, archived: 'all' })).data.items
const named = async (name: string): Promise<PaymentTerm> => (await all()).find((term) => term.name === name) as PaymentTerm

describe('payment terms', () => {
  it('are there from the start, one of them the default', async () => {
    const { data } = await (await newBusiness()).client.get('/payment-terms', { descending: false })
    expect(data.items.map(({ name, kind, days, discount_percent, is_default, system }: PaymentTerm) => [name, kind, days, discount_percent, is_default, system])).toEqual([
      ['2% 10 Net 30', 'net_days', 30, '2', false, true], ['Due on receipt', 'due_on_receipt', 0, null, false, true], ['End of month', 'end_of_month', 0, null, false, true],
      ['Net 15', 'net_days', 15, null, false, true], ['Net 30', 'net_days', 30, null, true, true], ['Net 60', 'net_days', 60, null, false, true],
      ['Net 7', 'net_days', 7, null, false, true],
    ])
  })

  it('are created, read, changed and deleted', async () => {
    const term = await create({ name: '  Two   percent ', discount_percent: '2.50', discount_days: 10, late_fee: { kind: 'percent', value: '1.5', grace_days: 3 }, day: 4, cutoff_day: 9 })
    expect(term).toMatchObject({
      name: 'Two percent', days: 20, day: null, cutoff_day: null, discount_percent: '2.5', discount_days: 10, late_fee: { kind: 'percent', value: '1.5', grace_days: 3 },
      is_default: false, system: false, archived: false, version: 1,
    })
    expect((await client.get(`/payment-terms/${term.id}`)).data).toEqual(term)
    const { data } = await client.put(`/payment-terms/${term.id}`, { kind: 'day_of_month', day: 31, late_fee: { kind: 'flat', value: 2_500, grace_days: 0 } })
    expect(data).toMatchObject({ kind: 'day_of_month', days: 0, day: 31, late_fee: { kind: 'flat', value: 2_500 }, discount_percent: '2.5', version: 2 })
    expect((await client.put(`/payment-terms/${term.id}`, { day: 31 })).data.version).toBe(2)
    expect((await client.put(`/payment-terms/${term.id}`, { discount_percent: null, discount_days: null, late_fee: null })).data)
      .toMatchObject({ discount_percent: null, discount_days: null, late_fee: null })
    expect((await client.delete(`/payment-terms/${term.id}`)).status).toBe(200)
    expect((await client.get(`/payment-terms/${term.id}`)).status).toBe(404)
    expect(await eventsOf(term.id)).toEqual(['payment_term.created', 'payment_term.updated', 'payment_term.updated', 'payment_term.deleted'])
  })

  it('of the start change in their late fee only', async () => {
    const { id } = await named('Net 60')
    expect((await client.put(`/payment-terms/${id}`, { name: 'Net 60', days: 60, late_fee: { kind: 'flat', value: 100, grace_days: 0 } })).data.version).toBe(2)
    expect(await client.put(`/payment-terms/${id}`, { days: 61 }))
      .toMatchObject({ status: 400, detail: 'The payment terms “Net 60” are there from the start: only their late fee can change.' })
    expect(await client.delete(`/payment-terms/${id}`)).toMatchObject({ status: 400, detail: 'The payment terms “Net 60” are there from the start: archive them instead.' })
  })

  it('refuse a name that is taken and a discount that makes no sense', async () => {
    await create({ name: 'Taken' })
    expect(await client.post('/payment-terms', { name: 'TAKEN', kind: 'net_days' })).toMatchObject({ status: 400, detail: expect.stringMatching(/^Other payment terms have this name/) })
    const term = await create()
    expect(await client.put(`/payment-terms/${term.id}`, { name: 'taken' })).toMatchObject({ status: 400 })
    for (const body of [{ discount_percent: '2' }, { discount_percent: '2', discount_days: 21 }, { kind: 'day_of_month' }]) {
      expect((await client.post('/payment-terms', { name: 'x', kind: 'net_days', days: 20, ...body })).status).toBe(422)
      expect((await client.put(`/payment-terms/${term.id}`, body)).status).toBe(422)
    }
    expect((await client.post('/payment-terms', { name: 'x', kind: 'net_days', discount_percent: '2.00001' })).detail[0]).toMatchObject({ loc: ['body', 'discount_percent'] })
  })

  it('that a customer has are archived, not deleted', async () => {
    const term = await create()
    await newCustomer(client, { payment_terms_id: term.id })
    expect(await client.delete(`/payment-terms/${term.id}`)).toMatchObject({ status: 400, detail: `The payment terms “${term.name}” are used: archive them instead.` })
    expect((await client.put(`/payment-terms/${term.id}/archive`)).data).toMatchObject({ archived: true, version: 2 })
    expect((await client.put(`/payment-terms/${term.id}/archive`)).data.version).toBe(2)
    const listed = async (query: object) => (await client.get('/payment-terms', { search: term.name.toUpperCase(), ...query })).data.items.length
    expect([await listed({}), await listed({ archived: 'true' }), await listed({ archived: 'all' })]).toEqual([0, 1, 1])
    expect((await client.put(`/payment-terms/${term.id}/restore`)).data).toMatchObject({ archived: false, version: 3 })
    expect(await eventsOf(term.id)).toEqual(['payment_term.created', 'payment_term.archived', 'payment_term.restored'])
  })

  it('have one default, which is neither archived nor deleted', async () => {
    const term = await create()
    await client.put(`/payment-terms/${term.id}/default`)
    expect((await all()).filter(({ is_default }) => is_default).map(({ id }) => id)).toEqual([term.id])
    expect((await client.put(`/payment-terms/${term.id}/default`)).data.version).toBe(2)
    const refused = `The payment terms “${term.name}” are the default: choose other default terms first.`
    expect(await client.put(`/payment-terms/${term.id}/archive`)).toMatchObject({ status: 400, detail: refused })
    expect(await client.delete(`/payment-terms/${term.id}`)).toMatchObject({ status: 400, detail: refused })
    const archived = await create()
    await client.put(`/payment-terms/${archived.id}/archive`)
    expect(await client.put(`/payment-terms/${archived.id}/default`)).toMatchObject({ status: 400, detail: expect.stringMatching(/are archived/) })
    expect(await inside(team.business_id, findDefaultTerm)).toMatchObject({ id: term.id, discount_percent: null })
  })

  it('made the default by several at once leave one', async () => {
    const terms = [await create(), await create(), await create()]
    const answers = await Promise.all(terms.map(({ id }) => client.put(`/payment-terms/${id}/default`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await all()).filter(({ is_default }) => is_default)).toHaveLength(1)
  })

  it('tell when an invoice is due', async () => {
    const { id } = await named('2% 10 Net 30')
    expect((await client.get(`/payment-terms/${id}/due-date`, { invoice_date: '2026-01-31' })).data).toEqual({ due_date: '2026-03-02', discount_until: '2026-02-10' })
    expect((await client.get(`/payment-terms/${(await named('End of month')).id}/due-date`, { invoice_date: '2026-01-31' })).data).toEqual({ due_date: '2026-01-31', discount_until: null })
    expect((await client.get(`/payment-terms/${id}/due-date`)).status).toBe(422)
    expect((await client.get(`/payment-terms/${id}/due-date`, { invoice_date: '9999-12-31' })).status).toBe(400)
  })

  it('are found by their ids, and written by bookkeepers, not by viewers', async () => {
    const term = await create()
    expect([...(await inside(team.business_id, (tx) => termsByIds(tx, [term.id, newId()]))).values()]).toEqual([term])
    const [bookkeeper, viewer] = [await newMember(team.business_id, 'bookkeeper'), await newMember(team.business_id, 'viewer')]
    expect((await bookkeeper.client.put(`/payment-terms/${term.id}/archive`)).status).toBe(200)
    expect((await viewer.client.put(`/payment-terms/${term.id}/restore`)).status).toBe(403)
    expect((await viewer.client.get(`/payment-terms/${term.id}`)).status).toBe(200)
  })
})
