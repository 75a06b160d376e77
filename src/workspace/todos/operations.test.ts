// Tests of todos over HTTP, and of what the clock and leaving members do to them.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deliver, eventsOf } from '../../../test/support/events.ts'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { findBusiness } from '../../access/lookup.ts'
import { openLog } from '../../foundation/log.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Todo } from './contract.ts'
import { recordOverdueTodos } from './jobs.ts'
import { createTodo } from './operations.ts'

let team: Team
let client: Client
let bookkeeper: Person
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  bookkeeper = await newMember(team.business_id, 'bookkeeper')
})
afterEach(async () => (await service()).clock.set(null))

async function newTodo(more: object = {}, by: Client = client): Promise<Todo> {
  const answer = await by.post('/todos', { title: 'A todo', ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

/** In a transaction of the service itself, as jobs and the groups above have. */
async function inside<T>(work: (tx: BusinessTx) => Promise<T>): Promise<T> {
  const { database } = (await service()).program
  const business = await findBusiness(database, team.business_id)
  if (!business) throw new Error('The business is there.')
  return asSystem(database, business, 'test', work)
}

const seriesOf = (series_id: string | null): Promise<Todo[]> =>
  sql('select id, due_date::text, occurrence, status, assignee_id from todos where series_id = $1 order by occurrence', [series_id])

describe('creating', () => {
  it('fills in what is not given', async () => {
    const todo = await newTodo({ checklist: [{ label: 'First' }], tags: [' tax', 'tax'] })
    expect(todo).toEqual({
      id: todo.id, business_id: team.business_id, title: 'A todo', description: null, due_date: null, priority: 'normal', assignee_id: null,
      resource_type: null, resource_id: null, checklist: [{ id: expect.any(String), label: 'First', done: false }], tags: ['tax'], recurrence: null,
      series_id: null, series_start: null, occurrence: null, status: 'open', source: 'manual', completed_at: null, completed_by: null,
      created_at: todo.created_at, updated_at: todo.created_at, version: 1,
    })
    expect((await client.get(`/todos/${todo.id}`)).data).toEqual(todo)
    expect(await eventsOf(todo.id)).toEqual(['todo.created'])
  })

  it('on a record, for a member, again and again', async () => {
    const about = await newTodo()
    const given = {
      description: 'Look at it', due_date: '2026-01-31', priority: 'high', assignee_id: bookkeeper.user_id, resource_type: 'todo', resource_id: about.id,
      recurrence: { frequency: 'monthly', end_date: '2026-12-31' },
    }
    expect(await newTodo(given)).toMatchObject({ ...given, series_start: '2026-01-31', occurrence: 0 })
  })

  it.each([
    ['a record that does not exist', { resource_type: 'todo', resource_id: newId() }, 404, /^Todo .* not found/],
    ['a kind of record that does not exist', { resource_type: 'unicorn', resource_id: newId() }, 404, /unicorn not found/],
    ['half a reference', { resource_type: 'todo' }, 400, /go together/],
    ['an assignee from outside', { assignee_id: newId() }, 400, /not an active member/],
    ['a recurrence without a date', { recurrence: { frequency: 'daily' } }, 400, /needs a due_date/],
    ['a recurrence that is over too soon', { due_date: '2026-02-01', recurrence: { frequency: 'daily', end_date: '2026-01-01' } }, 400, /before the due date/],
  ])('refuses %s', async (_, wrong, status, detail) => {
    expect(await client.post('/todos', { title: 'A todo', ...wrong })).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })

  it.each([
    ['no title', {}, 'body.title', 'missing'],
    ['a blank title', { title: ' ' }, 'body.title', 'value_error'],
    ['a date that does not exist', { title: 'x', due_date: '2026-02-30' }, 'body.due_date', 'date_parsing'],
    ['an unknown frequency', { title: 'x', recurrence: { frequency: 'hourly' } }, 'body.recurrence.frequency', 'enum'],
    ['an item without a label', { title: 'x', checklist: [{}] }, 'body.checklist.0.label', 'missing'],
  ])('%s is a 422', async (_, wrong, loc, type) => {
    const { status, detail } = await client.post('/todos', wrong)
    expect([status, detail.map((problem: { loc: string[]; type: string }) => [problem.loc.join('.'), problem.type])]).toEqual([422, [[loc, type]]])
  })

  it('is not for viewers', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.post('/todos', { title: 'A todo' })).status).toBe(403)
    expect((await viewer.client.get('/todos')).status).toBe(200)
  })

  it('a dry run answers the same and leaves no trace', async () => {
    const dry = await client.call('POST', '/todos', { query: { dry_run: true }, body: { title: 'Not yet' } })
    expect(dry).toMatchObject({ status: 201, data: { title: 'Not yet' } })
    expect((await client.get(`/todos/${dry.data.id}`)).status).toBe(404)
    expect(await eventsOf(dry.data.id)).toEqual([])
  })
})

