// Tests of the list of todos: paging while rows come and go, cursors, filters and the summary.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Call, Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

type Query = NonNullable<Call['query']>
type Row = { id: string; due_date: string | null; priority_rank: number; created_at: Date }

/** Rows as the service writes them, much faster; every fifth has no due date, and several share one. */
function addTodos(business_id: string, count: number): Promise<Row[]> {
  return sql(
    `insert into todos (business_id, id, title, due_date, priority, checklist, tags, status, source, created_at, updated_at, version)
     select $1, gen_random_uuid(), 'Todo ' || n, case when random() < 0.8 then date '2026-01-01' + (random() * 40)::int end,
       (array['low', 'normal', 'high', 'urgent'])[1 + (random() * 3)::int], '[]', '{}', 'open', 'manual',
       timestamptz '2026-01-01' + (random() * 60)::int * interval '1 second', now(), 1
     from generate_series(1, $2::int) n returning id, due_date::text, priority_rank, created_at`,
    [business_id, count])
}

describe('walking a list that changes', () => {
  let team: Team
  let stable: Row[]
  let doomed: Row[]
  beforeAll(async () => {
    team = await newBusiness()
    stable = await addTodos(team.business_id, 250)
    doomed = await addTodos(team.business_id, 120)
  })

  /** Page after page in one direction; between two pages rows come and go, the one at the edge of the page among them. */
  async function walk(query: Query, direction: 'next' | 'prev'): Promise<string[]> {
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const { data } = await team.client.get('/todos', { ...query, direction, ...(cursor ? { cursor } : {}) })
      const ids: string[] = data.items.map((todo: { id: string }) => todo.id)
      if (direction === 'next') pages.push(ids)
      else pages.unshift(ids)
      const edge = doomed.findIndex((row) => row.id === (direction === 'next' ? ids.at(-1) : ids[0]))
      const [victim] = doomed.splice(Math.max(edge, 0), 1)
      await sql('delete from todos where business_id = $1 and id = $2', [team.business_id, victim?.id])
      doomed.push(...(await addTodos(team.business_id, 2)))
      cursor = direction === 'next' ? data.next_cursor : data.prev_cursor
      expect([data.has_next, data.has_prev]).toEqual([data.next_cursor !== null, data.prev_cursor !== null])
    } while (cursor)
    return pages.flat()
  }

  const keys = { due_date: (row: Row) => row.due_date, priority: (row: Row) => row.priority_rank, created_at: (row: Row) => row.created_at.getTime() }

  /** The order that the list promises: by the sort, then by id, rows without a value last both ways. */
  function inOrder(rows: Row[], sort_by: keyof typeof keys, descending: boolean): string[] {
    const compare = (a: Row, b: Row): number => {
      const [x, y] = [keys[sort_by](a), keys[sort_by](b)]
      if ((x === null) !== (y === null)) return x === null ? 1 : -1
      const way = x === y || x === null || y === null ? (a.id < b.id ? -1 : 1) : x < y ? -1 : 1
      return descending ? -way : way
    }
    return rows.toSorted(compare).map((row) => row.id)
  }

  it.each([
    ['due_date', true, 'next', 17], ['due_date', true, 'prev', 17], ['due_date', false, 'next', 23], ['due_date', false, 'prev', 23],
    ['priority', true, 'next', 60], ['created_at', false, 'prev', 60],
  ] as const)('by %s, descending %s, %s, %i at a time: every row that stays is seen once, in order', async (sort_by, descending, direction, limit) => {
    const seen = await walk({ sort_by, descending, limit }, direction)
    expect(new Set(seen).size).toBe(seen.length)
    const staying = new Set(stable.map((row) => row.id))
    expect(seen.filter((id) => staying.has(id))).toEqual(inOrder(stable, sort_by, descending))
  })

  it('turning round shows the page before', async () => {
    const query = { sort_by: 'due_date', limit: 40 }
    const first = (await team.client.get('/todos', query)).data
    const second = (await team.client.get('/todos', { ...query, cursor: first.next_cursor })).data
    const back = (await team.client.get('/todos', { ...query, cursor: second.prev_cursor, direction: 'prev' })).data
    expect(back.items).toEqual(first.items)
    expect(back).toMatchObject({ has_prev: false, prev_cursor: null, has_next: true })
  })

  it('a cursor works only where it was made', async () => {
    const { next_cursor: cursor } = (await team.client.get('/todos', { limit: 5 })).data
    const status = async (client: Client, query: Query) => (await client.get('/todos', { limit: 5, cursor, ...query })).status
    expect(await status(team.client, {})).toBe(200)
    expect(await status(team.client, { sort_by: 'priority' })).toBe(400)
    expect(await status(team.client, { descending: false })).toBe(400)
    expect(await status(team.client, { status: 'open' })).toBe(400)
    expect(await status((await newBusiness()).client, {})).toBe(400)
    expect(await status(team.client, { cursor: 'broken' })).toBe(400)
    expect(await status(team.client, { cursor: `${cursor.slice(0, -4)}AAAA` })).toBe(400)
    expect(await status(team.client, { sort_by: 'title' })).toBe(422)
    expect(await status(team.client, { limit: 0 })).toBe(422)
  })
})

