// Events in tests: what a record's log says, and what follows from it.
import { findBusiness } from '../../src/access/lookup.ts'
import { subscribers } from '../../src/app/jobs.ts'
import { openLog } from '../../src/foundation/log.ts'
import { deliverTo } from '../../src/foundation/jobs/outbox.ts'
import { sql } from './people.ts'
import { service } from './service.ts'

/** The types of a record's events, oldest first. */
export async function eventsOf(resource_id: string): Promise<string[]> {
  return (await sql('select type from events where resource_id = $1 order by seq', [resource_id])).map(({ type }) => type)
}

/** Lets every subscriber hear what has happened in the business. */
export async function deliver(business_id: string): Promise<void> {
  const { database } = (await service()).program
  const business = await findBusiness(database, business_id)
  if (!business) throw new Error('There is no such business.')
  const failed = await deliverTo(database, business, subscribers, openLog('silent'))
  if (failed > 0) throw new Error(`${failed} subscribers failed.`)
}
