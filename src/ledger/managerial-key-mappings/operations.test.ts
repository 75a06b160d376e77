// Tests of managerial keys over HTTP.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside } from '../../../test/support/books.ts'
import { client as clientOf, type Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { valuesByLedger, valuesOfKey } from './operations.ts'

let team: Team
let client: Client
let at: string
let rent: string
let travel: string
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  at = pathOf(team)
  const chart = await chartOf(team.business_id)
  ;[rent, travel] = [chart.named('Rent'), chart.named('Travel')] as [string, string]
})

const pathOf = ({ business_id }: Team) => `/businesses/${business_id}/managerial-key-mappings`
const map = (...mappings: object[]) => client.put(at, { mappings })
const rowOf = (table: any, ledger_id: string) => table.rows.find((row: { ledger_id: string }) => row.ledger_id === ledger_id)

let count = 0
async function newKey(more: object = {}): Promise<any> {
  const allowed_values = [{ value: 'a' }, { value: 'b' }, { value: 'c' }]
  const answer = await client.post(`${at}/key-types`, { key: `key${++count}`, name: `Key ${count}`, allowed_values, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

describe('the keys', () => {
  it('that every business has are there from the start', async () => {
    const { data } = await client.get(`${at}/key-types`)
    expect(data.slice(0, 4).map(({ key, system, required, mapped_count, position }: any) => [key, system, required, mapped_count, position])).toEqual([
      ['function', true, false, 0, 1], ['cost_behavior', true, false, 0, 2], ['ebitda', true, false, 0, 3], ['board_line', true, false, 0, 4],
    ])
    expect(data[1].allowed_values).toEqual([
      { value: 'variable', label: 'Variable', position: 1 }, { value: 'semi_variable', label: 'Semi-variable', position: 2 },
      { value: 'fixed', label: 'Fixed', position: 3 },
    ])
  })

  it('are made and changed', async () => {
    const allowed_values = [{ value: 'south', position: 2 }, { value: 'north', label: 'North', position: 1 }]
    const made = await client.post(`${at}/key-types`, { key: 'region', name: ' Region ', required: true, allowed_values })
    expect(made.data).toMatchObject({
      key: 'region', name: 'Region', description: null, value_kind: 'list', required: true, system: false, mapped_count: 0, version: 1,
      allowed_values: [{ value: 'north', label: 'North', position: 1 }, { value: 'south', label: 'south', position: 2 }],
    })
    const changed = await client.put(`${at}/key-types/region`, { description: 'Where', required: false })
    expect(changed.data).toMatchObject({ name: 'Region', description: 'Where', required: false, version: 2 })
    expect((await client.put(`${at}/key-types/region`, {})).data.version).toBe(2)
    expect((await client.put(`${at}/key-types/region`, { value_kind: 'text' })).data).toMatchObject({ value_kind: 'text', allowed_values: [], version: 3 })
    expect(await eventsOf(made.data.id)).toEqual(Array(3).fill('managerial_key_type.changed'))
    expect((await client.get(`${at}/key-types`)).data.at(-1)).toMatchObject({ key: 'region', version: 3 })
  })

  it.each([
    ['a key that exists', { key: 'ebitda' }, 400, /The key ebitda exists already/],
    ['the name of a column', { key: 'number' }, 400, /has a column number already/],
    ['a list without values', { allowed_values: [] }, 400, /needs at least one allowed value/],
    ['a value twice', { allowed_values: [{ value: 'a' }, { value: 'a' }] }, 400, /allows a twice/],
    ['text with a list', { value_kind: 'text' }, 400, /takes any text/],
    ['a key with blanks', { key: 'my key' }, 422, null],
  ])('are refused %s', async (_, wrong, status, detail) => {
    const answer = await client.post(`${at}/key-types`, { key: 'wrong', name: 'Wrong', allowed_values: [{ value: 'a' }], ...wrong })
    expect(answer.status).toBe(status)
    if (detail) expect(answer.detail).toMatch(detail)
  })

  it('are thirty at most, also for many at once', async () => {
    const own = await newBusiness()
    const make = (key: string) => own.client.post(`${pathOf(own)}/key-types`, { key, name: 'K', value_kind: 'text' })
    const made = await Promise.all(Array.from({ length: 29 }, (_, index) => make(`k${index}`)))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(26)
    expect(made.find(({ status }) => status === 400)?.detail).toBe('The business has 30 keys already: delete one first.')
    const positions = (await own.client.get(`${pathOf(own)}/key-types`)).data.map(({ position }: any) => position)
    expect(positions).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  })

  it('lose a value in use only to another', async () => {
    const { key, id } = await newKey()
    await map({ ledger_id: rent, key, value: 'a' }, { ledger_id: travel, key, value: 'b' })
    const update = (body: object) => client.put(`${at}/key-types/${key}`, body)
    expect((await update({ allowed_values: [{ value: 'a' }, { value: 'b' }] })).data).toMatchObject({ mapped_count: 2 })
    expect(await update({ allowed_values: [{ value: 'b' }] }))
      .toMatchObject({ status: 400, detail: `Ledgers have the value a of ${key}: keep it, or say with replace_with what takes its place.` })
    expect(await update({ allowed_values: [{ value: 'b' }], replace_with: 'a' }))
      .toMatchObject({ status: 400, detail: expect.stringMatching(/replace_with: a is not a value/) })
    expect((await update({ allowed_values: [{ value: 'b' }], replace_with: 'b' })).data.mapped_count).toBe(2)
    const table = (await client.get(at)).data
    expect([rowOf(table, rent).values[key], rowOf(table, travel).values[key]]).toEqual(['b', 'b'])
    expect(await eventsOf(id)).toHaveLength(3)
    expect((await eventsOf(rent)).filter((type) => type === 'managerial_mapping.changed').length).toBeGreaterThanOrEqual(2)
    // Free text becomes a list of what it holds.
    expect((await update({ value_kind: 'text' })).status).toBe(200)
    expect((await update({ value_kind: 'list', allowed_values: [{ value: 'x' }] })).status).toBe(400)
    expect((await update({ value_kind: 'list', allowed_values: [{ value: 'x' }, { value: 'b' }] })).status).toBe(200)
  })

  it('go with their mappings, if that is said; those of the service stay', async () => {
    const { key, id } = await newKey()
    await map({ ledger_id: rent, key, value: 'a' })
    expect(await client.delete(`${at}/key-types/${key}`))
      .toMatchObject({ status: 400, detail: `1 ledger has a value of ${key}: delete it with force=true to lose that too.` })
    expect((await client.call('DELETE', `${at}/key-types/${key}`, { query: { force: true } })).data).toMatchObject({ key, mapped_count: 1 })
    expect(await sql('select * from managerial_key_mappings where business_id = $1 and key_type_id = $2', [team.business_id, id])).toEqual([])
    expect((await client.delete(`${at}/key-types/${key}`)).status).toBe(404)
    expect((await client.delete(`${at}/key-types/${(await newKey()).key}`)).status).toBe(200)
    expect(await client.call('DELETE', `${at}/key-types/ebitda`, { query: { force: true } }))
      .toMatchObject({ status: 400, detail: 'The key ebitda came with the business and cannot be deleted.' })
  })

  it('are changed with the version that was read', async () => {
    const { key } = await newKey()
    expect((await client.put(`${at}/key-types/${key}`, { name: 'x' }, { headers: { 'if-match': '"4"' } })).status).toBe(412)
    expect((await client.put(`${at}/key-types/${key}`, { name: 'x' }, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  })
})

describe('the table', () => {
  it('is set, taken back and inherited', async () => {
    const own = await newBusiness()
    const ledger = async (name: string, more: object = {}): Promise<string> =>
      (await own.client.post('/ledgers', { name, type: 'expense', subtype: 'operating', ...more })).data.id
    const parent = await ledger('Fleet', { number: '6991', posting: false })
    const child = await ledger('Fuel', { parent_id: parent })
    const other = await ledger('Repairs', { parent_id: parent })
    const before = (await own.client.get(pathOf(own))).data
    const put = (...mappings: object[]) => own.client.put(pathOf(own), { mappings })
    const table = (await put({ ledger_id: parent, key: 'cost_behavior', value: 'variable' }, { ledger_id: other, key: 'cost_behavior', value: 'fixed' })).data
    expect(rowOf(table, parent))
      .toMatchObject({ number: '6991', name: 'Fleet', type: 'expense', values: { cost_behavior: 'variable', function: null }, inherited: [] })
    expect(rowOf(table, child)).toMatchObject({ values: { cost_behavior: 'variable' }, inherited: ['cost_behavior'] })
    expect(rowOf(table, other)).toMatchObject({ values: { cost_behavior: 'fixed' }, inherited: [] })
    expect(table.unmapped.cost_behavior).toBe(before.unmapped.cost_behavior - 2)
    expect(table.key_types.find(({ key }: any) => key === 'cost_behavior').mapped_count).toBe(2)
    expect((await own.client.get(pathOf(own))).data).toEqual(table)
    expect(rowOf((await put({ ledger_id: other, key: 'cost_behavior', value: null })).data, other))
      .toMatchObject({ values: { cost_behavior: 'variable' }, inherited: ['cost_behavior'] })
    expect(await eventsOf(other)).toEqual(['ledger.created', 'managerial_mapping.changed', 'managerial_mapping.changed'])
    // What is so already is not told again.
    await put({ ledger_id: other, key: 'cost_behavior', value: null }, { ledger_id: parent, key: 'cost_behavior', value: 'variable' })
    expect(await eventsOf(other)).toHaveLength(3)
    expect(await eventsOf(parent)).toHaveLength(2)
  })

  it.each([
    ['an unknown ledger', () => [{ ledger_id: newId(), key: 'ebitda', value: 'operating' }], 404, /of mapping 2 not found/],
    ['an unknown key', () => [{ ledger_id: travel, key: 'nothing', value: 'operating' }], 404, /Key nothing of mapping 2 not found/],
    ['a value that is not allowed',
      () => [{ ledger_id: travel, key: 'ebitda', value: 'perhaps' }], 400, /perhaps is not a value of ebitda; it takes operating, adjustment/],
    ['a ledger twice', () => [{ ledger_id: rent, key: 'ebitda', value: 'interest' }], 400, /Rent is given a value of ebitda twice/],
    ['an empty value', () => [{ ledger_id: travel, key: 'ebitda', value: '' }], 422, null],
  ])('refuses %s, and everything beside it', async (_, wrong, status, detail) => {
    const before = (await client.get(at)).data
    const answer = await map({ ledger_id: rent, key: 'ebitda', value: 'operating' }, ...wrong())
    expect(answer.status).toBe(status)
    if (detail) expect(answer.detail).toMatch(detail)
    expect((await client.get(at)).data).toEqual(before)
  })

  it('takes thousands at once, and not more than five', async () => {
    const { key } = await newKey({ value_kind: 'text', allowed_values: undefined })
    const ledgers = (await client.get(at, { archived: 'all' })).data.rows.map(({ ledger_id }: any) => ledger_id as string)
    const answer = await map(...ledgers.map((ledger_id: string) => ({ ledger_id, key, value: 'any text' })))
    expect(answer.data.unmapped[key]).toBe(0)
    expect((await map(...Array.from({ length: 5001 }, () => ({ ledger_id: rent, key, value: 'x' })))).status).toBe(422)
    expect((await map()).status).toBe(422)
  })

  it('loses nothing of two who write at once', async () => {
    const { key } = await newKey()
    const rename = client.put(`${at}/key-types/${key}`, { name: 'Renamed' })
    const answers = await Promise.all([map({ ledger_id: rent, key, value: 'a' }), map({ ledger_id: travel, key, value: 'b' }), rename])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const table = (await client.get(at)).data
    expect([rowOf(table, rent).values[key], rowOf(table, travel).values[key]]).toEqual(['a', 'b'])
  })

  it('of a value and the end of that value leaves no value that is not allowed', async () => {
    const { key } = await newKey()
    const answers = await Promise.all([map({ ledger_id: rent, key, value: 'c' }), client.put(`${at}/key-types/${key}`, { allowed_values: [{ value: 'a' }] })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it('filters by type and by what is archived', async () => {
    const archived = (await client.post('/ledgers', { name: 'Forgotten', type: 'expense', subtype: 'operating' })).data.id
    await client.put(`/ledgers/${archived}/archive`)
    const types = (await client.get(at, { type: 'income' })).data.rows.map(({ type }: any) => type)
    expect([types.length > 0, new Set(types).size]).toEqual([true, 1])
    expect(rowOf((await client.get(at)).data, archived)).toBeUndefined()
    expect((await client.get(at, { archived: 'true' })).data.rows.map(({ ledger_id }: any) => ledger_id)).toEqual([archived])
    expect(rowOf((await client.get(at, { archived: 'all' })).data, archived)).toBeDefined()
    expect((await client.get(at, { type: 'other' })).status).toBe(422)
  })

  it('is exported with a column per key, formulas made harmless', async () => {
    const { key } = await newKey({ value_kind: 'text', allowed_values: undefined })
    await map({ ledger_id: rent, key, value: '=1+1' })
    const { status, headers, body } = await client.get(`${at}/export.csv`, { type: 'expense' })
    expect([status, headers.get('content-type'), headers.get('content-disposition')])
      .toEqual([200, 'text/csv; charset=utf-8', 'attachment; filename="managerial-key-mappings.csv"'])
    const [header, ...lines] = body.split('\r\n')
    expect(header).toMatch(/^number,name,type,function,cost_behavior,ebitda,board_line,/)
    const column = header.split(',').indexOf(key)
    const line = lines.find((text: string) => text.startsWith('6100,Rent,expense,'))
    expect(line.split(',')[column]).toBe("'=1+1")
    expect(body).not.toContain('4000,Sales')
  })

  it('is read by everyone and written by accountants of the business, which the path names', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.get(at)).status).toBe(200)
    expect((await viewer.client.put(at, { mappings: [{ ledger_id: rent, key: 'ebitda', value: null }] })).status).toBe(403)
    expect((await clientOf(team.owner.token).get(at)).status).toBe(200)
    expect((await clientOf(team.owner.token, newId()).get(at)).status).toBe(400)
    expect((await (await newBusiness()).owner.client.get(at)).status).toBe(403)
  })

  it('loses the row of a ledger that is deleted', async () => {
    const { key } = await newKey()
    const ledger_id = (await client.post('/ledgers', { name: 'Short-lived', type: 'expense', subtype: 'operating' })).data.id
    await map({ ledger_id, key, value: 'a' })
    expect((await client.delete(`/ledgers/${ledger_id}`)).status).toBe(200)
    expect((await client.get(`${at}/key-types`)).data.find((type: any) => type.key === key).mapped_count).toBe(0)
  })
})

describe('for reports', () => {
  it('each ledger has the value that counts, and each key its values in order', async () => {
    const { key } = await newKey()
    await map({ ledger_id: rent, key, value: 'b' })
    const [values, order] = await inside(team.business_id, async (tx) => [await valuesByLedger(tx, key), await valuesOfKey(tx, key)] as const)
    expect([values.get(rent), values.get(travel)]).toEqual(['b', null])
    expect(order.map(({ value }) => value)).toEqual(['a', 'b', 'c'])
    await client.put(`${at}/key-types/${key}`, { value_kind: 'text' })
    await map({ ledger_id: travel, key, value: 'a' })
    expect((await inside(team.business_id, (tx) => valuesOfKey(tx, key))).map(({ value }) => value)).toEqual(['a', 'b'])
    await expect(inside(team.business_id, (tx) => valuesByLedger(tx, 'nothing'))).rejects.toThrow('Key nothing not found.')
  })
})
