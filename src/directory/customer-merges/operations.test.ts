// Tests of finding customers that are there twice, and of making one of them.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { CustomerLine } from '../customer-activity/contract.ts'
import { customersByIds, customersByKeys, linkProcessorCustomer } from '../customers/operations.ts'
import type { CustomerDuplicates } from './contract.ts'

let team: Team
let client: Client
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
})

const create = (more: object = {}) => newCustomer(client, more)
const get = async (id: string) => (await client.get(`/customers/${id}`)).data
const merge = (target: string, source_ids: string[]) => client.post(`/customers/${target}/merge`, { source_ids })

async function charge(customer_id: string, amount: number, date = '2026-03-10') {
  const { role } = await chartOf(team.business_id)
  await post(team.business_id, { date, source_type: 'invoice', lines: [{ ledger_id: role('accounts_receivable'), amount, customer_id }, [role('sales'), -amount]] })
}

describe('duplicates', () => {
  it('are found by e-mail address, tax number and name, with what they have in common', async () => {
    const own = (await newBusiness()).client
    const make = (body: object) => newCustomer(own, body)
    const a = await make({ name: 'The Harbor Books, Inc.', email: 'a@example.com' })
    const b = await make({ name: 'HARBOR BOOKS LLC', tax_number: 'DE 123.456' })
    const c = await make({ name: 'Something else', email: 'A@example.com', tax_number: 'de123456' })
    await make({ name: 'Harbor Books Shop' })
    const { data } = await own.get('/customers/duplicates', { descending: false })
    expect(data.items.map(({ evidence, value, customers }: CustomerDuplicates) => [evidence, value, customers.map(({ id }) => id)])).toEqual([
      ['email', 'a@example.com', [a, c]], ['name', 'harbor books', [a, b]], ['tax_number', 'de123456', [b, c]],
    ])
    expect(data.items[0].customers[0]).toEqual({ id: a, name: 'The Harbor Books, Inc.', email: 'a@example.com', tax_number: null, external_id: null })
    const page = (await own.get('/customers/duplicates', { limit: 2, descending: false })).data
    expect((await own.get('/customers/duplicates', { limit: 2, descending: false, cursor: page.next_cursor })).data.items.map(({ evidence }: CustomerDuplicates) => evidence)).toEqual(['tax_number'])
    expect((await own.get('/customers/duplicates', { evidence: 'name' })).data.items).toHaveLength(1)
    await own.post(`/customers/${a}/merge`, { source_ids: [b, c] })
    expect((await own.get('/customers/duplicates')).data.items).toEqual([])
  })
})

