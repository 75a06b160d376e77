// Widgets over HTTP: each is changed by itself, all are placed together, and nobody undoes another's work.
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Person, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let admin: Person
beforeAll(async () => {
  team = await newBusiness()
  admin = await newMember(team.business_id, 'admin')
})

const REVENUE = { kind: 'metric', query: { metric: 'revenue' } }
async function newBoard(count = 2) {
  const { data } = await team.client.post('/dashboards', { name: 'Board', visibility: 'business', widgets: Array.from({ length: count }, () => REVENUE) })
  return { ...data, path: `/dashboards/${data.id}`, on: (index: number) => `/dashboards/${data.id}/widgets/${data.widgets[index].id}` }
}
const read = async (path: string) => (await team.client.get(path)).data

describe('a widget', () => {
  it('is added below the others, changed and removed; the board tells of it and keeps its version', async () => {
    const board = await newBoard()
    const added = await team.client.post(`${board.path}/widgets`, { kind: 'line', query: { metric: 'net_income', compare: 'prior_year' } })
    expect(added.data).toMatchObject({ kind: 'line', title: 'Net income', dashboard_id: board.id, y: 8, w: 6, h: 6, version: 1, text: null })
    const path = `${board.path}/widgets/${added.data.id}`
    const changed = await admin.client.patch(path, { title: 'Profit', kind: 'bar', x: 6 })
    expect(changed.data).toMatchObject({ title: 'Profit', kind: 'bar', x: 6, query: { metric: 'net_income', compare: 'prior_year' }, version: 2 })
    expect((await admin.client.patch(path, { title: 'Profit' })).data.version).toBe(2)
    expect((await team.client.patch(path, { kind: 'text', text: 'Now words' })).data)
      .toMatchObject({ kind: 'text', query: null, text: 'Now words', version: 3 })
    expect((await team.client.patch(path, { kind: 'aging' })).data).toMatchObject({ kind: 'aging', query: { metric: 'receivable' }, text: null, version: 4 })
    expect((await team.client.delete(path)).data.version).toBe(4)
    expect((await team.client.delete(path)).status).toBe(404)
    const after = await read(board.path)
    expect(after.widgets.map(({ id }: any) => id)).toEqual(board.widgets.map(({ id }: any) => id))
    expect(after.version).toBe(1)
    expect(after.updated_at > board.updated_at).toBe(true)
    expect(await eventsOf(board.id)).toEqual(['dashboard.created', ...Array(5).fill('dashboard.updated')])
  })

  it.each([
    ['an unknown metric', { query: { metric: 'luck' } }, 422, ['body', 'query', 'metric']],
    ['another kind without what it needs', { kind: 'text' }, 422, ['body', 'text']],
    ['no question any more', { query: null }, 422, ['body', 'query']],
    ['a place outside', { x: 12 }, 422, ['body', 'x']],
  ])('refuses %s', async (_, change, status, loc) => {
    const board = await newBoard(1)
    const answer = await team.client.patch(board.on(0), change)
    expect([answer.status, answer.detail[0].loc]).toEqual([status, loc])
  })

  it('refuses a place beyond the grid, another board’s widget, and a stale If-Match', async () => {
    const [board, other] = [await newBoard(1), await newBoard(1)]
    expect(await team.client.patch(board.on(0), { x: 10 })).toMatchObject({ status: 400, detail: expect.stringMatching(/beyond the 12 columns/) })
    expect((await team.client.patch(`${board.path}/widgets/${other.widgets[0].id}`, { title: 'x' })).status).toBe(404)
    expect((await team.client.delete(`${board.path}/widgets/${other.widgets[0].id}`)).status).toBe(404)
    expect((await team.client.patch(board.on(0), { title: 'x' }, { headers: { 'if-match': '"2"' } })).status).toBe(412)
    expect((await team.client.patch(board.on(0), { title: 'x' }, { headers: { 'if-match': '"1"' } })).status).toBe(200)
    expect(await team.client.post(`${board.path}/widgets`, { kind: 'bar', query: { metric: 'luck' } })).toMatchObject({ status: 422 })
  })
})

