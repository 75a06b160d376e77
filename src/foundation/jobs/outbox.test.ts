// Events to subscribers: each once, in order, whoever works, and one that fails holds up nobody else.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ownService, type Own, type Owner } from '../../../test/support/own.ts'
import { until } from '../../../test/support/process.ts'
import { findBusiness } from '../../access/lookup.ts'
import { openLog } from '../log.ts'
import type { Subscriber } from './job.ts'
import { startWorker, type Worker } from './worker.ts'

let own: Own
let owners: Owner[]
let workers: Worker[]
const heard: { name: string; business_id: string; seq: number; title: unknown }[] = []
let failing: string | null = null

const types = ['todo.created', 'todo.completed']
const subscriber = (name: string, breaks = false): Subscriber => ({
  name,
  types,
  async handle(tx, event) {
    if (breaks && event.data['title'] === failing) throw new Error('Not today.')
    heard.push({ name, business_id: tx.business_id, seq: event.seq, title: event.data['title'] })
  },
})
const subscribers = [subscriber('first'), subscriber('breakable', true), subscriber('last')]

beforeAll(async () => {
  own = await ownService({ DAYBOOK_POOL_SIZE: '10' })
  owners = await Promise.all([own.owner(), own.owner(), own.owner()])
  const start = () => startWorker({
    owner_url: own.database_url, database: own.program.database, jobs: [], subscribers, lookup: findBusiness, mailer: null, concurrency: 1, log: openLog('silent'),
  })
  workers = await Promise.all([start(), start()])
})
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await own.stop()
})
beforeEach(() => {
  heard.length = 0
  failing = null
})

/** What a subscriber must have heard of a business: its log, from these on. */
async function logOf(business_id: string, since: number): Promise<number[]> {
  const rows = await own.sql('select seq::int from events where business_id = $1 and seq > $2 and type = any($3) order by seq', [business_id, since, types])
  return rows.map(({ seq }) => seq)
}
const headOf = async (business_id: string): Promise<number> => (await own.sql('select event_seq::int from business_heads where business_id = $1', [business_id]))[0].event_seq
const heardBy = (name: string, business_id: string) => heard.filter((one) => one.name === name && one.business_id === business_id).map(({ seq }) => seq)
const arrived = async (name: string, business_id: string) =>
  until(`${name} has heard everything`, async () => (await own.sql('select seq::int from subscriber_positions where business_id = $1 and subscriber = $2', [business_id, name]))[0]?.seq === await headOf(business_id))

it('two workers under load: every subscriber hears each event of each business once and in order', async () => {
  const before = new Map(await Promise.all(owners.map(async ({ business_id }) => [business_id, await headOf(business_id)] as const)))
  await Promise.all(owners.flatMap(({ client }) => Array.from({ length: 4 }, async (_, lane) => {
    for (let n = 0; n < 40; n++) {
      const { data } = await client.post('/todos', { title: `${lane}-${n}` })
      if (n % 4 === 0) await client.put(`/todos/${data.id}/complete`, {})
    }
  })))
  for (const { business_id } of owners) for (const { name } of subscribers) {
    await arrived(name, business_id)
    expect(heardBy(name, business_id)).toEqual(await logOf(business_id, before.get(business_id) ?? 0))
  }
})

it('one that throws is tried again later, in order; the others go on meanwhile', async () => {
  const [{ business_id, client }] = owners as [Owner]
  const since = await headOf(business_id)
  failing = 'Poison'
  for (const title of ['Before', 'Poison', 'After']) await client.post('/todos', { title })
  await arrived('first', business_id)
  await arrived('last', business_id)
  await until('it is put aside', async () => (await own.sql('select 1 from outbox where business_id = $1 and not_before is not null', [business_id]))[0])
  expect(heardBy('last', business_id)).toEqual(await logOf(business_id, since))

  failing = null
  heard.length = 0
  own.clock.set(new Date(Date.now() + 16_000).toISOString())
  await arrived('breakable', business_id)
  own.clock.set(null)
  expect(heard.filter(({ name }) => name === 'breakable').map(({ title }) => title).slice(-3)).toEqual(['Before', 'Poison', 'After'])
  expect(heardBy('first', business_id)).toEqual([])
})

it('nothing waits any more, and what waited is gone', async () => {
  await until('the outbox is empty', async () => (await own.sql('select count(*)::int as waiting from outbox'))[0].waiting === 0)
})
