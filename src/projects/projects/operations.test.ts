import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { projectsByIds } from './operations.ts'

let team: Team
let made = 0
beforeAll(async () => {
  team = await newBusiness()
})

const create = (body: object) => team.client.post('/projects', body)
const code = () => `C${++made}`
const project = async (body: object = {}) => {
  const { data, detail } = await create({ name: 'Project', code: code(), ...body })
  expect(detail).toBeUndefined()
  return data
}
const contract = async (customer_id: string) => (await team.client.post('/contracts', { customer_id, title: 'Agreed', original_value: 1000, start_date: '2026-01-01' })).data
const events = async (id: string) => (await sql('select type from events where business_id = $1 and resource_id = $2 order by seq', [team.business_id, id])).map(({ type }) => type)

describe('a project', () => {
  it('is created planned, with defaults and tags, and told of', async () => {
    const { data: tag } = await team.client.post('/tags', { name: 'Roof' })
    const { status, data } = await create({ name: ' Roof ', code: ' ROOF ', percent_complete: '07.50', budget: { revenue: 5000 }, tag_ids: [tag.id] })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      name: 'Roof', code: 'ROOF', customer_id: null, contract_id: null, billing_method: 'time_and_materials', percent_complete: '7.5', parent_id: null,
      budget: { revenue: 5000, cost: null, minutes: null }, status: 'planned', tag_ids: [tag.id], income: 0, cost: 0, margin: 0, version: 1,
    })
    expect((await team.client.get(`/projects/${data.id}`)).data).toEqual(data)
    expect(await events(data.id)).toEqual(['project.created'])
  })

  it('takes the customer of its contract', async () => {
    const customer_id = await newCustomer(team.client)
    const { id: contract_id } = await contract(customer_id)
    expect(await project({ contract_id })).toMatchObject({ contract_id, customer_id })
  })

  it.each<[string, () => object | Promise<object>, number, RegExp]>([
    ['a code that is taken', async () => ({ code: (await project()).code.toLowerCase() }), 400, /Another project has this code/],
    ['a code that is too long', () => ({ code: 'x'.repeat(13) }), 422, /string_too_long/],
    ['an unknown customer', () => ({ customer_id: newId() }), 404, /of customer_id not found/],
    ['an archived customer', async () => {
      const customer_id = await newCustomer(team.client)
      await team.client.put(`/customers/${customer_id}/archive`)
      return { customer_id }
    }, 400, /is archived/],
    ['an unknown contract', () => ({ contract_id: newId() }), 404, /of contract_id not found/],
    ['a contract of another customer', async () => ({ customer_id: await newCustomer(team.client), contract_id: (await contract(await newCustomer(team.client))).id }), 400, /one of another customer/],
    ['a stranger as manager', () => ({ manager_id: newId() }), 404, /of manager_id not found/],
    ['an unknown parent', () => ({ parent_id: newId() }), 404, /of parent_id not found/],
    ['an end before the start', () => ({ start_date: '2026-02-01', end_date: '2026-01-31' }), 400, /lies before the start/],
    ['an unknown tag', () => ({ tag_ids: [newId()] }), 404, /Tag .* not found/],
    ['a percentage above 100', () => ({ percent_complete: '100.1' }), 422, /value_error/],
  ])('is refused with %s', async (_, body, status, detail) => {
    const answer = await create({ name: 'X', code: code(), ...(await body()) })
    expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringMatching(detail)])
  })

  it('is updated: absent stays, null clears, the budget one by one, tags as a whole', async () => {
    const [one, two] = [(await team.client.post('/tags', { name: 'One' })).data, (await team.client.post('/tags', { name: 'Two' })).data]
    const { user_id: manager_id } = await newMember(team.business_id, 'bookkeeper')
    const before = await project({ start_date: '2026-01-01', tag_ids: [one.id], budget: { revenue: 10, cost: 5 } })
    const { data } = await team.client.put(`/projects/${before.id}`, { start_date: null, manager_id, budget: { cost: null, minutes: 60 }, tag_ids: [two.id] })
    expect(data).toEqual({ ...before, start_date: null, manager_id, budget: { revenue: 10, cost: null, minutes: 60 }, tag_ids: [two.id], version: 2, updated_at: data.updated_at })
    expect((await team.client.put(`/projects/${before.id}`, { manager_id, tag_ids: [two.id], budget: { minutes: 60 } })).data.version).toBe(2)
    expect((await team.client.put(`/projects/${before.id}`, { tag_ids: [] })).data).toMatchObject({ version: 3, tag_ids: [] })
  })

  it('goes its ways, each once', async () => {
    const { id, code } = await project()
    const move = (status: string) => team.client.put(`/projects/${id}/status`, { status })
    expect((await move('planned')).data.version).toBe(1)
    expect((await move('on_hold')).detail).toBe(`The project ${code} is planned and can become active or archived, not on_hold.`)
    for (const status of ['active', 'on_hold', 'active', 'completed', 'active', 'completed', 'archived']) expect((await move(status)).data.status).toBe(status)
    expect((await move('archived')).data.version).toBe(8)
    expect((await move('active')).detail).toBe(`The project ${code} is archived and stays so, not active.`)
    expect(await events(id)).toEqual(['project.created', ...Array.from({ length: 7 }, () => 'project.status_changed')])
  })

  it('of two who move it at once, one finds it moved', async () => {
    const { id } = await project()
    await team.client.put(`/projects/${id}/status`, { status: 'active' })
    await team.client.put(`/projects/${id}/status`, { status: 'on_hold' })
    const answers = await Promise.all(['active', 'archived'].map((status) => team.client.put(`/projects/${id}/status`, { status })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it('lies below others, five deep and never in a circle', async () => {
    const chain = [await project()]
    for (let level = 2; level <= 5; level++) chain.push(await project({ parent_id: chain.at(-1).id }))
    const deep = await create({ name: 'X', code: code(), parent_id: chain.at(-1).id })
    expect([deep.status, deep.detail]).toEqual([400, 'Projects are at most 5 deep: choose a parent_id higher up.'])
    const circle = await team.client.put(`/projects/${chain[0].id}`, { parent_id: chain[2].id })
    expect(circle.detail).toBe(`The project ${chain[2].code} lies below ${chain[0].code}: it cannot be above it too.`)
    expect((await team.client.put(`/projects/${chain[0].id}`, { parent_id: chain[0].id })).status).toBe(400)
    const top = await project()
    expect((await team.client.put(`/projects/${chain[0].id}`, { parent_id: top.id })).detail).toContain('at most 5 deep')
    expect((await team.client.put(`/projects/${chain[1].id}`, { parent_id: top.id })).status).toBe(200)
  })

  it('two who hang each below the other do not make a circle', async () => {
    for (let times = 0; times < 5; times++) {
      const [one, two] = [await project(), await project()]
      const answers = await Promise.all([team.client.put(`/projects/${one.id}`, { parent_id: two.id }), team.client.put(`/projects/${two.id}`, { parent_id: one.id })])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    }
  })

  it('is deleted where it was never used', async () => {
    const { id } = await project()
    await team.client.post(`/projects/${id}/tasks`, { name: 'Task' })
    expect((await team.client.delete(`/projects/${id}`)).status).toBe(200)
    expect((await team.client.get(`/projects/${id}`)).status).toBe(404)
    const chart = await chartOf(team.business_id)
    const [posted, parent, agreed] = [await project(), await project(), await project()]
    await post(team.business_id, { date: '2026-01-10', lines: [{ ledger_id: chart.named('Rent'), amount: 100, project_id: posted.id }, [chart.named('Checking'), -100]] })
    await project({ parent_id: parent.id })
    await team.client.post('/contracts', { customer_id: await newCustomer(team.client), title: 'X', original_value: 1, start_date: '2026-01-01', project_id: agreed.id })
    for (const used of [posted, parent, agreed]) {
      const { status, detail } = await team.client.delete(`/projects/${used.id}`)
      expect([status, detail]).toEqual([400, `The project ${used.code} was used: archive it instead.`])
    }
  })

  it('is found by the door, and only in its business', async () => {
    const { id } = await project()
    const other = await newBusiness()
    const { data: foreign } = await other.client.post('/projects', { name: 'Foreign', code: 'F' })
    const found = await inside(team.business_id, (tx) => projectsByIds(tx, [id, foreign.id]))
    expect([...found.keys()]).toEqual([id])
  })
})

describe('figures', () => {
  let own: Team
  let project_id: string
  beforeAll(async () => {
    own = await newBusiness()
    const chart = await chartOf(own.business_id)
    project_id = (await own.client.post('/projects', { name: 'Figures', code: 'FIG', budget: { revenue: 100_000, cost: 50_000 } })).data.id
    const { data: other } = await own.client.post('/projects', { name: 'Other', code: 'OTH' })
    const [sales, rent, bank] = [chart.role('sales'), chart.named('Rent'), chart.named('Checking')]
    await post(
      own.business_id,
      { date: '2026-01-10', lines: [{ ledger_id: sales, amount: -30_000, project_id }, [bank, 30_000]] },
      { date: '2026-02-10', lines: [{ ledger_id: sales, amount: -20_000, project_id }, [bank, 20_000]] },
      { date: '2026-02-11', lines: [{ ledger_id: rent, amount: 12_500, project_id }, { ledger_id: bank, amount: -12_500, project_id }] },
      { date: '2026-02-12', lines: [{ ledger_id: rent, amount: 999, project_id: other.id }, [bank, -999]] },
      { date: '2026-02-13', lines: [[rent, 777], [bank, -777]] },
    )
  })

  it('come from the lines of the journal with the project', async () => {
    const { data } = await own.client.get(`/projects/${project_id}`)
    expect([data.income, data.cost, data.margin]).toEqual([50_000, 12_500, 37_500])
    const { data: { items } } = await own.client.get('/projects', { sort_by: 'code', descending: false })
    expect(items.map(({ code, income, cost }: { code: string; income: number; cost: number }) => [code, income, cost])).toEqual([['FIG', 50_000, 12_500], ['OTH', 0, 999]])
  })

  it('by ledger and month are what the profit and loss statement says', async () => {
    const { data } = await own.client.get(`/projects/${project_id}/profitability`)
    expect(data).toMatchObject({ income: 50_000, cost: 12_500, margin: 37_500, basis: 'accrual', from_month: null, to_month: null })
    expect(data.ledgers.map(({ name, total, months }: { name: string; total: number; months: object }) => [name, total, months])).toEqual([
      [expect.any(String), 50_000, [{ month: '2026-01', amount: 30_000 }, { month: '2026-02', amount: 20_000 }]],
      ['Rent', 12_500, [{ month: '2026-02', amount: 12_500 }]],
    ])
    const report = await own.client.get('/reports/profit-and-loss', { start_date: '2026-01-01', end_date: '2026-12-31', project_id })
    expect(JSON.stringify(report.data)).toContain('37500')
  })

  it('of some months only', async () => {
    const { data } = await own.client.get(`/projects/${project_id}/profitability`, { from_month: '2026-02', to_month: '2026-02', basis: 'cash' })
    expect([data.income, data.cost, data.margin]).toEqual([20_000, 12_500, 7_500])
    expect((await own.client.get(`/projects/${project_id}/profitability`, { from_month: '2026-03', to_month: '2026-02' })).status).toBe(400)
    expect((await own.client.get(`/projects/${project_id}/profitability`, { from_month: '2026-13' })).status).toBe(422)
  })

  it('against the budget', async () => {
    const { data } = await own.client.get(`/projects/${project_id}/budget`)
    expect(data).toEqual({
      project_id,
      revenue: { budget: 100_000, actual: 50_000, remaining: 50_000, percent_used: '50' },
      cost: { budget: 50_000, actual: 12_500, remaining: 37_500, percent_used: '25' },
    })
  })

  it('are tagged over HTTP too, with projects that are there', async () => {
    const chart = await chartOf(own.business_id)
    const entry = (project_id: string) => own.client.post('/journal-entries', {
      date: '2026-03-01', post: true,
      lines: [{ ledger_id: chart.named('Rent'), debit: 100, project_id }, { ledger_id: chart.named('Checking'), credit: 100 }],
    })
    const { data: { id } } = await own.client.post('/projects', { name: 'Tagged', code: 'TAG' })
    expect((await entry(newId())).status).toBe(404)
    expect((await entry(id)).status).toBe(201)
    expect((await own.client.get(`/projects/${id}`)).data.cost).toBe(100)
  })
})

describe('the list', () => {
  let own: Team
  let ids: Record<string, string>
  beforeAll(async () => {
    own = await newBusiness()
    const customer_id = await newCustomer(own.client)
    const { data: agreed } = await own.client.post('/contracts', { customer_id, title: 'X', original_value: 1, start_date: '2026-01-01' })
    const { data: tag } = await own.client.post('/tags', { name: 'Marked' })
    const make = async (body: object) => (await own.client.post('/projects', body)).data.id as string
    const a = await make({ name: 'alpha house', code: 'Z-1', end_date: '2026-05-01', contract_id: agreed.id })
    const b = await make({ name: 'Beta house', code: 'y-2', parent_id: a, manager_id: own.owner.user_id })
    await make({ name: 'gamma', code: 'X-3', end_date: '2026-04-01', tag_ids: [tag.id] })
    await own.client.put(`/projects/${b}/status`, { status: 'active' })
    ids = { customer_id, contract_id: agreed.id, manager_id: own.owner.user_id, parent_id: a, tag_id: tag.id }
  })

  it.each<[Record<string, string | boolean>, string]>([
    [{}, 'Z-1 y-2 X-3'],
    [{ sort_by: 'code' }, 'X-3 y-2 Z-1'],
    [{ sort_by: 'end_date' }, 'X-3 Z-1 y-2'],
    [{ sort_by: 'end_date', descending: true }, 'Z-1 X-3 y-2'],
    [{ status: 'active' }, 'y-2'],
    [{ status: 'active,planned' }, 'Z-1 y-2 X-3'],
    [{ customer_id: 'customer_id' }, 'Z-1'],
    [{ contract_id: 'contract_id' }, 'Z-1'],
    [{ manager_id: 'manager_id' }, 'y-2'],
    [{ parent_id: 'parent_id' }, 'y-2'],
    [{ tag_id: 'tag_id' }, 'X-3'],
    [{ code: 'Y-2' }, 'y-2'],
    [{ search: 'hou' }, 'Z-1 y-2'],
    [{ search: 'Y-2' }, 'y-2'],
    [{ updated_since: '2100-01-01T00:00:00Z' }, ''],
  ])('with %o shows %s', async (query, expected) => {
    const asked = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? ids[value] ?? value : value]))
    const { data } = await own.client.get('/projects', { descending: false, ...asked })
    expect(data.items.map((item: { code: string }) => item.code).join(' ')).toBe(expected)
  })

  it('is a file too', async () => {
    const { headers, body } = await own.client.get('/projects/export', { status: 'planned' })
    expect(headers.get('content-disposition')).toContain('projects.csv')
    const rows = body.trimEnd().split('\r\n').map((row: string) => row.split(',').slice(0, 6).join(','))
    expect(rows).toEqual(['Code,Name,Status,Billing method,Start date,End date', 'Z-1,alpha house,planned,time_and_materials,,2026-05-01', 'X-3,gamma,planned,time_and_materials,,2026-04-01'])
  })
})
