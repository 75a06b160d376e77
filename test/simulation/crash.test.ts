// The service and its database killed in the middle of work, several times: nothing half-posted, nothing answered and lost.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEmbedded } from '../../src/foundation/postgres/embedded.ts'
import { client } from '../support/client.ts'
import { dataFolders, makeToken, type DataFolders } from '../support/data-folder.ts'
import { sqlOnce } from '../support/own.ts'
import { endAll, postgresOf, run, serve, until } from '../support/process.ts'
import { answersStand, audit, type Ask } from './auditor.ts'
import { randomFrom, SEED } from './random.ts'
import { auditSales, salesStand } from './sales-auditor.ts'
import { openShop, salesOf } from './sales.ts'
import { step } from './workload.ts'
import { newWorld, type World } from './world.ts'

const KILLS = Number(process.env['SIMULATION_KILLS'] ?? 2)
const PEOPLE = 4

let folders: DataFolders
beforeAll(async () => {
  folders = await dataFolders()
}, 60_000)
afterEach(endAll)
afterAll(() => folders.remove())

/** Entries, invoices, payments and credits that somebody has asked for so far. */
const triedIn = ({ tried, sales }: World): number => tried.size + Object.values(sales?.tried ?? {}).reduce((sum, tries) => sum + tries.size, 0)

test(`killed ${KILLS} times with SIMULATION_SEED=${SEED}`, async () => {
  const data = folders.make()
  const random = randomFrom(SEED)
  const { token, business_id } = await makeToken({ DAYBOOK_DATA: data })
  const environment = { DAYBOOK_DATA: data, DAYBOOK_LOG_LEVEL: 'error', DAYBOOK_RATE_LIMIT: '1000000' }
  let world = newWorld([], `${new Date().getUTCFullYear()}-01-01`, 200)
  for (let round = 0; round <= KILLS; round++) {
    const server = await serve(environment)
    const caller = client(token, business_id, server.url)
    if (round === 0) {
      const { data: ledgers } = await caller.get('/ledgers', { limit: 500 })
      world = { ...world, ledgers: ledgers.items.filter((ledger: { role: string | null; posting: boolean }) => ledger.role === null && ledger.posting).slice(0, 20) }
      world.sales = await openShop(caller, world)
    }
    const answered = triedIn(world) + 60
    let killed = false
    const working = Array.from({ length: PEOPLE }, async () => {
      const own = random.branch()
      // A 503 while the database comes back is an answer too; the round ends when it is killed.
      while (!killed) await step(caller, world, own)
    })
    const failed = Promise.allSettled(working)
    // A fault that somebody meets ends it at once.
    await Promise.race([until('enough is tried', async () => triedIn(world) >= answered, 60), Promise.all(working)])
    if (round < KILLS && round % 2 === 1) process.kill(await postgresOf(data), 'SIGKILL')
    else server.signal('SIGKILL')
    killed = true
    for (const outcome of await failed) if (outcome.status === 'rejected') throw new Error(`${outcome.reason}\n${server.said.split('\n').filter((line) => line.includes('request failed')).join('\n')}`, { cause: outcome.reason })
    server.signal('SIGKILL')
    await server.ended
  }

  const verified = await run(['verify'], environment)
  expect(verified.code, verified.out + verified.err).toBe(0)
  const server = await serve(environment)
  const url = (await findEmbedded(data))?.url ?? ''
  const ask: Ask = (text, values) => sqlOnce(url, text, values)
  expect(await audit(ask, business_id)).toEqual([])
  expect(await auditSales(ask, business_id)).toEqual([])
  expect(await answersStand(ask, business_id, world.tried)).toEqual([])
  expect(await salesStand(ask, business_id, salesOf(world))).toEqual([])
  const { invoices, payments, memos } = salesOf(world).tried
  for (const [tries, least] of [[world.tried, 25], [invoices, 15], [payments, 2], [memos, 0]] as const) expect([...tries.values()].filter(Boolean).length).toBeGreaterThan(least)
  server.signal('SIGKILL')
  await server.ended
}, 60_000 * (KILLS + 1))
