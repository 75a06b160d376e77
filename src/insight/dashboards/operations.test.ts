// Dashboards over HTTP: who sees, makes and changes them, and the list that begins with the built-in ones.
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../../test/support/events.ts'
import { client, type Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let viewer: Person
let keeper: Person
let admin: Person
beforeAll(async () => {
  team = await newBusiness()
  ;[viewer, keeper, admin] = await Promise.all([newMember(team.business_id, 'viewer'), newMember(team.business_id, 'bookkeeper'), newMember(team.business_id,
    'admin')])
})

const REVENUE = { kind: 'metric', query: { metric: 'revenue' } }
async function newBoard(by: Client = team.client, more: object = {}) {
  const { status, data, body } = await by.post('/dashboards', { name: 'Board', widgets: [REVENUE], ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return data
}
const builtIn = async (key: string) => (await team.client.get('/dashboards')).data.items.find(({ built_in }: any) => built_in === key)
const refusal = ({ status, detail }: { status: number; detail: unknown }) => [status, detail]

describe('making', () => {
  it('gives a private board with its widgets below each other, the defaults filled in', async () => {
    const board = await newBoard(team.client, { widgets: [REVENUE, { kind: 'text', text: 'Words', title: 'Notes' }, { kind: 'aging' }] })
    expect(board).toMatchObject({
      name: 'Board', visibility: 'private', owner_id: team.owner.user_id, built_in: null, is_default: false, version: 1,
      filters: { period: 'fiscal_ytd', basis: null, dimension: [], comparison: 'none' },
      widgets: [
        { kind: 'metric', title: 'Revenue', query: { metric: 'revenue', group_by: null, period: null, compare: null, top: null, filters: {} }, x: 0, y: 0,
          w: 3, h: 4 },
        { kind: 'text', title: 'Notes', text: 'Words', query: null, y: 4 },
        { kind: 'aging', title: 'Receivables by age', query: { metric: 'receivable' }, y: 7, w: 12 },
      ],
    })
    const { as_of: _then, ...kept } = board
    expect((await team.client.get(`/dashboards/${board.id}`)).data).toMatchObject(kept)
    expect(await eventsOf(board.id)).toEqual(['dashboard.created'])
  })

  it.each([
    ['an unknown metric', { widgets: [REVENUE, { kind: 'line', query: { metric: 'luck' } }] }, 422, ['body', 'widgets', 1, 'query', 'metric']],
    ['a grouping that the metric has not', { widgets: [{ kind: 'bar', query: { metric: 'net_income', group_by: 'vendor' } }] }, 422, ['body', 'widgets', 0,
      'query', 'group_by']],
    ['a filter that it has not', { widgets: [{ kind: 'bar', query: { metric: 'cash_in', filters: { customer_id: newId() } } }] }, 422, ['body', 'widgets', 0,
      'query', 'filters', 'customer_id']],
    ['a chart without a question', { widgets: [{ kind: 'bar' }] }, 422, ['body', 'widgets', 0, 'query']],
    ['a text without words', { widgets: [{ kind: 'text' }] }, 422, ['body', 'widgets', 0, 'text']],
    ['words on a chart', { widgets: [{ ...REVENUE, text: 'No' }] }, 422, ['body', 'widgets', 0, 'text']],
    ['a question of a text', { widgets: [{ kind: 'text', text: 'a', query: { metric: 'revenue' } }] }, 422, ['body', 'widgets', 0, 'query']],
    ['payables by age', { widgets: [{ kind: 'aging', query: { metric: 'payable' } }] }, 422, ['body', 'widgets', 0, 'query']],
    ['a kind that is none', { widgets: [{ kind: 'pie' }] }, 422, ['body', 'widgets', 0, 'kind']],
    ['no name', { name: '' }, 422, ['body', 'name']],
  ])('refuses %s', async (_, wrong, status, loc) => {
    const answer = await team.client.post('/dashboards', { name: 'Board', ...wrong })
    expect([answer.status, answer.detail[0].loc]).toEqual([status, loc])
  })

  it.each([
    ['41 widgets', { widgets: Array.from({ length: 41 }, () => REVENUE) }, 400, /at most 40 widgets/],
    ['a widget beyond the grid', { widgets: [{ ...REVENUE, x: 10, w: 3 }] }, 400, /beyond the 12 columns/],
    ['budgets that do not exist', { filters: { comparison: 'budget' } }, 400, /no budgets yet/],
    ['a dimension value that is not there', { filters: { dimension: [newId()] } }, 404, /Dimension value .* not found/],
    ['a customer that is not there', { widgets: [{ kind: 'metric', query: { metric: 'revenue', filters: { customer_id: newId() } } }] }, 404,
      /Customer .* not found/],
  ])('refuses %s', async (_, wrong, status, detail) => {
    expect(await team.client.post('/dashboards', { name: 'Board', ...wrong })).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })

  it('40 widgets are not too many', async () => {
    expect((await newBoard(team.client, { widgets: Array.from({ length: 40 }, () => REVENUE) })).widgets).toHaveLength(40)
  })

  it('for the business is not for viewers, who may have their own', async () => {
    const shown = await viewer.client.post('/dashboards', { name: 'For all', visibility: 'business' })
    expect(refusal(shown)).toEqual([403, 'As viewer you may have private dashboards only.'])
    const own = await newBoard(viewer.client)
    expect((await viewer.client.put(`/dashboards/${own.id}`, { visibility: 'business' })).status).toBe(403)
    expect((await viewer.client.put(`/dashboards/${own.id}`, { name: 'Mine' })).data).toMatchObject({ name: 'Mine', version: 2 })
    const scoped = client(await newToken(team.owner, ['dashboards:read']), team.business_id)
    expect((await scoped.post('/dashboards', { name: 'No' })).status).toBe(403)
  })
})

describe('a private board', () => {
  it('is there for its owner alone, whatever others are', async () => {
    const board = await newBoard(keeper.client, { name: 'Secret plan' })
    const widget = board.widgets[0].id
    for (const by of [team.client, admin.client, viewer.client, (await newBusiness()).client]) {
      const path = `/dashboards/${board.id}`
      const calls = [
        by.get(path), by.put(path, { name: 'x' }), by.delete(path), by.post(`${path}/duplicate`, {}), by.put(`${path}/default`), by.get(`${path}/data`),
        by.get(`${path}/widgets/${widget}`), by.patch(`${path}/widgets/${widget}`, { title: 'x' }), by.delete(`${path}/widgets/${widget}`),
        by.post(`${path}/widgets`, REVENUE), by.put(`${path}/layout`, { widgets: [] }), by.get(`${path}/shares`), by.post(`${path}/shares`, {}),
        by.post(`${path}/export`, { format: 'pdf' }),
      ]
      const expected = by === viewer.client ? new Set(['404 Dashboard not found.',
        '403 As viewer you may not show dashboards to the world.']) : new Set(['404 Dashboard not found.'])
      expect(new Set((await Promise.all(calls)).map(({ status, detail }) => `${status} ${detail}`))).toEqual(expected)
      expect((await by.get('/dashboards', { q: 'secret' })).data.items).toEqual([])
    }
    // The history, which others read, says no more than that it is there.
    await keeper.client.put(`/dashboards/${board.id}`, { name: 'Another secret' })
    const events = (await viewer.client.get('/events', { resource_id: board.id })).data.items
    expect(events).toHaveLength(2)
    expect(JSON.stringify(events)).not.toMatch(/secret|revenue/i)
    expect((await team.client.post('/notes', { resource_type: 'dashboard', resource_id: board.id, body: 'Hm' })).status).toBe(404)
  })

  it('shown to the business is seen by all and changed by its owner and admins', async () => {
    const board = await newBoard(keeper.client, { visibility: 'business' })
    expect((await viewer.client.get(`/dashboards/${board.id}`)).data).toMatchObject({ id: board.id, owner_id: keeper.user_id })
    const accountant = await newMember(team.business_id, 'accountant')
    for (const by of [viewer.client, accountant.client]) {
      const sentence = 'Only its owner or an admin can change a dashboard: duplicate it.'
      expect(refusal(await by.put(`/dashboards/${board.id}`, { name: 'x' }))).toEqual([403, sentence])
      expect(refusal(await by.delete(`/dashboards/${board.id}`))).toEqual([403, sentence])
      expect(refusal(await by.patch(`/dashboards/${board.id}/widgets/${board.widgets[0].id}`, { title: 'x' }))).toEqual([403, sentence])
      expect(refusal(await by.put(`/dashboards/${board.id}/layout`, { widgets: [] }))).toEqual([403, sentence])
    }
    expect((await admin.client.put(`/dashboards/${board.id}`, { filters: { basis: 'cash' } })).data).toMatchObject({
      filters: { period: 'fiscal_ytd', basis: 'cash' }, owner_id: keeper.user_id, version: 2,
    })
    expect((await keeper.client.put(`/dashboards/${board.id}`, { filters: { basis: null } })).data.filters.basis).toBeNull()
    expect((await keeper.client.put(`/dashboards/${board.id}`, { name: 'Board' })).data.version).toBe(3)
    expect((await keeper.client.put(`/dashboards/${board.id}`, { name: 'x' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect(await eventsOf(board.id)).toEqual(['dashboard.created', 'dashboard.updated', 'dashboard.updated'])
    expect((await team.client.post('/notes', { resource_type: 'dashboard', resource_id: board.id, body: 'Look' })).status).toBe(201)
    // Whose board it was and has become a viewer shows the business nothing more.
    await sql(`update memberships set role = 'viewer' where business_id = $1 and user_id = $2`, [team.business_id, keeper.user_id])
    expect((await keeper.client.put(`/dashboards/${board.id}`, { name: 'x' })).status).toBe(403)
    await sql(`update memberships set role = 'bookkeeper' where business_id = $1 and user_id = $2`, [team.business_id, keeper.user_id])
    expect((await admin.client.delete(`/dashboards/${board.id}`)).status).toBe(200)
    expect((await keeper.client.get(`/dashboards/${board.id}`)).status).toBe(404)
    expect(await sql('select 1 from dashboard_widgets where dashboard_id = $1', [board.id])).toEqual([])
  })
})

describe('a built-in board', () => {
  it('is the same for everybody, and cannot be changed', async () => {
    const cash = await builtIn('cash')
    const { data } = await viewer.client.get(`/dashboards/${cash.id}`)
    expect(data).toMatchObject({ built_in: 'cash', owner_id: null, visibility: 'business' })
    const path = `/dashboards/${cash.id}`
    const widget = `${path}/widgets/${data.widgets[0].id}`
    const by = team.client
    const calls = [by.put(path, { name: 'x' }), by.delete(path), by.post(`${path}/widgets`, REVENUE), by.patch(widget, { title: 'x' }), by.delete(widget),
      by.put(`${path}/layout`, { widgets: [] })]
    const sentence = '400 The dashboard Cash comes with the service and cannot be changed: duplicate it.'
    expect(new Set((await Promise.all(calls)).map(({ status, detail }) => `${status} ${detail}`))).toEqual(new Set([sentence]))
  })

  it('duplicated is a private board of one’s own', async () => {
    const owner = await builtIn('owner')
    const copy = (await viewer.client.post(`/dashboards/${owner.id}/duplicate`, {})).data
    expect(copy).toMatchObject({ name: 'Copy of Owner', visibility: 'private', owner_id: viewer.user_id, built_in: null, version: 1, filters: owner.filters })
    const { widgets } = (await viewer.client.get(`/dashboards/${owner.id}`)).data
    expect(copy.widgets.map(({ kind, query, x, y }: any) => ({ kind, query, x, y })))
      .toEqual(widgets.map(({ kind, query, x, y }: any) => ({ kind, query, x, y })))
    expect((await viewer.client.delete(`/dashboards/${copy.id}/widgets/${copy.widgets[0].id}`)).status).toBe(200)
    expect((await viewer.client.post(`/dashboards/${copy.id}/duplicate`, { name: 'Again' })).data)
      .toMatchObject({ name: 'Again', widgets: { length: widgets.length - 1 } })
  })
})

describe('the default', () => {
  it('is everybody’s own, and the built-in one for owners until another is chosen', async () => {
    const seen = async (by: Client) => (await by.get('/dashboards',
      { limit: 1000 })).data.items.filter(({ is_default }: any) => is_default).map(({ id }: any) => id)
    const [owner, close] = [(await builtIn('owner')).id, (await builtIn('close')).id]
    expect(await seen(admin.client)).toEqual([owner])
    const board = await newBoard(team.client, { visibility: 'business' })
    expect((await admin.client.put(`/dashboards/${board.id}/default`)).data).toMatchObject({ id: board.id, is_default: true })
    expect((await viewer.client.put(`/dashboards/${close}/default`)).data.is_default).toBe(true)
    expect([await seen(admin.client), await seen(viewer.client), await seen(keeper.client)]).toEqual([[board.id], [close], [owner]])
    expect((await admin.client.get(`/dashboards/${board.id}`)).data.is_default).toBe(true)
    // What somebody sees no longer is not what they see first.
    await team.client.put(`/dashboards/${board.id}`, { visibility: 'private' })
    expect(await seen(admin.client)).toEqual([owner])
    await team.client.put(`/dashboards/${board.id}/default`)
    expect((await team.client.delete(`/dashboards/${board.id}`)).data.is_default).toBe(true)
    expect(await seen(team.client)).toEqual([owner])
    expect(await sql('select 1 from dashboard_defaults where dashboard_id = $1', [board.id])).toEqual([])
  })
})

describe('the list', () => {
  it('has the built-in ones first, by filters and sorts, page by page both ways', async () => {
    const own = await newBusiness()
    const other = await newMember(own.business_id, 'bookkeeper')
    for (const name of ['Gamma', 'Alpha', 'Beta owner']) await newBoard(own.client, { name, visibility: 'business' })
    const mine = await newBoard(other.client, { name: 'Delta' })
    const names = async (by: Client, query: object) => (await by.get('/dashboards', query as never)).data.items.map(({ name }: any) => name)
    expect(await names(own.client, { sort_by: 'name', descending: false })).toEqual(['Owner', 'Cash', 'Close', 'Alpha', 'Beta owner', 'Gamma'])
    expect(await names(own.client, { sort_by: 'name' })).toEqual(['Owner', 'Cash', 'Close', 'Gamma', 'Beta owner', 'Alpha'])
    expect(await names(other.client, {})).toEqual(['Owner', 'Cash', 'Close', 'Delta', 'Beta owner', 'Alpha', 'Gamma'])
    expect(await names(other.client, { visibility: 'private' })).toEqual(['Delta'])
    expect(await names(other.client, { visibility: 'business', sort_by: 'name', descending: false }))
      .toEqual(['Owner', 'Cash', 'Close', 'Alpha', 'Beta owner', 'Gamma'])
    expect(await names(other.client, { owner: other.user_id })).toEqual([mine.name])
    expect(await names(own.client, { owner: other.user_id })).toEqual([])
    expect(await names(own.client, { q: 'OWNER' })).toEqual(['Owner', 'Beta owner'])
    expect(await names(own.client, { q: 'delta' })).toEqual([])
    expect((await own.client.get('/dashboards', { include_total_count: true })).data.total).toBe(6)

    const all = await names(own.client, { sort_by: 'name' })
    for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
      const [seen, back]: [string[][], string[][]] = [[], []]
      let page: any = (await own.client.get('/dashboards', { sort_by: 'name', limit })).data
      for (;;) {
        seen.push(page.items.map(({ name }: any) => name))
        expect(page.has_next).toBe(page.next_cursor !== null)
        if (!page.has_next) break
        page = (await own.client.get('/dashboards', { sort_by: 'name', limit, cursor: page.next_cursor })).data
      }
      expect(seen.flat(), `limit ${limit}`).toEqual(all)
      expect(seen.slice(0, -1).every(({ length }) => length === limit)).toBe(true)
      for (; page.has_prev;) {
        page = (await own.client.get('/dashboards', { sort_by: 'name', limit, cursor: page.prev_cursor, direction: 'prev' })).data
        back.unshift(page.items.map(({ name }: any) => name))
        expect(page.has_next).toBe(true)
      }
      expect(back.flat(), `limit ${limit}, back`).toEqual(all.slice(0, all.length - (seen.at(-1)?.length ?? 0)))
    }
    const first = (await own.client.get('/dashboards', { limit: 2 })).data
    expect((await own.client.get('/dashboards', { limit: 2, sort_by: 'name', cursor: first.next_cursor })).status).toBe(400)
    expect((await team.client.get('/dashboards', { limit: 2, cursor: first.next_cursor })).status).toBe(400)
    expect((await own.client.get('/dashboards', { limit: 2, cursor: 'built-in.99.xxxxxxxxxxx' })).status).toBe(400)
  })
})