describe('updating', () => {
  it('leaves absent fields alone and clears with null', async () => {
    const todo = await newTodo({ description: 'Old', due_date: '2026-01-01', checklist: [{ label: 'First' }, { label: 'Second' }] })
    const second = { ...todo.checklist[1], done: true }
    const { data } = await client.put(`/todos/${todo.id}`, { title: 'New', description: null, checklist: [second, { label: 'Third' }] })
    expect(data).toMatchObject({ title: 'New', description: null, due_date: '2026-01-01', version: 2, checklist: [second, { label: 'Third', done: false }] })
    expect((await client.get(`/todos/${todo.id}`)).data).toEqual(data)
    expect((await client.put(`/todos/${todo.id}`, { assignee_id: bookkeeper.user_id })).data.assignee_id).toBe(bookkeeper.user_id)
    expect((await client.put(`/todos/${todo.id}`, { assignee_id: null })).data.assignee_id).toBeNull()
    expect(await eventsOf(todo.id)).toEqual(['todo.created', 'todo.updated', 'todo.assigned', 'todo.unassigned'])
  })

  it('refuses what creating refuses, and changes nothing', async () => {
    const todo = await newTodo({ due_date: '2026-01-01', recurrence: { frequency: 'weekly' } })
    const wrong = [{ due_date: null }, { resource_id: newId() }, { assignee_id: newId() }, { resource_type: 'todo', resource_id: newId() }]
    expect(await Promise.all(wrong.map(async (body) => (await client.put(`/todos/${todo.id}`, body)).status))).toEqual([400, 400, 400, 404])
    expect((await client.get(`/todos/${todo.id}`)).data).toEqual(todo)
  })

  it('with a stale If-Match is a 412 for every write', async () => {
    const todo = await newTodo({ checklist: [{ label: 'First' }] })
    const stale = { headers: { 'if-match': '"2"' } }
    const writes = [
      client.put(`/todos/${todo.id}`, { title: 'x' }, stale), client.delete(`/todos/${todo.id}`, stale),
      ...['start', 'complete', 'reopen', 'cancel'].map((action) => client.put(`/todos/${todo.id}/${action}`, undefined, stale)),
      client.patch(`/todos/${todo.id}/checklist/${todo.checklist[0]?.id}`, { done: true }, stale),
    ]
    expect((await Promise.all(writes)).map((answer) => answer.status)).toEqual(Array(7).fill(412))
    expect((await client.get(`/todos/${todo.id}`)).data).toEqual(todo)
  })

  it('is a 404 in another business, like everything else', async () => {
    const todo = await newTodo({ checklist: [{ label: 'First' }] })
    const other = (await newBusiness()).client
    const calls = [
      other.get(`/todos/${todo.id}`), other.put(`/todos/${todo.id}`, { title: 'x' }), other.delete(`/todos/${todo.id}`),
      ...['start', 'complete', 'reopen', 'cancel'].map((action) => other.put(`/todos/${todo.id}/${action}`)),
      other.patch(`/todos/${todo.id}/checklist/${todo.checklist[0]?.id}`, { done: true }),
    ]
    expect((await Promise.all(calls)).map(({ status, detail }) => `${status} ${detail}`)).toEqual(Array(8).fill('404 Todo not found.'))
  })

  it('deleting is for those that people made', async () => {
    const todo = await newTodo()
    const task = await inside((tx) => createTodo(tx, { title: 'Reconcile the bank' }, 'close'))
    expect((await client.delete(`/todos/${todo.id}`)).data).toEqual(todo)
    expect((await client.get(`/todos/${todo.id}`)).status).toBe(404)
    const refusal = '“Reconcile the bank” comes from close and cannot be deleted: cancel it with a reason.'
    expect(await client.delete(`/todos/${task.id}`)).toMatchObject({ status: 400, detail: refusal })
    expect((await client.put(`/todos/${task.id}/cancel`)).status).toBe(400)
    expect((await client.put(`/todos/${task.id}/cancel`, { reason: 'Bank account closed' })).data.status).toBe('canceled')
    expect(await sql('select reason from audit_trail where resource_id = $1 order by seq desc limit 1', [task.id])).toEqual([{ reason: 'Bank account closed' }])
  })
})

