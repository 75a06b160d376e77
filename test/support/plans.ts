// Plans in tests: a business on a tier, a checkout that is paid, and events of the embedded processor as it signs them.
import type { PlanEvent } from '../../src/foundation/processor/plans.ts'
import { SANDBOX_PLAN_SIGNATURE, signedPlanMessage } from '../../src/foundation/processor/sandbox-plans.ts'
import { newId } from '../../src/foundation/ids.ts'
import { client } from './client.ts'
import { runJobs } from './jobs.ts'
import { newBusiness, sql, type Team } from './people.ts'
import { service } from './service.ts'

export const URLS = { success_url: 'https://app.example/paid?s={CHECKOUT_SESSION_ID}', cancel_url: 'https://app.example/back' }

/** A business on this tier; a trial ends 30 days from now. */
export async function businessOn(plan_tier: string): Promise<Team> {
  const team = await newBusiness()
  const now = (await service()).clock.now()
  await sql(`update businesses set plan_tier = $2, trial_ends_at = case when $2 = 'trial' then $3::timestamptz + interval '30 days' end where id = $1`, [team.business_id, plan_tier, now])
  return team
}

/** A session for this plan, opened by the way that the tier has. */
export async function openSession(team: Team, target_plan = 'self_directed', billing_interval = 'month', path = '/billing/migrate-from-grandfathered'): Promise<any> {
  const answer = await team.client.post(path, { target_plan, billing_interval, ...URLS })
  if (answer.status !== 201) throw new Error(`No session: ${JSON.stringify(answer.detail)}`)
  return answer.data
}

/** Somebody pays it on the hosted page; nobody here hears of it yet. */
export async function payOn(checkout_url: string, number = '4242424242424242'): Promise<Response> {
  return fetch(checkout_url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ number, expiry: '12/90', cvc: '123' }) })
}

/** A business with a running plan, paid from a trial. */
export async function businessWithPlan(target_plan = 'self_directed', billing_interval = 'month', number?: string): Promise<Team> {
  const team = await businessOn('trial')
  const { checkout_url } = await openSession(team, target_plan, billing_interval, '/billing/checkout')
  await payOn(checkout_url, number)
  await runJobs(team.business_id)
  return team
}

export const customerOf = async (team: Team): Promise<string> => (await sql('select customer_id from billing_accounts where business_id = $1', [team.business_id]))[0].customer_id

/** Takes the events that wait to be delivered away from the worker. */
export async function takeEvents(team: Team): Promise<PlanEvent[]> {
  const taken = await sql(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = 'billing.sandbox_event' and j.payload->>'business_id' = $1 returning j.id::bigint as id, j.payload->'event' as event`, [team.business_id])
  return taken.toSorted((a, b) => Number(a.id) - Number(b.id)).map(({ event }) => event)
}

export async function eventAbout(team: Team, type: string, object_id: string): Promise<PlanEvent> {
  return { id: `evt_${newId()}`, type, object_id, customer_id: await customerOf(team), created_at: (await service()).clock.now().toISOString() }
}

/** Sends an event to the public endpoint, signed now with the key of the installation unless said otherwise. */
export async function send(event: PlanEvent, { at, key, tamper }: { at?: Date; key?: Buffer; tamper?: (text: string) => string } = {}) {
  const { program, clock } = await service()
  const message = signedPlanMessage(key ?? program.database.surroundings.encryption_key, event, at ?? clock.now())
  const raw = tamper ? Buffer.from(tamper(message.body.toString())) : message.body
  return client().post('/billing/processor-events', undefined, { raw, headers: { [SANDBOX_PLAN_SIGNATURE]: String(message.headers[SANDBOX_PLAN_SIGNATURE]) } })
}

/** The names of the billing events in the log of the business, in order. */
export async function toldOf(team: Team): Promise<string[]> {
  return (await sql(`select type from events where business_id = $1 and type like 'billing.%' order by seq`, [team.business_id])).map(({ type }) => type)
}
