// Tests of what was done to be paid.
import { beforeAll, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { CollectionActivity } from './contract.ts'
import { createActivity } from './operations.ts'

let team: Team
let customer_id: string
let path: string
beforeAll(async () => {
  team = await newBusiness()
  customer_id = await newCustomer(team.client)
  path = `/customers/${customer_id}/collection-activities`
})

describe('collection activities', () => {
  it('are noted with their author and listed, newest first', async () => {
    const { data: call } = await team.client.post(path, { kind: 'call', note: 'Nobody there.' })
    expect(call).toMatchObject({ customer_id, kind: 'call', invoice_ids: [], promised_on: null, note: 'Nobody there.', author_id: team.owner.user_id, author_name: 'Olive Owner' })
    const { data: promise } = await team.client.post(path, { kind: 'promise', promised_on: '2026-04-15' })
    expect((await team.client.get(path)).data.items).toEqual([promise, call])
    expect((await team.client.get(path, { kind: 'promise' })).data.items.map(({ id }: CollectionActivity) => id)).toEqual([promise.id])
    expect(await eventsOf(promise.id)).toEqual(['collection_activity.created'])
  })

  it.each([
    [{ kind: 'promise' }, 422, 'missing'], [{ kind: 'call', promised_on: '2026-04-15' }, 422, 'value_error'], [{ kind: 'gift' }, 422, 'enum'], [{}, 422, 'missing'],
  ])('%j is refused', async (body, status, type) => {
    expect(await team.client.post(path, body)).toMatchObject({ status, detail: [expect.objectContaining({ type })] })
  })

  it('need invoices and a customer that are there', async () => {
    expect((await team.client.post(path, { kind: 'call', invoice_ids: [newId()] })).status).toBe(404)
    expect((await team.client.post(`/customers/${newId()}/collection-activities`, { kind: 'call' })).status).toBe(404)
    expect((await team.client.get(`/customers/${newId()}/collection-activities`)).status).toBe(404)
  })

  it('without invoices leave the keeper of promises alone', async () => {
    const heard: CollectionActivity[] = []
    await inside(team.business_id, (tx) => createActivity(tx, customer_id, { kind: 'note', note: 'x' }, async (_tx, activity) => void heard.push(activity)))
    expect(heard).toEqual([])
  })
})
