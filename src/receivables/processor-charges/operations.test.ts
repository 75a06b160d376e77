// Tests of charges and refunds over HTTP.
import { beforeAll, describe, expect, it } from 'vitest'
import { connect, newInvoice, pay } from '../../../test/support/cards.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
  await connect(team)
})

const newCharge = async () => pay(team, (await newInvoice(team, 10_000)).token)
const get = async (id: string) => (await team.client.get(`/processor/charges/${id}`)).data

describe('a refund', () => {
  it('asked for here counts at once and is done once at the processor', async () => {
    const charge = await newCharge()
    const asked = await team.client.post(`/processor/charges/${charge.id}/refund`, { amount: 4_000, reason: 'Goodwill' })
    expect(asked).toMatchObject({ status: 201, data: { status: 'pending', amount: 4_000, processor_refund_id: null } })
    expect(await get(charge.id)).toMatchObject({ status: 'partially_refunded', refunded: 4_000 })
    await runJobs(team.business_id)
    expect((await get(charge.id)).refunds).toEqual([expect.objectContaining({ id: asked.data.id, status: 'succeeded', settled_amount: 4_000, processor_refund_id: expect.stringMatching(/^re_/) })])
    expect(await sql('select amount::int from sandbox_refunds where charge_id = $1', [charge.processor_charge_id])).toEqual([{ amount: 4_000 }])
    expect((await eventsOf(charge.id)).filter((type) => type === 'charge.refunded')).toHaveLength(1)
    expect(await team.client.post(`/processor/charges/${charge.id}/refund`, { amount: 6_001 })).toMatchObject({ status: 400, detail: 'Of this charge 60.00 USD are left to be given back.' })
    await team.client.post(`/processor/charges/${charge.id}/refund`, {})
    await runJobs(team.business_id)
    expect(await get(charge.id)).toMatchObject({ status: 'refunded', refunded: 10_000 })
  })

  it('done at the processor is heard of', async () => {
    const charge = await newCharge()
    expect((await team.client.post(`/sandbox/processor/charges/${charge.id}/refund`, { amount: 2_500 })).status).toBe(201)
    expect((await get(charge.id)).refunded).toBe(0)
    await runJobs(team.business_id)
    expect(await get(charge.id)).toMatchObject({ status: 'partially_refunded', refunded: 2_500, refunds: [{ amount: 2_500, status: 'succeeded' }] })
  })

  it('that the processor refuses is given back', async () => {
    const charge = await newCharge()
    await team.client.post(`/processor/charges/${charge.id}/refund`, { amount: 8_000 })
    // Meanwhile somebody gave back the same money there.
    await team.client.post(`/sandbox/processor/charges/${charge.id}/refund`, { amount: 2_000 })
    const [{ id }] = await sql(`select processor_charge_id as id from processor_charges where id = $1`, [charge.id])
    await sql(`update sandbox_refunds set amount = 9000, settled_amount = 9000 where charge_id = $1`, [id])
    await runJobs(team.business_id)
    expect((await get(charge.id)).refunds.map(({ amount, status }: { amount: number; status: string }) => [amount, status]).toSorted()).toEqual([[8_000, 'failed'], [9_000, 'succeeded']])
    expect(await get(charge.id)).toMatchObject({ refunded: 9_000, status: 'partially_refunded' })
  })

  it('by many at once never exceeds the charge', async () => {
    const charge = await newCharge()
    const answers = await Promise.all([1, 2, 3].map(() => team.client.post(`/processor/charges/${charge.id}/refund`, { amount: 6_000 })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  })

  it('needs an accountant', async () => {
    const charge = await newCharge()
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await bookkeeper.client.post(`/processor/charges/${charge.id}/refund`, {})).status).toBe(403)
  })
})

describe('the list', () => {
  it('filters by status, customer and invoice', async () => {
    const invoice = await newInvoice(team)
    const charge = await pay(team, invoice.token)
    const ids = async (query: Record<string, string>) => (await team.client.get('/processor/charges', query)).data.items.map(({ id }: { id: string }) => id)
    expect(await ids({ invoice_id: invoice.id })).toEqual([charge.id])
    expect(await ids({ customer_id: invoice.customer_id, status: 'succeeded' })).toEqual([charge.id])
    expect(await ids({ invoice_id: invoice.id, status: 'failed' })).toEqual([])
    expect((await team.client.get('/processor/charges')).data.items[0]).not.toHaveProperty('booked')
  })
})
