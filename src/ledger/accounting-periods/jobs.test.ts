// Tests of the clock that makes fiscal years. What it finds and what it does are tried apart, since it does so in every business.
import { afterEach, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import { newBusiness, sql } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import { extendInTime } from './jobs.ts'
import { businessesRunningOut } from './store.ts'

afterEach(async () => (await service()).clock.set(null))

async function foundAt(now: string, business_id: string): Promise<boolean> {
  const { program, clock } = await service()
  clock.set(now)
  const found = await transact(
    program.database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(businessesRunningOut, { days: 60 }),
  )
  return found.some((each) => each.business_id === business_id)
}

const lastOf = async (business_id: string): Promise<[string, number]> => {
  const [row] = await sql('select max(end_date)::text as last, count(*)::int as count from accounting_periods where business_id = $1', [business_id])
  return [row.last, row.count]
}

it('the next fiscal year is there sixty days before the last one ends, once', async () => {
  (await service()).clock.set('2026-06-15T12:00:00Z')
  const { business_id } = await newBusiness()
  expect(await foundAt('2026-11-01T12:00:00Z', business_id)).toBe(false)
  await inside(business_id, extendInTime)
  expect(await lastOf(business_id)).toEqual(['2026-12-31', 12])
  // By the time of the business: in New York it is still the first of November.
  expect(await foundAt('2026-11-02T03:00:00Z', business_id)).toBe(false)
  expect(await foundAt('2026-11-02T12:00:00Z', business_id)).toBe(true)
  await Promise.all([1, 2, 3].map(() => inside(business_id, extendInTime)))
  expect(await lastOf(business_id)).toEqual(['2027-12-31', 24])
  expect(await foundAt('2026-11-02T12:00:00Z', business_id)).toBe(false)
  const events = await sql(`select data from events where business_id = $1 and type = 'accounting_period.generated' order by seq`, [business_id])
  expect(events.map(({ data }) => data.name)).toEqual(['2026-01', '2027-01'])
})

it('a business that was left alone for years catches up; one that is archived is left alone', async () => {
  (await service()).clock.set('2026-06-15T12:00:00Z')
  const [asleep, archived] = [await newBusiness(), await newBusiness()]
  await archived.client.put(`/businesses/${archived.business_id}/archive`)
  expect(await foundAt('2039-02-01T12:00:00Z', archived.business_id)).toBe(false)
  expect(await foundAt('2039-02-01T12:00:00Z', asleep.business_id)).toBe(true)
  await inside(asleep.business_id, extendInTime)
  expect(await lastOf(asleep.business_id)).toEqual(['2039-12-31', 14 * 12])
})