describe('filters and the summary', () => {
  afterEach(async () => (await service()).clock.set(null))

  it('pick what they name', async () => {
    const { client, business_id, owner } = await newBusiness()
    const helper = await newMember(business_id, 'bookkeeper')
    const add = async (title: string, more: object = {}) => (await client.post('/todos', { title, ...more })).data.id as string
    const about = await add('plain')
    await add('mine', { assignee_id: owner.user_id, priority: 'urgent', due_date: '2026-01-10' })
    await add('theirs', { assignee_id: helper.user_id, tags: ['tax'], due_date: '2999-01-20' })
    await add('linked', { resource_type: 'todo', resource_id: about, priority: 'low' })
    await client.put(`/todos/${await add('finished', { due_date: '2026-01-05' })}/complete`)

    const titles = async (query: Query): Promise<string[]> =>
      (await client.get('/todos', { ...query, sort_by: 'created_at', descending: false })).data.items.map((todo: { title: string }) => todo.title)
    expect(await titles({ status: ['done', 'canceled'] })).toEqual(['finished'])
    expect(await titles({ status: 'done,open' })).toHaveLength(5)
    expect(await titles({ assignee_id: 'me' })).toEqual(['mine'])
    expect(await titles({ assignee_id: helper.user_id.toUpperCase() })).toEqual(['theirs'])
    expect(await titles({ due_before: '2026-01-10' })).toEqual(['finished'])
    expect(await titles({ due_after: '2026-01-05' })).toEqual(['mine', 'theirs'])
    expect(await titles({ overdue: true })).toEqual(['mine'])
    expect(await titles({ overdue: false })).toHaveLength(5)
    expect(await titles({ priority: ['low', 'urgent'] })).toEqual(['mine', 'linked'])
    expect(await titles({ tag: 'tax' })).toEqual(['theirs'])
    expect(await titles({ source: 'close' })).toEqual([])
    expect(await titles({ resource_type: 'todo', resource_id: about })).toEqual(['linked'])
    expect((await client.get('/todos', { include_total_count: true, limit: 1, status: 'open' })).data).toMatchObject({ total: 4, limit: 1, has_next: true })
    const wrong: Query[] = [{ assignee_id: 'you' }, { status: 'lost' }, { due_before: 'soon' }, { resource_id: 'x' }]
    expect(await Promise.all(wrong.map(async (query) => (await client.get('/todos', query)).status))).toEqual([422, 422, 422, 422])
  })

  it('counts what each has open, by the date of the business', async () => {
    // Wednesday in New York, Thursday in London.
    const { clock } = await service()
    clock.set('2026-03-05T03:00:00Z')
    const { client, business_id } = await newBusiness()
    const helper = await newMember(business_id, 'bookkeeper', 'Hal Helper')
    const add = (due_date: string | null, assignee_id: string | null) => client.post('/todos', { title: newId(), due_date, assignee_id })
    for (const due_date of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-08', '2026-03-09', null]) await add(due_date, helper.user_id)
    const started = await add('2026-03-04', null)
    await client.put(`/todos/${started.data.id}/start`)
    await client.put(`/todos/${(await add('2026-03-04', null)).data.id}/complete`)
    expect((await client.get('/todos/summary')).data).toEqual([
      { assignee_id: helper.user_id, assignee_name: 'Hal Helper', open: 7, overdue: 3, due_this_week: 4 },
      { assignee_id: null, assignee_name: null, open: 1, overdue: 0, due_this_week: 1 },
    ])
  })
})