describe('at the same time', () => {
  it('people who change different widgets both succeed, and both are told of', async () => {
    const board = await newBoard(8)
    const headers = { 'if-match': '"1"' }
    const answers = await Promise.all(board.widgets.map((_: unknown, index: number) => (index % 2 ? admin : team).client.patch(board.on(index),
      { title: `Number ${index}` }, { headers })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const titles = (await read(board.path)).widgets.map(({ title, version }: any) => `${title} ${version}`).toSorted()
    expect(titles).toEqual(Array.from({ length: 8 }, (_, index) => `Number ${index} 2`))
    const [last] = await sql(`select data from events where resource_id = $1 order by seq desc limit 1`, [board.id])
    expect(last.data.widgets.filter(({ title }: any) => title.startsWith('Number'))).toHaveLength(8)
  })

  it('of two who change the same one the later is told so', async () => {
    const board = await newBoard(1)
    const answers = await Promise.all(['a', 'b'].map((title) => team.client.patch(board.on(0), { title }, { headers: { 'if-match': '"1"' } })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
  })

  it('a board takes no more than 40, however many come', async () => {
    const board = await newBoard(37)
    const answers = await Promise.all(Array.from({ length: 6 }, () => team.client.post(`${board.path}/widgets`, REVENUE)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 400, 400, 400])
    expect(answers.find(({ status }) => status === 400)?.detail).toMatch(/at most 40 widgets/)
    expect((await read(board.path)).widgets).toHaveLength(40)
  })

  it('a layout, a change and a removal do not lose each other', async () => {
    const board = await newBoard(3)
    const places = board.widgets.map(({ id }: any, index: number) => ({ id, x: index * 3, y: 0, w: 3, h: 5 }))
    const [layout, change, removal] = await Promise.all([
      team.client.put(`${board.path}/layout`, { widgets: places }), admin.client.patch(board.on(0), { title: 'Kept' }), team.client.delete(board.on(2)),
    ])
    expect([change.status, removal.status]).toEqual([200, 200])
    expect([200, 400]).toContain(layout.status)
    const after = await read(board.path)
    expect(after.widgets.find(({ id }: any) => id === board.widgets[0].id)).toMatchObject({ title: 'Kept', h: layout.status === 200 ? 5 : 4 })
    expect(after.widgets).toHaveLength(2)
  })
})

describe('a layout', () => {
  it('places all widgets at once; only those that move are changed', async () => {
    const board = await newBoard(2)
    const [first, second] = board.widgets
    const widgets = [{ id: second.id, x: 6, y: 0, w: 6, h: 4 }, { id: first.id, x: first.x, y: first.y, w: first.w, h: first.h }]
    const { data } = await team.client.put(`${board.path}/layout`, { widgets }, { headers: { 'if-match': '"1"' } })
    expect(data).toMatchObject({ version: 2, widgets: [{ id: first.id, version: 1 }, { id: second.id, x: 6, y: 0, w: 6, h: 4, version: 2 }] })
    expect((await team.client.put(`${board.path}/layout`, { widgets })).data.version).toBe(2)
    expect((await team.client.put(`${board.path}/layout`, { widgets }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
  })

  it('refuses a missing, a foreign and a doubled widget, and a place beyond the grid', async () => {
    const [board, other] = [await newBoard(2), await newBoard(1)]
    const [first, second] = board.widgets.map(({ id }: any) => ({ id, x: 0, y: 0, w: 3, h: 4 }))
    const put = (...widgets: object[]) => team.client.put(`${board.path}/layout`, { widgets })
    expect(await put(first)).toMatchObject({ status: 400, detail: expect.stringContaining(`${second.id}) is missing`) })
    expect(await put(first, second, { ...first, id: other.widgets[0].id }))
      .toMatchObject({ status: 400, detail: `${other.widgets[0].id} is no widget of this dashboard.` })
    expect(await put(first, second, { ...first, id: newId() })).toMatchObject({ status: 400, detail: expect.stringContaining('no widget of this dashboard') })
    expect(await put(first, second, first)).toMatchObject({ status: 400, detail: expect.stringContaining('two places') })
    expect(await put(first, { ...second, x: 10 })).toMatchObject({ status: 400, detail: expect.stringContaining('beyond the 12 columns') })
    expect((await read(board.path)).widgets.map(({ x, y }: any) => [x, y])).toEqual([[0, 0], [0, 4]])
  })
})