describe('states', () => {
  it('one goes from open to done and back, and a repeated step changes nothing', async () => {
    const { id } = await newTodo()
    const step = async (action: string) => (await client.put(`/todos/${id}/${action}`)).data
    expect(await step('start')).toMatchObject({ status: 'in_progress', version: 2 })
    expect(await step('start')).toMatchObject({ status: 'in_progress', version: 2 })
    expect(await step('complete')).toMatchObject({ status: 'done', completed_by: team.owner.user_id, completed_at: expect.any(String), version: 3 })
    expect(await step('complete')).toMatchObject({ status: 'done', version: 3 })
    const refusal = '“A todo” is done: only one that is open or in_progress can be canceled.'
    expect(await client.put(`/todos/${id}/cancel`)).toMatchObject({ status: 400, detail: refusal })
    expect(await step('reopen')).toMatchObject({ status: 'open', completed_by: null, completed_at: null, version: 4 })
    expect(await step('cancel')).toMatchObject({ status: 'canceled', version: 5 })
    expect(await eventsOf(id)).toEqual(['todo.created', 'todo.started', 'todo.completed', 'todo.reopened', 'todo.canceled'])
  })

  it('of two at once, one completes and the other cannot cancel, or the other way round', async () => {
    const { id } = await newTodo()
    const answers = await Promise.all([client.put(`/todos/${id}/complete`), client.put(`/todos/${id}/cancel`)])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400])
  })

  it('open checklist items stand in the way, unless forced', async () => {
    const { id } = await newTodo({ checklist: [{ label: 'First' }, { label: 'Second' }] })
    expect(await client.put(`/todos/${id}/complete`)).toMatchObject({ status: 400, detail: expect.stringMatching(/2 open checklist items/) })
    expect((await client.put(`/todos/${id}/complete`, { force: true })).data.status).toBe('done')
  })

  it('two people check different items at once, and both succeed', async () => {
    const { id, checklist } = await newTodo({ checklist: Array.from({ length: 4 }, (_, index) => ({ label: `Item ${index}` })) })
    const check = (item_id: string | undefined, done = true) => bookkeeper.client.patch(`/todos/${id}/checklist/${item_id}`, { done })
    await Promise.all(checklist.map((item) => check(item.id)))
    const { data } = await client.get(`/todos/${id}`)
    expect(data.checklist).toEqual(checklist.map((item) => ({ ...item, done: true })))
    expect((await check(checklist[0]?.id)).data.version).toBe(data.version)
    expect(await check(newId())).toMatchObject({ status: 404, detail: 'Checklist item not found.' })
  })
})

