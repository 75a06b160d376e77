// Tests of the chart of a new business, and of laying another one over it.
import { describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newPerson, sql } from '../../../test/support/people.ts'
import { client as clientFor, type Client } from '../../../test/support/client.ts'
import { ROLE_NAMES } from '../ledgers/contract.ts'
import { INDUSTRIES, templateOf, type Industry } from './rules.ts'

async function founded(more: object): Promise<Client> {
  const owner = await newPerson()
  const { data } = await owner.client.post('/businesses', { name: 'Founded', ...more })
  return clientFor(owner.token, data.id)
}
const names = async (client: Client): Promise<string[]> =>
  (await client.get('/ledgers', { limit: 1000, descending: false })).data.items.map(({ name }: { name: string }) => name)

describe('a new business', () => {
  it.each(
    [['Restaurant', 'restaurant'], ['SaaS', 'software'], ['beekeeping', 'general'], [null, 'general']] as [string | null, Industry][],
  )('of the industry %s gets the chart for %s', async (industry, key) => {
    expect(await names(await founded({ industry }))).toEqual(templateOf(key).ledgers.map(({ name }) => name))
  })

  it('has every role and its chart in its base currency', async () => {
    const client = await founded({ base_currency: 'EUR' })
    const roles = (await client.get('/ledgers/roles')).data
    expect(
      roles.map(({ role, ledger }: { role: string; ledger: { currency: string } }) => [role, ledger.currency]),
    ).toEqual(ROLE_NAMES.map((role) => [role, 'EUR']))
    const rows = await sql('select distinct currency, version from ledgers where business_id = $1', [client.business_id])
    expect(rows).toEqual([{ currency: 'EUR', version: 1 }])
  })
})

describe('templates', () => {
  it('are listed with their ledgers', async () => {
    const { data } = await (await newBusiness()).client.get('/ledgers/templates')
    expect(data).toEqual(INDUSTRIES.map(templateOf))
  })

  it('add what is missing, once; a preview only says so', async () => {
    const { client, business_id } = await newBusiness()
    const before = await names(client)
    const apply = async (preview: boolean) => (await client.post('/ledgers/apply-template', { template: 'nonprofit', preview })).data
    const preview = await apply(true)
    expect(await names(client)).toEqual(before)
    const done = await apply(false)
    expect(done.added.map(({ id: _id, ...ledger }: { id: string }) => ledger)).toEqual(preview.added.map(({ id: _id, ...ledger }: { id: null }) => ledger))
    expect(done.added.map(({ name }: { name: string }) => name)).toContain('Membership Dues')
    expect(done.added.map(({ name }: { name: string }) => name)).not.toContain('Program Service Fees')
    expect(done.present + done.added.length).toBe(templateOf('nonprofit').ledgers.length)
    expect((await names(client)).length).toBe(before.length + done.added.length)
    expect(before.filter((name) => !done.added.includes(name)).length).toBe(before.length)
    expect((await apply(false)).added).toEqual([])
    expect(await eventsOf(done.added[0].id)).toEqual(['ledger.created'])
    expect((await chartOf(business_id)).role('sales')).toBeTruthy()
  })

  it('two at once add each ledger once', async () => {
    const { client } = await newBusiness()
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.post('/ledgers/apply-template', { template: 'construction' })))
    expect(answers.map(({ data }) => data.added.length).filter((count) => count > 0)).toHaveLength(1)
  })
})
