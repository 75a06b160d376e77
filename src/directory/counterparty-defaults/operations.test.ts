import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, newMember, newToken, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { HumanChoice } from './contract.ts'
import { defaultsFor, learn, noteApplied, noteCorrected } from './operations.ts'

let team: Team
let other: Team
let chart: Awaited<ReturnType<typeof chartOf>>
const at = { rent: '', software: '', bank: '' }

beforeAll(async () => {
  team = await newBusiness()
  other = await newBusiness()
  chart = await chartOf(team.business_id)
  const ledgers = (await team.client.get('/ledgers', { limit: 200 })).data.items
  const expenses = ledgers.filter((one: any) => one.type === 'expense' && one.posting && one.role === null)
  Object.assign(at, { rent: expenses[0].id, software: expenses[1].id, bank: ledgers.find((one: any) => one.is_bank).id })
})

const create = (body: object) => team.client.post('/counterparty-defaults', { counterparty: `Party ${newId()}`, ledger_id: at.rent, ...body })
const read = async (counterparty: string) => (await team.client.get('/counterparty-defaults', { counterparty })).data.items
const events = async (id: string) => (await team.client.get('/events', { resource_id: id })).data.items.map(({ type }: any) => type)

describe('defaults', () => {
  it('are made, listed, changed and deleted', async () => {
    const made = await create({ counterparty: ' Landlord & Co. ', memo: 'Rent' })
    expect(made).toMatchObject({ status: 201, data: { counterparty: 'Landlord & Co.', direction: 'any', bank_ledger_id: null, auto_apply: false, source: 'manual', applied_count: 0, problem: null } })
    expect(await read('LANDLORD co')).toMatchObject([{ id: made.data.id }])
    const changed = await team.client.patch(`/counterparty-defaults/${made.data.id}`, { memo: null, auto_apply: true, direction: 'out' })
    expect(changed.data).toMatchObject({ memo: null, auto_apply: true, direction: 'out', version: 2 })
    const same = await team.client.patch(`/counterparty-defaults/${made.data.id}`, { auto_apply: true })
    expect(same.data.version).toBe(2)
    expect((await team.client.patch(`/counterparty-defaults/${made.data.id}`, { memo: 'x' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await team.client.delete(`/counterparty-defaults/${made.data.id}`)).status).toBe(200)
    expect(await read('landlord co')).toEqual([])
    expect((await team.client.delete(`/counterparty-defaults/${made.data.id}`)).status).toBe(404)
    expect((await events(made.data.id)).toSorted()).toEqual(['counterparty_default.created', 'counterparty_default.deleted', 'counterparty_default.updated'])
  })

  it('filter and sort', async () => {
    const [one, two] = [await create({ direction: 'in', auto_apply: true }), await create({ ledger_id: at.software, direction: 'out' })]
    const ids = async (query: Record<string, string | boolean>) => (await team.client.get('/counterparty-defaults', query)).data.items.map(({ id }: any) => id)
    expect(await ids({ ledger_id: at.software })).toEqual([two.data.id])
    expect(await ids({ direction: 'in' })).toContain(one.data.id)
    expect(await ids({ auto_apply: true })).not.toContain(two.data.id)
    expect(await ids({ source: 'learned' })).not.toContain(one.data.id)
    expect(await ids({ q: one.data.counterparty.slice(8, 30) })).toEqual([one.data.id])
    for (const sort_by of ['counterparty', 'applied_count', 'created_at']) expect(await ids({ sort_by })).toContain(two.data.id)
  })

  it('tell banking that they are to be applied to what is there', async () => {
    const made = await create({ apply_to_existing: true })
    const [event] = (await team.client.get('/events', { resource_id: made.data.id })).data.items
    expect(event).toMatchObject({ type: 'counterparty_default.created', data: { id: made.data.id, apply_to_existing: true } })
    const [plain] = (await team.client.get('/events', { resource_id: (await create({})).data.id })).data.items
    expect(plain.data.apply_to_existing).toBeUndefined()
  })

  it('are one per counterparty, direction and cash ledger, also of two callers at once', async () => {
    const body = { counterparty: 'Twice Ltd', direction: 'out' }
    const answers = await Promise.all([create(body), create({ ...body, counterparty: 'TWICE, ltd' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect((await create(body)).detail).toMatch(/has a default for this direction/)
    const elsewhere = await create({ ...body, bank_ledger_id: at.bank })
    expect(elsewhere.status).toBe(201)
    expect((await team.client.patch(`/counterparty-defaults/${elsewhere.data.id}`, { bank_ledger_id: null })).status).toBe(400)
  })
})

describe('what a default may name', () => {
  it.each([
    ['the receivables', () => ({ ledger_id: chart.role('accounts_receivable') }), 400, /documents/],
    ['the payables', () => ({ ledger_id: chart.role('accounts_payable') }), 400, /documents/],
    ['the stock', () => ({ ledger_id: chart.role('inventory') }), 400, /documents/],
    ['the tax', () => ({ ledger_id: chart.role('sales_tax_payable') }), 400, /documents/],
    ['a cash ledger', () => ({ ledger_id: at.bank }), 400, /transfer/],
    ['a ledger of nobody', () => ({ ledger_id: newId() }), 404, /Ledger/],
    ['an expense as cash ledger', () => ({ bank_ledger_id: at.rent }), 400, /not a cash ledger/],
    ['a tax code of nobody', () => ({ tax_code_id: newId() }), 404, /Tax code/],
    ['a customer of nobody', () => ({ customer_id: newId() }), 404, /Customer/],
    ['a ledger as tag', () => ({ tag_ids: [at.rent] }), 404, /Tag/],
    ['a vendor of nobody', () => ({ vendor_id: newId() }), 404, /vendor/],
    ['a project of nobody', () => ({ project_id: newId() }), 404, /Project/],
    ['a value of nobody', () => ({ dimension_value_ids: [newId()] }), 404, /Value/],
    ['a blank name', () => ({ counterparty: '  ' }), 422, /./],
  ])('refuses %s', async (_what, body, status, detail) => {
    const answer = await create(body())
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.detail)).toMatch(detail)
  })

  it('refuses an archived ledger, a heading, a ledger, customer or tag of another business', async () => {
    const theirs = await chartOf(other.business_id)
    expect((await create({ ledger_id: theirs.role('sales') })).status).toBe(404)
    const customer = await newCustomer(other.client)
    expect((await create({ customer_id: customer })).status).toBe(404)
    const heading = await team.client.post('/ledgers', { name: `Heading ${newId()}`, type: 'expense', subtype: 'operating', posting: false })
    expect((await create({ ledger_id: heading.data.id })).detail).toMatch(/heading/)
    const ledger = await team.client.post('/ledgers', { name: `Old ${newId()}`, type: 'expense', subtype: 'operating' })
    const made = await create({ ledger_id: ledger.data.id })
    await team.client.put(`/ledgers/${ledger.data.id}/archive`)
    expect((await create({ ledger_id: ledger.data.id })).detail).toMatch(/archived/)
    expect((await read(made.data.counterparty))[0].problem).toMatch(/archived/)
    const found = await inside(team.business_id, (tx) => defaultsFor(tx, [{ counterparty: made.data.counterparty, direction: 'out', bank_ledger_id: at.bank }]))
    expect(found).toEqual([null])
  })
})

const choice = (counterparty: string, more: Partial<HumanChoice> = {}): HumanChoice => ({
  counterparty, direction: 'out', bank_ledger_id: at.bank, ledger_id: at.rent, tax_code_id: null, customer_id: null, vendor_id: null, project_id: null,
  dimension_value_ids: [], ...more,
})

describe('whoever categorizes', () => {
  it('finds the most specific default of each', async () => {
    const counterparty = `Telco ${newId()}`
    const any = (await create({ counterparty })).data
    const out = (await create({ counterparty, direction: 'out' })).data
    const here = (await create({ counterparty, direction: 'out', bank_ledger_id: at.bank })).data
    const found = await inside(team.business_id, (tx) => defaultsFor(tx, [
      { counterparty: counterparty.toUpperCase(), direction: 'out', bank_ledger_id: at.bank },
      { counterparty, direction: 'out', bank_ledger_id: newId() },
      { counterparty, direction: 'in', bank_ledger_id: at.bank },
      { counterparty: 'somebody else', direction: 'in', bank_ledger_id: at.bank },
    ]))
    expect(found.map((one) => one?.id ?? null)).toEqual([here.id, out.id, any.id, null])
  })

  it('notes what was applied, and the second correction in a row stops it, once', async () => {
    const made = (await create({ auto_apply: true })).data
    const step = (work: Parameters<typeof inside>[1]) => inside(team.business_id, work)
    await step(async (tx) => noteApplied(tx, [made.id, made.id, made.id]))
    await step((tx) => noteCorrected(tx, [made.id]))
    expect((await read(made.counterparty))[0]).toMatchObject({ applied_count: 3, corrected_count: 1, auto_apply: true, version: 1 })
    await step((tx) => noteCorrected(tx, [made.id]))
    expect((await read(made.counterparty))[0]).toMatchObject({ corrected_count: 2, auto_apply: false, version: 2 })
    await step((tx) => noteCorrected(tx, [made.id]))
    expect(await events(made.id)).toHaveLength(2)
    await step((tx) => noteCorrected(tx, [newId()]))
  })

  it('teaches by three equal choices in a row', async () => {
    const name = `Cloud ${newId()}`
    const teach = (...choices: HumanChoice[]) => inside(team.business_id, (tx) => learn(tx, choices))
    await teach(choice(name), choice(name))
    await teach(choice(name, { ledger_id: at.software }))
    await teach(choice(name), choice(name))
    expect(await read(name)).toEqual([])
    await teach(choice(name.toUpperCase()))
    const [learned] = await read(name)
    expect(learned).toMatchObject({ source: 'learned', auto_apply: false, direction: 'out', bank_ledger_id: null, ledger_id: at.rent })
    await teach(choice(name), choice(name))
    expect((await read(name))[0].version).toBe(1)
    const other_way = { ledger_id: at.software }
    await teach(choice(name, other_way), choice(name, other_way), choice(name, other_way))
    expect((await read(name))[0]).toMatchObject({ id: learned.id, ledger_id: at.software, version: 2 })
    const edited = await team.client.patch(`/counterparty-defaults/${learned.id}`, { memo: 'Ours' })
    expect(edited.data.source).toBe('manual')
    await teach(...Array.from({ length: 5 }, () => choice(name)))
    expect((await read(name))[0]).toMatchObject({ ledger_id: at.software, source: 'manual' })
    await team.client.delete(`/counterparty-defaults/${learned.id}`)
    await teach(choice(name), choice(name))
    expect(await read(name)).toEqual([])
  })

  it('two who choose at once both count, and make one default', async () => {
    const name = `Both ${newId()}`
    await Promise.all(Array.from({ length: 4 }, () => inside(team.business_id, (tx) => learn(tx, [choice(name)]))))
    expect(await read(name)).toHaveLength(1)
  })
})

describe('who may', () => {
  it('viewers read, bookkeepers write, others see nothing', async () => {
    const made = (await create({})).data
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.get('/counterparty-defaults')).status).toBe(200)
    for (const answer of [
      await viewer.client.post('/counterparty-defaults', { counterparty: 'x', ledger_id: at.rent }),
      await viewer.client.patch(`/counterparty-defaults/${made.id}`, { memo: 'x' }),
      await viewer.client.delete(`/counterparty-defaults/${made.id}`),
    ]) expect(answer.status).toBe(403)
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await bookkeeper.client.patch(`/counterparty-defaults/${made.id}`, { memo: 'x' })).status).toBe(200)
    expect((await other.client.patch(`/counterparty-defaults/${made.id}`, { memo: 'x' })).status).toBe(404)
    expect((await other.client.delete(`/counterparty-defaults/${made.id}`)).status).toBe(404)
    expect((await other.client.get('/counterparty-defaults')).data.items).toEqual([])
    const token = await newToken(team.owner, ['counterparty-defaults:read'])
    const reader = client(token, team.business_id)
    expect((await reader.get('/counterparty-defaults')).status).toBe(200)
    expect((await reader.delete(`/counterparty-defaults/${made.id}`)).status).toBe(403)
    expect((await client(token, other.business_id).get('/counterparty-defaults')).status).toBe(403)
  })
})
