// Tax agencies over HTTP, and the ledgers they are owed on.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/support/client.ts'
import { inside } from '../../../test/support/books.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { createLedger, deleteLedger } from '../ledgers/operations.ts'
import type { TaxAgency } from './contract.ts'

let team: Team
let client: Client
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
})

let made = 0
async function newAgency(more: object = {}): Promise<TaxAgency> {
  const answer = await client.post('/tax/agencies', { name: `Agency ${++made}`, country: 'US', ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

const newRate = async (agency_id: string): Promise<string> =>
  (await client.post('/tax/rates', { name: 'Rate', agency_id, versions: [{ percent: '6', valid_from: '2026-01-01' }] })).data.id

const newLedger = (more: object = {}) =>
  inside(team.business_id, (tx) => createLedger(tx, { name: `Ledger ${++made}`, type: 'liability', subtype: 'sales_tax', ...more } as never))

describe('tax agencies', () => {
  it('are created with a payable ledger of their own, read and changed', async () => {
    const agency = await newAgency({ name: 'State of Somewhere', region: 'Somewhere' })
    expect(agency).toMatchObject({
      name: 'State of Somewhere', country: 'US', region: 'Somewhere', registration_number: null, filing_frequency: 'quarterly', basis: 'accrual', due_day: 20,
      first_period_start: null, archived: false, version: 1,
    })
    const [ledger] = await sql('select name, type, subtype, currency, posting, role, parent_id from ledgers where id = $1', [agency.payable_ledger_id])
    expect(ledger).toEqual({
      name: 'State of Somewhere payable', type: 'liability', subtype: 'sales_tax', currency: 'USD', posting: true, role: null, parent_id: null,
    })
    expect(await eventsOf(agency.payable_ledger_id)).toEqual(['ledger.created'])
    expect((await client.get(`/tax/agencies/${agency.id}`)).data).toEqual(agency)
    const changes = { filing_frequency: 'monthly', region: null, due_day: 31, first_period_start: '2026-04-01' }
    const { data } = await client.put(`/tax/agencies/${agency.id}`, changes)
    expect(data).toMatchObject({ ...changes, payable_ledger_id: agency.payable_ledger_id, version: 2 })
    expect((await client.put(`/tax/agencies/${agency.id}`, { due_day: 31 })).data.version).toBe(2)
    expect(await eventsOf(agency.id)).toEqual(['tax_agency.created', 'tax_agency.updated'])
  })

  it('of one name have ledgers of different names, also when made at once', async () => {
    const agencies = await Promise.all([1, 2, 3].map(() => newAgency({ name: 'Twins' })))
    const ledgers = await sql('select name from ledgers where id = any($1)', [agencies.map((agency) => agency.payable_ledger_id)])
    expect(ledgers.map(({ name }) => name).toSorted()).toEqual(['Twins payable', 'Twins payable 2', 'Twins payable 3'])
  })

  it('can be owed on a ledger that is there, which then stays', async () => {
    const [ledger, other] = [await newLedger(), await newLedger()]
    const agency = await newAgency({ payable_ledger_id: ledger.id })
    expect(agency.payable_ledger_id).toBe(ledger.id)
    const refusal = 'A tax agency is owed on this ledger: give the agency another payable ledger first.'
    await expect(inside(team.business_id, (tx) => deleteLedger(tx, ledger.id))).rejects.toMatchObject({ status: 400, detail: refusal })
    expect((await client.put(`/tax/agencies/${agency.id}`, { payable_ledger_id: other.id })).data.payable_ledger_id).toBe(other.id)
    await inside(team.business_id, (tx) => deleteLedger(tx, ledger.id))
  })

  it.each<[string, object, object, RegExp]>([
    ['an asset', { type: 'asset', subtype: 'prepaid' }, {}, /is of the type asset: the payable ledger of an agency must be a liability\.$/],
    ['a card', { subtype: 'credit_card', is_bank: true }, {}, /is a card or a line of credit: choose a liability that no bank keeps\.$/],
    ['a heading', { posting: false }, {}, /is a heading: choose a ledger that takes lines\.$/],
    ['an archived one', {}, { archived: true }, /is archived: restore it, or choose another ledger\.$/],
    ['one with a role', {}, { role: 'goods_received_not_invoiced' }, /has the role goods_received_not_invoiced: choose a ledger without one\.$/],
  ])('cannot be owed on %s', async (_, given, state, detail) => {
    const ledger = await newLedger(given)
    for (const [column, value] of Object.entries(state)) {
      await sql(`update ledgers set role = null where business_id = $1 and $2 = 'role' and role = $3`, [team.business_id, column, String(value)])
      await sql(`update ledgers set ${column} = $2 where id = $1`, [ledger.id, value])
      // As a change through the service would do.
      await sql('update journal_heads set stamp = gen_random_uuid() where business_id = $1', [team.business_id])
    }
    const created = await client.post('/tax/agencies', { name: 'Wrong', country: 'US', payable_ledger_id: ledger.id })
    expect([created.status, created.detail]).toEqual([400, expect.stringMatching(detail)])
    const agency = await newAgency()
    expect(await client.put(`/tax/agencies/${agency.id}`, { payable_ledger_id: ledger.id })).toMatchObject({ status: 400, detail: created.detail })
  })

  it('cannot be owed on a ledger that is not there', async () => {
    const id = newId()
    expect(await client.post('/tax/agencies', { name: 'Wrong', country: 'US', payable_ledger_id: id }))
      .toMatchObject({ status: 404, detail: `Payable ledger ${id} not found.` })
  })

  it.each([
    [{ country: 'US' }, 'missing'], [{ name: ' ', country: 'US' }, 'value_error'], [{ name: 'x', country: 'us' }, 'value_error'],
    [{ name: 'x', country: 'US', due_day: 32 }, 'less_than_equal'], [{ name: 'x', country: 'US', basis: 'both' }, 'enum'],
    [{ name: 'x', country: 'US', first_period_start: '2026-02-30' }, 'date_parsing'],
  ])('%j is a 422', async (body, type) => {
    expect(await client.post('/tax/agencies', body)).toMatchObject({ status: 422, detail: [{ type }] })
  })

  it('are deleted while they have no rates and no exemptions, else archived', async () => {
    const [unused, rated, exempting] = [await newAgency(), await newAgency(), await newAgency()]
    await newRate(rated.id)
    await sql(
      `insert into tax_exemptions (business_id, id, customer_id, agency_ids, valid_from, archived, created_at, updated_at, version)
       values ($1, gen_random_uuid(), gen_random_uuid(), array[$2::uuid], '2026-01-01', false, now(), now(), 1)`, [team.business_id, exempting.id])
    expect((await client.delete(`/tax/agencies/${unused.id}`)).data).toMatchObject({ id: unused.id, archived: false })
    expect((await client.get(`/tax/agencies/${unused.id}`)).status).toBe(404)
    for (const agency of [rated, exempting]) {
      expect(await client.delete(`/tax/agencies/${agency.id}`)).toMatchObject({ status: 200, data: { archived: true, version: 2 } })
      expect(await client.delete(`/tax/agencies/${agency.id}`)).toMatchObject({ status: 200, data: { archived: true, version: 2 } })
      expect(await eventsOf(agency.id)).toEqual(['tax_agency.created', 'tax_agency.archived'])
    }
    expect(await client.post('/tax/rates', { name: 'New', agency_id: rated.id, versions: [{ percent: '6', valid_from: '2026-01-01' }] }))
      .toMatchObject({ status: 400, detail: `The tax agency “${rated.name}” is archived: restore it first.` })
    expect((await client.put(`/tax/agencies/${rated.id}`, { archived: false })).data.archived).toBe(false)
    expect(await eventsOf(rated.id)).toEqual(['tax_agency.created', 'tax_agency.archived', 'tax_agency.restored'])
  })

  it('deleted while a rate is made for them: one of the two meets the other', async () => {
    const agencies = await Promise.all(Array.from({ length: 4 }, () => newAgency()))
    for (const agency of agencies) {
      const [removed, rate] = await Promise.all([
        client.delete(`/tax/agencies/${agency.id}`),
        client.post('/tax/rates', { name: 'Racing', agency_id: agency.id, versions: [{ percent: '6', valid_from: '2026-01-01' }] }),
      ])
      expect(removed.status).toBe(200)
      expect(removed.data.archived).toBe(rate.status === 201)
      expect([201, 404]).toContain(rate.status)
    }
  })

  it('are listed by name, without archived ones unless asked for', async () => {
    const own = await newBusiness()
    const create = async (name: string) => (await own.client.post('/tax/agencies', { name, country: 'US' })).data
    const [first, , third] = [await create('alpha'), await create('Beta'), await create('gamma rays')]
    await own.client.put(`/tax/agencies/${first.id}`, { archived: true })
    const names = async (query: Record<string, string>) =>
      (await own.client.get('/tax/agencies', { descending: false, ...query })).data.items.map(({ name }: TaxAgency) => name)
    expect(await names({})).toEqual(['Beta', 'gamma rays'])
    expect(await names({ archived: 'all' })).toEqual(['alpha', 'Beta', 'gamma rays'])
    expect(await names({ archived: 'true' })).toEqual(['alpha'])
    expect(await names({ q: 'A R' })).toEqual(['gamma rays'])
    expect(await names({ sort_by: 'created_at', archived: 'all' })).toEqual(['alpha', 'Beta', 'gamma rays'])
    const page = (await own.client.get('/tax/agencies', { limit: 1 })).data
    expect(page.items[0].id).toBe(third.id)
    expect((await own.client.get('/tax/agencies', { limit: 1, cursor: page.next_cursor })).data.items[0].name).toBe('Beta')
  })

  it('are read by everybody and changed by accountants', async () => {
    const roles = ['viewer', 'bookkeeper', 'accountant'] as const
    const [viewer, bookkeeper, accountant] = await Promise.all(roles.map((role) => newMember(team.business_id, role)))
    expect((await viewer!.client.get('/tax/agencies')).status).toBe(200)
    expect((await bookkeeper!.client.post('/tax/agencies', { name: 'x', country: 'US' })).status).toBe(403)
    expect((await accountant!.client.post('/tax/agencies', { name: 'x', country: 'US' })).status).toBe(201)
  })
})
