// Tests of the contacts of customers.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { CustomerContact } from './contract.ts'

let client: Client
let customer_id: string
let path: string
beforeAll(async () => {
  client = (await newBusiness()).client
  customer_id = await newCustomer(client)
  path = `/customers/${customer_id}/contacts`
})

describe('contacts', () => {
  it('are added, changed and deleted', async () => {
    const { data: contact } = await client.post(path, { name: ' Ada  Payne ', email: 'ada@example.com', role: 'Payables', receives: ['reminders', 'invoices', 'invoices'] })
    expect(contact).toMatchObject({ customer_id, name: 'Ada Payne', phone: null, role: 'Payables', receives: ['invoices', 'reminders'], version: 1 })
    const { data: changed } = await client.put(`${path}/${contact.id}`, { role: null, receives: [] })
    expect(changed).toMatchObject({ role: null, receives: [], email: 'ada@example.com', version: 2 })
    expect((await client.put(`${path}/${contact.id}`, { receives: [] })).data.version).toBe(2)
    expect((await client.get(path)).data.items).toEqual([changed])
    expect((await client.delete(`${path}/${contact.id}`)).data).toEqual(changed)
    expect((await client.get(path)).data.items).toEqual([])
    expect(await eventsOf(contact.id)).toEqual(['customer_contact.created', 'customer_contact.updated', 'customer_contact.deleted'])
  })

  it('that receive mail have an address', async () => {
    expect(await client.post(path, { name: 'Bo', receives: ['invoices'] })).toMatchObject({ status: 400, detail: expect.stringMatching(/^Bo has no e-mail address/) })
    const { data } = await client.post(path, { name: 'Cy', email: 'cy@example.com', receives: ['invoices'] })
    expect((await client.put(`${path}/${data.id}`, { email: null })).status).toBe(400)
    expect((await client.put(`${path}/${data.id}`, { email: null, receives: [] })).status).toBe(200)
    expect((await client.post(path, { name: 'Bo', receives: ['gifts'] })).status).toBe(422)
  })

  it('belong to their customer', async () => {
    const { data } = await client.post(path, { name: 'Di' })
    const other = await newCustomer(client)
    expect((await client.put(`/customers/${other}/contacts/${data.id}`, { name: 'X' })).status).toBe(404)
    expect((await client.delete(`/customers/${other}/contacts/${data.id}`)).status).toBe(404)
    expect((await client.get(`/customers/${newId()}/contacts`)).status).toBe(404)
    expect((await client.post(`/customers/${newId()}/contacts`, { name: 'X' })).status).toBe(404)
    const names = (await client.get(path, { sort_by: 'name', descending: false })).data.items.map(({ name }: CustomerContact) => name)
    expect(names).toEqual(['Cy', 'Di'])
  })
})
