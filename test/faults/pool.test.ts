// Too few connections, locks that are held too long, deadlocks: a clear 503 or a repetition, never a hang or a 500.
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { unregistered } from '../../src/foundation/database/statement.ts'
import { plainRequest, transact } from '../../src/foundation/database/transact.ts'
import { newId } from '../../src/foundation/ids.ts'
import { connectTo, serviceOn, type Own, type Owner } from '../support/own.ts'

let own: Own
let owner: Owner
beforeAll(async () => {
  own = await serviceOn(inject('database_url'), { DAYBOOK_POOL_SIZE: '2', DAYBOOK_POOL_WAITING: '3', DAYBOOK_STATEMENT_TIMEOUT_MS: '400' })
  owner = await own.owner()
})
afterAll(() => own.stop())

it('a record held by another, and no connection left: 503 with Retry-After for all, and nothing changed', async () => {
  const todo = (await owner.client.post('/todos', { title: 'Held' })).data
  const holder = await connectTo(own.database_url)
  await holder.query('begin')
  await holder.query('select 1 from todos where business_id = $1 and id = $2 for update', [owner.business_id, todo.id])
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => owner.client.put(`/todos/${todo.id}`, { title: `New ${n}` })))
  await holder.query('rollback')
  await holder.end()

  expect(answers.filter(({ status, headers }) => status !== 503 || !(Number(headers.get('retry-after')) >= 1))).toEqual([])
  // Two have the connections and three wait for them; a slow machine lets one in after another has given up.
  const saying = (words: string) => answers.filter(({ detail }) => detail === words).length
  const [busy, held] = [saying('The service is busy. Try again in a moment.'), saying('Another change holds this record. Try again in a moment.')]
  expect([busy + held, busy > 0, held >= 5]).toEqual([20, true, true])
  expect((await owner.client.get(`/todos/${todo.id}`)).data).toEqual(todo)
  expect((await owner.client.put(`/todos/${todo.id}`, { title: 'Now' })).status).toBe(200)
  expect(own.program.database.pool.stats).toMatchObject({ waiting: 0 })
})

it('more callers than connections, but not more than may wait, are all served', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => owner.client.post('/todos', { title: `At once ${n}` })))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
})

it('with no room for waiting the connections themselves are still used', async () => {
  const narrow = await serviceOn(inject('database_url'), { DAYBOOK_POOL_SIZE: '2', DAYBOOK_POOL_WAITING: '0' })
  try {
    const there = await narrow.owner()
    expect((await there.client.get('/todos')).status).toBe(200)
    const both = await Promise.all([there.client.get('/todos'), there.client.get('/todos')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
  } finally {
    await narrow.stop()
  }
})

/** Lets `count` of them arrive before any goes on; those who come later pass. */
function gate(count: number): () => Promise<void> {
  let arrived = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return () => (++arrived >= count ? open() : undefined, opened)
}

const writing = { business_id: null, read_only: false, request: plainRequest }

it('a deadlock is resolved by running one of the two again', async () => {
  const [one, two] = [newId(), newId()]
  const both = gate(2)
  let runs = 0
  // Longer than the second that PostgreSQL waits before it looks for a deadlock.
  const patient = await serviceOn(inject('database_url'), { DAYBOOK_POOL_SIZE: '2' })
  const lockBoth = (first: string, second: string) => transact(patient.program.database, writing, async ({ tx }) => {
    runs += 1
    await tx.exclusive(first)
    await both()
    await tx.exclusive(second)
    return 'done'
  })
  try {
    expect(await Promise.all([lockBoth(one, two), lockBoth(two, one)])).toEqual(['done', 'done'])
    expect(runs).toBe(3)
  } finally {
    await patient.stop()
  }
})

it('a serialization failure is resolved by running again, with what the other has written', async () => {
  const strict = unregistered(Type.Object({}), 'set transaction isolation level repeatable read')
  const read = unregistered(Type.Object({ name: Type.String() }), 'select name from users where id = :id')
  const write = unregistered(Type.Object({}), 'update users set name = :name where id = :id')
  const both = gate(2)
  let runs = 0
  const append = (letter: string) => transact(own.program.database, writing, async ({ tx }) => {
    runs += 1
    await tx.run(strict)
    const { name } = await tx.get(read, { id: owner.user_id }, 'User')
    await both()
    await tx.run(write, { id: owner.user_id, name: name + letter })
  })
  await own.sql(`update users set name = 'x' where id = $1`, [owner.user_id])
  await Promise.all([append('a'), append('b')])
  expect(runs).toBe(3)
  expect((await own.sql('select name from users where id = $1', [owner.user_id]))[0].name).toMatch(/^x(ab|ba)$/)
})

it('what meets others every time is a 503 with a time to wait, and knows from the second attempt on that it did', async () => {
  const seen: boolean[] = []
  const always = transact(own.program.database, writing, async ({ tx }) => {
    seen.push(tx.again)
    throw Object.assign(new Error('could not serialize access'), { code: '40001' })
  })
  await expect(always).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(seen).toEqual([false, true, true, true, true, true])
})
