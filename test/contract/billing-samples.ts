// Samples for the endpoints of billing: businesses on a tier, with a plan, with a session, and a signed event.
import { newId } from '../../src/foundation/ids.ts'
import { SANDBOX_PLAN_SIGNATURE, signedPlanMessage } from '../../src/foundation/processor/sandbox-plans.ts'
import { client } from '../support/client.ts'
import { runJobs } from '../support/jobs.ts'
import { sql, type Team } from '../support/people.ts'
import { customerOf, openSession, payOn, URLS } from '../support/plans.ts'
import { service } from '../support/service.ts'

type Made = { params?: Record<string, string>; body?: unknown; query?: Record<string, string>; client?: ReturnType<typeof client>; raw?: Buffer; headers?: Record<string, string> }
type Maker = (team: Team) => Promise<Made>

const onTier = (team: Team, plan_tier: string) => sql(`update businesses set plan_tier = $2, trial_ends_at = now() + interval '30 days' where id = $1`, [team.business_id, plan_tier])

async function subscribe(team: Team): Promise<void> {
  await onTier(team, 'trial')
  const { checkout_url } = await openSession(team, 'self_directed', 'month', '/billing/checkout')
  await payOn(checkout_url)
  await runJobs(team.business_id)
}

const invoiced: Maker = async (team) => {
  await subscribe(team)
  return { params: { invoice_id: (await team.client.get('/billing/invoices')).data.items[0].id } }
}

export const billingSamples: Record<string, Maker> = {
  migrate_from_grandfathered: async (team) => (await onTier(team, 'grandfathered'), { body: { target_plan: 'managed', ...URLS } }),
  start_billing_checkout: async (team) => (await onTier(team, 'trial'), { body: { target_plan: 'managed', ...URLS } }),
  get_billing_checkout_session: async (team) => {
    await onTier(team, 'grandfathered')
    return { params: { session_id: (await openSession(team)).session_id } }
  },
  preview_billing_plan: async (team) => (await subscribe(team), { query: { target_plan: 'managed' } }),
  change_billing_plan: async (team) => {
    await subscribe(team)
    return { body: { target_plan: 'managed', expected_amount: (await team.client.get('/billing/plan-preview', { target_plan: 'managed' })).data.amount } }
  },
  cancel_billing_plan: async (team) => (await subscribe(team), {}),
  resume_billing_plan: async (team) => {
    await subscribe(team)
    await team.client.put('/billing/cancel')
    return {}
  },
  open_billing_portal: async (team) => (await subscribe(team), { body: { return_url: 'https://example.com' } }),
  get_billing_invoice: invoiced,
  get_billing_invoice_pdf: invoiced,
  receive_billing_event: async (team) => {
    await subscribe(team)
    const { program, clock } = await service()
    const event = { id: `evt_${newId()}`, type: 'invoice.paid', object_id: 'in_1', customer_id: await customerOf(team), created_at: clock.now().toISOString() }
    const message = signedPlanMessage(program.database.surroundings.encryption_key, event, clock.now())
    return { raw: message.body, headers: { [SANDBOX_PLAN_SIGNATURE]: String(message.headers[SANDBOX_PLAN_SIGNATURE]) }, client: client() }
  },
  move_sandbox_clock: async () => ({ body: { now: new Date((await service()).clock.now().getTime() + 60_000).toISOString() } }),
  set_sandbox_plan_tier: async () => ({ body: { plan_tier: 'grandfathered' } }),
}

/** They act at the processor only, or on the clock. */
export const billingWithoutTrace = ['open_billing_portal', 'move_sandbox_clock']