describe('recurrence', () => {
  it('makes the next one once, however many complete it at once and however often', async () => {
    const checklist = [{ label: 'x', done: true }]
    const first = await newTodo({ due_date: '2026-01-31', recurrence: { frequency: 'monthly' }, assignee_id: bookkeeper.user_id, checklist })
    await Promise.all(Array.from({ length: 4 }, () => client.put(`/todos/${first.id}/complete`)))
    await client.put(`/todos/${first.id}/reopen`)
    await client.put(`/todos/${first.id}/complete`, { force: true })
    const series = await seriesOf(first.series_id)
    expect(series).toMatchObject([{ id: first.id, status: 'done' }, { due_date: '2026-02-28', occurrence: 1, status: 'open', assignee_id: bookkeeper.user_id }])
    const created = await sql(`select resource_id as id from events where type = 'todo.created' and data ->> 'series_id' = $1 order by seq`, [first.series_id])
    expect(created).toEqual(series.map(({ id }) => ({ id })))
    await client.put(`/todos/${series[1]?.id}/complete`, { force: true })
    expect((await seriesOf(first.series_id)).map((todo) => todo.due_date)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31'])
  })

  it('ends after its last day, and a dry run makes nothing', async () => {
    const todo = await newTodo({ due_date: '2026-01-01', recurrence: { frequency: 'weekly', end_date: '2026-01-08' } })
    await client.call('PUT', `/todos/${todo.id}/complete`, { query: { dry_run: true } })
    expect(await seriesOf(todo.series_id)).toHaveLength(1)
    await client.put(`/todos/${todo.id}/complete`)
    await client.put(`/todos/${(await seriesOf(todo.series_id))[1]?.id}/complete`)
    expect(await seriesOf(todo.series_id)).toHaveLength(2)
  })
})

describe('bulk', () => {
  const bulk = (todos: { id: string }[], more: object) => client.post('/todos/bulk', { ids: todos.map((todo) => todo.id), ...more })

  it('completes, with successors, and counts a repeated id as done', async () => {
    const recurring = await newTodo({ due_date: '2026-01-01', recurrence: { frequency: 'daily' } })
    const todos = [recurring, await newTodo(), recurring]
    const results = todos.map(({ id }, index) => ({ index, status: 'ok', id, detail: null }))
    expect((await bulk(todos, { action: 'complete' })).data).toEqual({ succeeded: 3, failed: 0, results })
    expect(await seriesOf(recurring.series_id)).toHaveLength(2)
    expect(await eventsOf(recurring.id)).toEqual(['todo.created', 'todo.completed'])
  })

  it('is all or nothing, unless told otherwise', async () => {
    const todos = [await newTodo(), await newTodo({ checklist: [{ label: 'x' }] }), { id: newId() }]
    expect(await bulk(todos, { action: 'complete' })).toMatchObject({ status: 400, detail: expect.stringMatching(/^Item 1: “A todo” has 1 open/) })
    expect((await client.get(`/todos/${todos[0]?.id}`)).data.status).toBe('open')
    const { data } = await bulk(todos, { action: 'complete', atomic: false })
    const unknown = { index: 2, status: 'error', id: null, detail: `Todo ${todos[2]?.id} not found.` }
    expect(data).toMatchObject({ succeeded: 1, failed: 2, results: [{ status: 'ok' }, { status: 'error' }, unknown] })
    expect((await bulk(todos.slice(0, 2), { action: 'complete', force: true })).data.succeeded).toBe(2)
  })

  it('assigns, dates and cancels', async () => {
    const todos = [await newTodo(), await newTodo()]
    await bulk(todos, { action: 'assign', assignee_id: bookkeeper.user_id })
    await bulk(todos, { action: 'assign', assignee_id: bookkeeper.user_id })
    await bulk(todos, { action: 'due', due_date: '2026-05-05' })
    await bulk(todos, { action: 'cancel', reason: 'Changed our minds' })
    const { data } = await client.get(`/todos/${todos[1]?.id}`)
    expect(data).toMatchObject({ assignee_id: bookkeeper.user_id, due_date: '2026-05-05', status: 'canceled', version: 4 })
    expect(await eventsOf(data.id)).toEqual(['todo.created', 'todo.assigned', 'todo.updated', 'todo.canceled'])
  })

  it.each([
    ['assign without assignee', { action: 'assign' }, 400],
    ['assign to a stranger', { action: 'assign', assignee_id: newId() }, 400],
    ['due without a date', { action: 'due' }, 400],
    ['clearing the date of a recurring one', { action: 'due', due_date: null }, 400],
    ['an unknown action', { action: 'explode' }, 422],
  ])('refuses %s', async (_, more, status) => {
    expect((await bulk([await newTodo({ due_date: '2026-01-01', recurrence: { frequency: 'daily' } })], more)).status).toBe(status)
  })

  it('takes 1 to 200 ids', async () => {
    expect((await bulk([], { action: 'complete' })).status).toBe(422)
    expect((await bulk(Array.from({ length: 201 }, () => ({ id: newId() })), { action: 'complete' })).status).toBe(422)
  })
})

describe('people who leave', () => {
  it('lose what they had open; a reopened or following one does not go back to them', async () => {
    const leaver = await newMember(team.business_id, 'bookkeeper')
    const mine = { assignee_id: leaver.user_id }
    const [open, done] = [await newTodo(mine), await newTodo(mine)]
    await client.put(`/todos/${done.id}/complete`)
    expect((await client.delete(`/businesses/${team.business_id}/members/${leaver.user_id}`)).status).toBe(200)
    await deliver(team.business_id)
    expect((await client.get(`/todos/${open.id}`)).data).toMatchObject({ assignee_id: null, version: 2 })
    expect(await eventsOf(open.id)).toEqual(['todo.created', 'todo.unassigned'])
    expect((await client.get(`/todos/${done.id}`)).data.assignee_id).toBe(leaver.user_id)
    expect((await client.put(`/todos/${done.id}/reopen`)).data.assignee_id).toBeNull()
    expect((await client.put(`/todos/${open.id}`, mine)).status).toBe(400)
  })

  it('wait for whoever is giving them something, so that it is taken back too', async () => {
    const leaver = await newMember(team.business_id, 'bookkeeper')
    const stuck = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%memberships%'`
    async function seenWaiting(): Promise<string> {
      for (let tries = 0; tries < 1000; tries++) if ((await sql(stuck)).length > 0) return 'waiting'
      return 'never seen waiting'
    }
    const [todo, removal] = await inside(async (tx) => {
      const given = await createTodo(tx, { title: 'At the last moment', assignee_id: leaver.user_id })
      const removing = client.delete(`/businesses/${team.business_id}/members/${leaver.user_id}`)
      const first = await Promise.race([removing.then(() => 'removed'), seenWaiting()])
      expect(first).toBe('waiting')
      return [given, { removing }]
    })
    expect((await removal.removing).status).toBe(200)
    await deliver(team.business_id)
    expect((await client.get(`/todos/${todo.id}`)).data.assignee_id).toBeNull()
  })

  it('keep it if they are back before anyone noticed', async () => {
    const member = await newMember(team.business_id, 'bookkeeper')
    const todo = await newTodo({ assignee_id: member.user_id })
    const path = `/businesses/${team.business_id}/members/${member.user_id}`
    for (const action of ['suspend', 'reactivate']) expect((await client.put(`${path}/${action}`)).status).toBe(200)
    await deliver(team.business_id)
    expect((await client.get(`/todos/${todo.id}`)).data).toEqual(todo)
  })
})

describe('the clock', () => {
  async function run(): Promise<void> {
    const { database } = (await service()).program
    await recordOverdueTodos.run({ database, log: openLog('silent'), mailer: null, job_id: '1' }, {} as never)
  }

  it('records once per due date what is overdue where the business is', async () => {
    const { clock } = await service()
    const { id } = await newTodo({ due_date: '2035-03-01' })
    const overdue = async () => (await eventsOf(id)).filter((type) => type === 'todo.overdue').length
    clock.set('2035-03-02T04:00:00Z') // still the first of March in New York
    await run()
    expect(await overdue()).toBe(0)
    clock.set('2035-03-02T06:00:00Z')
    await Promise.all([run(), run()])
    await run()
    expect(await overdue()).toBe(1)
    const moved = await sql(`update todos set due_date = '2035-03-05' where id = $1 returning version`, [id])
    clock.set('2035-03-07T00:00:00Z')
    await run()
    expect([await overdue(), moved]).toEqual([2, [{ version: 1 }]])
  })
})