describe('a merge', () => {
  it('makes the others lead to one, and leaves the journal as it is', async () => {
    const target = await create({ name: 'Target', external_id: 'm-t' })
    const [first, second] = [await create({ external_id: 'm-1' }), await create({ external_id: 'm-2' })]
    const child = await create({ parent_id: first })
    await client.post(`/customers/${first}/contacts`, { name: 'Ada', email: 'ada@example.com' })
    await client.post(`/customers/${first}/collection-activities`, { kind: 'call' })
    await charge(target, 100, '2026-01-10')
    await charge(first, 200, '2026-02-10')
    await charge(second, 400, '2026-03-10')
    const lines = () => sql('select id, customer_id from journal_lines where business_id = $1 order by id', [team.business_id])
    const journal = await lines()

    expect(await merge(target, [first, second, first])).toMatchObject({ status: 201, data: { id: target, open_balance: 700, status: 'active' } })
    expect(await lines()).toEqual(journal)
    for (const id of [first, second]) expect(await get(id)).toMatchObject({ status: 'archived', merged_into: target, open_balance: 0 })
    expect(await get(child)).toMatchObject({ parent_id: target })
    expect((await client.get(`/customers/${target}/balance`)).data).toMatchObject({ customer_id: target, receivable: 700 })
    expect((await client.get(`/customers/${first}/balance`)).data).toMatchObject({ customer_id: target, receivable: 700 })
    const { items } = (await client.get(`/customers/${target}/activity`, { descending: false })).data
    expect(items.map(({ balance, customer_id }: CustomerLine) => [balance, customer_id])).toEqual([[100, target], [300, first], [700, second]])
    expect((await client.get(`/customers/${target}/activity`, { descending: false, start_date: '2026-03-01' })).data.opening_balance).toBe(300)
    expect((await client.get(`/customers/${target}/contacts`)).data.items).toMatchObject([{ name: 'Ada', customer_id: target, version: 2 }])
    expect((await client.get(`/customers/${target}/collection-activities`)).data.items).toMatchObject([{ customer_id: first }])
    expect((await client.get('/customers', { external_id: 'm-1' })).data.items.map(({ id }: { id: string }) => id)).toEqual([target])
    expect((await client.get('/customers', { has_balance: true, status: 'all', sort_by: 'open_balance' })).data.items.map(({ id }: { id: string }) => id)).not.toContain(first)
    expect(await eventsOf(first)).toEqual(['customer.created', 'customer.merged'])
    expect(await eventsOf(child)).toEqual(['customer.created', 'customer.updated'])
    expect(await eventsOf(target)).toEqual(['customer.created'])
  })

  it('is followed by imports, not by documents', async () => {
    const [target, source] = [await create({ external_id: 'f-t' }), await create({ external_id: 'f-s', name: 'Former' })]
    await merge(target, [source])
    const { keys, row } = await inside(team.business_id, async (tx) => ({
      keys: await customersByKeys(tx, { external_ids: ['f-s'], names: ['Former'] }), row: (await customersByIds(tx, [source])).get(source),
    }))
    expect([keys.external_ids.get('f-s')?.id, [...keys.names], row?.status]).toEqual([target, [], 'archived'])
    const { data } = await client.post('/customers/bulk', { customers: [{ external_id: 'f-s', name: 'Renamed' }] })
    expect(data.rows).toEqual([{ index: 0, status: 'updated', id: target, detail: null }])
    expect(await get(target)).toMatchObject({ name: 'Renamed', external_id: 'f-t' })
    expect((await client.post('/customers/bulk', { customers: [{ external_id: 'f-s', name: 'x' }, { external_id: 'f-t', name: 'y' }] })).detail).toBe('Item 1: Item 0 is about the same customer: send it once.')
  })

  it('is for good: an alias neither changes nor comes back, and repeating it changes nothing', async () => {
    const [target, source] = [await create(), await create({ name: 'Alias' })]
    await merge(target, [source])
    const refused = { status: 400, detail: `The customer “Alias” was merged into ${target}: use that one.` }
    expect(await client.put(`/customers/${source}`, { phone: '1' })).toMatchObject(refused)
    expect(await client.put(`/customers/${source}/restore`)).toMatchObject(refused)
    expect(await client.post(`/customers/${source}/contacts`, { name: 'x' })).toMatchObject(refused)
    expect(await client.post(`/customers/${source}/collection-activities`, { kind: 'call' })).toMatchObject(refused)
    expect(await merge(source, [await create()])).toMatchObject(refused)
    expect(await merge(await create(), [source])).toMatchObject(refused)
    expect((await client.delete(`/customers/${target}`)).status).toBe(400)
    expect(await merge(target, [source])).toMatchObject({ status: 201, data: { version: 1 } })
    expect(await eventsOf(source)).toEqual(['customer.created', 'customer.merged'])
  })

  it('takes earlier aliases along, one step each', async () => {
    const [a, b, c] = [await create(), await create(), await create()]
    await charge(a, 5)
    await merge(b, [a])
    await merge(c, [b])
    expect(await get(a)).toMatchObject({ merged_into: c, version: 3 })
    expect((await get(c)).open_balance).toBe(5)
  })

  it('refuses what does not go together', async () => {
    const target = await create({ name: 'T' })
    const foreign = await create({ name: 'F', currency: 'CAD' })
    const above = await create({ name: 'Above' })
    const below = await create({ name: 'Below', parent_id: await create({ parent_id: above }) })
    const unknown = newId()
    const cases: [string, string[], number, string][] = [
      [target, [target], 400, '“T” cannot be merged into itself: leave it out of source_ids.'],
      [target, [foreign], 400, '“F” has the currency CAD and “T” USD: only customers of one currency can be merged.'],
      [below, [above], 400, '“Below” belongs to “Above”: merge the other way round, or change its parent_id first.'],
      [target, [unknown], 404, `Customer ${unknown} of source_ids not found.`],
      [unknown, [target], 404, 'Customer not found.'],
    ]
    for (const [into, sources, status, detail] of cases) expect(await merge(into, sources)).toMatchObject({ status, detail })
    expect((await merge(target, [])).status).toBe(422)
    expect((await merge(above, [below])).status).toBe(201)
    const stranger = await newCustomer((await newBusiness()).client)
    expect((await merge(target, [stranger])).status).toBe(404)
  })

  it('keeps the saved cards of one, and refuses two with cards', async () => {
    const [target, carded, also] = [await create(), await create({ name: 'Carded' }), await create({ name: 'Also' })]
    for (const [id, name] of [[carded, 'cus_1'], [also, 'cus_2']] as const) await inside(team.business_id, (tx) => linkProcessorCustomer(tx, id, name))
    expect(await merge(target, [carded, also])).toMatchObject({ status: 400, detail: expect.stringMatching(/have saved cards at the processor/) })
    expect((await merge(target, [carded])).data).toMatchObject({ processor_customer_id: 'cus_1', version: 2 })
    expect(await get(carded)).toMatchObject({ processor_customer_id: null })
  })

  it('of two into each other at once happens once', async () => {
    const [a, b] = [await create(), await create()]
    const answers = await Promise.all([merge(a, [b]), merge(b, [a])])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })

  it('needs an accountant', async () => {
    const [target, source] = [await create(), await create()]
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await bookkeeper.client.post(`/customers/${target}/merge`, { source_ids: [source] })).status).toBe(403)
    const accountant = await newMember(team.business_id, 'accountant')
    expect((await accountant.client.post(`/customers/${target}/merge`, { source_ids: [source] })).status).toBe(201)
  })
})
