// Random work by several people at once on one business, against an auditor who derives everything from the lines. SIMULATION_SEED
// replays the choices, SIMULATION_OPERATIONS makes it longer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { newBusiness, newMember, sql, type Team } from '../support/people.ts'
import { service } from '../support/service.ts'
import { answersStand, audit, readBooks } from './auditor.ts'
import { randomFrom, SEED } from './random.ts'
import { auditSales, salesStand } from './sales-auditor.ts'
import { openShop, salesOf } from './sales.ts'
import { step } from './workload.ts'
import { newWorld, type World } from './world.ts'

const OPERATIONS = Number(process.env['SIMULATION_OPERATIONS'] ?? 900)
const PEOPLE = 6

let team: Team
let world: World
const random = randomFrom(SEED)

beforeAll(async () => {
  (await service()).clock.set('2026-09-15T12:00:00Z')
  team = await newBusiness()
  await team.client.post('/ledgers', { name: 'CAD account', type: 'asset', subtype: 'bank', currency: 'CAD', is_bank: true })
  const { data } = await team.client.get('/ledgers', { limit: 500 })
  const byHand = data.items.filter((ledger: { role: string | null; posting: boolean }) => ledger.role === null && ledger.posting)
  world = newWorld(byHand.slice(0, 25), '2026-01-01', 250)
  world.sales = await openShop(team.client, world)
}, 60_000)
afterAll(async () => (await service()).clock.set(null))

describe(`${OPERATIONS} operations with SIMULATION_SEED=${SEED}`, () => {
  it('by several people at once, none of whom meets a fault', async () => {
    const members = await Promise.all(Array.from({ length: PEOPLE - 1 }, () => newMember(team.business_id, 'admin')))
    // All to their end, so that what is looked at afterwards stands still.
    const outcomes = await Promise.allSettled([team.client, ...members.map(({ token }) => client(token, team.business_id))].map(async (person) => {
      const own = random.branch()
      for (let done = 0; done < OPERATIONS / PEOPLE; done++) await step(person, world, own)
    }))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    expect(world.lost).toBe(0)
    const { invoices, payments, memos } = salesOf(world).tried
    console.log(`simulation: ${world.tried.size} entries, ${invoices.size} invoices, ${payments.size} payments and ${memos.size} credits tried, ${world.refused} refusals, ${JSON.stringify(world.done)}`)
  }, 60_000 + OPERATIONS * 60)

  it('the auditor finds nothing', async () => {
    expect(await audit(sql, team.business_id)).toEqual([])
    expect(await auditSales(sql, team.business_id)).toEqual([])
  }, 120_000 + OPERATIONS * 10)

  it('whatever was answered is there, whatever was refused is not', async () => {
    expect([...world.tried.values()].filter((made) => made === null)).toEqual([])
    expect(await answersStand(sql, team.business_id, world.tried)).toEqual([])
    expect(Object.values(salesOf(world).tried).flatMap((tries) => [...tries.values()]).filter((made) => made === null)).toEqual([])
    expect(await salesStand(sql, team.business_id, salesOf(world))).toEqual([])
  })

  it('the statements say what the lines say, on any date and both bases', async () => {
    const books = await readBooks(sql, team.business_id)
    for (const date of ['2026-01-31', '2026-02-28', '2026-05-17', '2026-09-07', '2026-12-31']) {
      for (const basis of ['accrual', 'cash'] as const) {
        const { data } = await team.client.get('/reports/trial-balance', { start_date: '2026-01-01', end_date: date, basis, show_zero: true })
        const expected = books.balancesAt(date, basis)
        const shown = new Map<string, number>()
        const walk = (rows: any[]) => rows.forEach((row) => {
          if (row.kind === 'ledger') shown.set(row.ledger_id, row.cells.at(-1).amount)
          walk(row.rows ?? [])
        })
        walk(data.rows)
        for (const [ledger_id, balance] of expected) expect(Math.abs(shown.get(ledger_id) ?? 0), `${date} ${basis} ${ledger_id}`).toBe(Math.abs(balance))
        const sheet = await team.client.get('/reports/balance-sheet', { as_of: date, basis })
        expect(sheet.data.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([])
      }
    }
  }, 60_000)

  it('and the service itself finds nothing either', async () => {
    const { data } = await team.client.get('/books/verification')
    expect(data.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([])
  }, 120_000 + OPERATIONS * 10)
})
