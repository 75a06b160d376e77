// The clock of a sandbox: moved by one process, followed by all, with people still signed in and what fell due done.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { ownService, type Own, type Owner } from '../../../test/support/own.ts'
import { newBusiness, newMember, sql } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { jobs } from '../../app/jobs.ts'
import { openProgram, type Program } from '../../app/program.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { readSettings } from '../../foundation/settings.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

describe('all processes of a sandbox', () => {
  let own: Own
  let owner: Owner
  const programs: Program[] = []
  const urls: string[] = []
  beforeAll(async () => {
    own = await ownService()
    owner = await own.owner()
    const settings = readSettings({ DAYBOOK_PORT: '0', DAYBOOK_LOG_LEVEL: 'silent' })
    for (let count = 0; count < 2; count++) {
      // Without a clock of their own, as they run in earnest.
      const program = openProgram({ settings, database_url: own.database_url, encryption_key: Buffer.alloc(32, 7), log: openLog('silent') })
      programs.push(program)
      urls.push(await program.listen())
    }
  })
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()))
    await own.stop()
  })
  const at = (place: number) => client(owner.token, owner.business_id, urls[place])

  it('follow the one that was moved; sessions and tokens go on working', async () => {
    const token = (await at(0).post('/api-tokens', { name: 'Test', scopes: ['tags:read', 'tags:write'] })).data.token
    const now = inDays(20)
    const { status, data } = await at(0).post('/sandbox/clock', { now })
    expect([status, data]).toEqual([201, { now }])
    const created = (await at(0).post('/tags', { name: 'Later' })).data.created_at
    expect(Date.parse(created) - Date.parse(now)).toBeLessThan(60_000)
    expect(created >= now).toBe(true)
    await expect.poll(async () => (await at(1).post('/tags', { name: `Tag ${newId()}` })).data.created_at >= now, { timeout: 5_000 }).toBe(true)
    expect((await client(token, owner.business_id, urls[1]).get('/tags')).status).toBe(200)
    expect((await at(0).post('/sandbox/clock', { now: inDays(10) })).detail).toMatch(/the clock moves ahead only/)
    expect((await at(0).post('/sandbox/clock', { now: inDays(20 * 366) })).detail).toMatch(/five years ahead at most/)
  })

  it('the whole life of a trial over HTTP alone: grace, read-only, checkout, writable again', async () => {
    const run = async () => {
      // What waits is run here, as the worker would.
      const database = programs[0]?.database
      if (!database) throw new Error('There is no program.')
      for (let waiting = await take(own); waiting.length > 0; waiting = await take(own)) {
        for (const { task, payload } of waiting) await jobs.find(({ name }) => name === task)?.run({ database, log: openLog('silent'), mailer: null, job_id: 'test' }, payload as never)
      }
    }
    await at(0).post('/sandbox/clock', { now: inDays(40) })
    await run()
    expect((await at(0).get('/billing')).data).toMatchObject({ plan_tier: 'trial', access: 'full' })
    expect((await at(0).post('/tags', { name: 'Grace' })).status).toBe(201)
    await at(0).post('/sandbox/clock', { now: inDays(45) })
    await run()
    expect((await at(0).post('/tags', { name: 'Too late' })).status).toBe(403)
    expect((await at(0).get('/billing')).data.access).toBe('read_only')
    const { session_id } = (await at(0).post('/billing/checkout', { target_plan: 'managed', success_url: 'https://a.example/s', cancel_url: 'https://a.example/c' })).data
    expect((await at(0).post(`/sandbox/checkouts/${session_id}/complete`, {})).status).toBe(201)
    await run()
    expect((await at(0).get('/billing')).data).toMatchObject({ plan_tier: 'managed', access: 'full' })
    expect((await at(0).post('/tags', { name: 'Back again' })).status).toBe(201)
    await at(0).post('/sandbox/clock', { now: inDays(45 + 70) })
    await run()
    expect((await at(0).get('/billing/invoices')).data.items).toHaveLength(3)
    expect((await own.sql(`select type from events where type in ('billing.access_changed', 'billing.plan_changed') order by seq`)).map(({ type }) => type))
      .toEqual(['billing.access_changed', 'billing.plan_changed', 'billing.access_changed'])
  })
})

/** The jobs of billing that wait. */
function take(own: Own): Promise<{ task: string; payload: object }[]> {
  return own.sql(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier like 'billing.%' returning t.identifier as task, j.payload`)
}

describe('the door', () => {
  it('is for owners, and a clock that was given stays as it is', async () => {
    const team = await newBusiness()
    const { clock } = await service()
    for (const role of ['admin', 'accountant', 'viewer'] as const) expect((await (await newMember(team.business_id, role)).client.post('/sandbox/clock', { now: inDays(1) })).status).toBe(403)
    const before = clock.now().getTime()
    const dry = await team.client.post('/sandbox/clock', { now: inDays(1) }, { query: { dry_run: 'true' } })
    expect(dry.status).toBe(201)
    expect(await sql('select ahead_ms::int from sandbox_clock')).toHaveLength(1)
    expect(clock.now().getTime() - before).toBeLessThan(60_000)
    expect((await team.client.post('/sandbox/clock', { now: '2026-02-30T00:00:00Z' })).status).toBe(422)
    expect((await team.client.post('/sandbox/clock', {})).status).toBe(422)
  })
})
