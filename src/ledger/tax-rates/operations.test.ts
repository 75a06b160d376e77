// Tax rates over HTTP: versions, and what stays once they were used.
import { beforeAll, describe, expect, it } from 'vitest'
import { post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { TaxAgency } from '../tax-agencies/contract.ts'
import type { TaxRate } from './contract.ts'

let team: Team
let client: Client
let agency: TaxAgency
let other: TaxAgency
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  agency = (await client.post('/tax/agencies', { name: 'State', country: 'US' })).data
  other = (await client.post('/tax/agencies', { name: 'Province', country: 'CA' })).data
})

const six = [{ percent: '6', valid_from: '2026-01-01' }]

let made = 0
async function newRate(more: object = {}): Promise<TaxRate> {
  const answer = await client.post('/tax/rates', { name: `Rate ${++made}`, agency_id: agency.id, versions: six, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

const newCode = async (more: object): Promise<string> =>
  (await client.post('/tax/codes', { code: `C${++made}`, name: 'Code', treatment: 'taxable', ...more })).data.id

const use = (tax_code_id: string, date: string) =>
  post(team.business_id, { date, lines: [{ ledger_id: agency.payable_ledger_id, amount: 100, tax_code_id }, [other.payable_ledger_id, -100]] })

describe('tax rates', () => {
  it('are created, read and changed', async () => {
    const rate = await newRate({ name: 'Sales', versions: [{ percent: '6.50', valid_from: '2026-07-01' }, { percent: '06.0', valid_from: '2026-01-01' }] })
    expect(rate).toMatchObject({
      name: 'Sales', agency_id: agency.id, recoverable_percent: '0', archived: false, version: 1,
      versions: [{ percent: '6', valid_from: '2026-01-01' }, { percent: '6.5', valid_from: '2026-07-01' }],
    })
    expect((await client.get(`/tax/rates/${rate.id}`)).data).toEqual(rate)
    expect((await client.put(`/tax/rates/${rate.id}`, { name: 'Sales tax' })).data).toMatchObject({ name: 'Sales tax', versions: rate.versions, version: 2 })
    const later = [...rate.versions, { percent: '7', valid_from: '2027-01-01' }]
    const { data } = await client.put(`/tax/rates/${rate.id}`, { versions: later, recoverable_percent: '50.0', agency_id: other.id })
    expect(data).toMatchObject({ versions: later, recoverable_percent: '50', agency_id: other.id, version: 3 })
    expect((await client.get(`/tax/rates/${rate.id}`)).data).toEqual(data)
    expect((await client.put(`/tax/rates/${rate.id}`, { versions: later.toReversed() })).data.version).toBe(3)
    expect(await eventsOf(rate.id)).toEqual(['tax_rate.created', 'tax_rate.updated', 'tax_rate.changed'])
  })

  it('come back on purchases as is usual where the agency is', async () => {
    expect((await newRate()).recoverable_percent).toBe('0')
    expect((await newRate({ agency_id: other.id })).recoverable_percent).toBe('100')
    expect((await newRate({ recoverable_percent: '33.3333' })).recoverable_percent).toBe('33.3333')
  })

  it.each<[string, object, number, unknown]>([
    ['an agency that is not there', { agency_id: '01980000-0000-7000-8000-000000000000' }, 404, 'Tax agency 01980000-0000-7000-8000-000000000000 not found.'],
    ['two versions of one date', { versions: [...six, { percent: '7', valid_from: '2026-01-01' }] }, 400,
      'Two versions are valid from 2026-01-01: leave one of them out.'],
    ['no versions', { versions: [] }, 422, [expect.objectContaining({ loc: ['body', 'versions'] })]],
    ['more than 100 %', { versions: [{ percent: '100.0001', valid_from: '2026-01-01' }] }, 422,
      [expect.objectContaining({ loc: ['body', 'versions', 0, 'percent'], type: 'value_error' })]],
    ['less than 0 %', { versions: [{ percent: '-1', valid_from: '2026-01-01' }] }, 422, [expect.objectContaining({ type: 'value_error' })]],
    ['five decimals', { recoverable_percent: '1.00001' }, 422, [expect.objectContaining({ loc: ['body', 'recoverable_percent'] })]],
    ['a number', { versions: [{ percent: 6, valid_from: '2026-01-01' }] }, 422, [expect.objectContaining({ type: 'string_type' })]],
    ['no such date', { versions: [{ percent: '6', valid_from: '2026-02-30' }] }, 422, [expect.objectContaining({ type: 'date_parsing' })]],
  ])('refuse %s', async (_, more, status, detail) => {
    expect(await client.post('/tax/rates', { name: 'Wrong', agency_id: agency.id, versions: six, ...more })).toMatchObject({ status, detail })
    expect(await client.put(`/tax/rates/${(await newRate()).id}`, more)).toMatchObject({ status, detail })
  })

  it('cannot go to an archived agency', async () => {
    const gone = (await client.post('/tax/agencies', { name: 'Gone', country: 'US' })).data
    await client.put(`/tax/agencies/${gone.id}`, { archived: true })
    expect(await client.put(`/tax/rates/${(await newRate()).id}`, { agency_id: gone.id }))
      .toMatchObject({ status: 400, detail: 'The tax agency “Gone” is archived: restore it first.' })
  })

  it.each([['by a code', false], ['through a group', true]])('once used %s keep their percent of that date and their agency', async (_, grouped) => {
    const rate = await newRate({ name: 'Used', versions: [...six, { percent: '6.5', valid_from: '2026-07-01' }] })
    const source = grouped
      ? { group_id: (await client.post('/tax/groups', { name: 'Group', components: [{ rate_id: rate.id }] })).data.id }
      : { rate_id: rate.id }
    const code_id = await newCode(source)
    const change = (body: object) => client.put(`/tax/rates/${rate.id}`, body)
    expect((await change({ versions: [{ percent: '5', valid_from: '2026-01-01' }, ...rate.versions.slice(1)] })).status).toBe(200)
    expect((await change({ versions: rate.versions })).status).toBe(200)
    await use(code_id, '2026-02-10')

    const refusal = '“Used” was used on 2026-02-10, so its percent of that date stays: add a version with a later valid_from.'
    const [first, second] = rate.versions
    const otherwise = [
      [{ ...first, percent: '6.1' }, second], [second], [{ ...first, valid_from: '2026-02-11' }, second], [first, { ...second, valid_from: '2026-02-10' }],
    ]
    for (const versions of otherwise) {
      expect(await change({ versions })).toMatchObject({ status: 400, detail: refusal })
    }
    expect(await change({ agency_id: other.id }))
      .toMatchObject({ status: 400, detail: '“Used” was used, so it stays with its agency: make another rate for the other one.' })
    expect((await client.get(`/tax/rates/${rate.id}`)).data.versions).toEqual(rate.versions)

    // What nothing was taxed by is still free: the second version, a third one, and one from the day after.
    const free = [['6.2', '2026-02-11'], ['6.4', '2026-07-01'], ['7', '2027-01-01']].map(([percent, valid_from]) => ({ percent, valid_from }))
    const later = [first, ...free]
    expect((await change({ versions: later, recoverable_percent: '10', name: 'Still used' })).data)
      .toMatchObject({ versions: later, recoverable_percent: '10' })
    expect((await eventsOf(rate.id)).at(-1)).toBe('tax_rate.changed')
  })

  it('of two who use and change one at once, the change meets the use or comes before it', async () => {
    const rate = await newRate()
    const code_id = await newCode({ rate_id: rate.id })
    const versions = [{ percent: '9', valid_from: '2026-01-01' }]
    const [changed] = await Promise.all([client.put(`/tax/rates/${rate.id}`, { versions }), use(code_id, '2026-03-01')])
    expect([200, 400]).toContain(changed.status)
    expect((await client.put(`/tax/rates/${rate.id}`, { versions: [{ percent: '8', valid_from: '2026-01-01' }] })).status).toBe(400)
    expect((await client.get(`/tax/rates/${rate.id}`)).data.versions[0].percent).toBe(changed.status === 200 ? '9' : '6')
  })

  it('changed by two at once keep one whole set of versions', async () => {
    const rate = await newRate()
    const sets = ['7', '8'].map((percent) => [{ percent, valid_from: '2026-01-01' }, { percent, valid_from: '2027-01-01' }])
    const answers = await Promise.all(sets.map((versions) => client.put(`/tax/rates/${rate.id}`, { versions }, { headers: { 'if-match': '"1"' } })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
    const { versions } = (await client.get(`/tax/rates/${rate.id}`)).data
    expect(sets).toContainEqual(versions)
  })

  it('are deleted with their versions while in no group and no code, else archived', async () => {
    const [unused, coded, grouped] = [await newRate(), await newRate(), await newRate()]
    await newCode({ rate_id: coded.id })
    await client.post('/tax/groups', { name: 'Group', components: [{ rate_id: grouped.id }] })
    expect((await client.delete(`/tax/rates/${unused.id}`)).data).toMatchObject({ id: unused.id, archived: false })
    expect((await client.get(`/tax/rates/${unused.id}`)).status).toBe(404)
    expect(await sql('select from tax_rate_versions where rate_id = $1', [unused.id])).toEqual([])
    expect(await eventsOf(unused.id)).toEqual(['tax_rate.created', 'tax_rate.deleted'])
    for (const rate of [coded, grouped]) {
      expect(await client.delete(`/tax/rates/${rate.id}`)).toMatchObject({ status: 200, data: { archived: true, version: 2, versions: six } })
      expect((await client.delete(`/tax/rates/${rate.id}`)).data.version).toBe(2)
    }
    const refusal = { status: 400, detail: `The tax rate “${coded.name}” is archived: restore it first.` }
    expect(await client.post('/tax/codes', { code: 'OLD', name: 'Old', treatment: 'taxable', rate_id: coded.id })).toMatchObject(refusal)
    expect(await client.post('/tax/groups', { name: 'Old', components: [{ rate_id: coded.id }] })).toMatchObject(refusal)
    expect((await client.put(`/tax/rates/${coded.id}`, { archived: false })).data.archived).toBe(false)
    expect(await eventsOf(coded.id)).toEqual(['tax_rate.created', 'tax_rate.archived', 'tax_rate.restored'])
  })

  it('are listed with their versions, by agency, name and whether archived', async () => {
    const own = await newBusiness()
    const [here, there] = await Promise.all(['Here', 'There'].map(async (name) => (await own.client.post('/tax/agencies', { name, country: 'US' })).data.id))
    const create = async (name: string, agency_id: string) => (await own.client.post('/tax/rates', { name, agency_id, versions: six })).data
    const first = await create('alpha', here)
    await create('Beta', there)
    await own.client.put(`/tax/rates/${(await create('gone', here)).id}`, { archived: true })
    const names = async (query: Record<string, string>) =>
      (await own.client.get('/tax/rates', { descending: false, ...query })).data.items.map(({ name }: TaxRate) => name)
    expect(await names({})).toEqual(['alpha', 'Beta'])
    expect(await names({ agency_id: here })).toEqual(['alpha'])
    expect(await names({ agency_id: here, archived: 'all' })).toEqual(['alpha', 'gone'])
    expect(await names({ agency_id: newId() })).toEqual([])
    expect(await names({ q: 'ET' })).toEqual(['Beta'])
    expect((await own.client.get('/tax/rates', { q: 'alpha' })).data.items).toEqual([first])
  })
})
