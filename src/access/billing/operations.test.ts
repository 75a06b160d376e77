// The plan of a business through its life: preview and change, cancel and resume, cards that fail, time that passes, and who may do what.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, newMember, newPerson, sql, type Team } from '../../../test/support/people.ts'
import { businessOn, businessWithPlan, openSession, payOn, toldOf, URLS } from '../../../test/support/plans.ts'
import { service, startService } from '../../../test/support/service.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import { lockSubscription } from '../../foundation/processor/sandbox-plan-records.ts'
import { findBusiness } from '../lookup.ts'
import { tellNews } from './operations.ts'

afterEach(async () => (await service()).clock.set(null))

/** The clock stands at this time, and its owner is still signed in. */
async function setClock(now: string, team: Team): Promise<void> {
  ;(await service()).clock.set(now)
  await sql(`update sessions set last_seen_at = $2, expires_at = $2::timestamptz + interval '90 days' where user_id = $1`, [team.owner.user_id, now])
}

/** And what the clock runs has run, for this business alone: others share the database. */
async function at(now: string, team: Team): Promise<void> {
  await setClock(now, team)
  const { database } = (await service()).program
  const due = await sql('select s.id from sandbox_plan_subscriptions s join sandbox_plan_customers c on c.id = s.customer_id where c.reference = $1 and s.current_period_end <= $2', [team.business_id, now])
  for (const { id } of due) await transact(database, { business_id: null, read_only: false, request: plainRequest }, ({ tx }) => lockSubscription(tx, id))
  await runJobs(team.business_id)
  const news = await sql('select id from businesses_with_billing_news($1) id where id = $2', [now, team.business_id])
  const business = await findBusiness(database, team.business_id)
  if (news.length > 0 && business) await asSystem(database, business, 'test', tellNews)
}

const billingOf = async (team: Team) => (await team.client.get('/billing')).data
const writes = (team: Team) => team.client.post('/tags', { name: `Tag ${newId()}` })

/** A plan that begins at this time. */
async function begunAt(now: string, ...terms: Parameters<typeof businessWithPlan>): Promise<Team> {
  ;(await service()).clock.set(now)
  return businessWithPlan(...terms)
}

describe('what any member sees', () => {
  it('the plan, the plans and what is used; not the checkout, the invoices and the card page', async () => {
    const team = await businessOn('trial')
    await openSession(team, 'managed', 'year', '/billing/checkout')
    const viewer = (await newMember(team.business_id, 'viewer')).client
    const { data } = await viewer.get('/billing')
    expect(data).toMatchObject({
      business_id: team.business_id, plan_tier: 'trial', billing_status: 'trialing', billing_interval: null, trial_ends_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), access: 'full',
      current_period_end: null, cancel_at_period_end: false, payment_method: null, next_amount: null, pending_change: null, pending_session: null, limits: { members: 5, api_tokens: 5 },
    })
    const plans = (await viewer.get('/billing/plans')).data
    expect(plans.map(({ plan_tier, prices }: any) => [plan_tier, prices.map(({ billing_interval, amount, currency }: any) => [billing_interval, amount, currency])])).toEqual([
      ['self_directed', [['month', 4_900, 'USD'], ['year', 49_000, 'USD']]], ['managed', [['month', 29_900, 'USD'], ['year', 299_000, 'USD']]],
    ])
    expect((await viewer.get('/billing/usage')).data).toEqual({
      plan_tier: 'trial', usage: [{ metric: 'members', used: 2, limit: 5, over: false }, { metric: 'api_tokens', used: 0, limit: 5, over: false }],
    })
    const refused = [
      viewer.get('/billing/plan-preview', { target_plan: 'managed' }), viewer.get('/billing/invoices'), viewer.get(`/billing/invoices/${team.business_id}`),
      viewer.get('/billing/checkout-sessions/x'), viewer.put('/billing/plan', {}), viewer.put('/billing/cancel'), viewer.put('/billing/resume'),
      viewer.post('/billing/portal', {}), viewer.post('/billing/checkout', {}), viewer.post('/sandbox/clock', {}),
    ]
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(refused.map(() => 403))
    const stranger = client((await newPerson()).token, team.business_id)
    for (const path of ['/billing', '/billing/plans', '/billing/usage', '/billing/invoices']) expect((await stranger.get(path)).status).toBe(403)
  })
})

describe('changing the plan', () => {
  const START = '2026-01-31T10:00:00.000Z'
  let team: Team
  beforeAll(async () => {
    team = await begunAt(START)
  })

  it('upward: what is previewed is charged now, to the cent, and the tier waits for the word of the processor', async () => {
    await at('2026-02-14T18:00:00.000Z', team)
    const preview = (await team.client.get('/billing/plan-preview', { target_plan: 'managed' })).data
    // 14 days and 10 hours of 28 are left: 336 + 10 of 672 hours.
    expect(preview).toMatchObject({ target_plan: 'managed', billing_interval: 'month', effect: 'upgrade', amount: 12_872, tax: 0, currency: 'USD', next_amount: 29_900 })
    expect(preview.lines.map(({ amount }: any) => amount)).toEqual([-2_523, 15_395])
    expect((await team.client.get('/billing/plan-preview', { target_plan: 'managed' }, {})).data.amount).toBe(12_872)
    const wrong = await team.client.put('/billing/plan', { target_plan: 'managed', expected_amount: 12_871 })
    expect([wrong.status, wrong.detail]).toEqual([400, 'The change costs 128.72 USD (12872 cents), not the expected 128.71 USD. Look at the preview again.'])
    const stale = await team.client.put('/billing/plan', { target_plan: 'managed', expected_amount: 12_872 }, { headers: { 'if-match': '"9999"' } })
    expect(stale.status).toBe(412)
    const { status, data } = await team.client.put('/billing/plan', { target_plan: 'managed', expected_amount: 12_872 })
    expect(status).toBe(200)
    expect(data).toMatchObject({ plan_tier: 'self_directed', pending_change: { target_plan: 'managed', billing_interval: 'month' } })
    await runJobs(team.business_id)
    expect(await billingOf(team)).toMatchObject({ plan_tier: 'managed', pending_change: null, next_amount: 29_900, current_period_end: '2026-02-28T10:00:00.000Z' })
    const invoices = (await team.client.get('/billing/invoices')).data.items
    expect(invoices.map(({ total, status: paid }: any) => [total, paid])).toEqual([[12_872, 'paid'], [4_900, 'paid']])
  })

  it('the same again is nothing, downward waits for the end of the period, and can be taken back', async () => {
    await at('2026-02-15T00:00:00.000Z', team)
    const before = await billingOf(team)
    expect((await team.client.put('/billing/plan', { target_plan: 'managed', expected_amount: 0 })).data.version).toBe(before.version)
    const preview = (await team.client.get('/billing/plan-preview', { target_plan: 'self_directed', billing_interval: 'year' })).data
    expect(preview).toMatchObject({ effect: 'downgrade', amount: 0, effective_at: '2026-02-28T10:00:00.000Z', next_amount: 49_000 })
    const down = () => team.client.put('/billing/plan', { target_plan: 'self_directed', billing_interval: 'year', expected_amount: 0 })
    const pending = { target_plan: 'self_directed', billing_interval: 'year', effective_at: '2026-02-28T10:00:00.000Z' }
    expect((await down()).data).toMatchObject({ plan_tier: 'managed', pending_change: pending, next_amount: 49_000 })
    expect((await team.client.put('/billing/plan', { target_plan: 'managed', billing_interval: 'month', expected_amount: 0 })).data).toMatchObject({ plan_tier: 'managed', pending_change: null, next_amount: 29_900 })
    await down()
    await runJobs(team.business_id)
    expect(await billingOf(team)).toMatchObject({ plan_tier: 'managed', pending_change: pending })
    await at('2026-02-28T10:00:00.000Z', team)
    expect(await billingOf(team)).toMatchObject({ plan_tier: 'self_directed', billing_interval: 'year', pending_change: null, current_period_end: '2027-02-28T10:00:00.000Z' })
  })

  it('to a shorter interval of a larger plan gives a credit that later invoices use up', async () => {
    await at('2026-03-01T12:00:00.000Z', team)
    const preview = (await team.client.get('/billing/plan-preview', { target_plan: 'managed', billing_interval: 'month' })).data
    expect(preview).toMatchObject({ effect: 'upgrade' })
    expect(preview.amount).toBeLessThan(0)
    await team.client.put('/billing/plan', { target_plan: 'managed', billing_interval: 'month', expected_amount: preview.amount })
    await runJobs(team.business_id)
    expect(await billingOf(team)).toMatchObject({ plan_tier: 'managed', billing_interval: 'month', next_amount: 29_900 + preview.amount })
  })

  it('is refused where there is nothing to change', async () => {
    const change = { target_plan: 'managed', expected_amount: 0 }
    const answers = await Promise.all((['trial', 'grandfathered', 'self_directed'] as const).map(async (tier) => (await businessOn(tier)).client.put('/billing/plan', change)))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(answers.map(({ detail }) => detail)).toEqual([expect.stringContaining('/billing/checkout'), expect.stringContaining('migrate-from-grandfathered'), expect.stringContaining('Nothing is charged')])
    const start = await (await businessOn('trial')).client.get('/billing/plan-preview', { target_plan: 'managed' })
    expect(start.data).toMatchObject({ effect: 'start', amount: 29_900, next_amount: 29_900 })
  })
})

it('two changes at once charge once', async () => {
  const team = await begunAt('2026-03-01T00:00:00.000Z')
  const change = () => team.client.put('/billing/plan', { target_plan: 'managed', expected_amount: 25_000 })
  const answers = await Promise.all([change(), change(), change()])
  expect(answers.map(({ status }) => status)).toContain(200)
  await runJobs(team.business_id)
  expect((await team.client.get('/billing/invoices')).data.items.map(({ total }: any) => total)).toEqual([25_000, 4_900])
})

describe('canceling', () => {
  it('takes effect when the period ends; until then it can be taken back; then only a checkout helps', async () => {
    const team = await begunAt('2026-03-10T08:00:00.000Z')
    expect((await team.client.put('/billing/resume')).data.cancel_at_period_end).toBe(false)
    const canceled = (await team.client.put('/billing/cancel')).data
    expect(canceled).toMatchObject({ cancel_at_period_end: true, plan_tier: 'self_directed', access: 'full', next_amount: null, read_only_from: '2026-04-10T08:00:00.000Z' })
    expect((await team.client.put('/billing/cancel')).data.version).toBe(canceled.version)
    expect((await team.client.put('/billing/plan', { target_plan: 'managed', expected_amount: 0 })).detail).toMatch(/resume it/)
    expect((await team.client.put('/billing/resume')).data).toMatchObject({ cancel_at_period_end: false, read_only_from: null, next_amount: 4_900 })
    await team.client.put('/billing/cancel')
    await runJobs(team.business_id)
    await setClock('2026-04-10T07:59:59.000Z', team)
    expect((await writes(team)).status).toBe(201)
    // At the very moment, before anybody has told us anything.
    await setClock('2026-04-10T08:00:00.000Z', team)
    expect((await writes(team)).status).toBe(403)
    await at('2026-04-10T08:05:00.000Z', team)
    expect(await billingOf(team)).toMatchObject({ billing_status: 'canceled', access: 'read_only', plan_tier: 'self_directed' })
    expect((await team.client.put('/billing/cancel')).detail).toMatch(/has ended/)
    expect((await team.client.put('/billing/resume')).detail).toMatch(/has ended/)
    expect((await team.client.get('/reports/trial-balance')).status).toBe(200)
    expect((await team.client.get('/billing/invoices')).status).toBe(200)
    const { checkout_url } = await openSession(team, 'managed', 'month', '/billing/checkout')
    await payOn(checkout_url)
    await runJobs(team.business_id)
    expect(await billingOf(team)).toMatchObject({ plan_tier: 'managed', billing_status: 'active', access: 'full' })
    expect((await writes(team)).status).toBe(201)
    expect((await toldOf(team)).filter((type) => type === 'billing.access_changed')).toHaveLength(2)
  })

  it('needs something to cancel', async () => {
    const team = await businessOn('trial')
    for (const verb of ['cancel', 'resume']) {
      const { status, detail } = await team.client.put(`/billing/${verb}`)
      expect([status, detail]).toEqual([400, `There is no paid plan to ${verb}.`])
    }
  })
})

it('a card that fails: 14 days of grace, read-only, another card, writable again', async () => {
  const team = await begunAt('2026-01-15T09:00:00.000Z', 'self_directed', 'month', '4000000000000341')
  expect((await team.client.post('/billing/portal', { return_url: 'https://app.example/settings' }, { query: { dry_run: 'true' } })).data).toEqual({ url: null })
  await at('2026-02-15T09:00:00.000Z', team)
  expect(await billingOf(team)).toMatchObject({ billing_status: 'past_due', access: 'full', read_only_from: '2026-03-01T09:00:00.000Z' })
  expect((await team.client.put('/billing/plan', { target_plan: 'managed', expected_amount: 0 })).detail).toMatch(/overdue: change the card/)
  expect((await toldOf(team)).filter((type) => type === 'billing.payment_failed')).toHaveLength(1)
  await at('2026-03-01T08:59:59.000Z', team)
  expect((await writes(team)).status).toBe(201)
  await at('2026-03-01T09:00:00.000Z', team)
  const refused = await writes(team)
  expect([refused.status, refused.detail]).toEqual([403, expect.stringMatching(/read-only until it is paid.*billing/)])
  const { url } = (await team.client.post('/billing/portal', { return_url: 'https://app.example/settings' })).data
  expect(await (await fetch(url)).text()).toContain('visa that ends with 0341')
  expect((await payOn(url, '4000000000000002')).status).toBe(400)
  expect((await fetch(`${url.slice(0, -4)}AAAA`)).status).toBe(404)
  const changed = await payOn(url)
  expect([changed.status, changed.headers.get('location')]).toEqual([303, 'https://app.example/settings'])
  await runJobs(team.business_id)
  expect(await billingOf(team)).toMatchObject({ billing_status: 'active', access: 'full', read_only_from: null, payment_method: { last4: '4242' } })
  expect((await writes(team)).status).toBe(201)
  const [last] = (await team.client.get('/billing/invoices')).data.items
  expect(last).toMatchObject({ status: 'paid', total: 4_900, attempts: 2, period_start: '2026-02-15T09:00:00.000Z' })
  const file = (await team.client.get(`/billing/invoices/${last.id}/pdf`)).data.url
  const pdf = await fetch(file)
  expect([pdf.headers.get('content-type'), (await pdf.text()).startsWith('%PDF')]).toEqual(['application/pdf', true])
  const other = await newBusiness()
  for (const path of [`/billing/invoices/${last.id}`, `/billing/invoices/${last.id}/pdf`]) expect((await other.client.get(path)).status).toBe(404)
  expect((await fetch(`${url}`)).status).toBe(200)
  ;(await service()).clock.set('2026-03-01T11:00:00.000Z')
  expect((await fetch(`${url}`)).status).toBe(404)
})

it('a trial: told once a week before its end, grace, read-only with the way out, checkout, writable again', async () => {
  const { clock } = await service()
  clock.set('2026-05-01T00:00:00.000Z')
  const team = await businessOn('trial')
  await at('2026-05-23T23:00:00.000Z', team)
  expect(await toldOf(team)).toEqual([])
  await at('2026-05-24T00:00:00.000Z', team)
  await at('2026-05-25T00:00:00.000Z', team)
  expect(await toldOf(team)).toEqual(['billing.trial_ending'])
  await at('2026-06-01T00:00:00.000Z', team)
  expect(await billingOf(team)).toMatchObject({ billing_status: 'none', access: 'full', read_only_from: '2026-06-14T00:00:00.000Z' })
  expect((await writes(team)).status).toBe(201)
  await at('2026-06-14T00:00:00.000Z', team)
  await at('2026-06-14T01:00:00.000Z', team)
  expect(await toldOf(team)).toEqual(['billing.trial_ending', 'billing.access_changed'])
  const refused = await writes(team)
  expect([refused.status, refused.detail]).toEqual([403, expect.stringMatching(/trial and its 14 days of grace are over.*\/billing\/checkout/)])
  for (const path of ['/billing', '/tags', '/reports/trial-balance', `/businesses/${team.business_id}`]) expect((await team.client.get(path)).status).toBe(200)
  const { session_id } = (await team.client.post('/billing/checkout', { target_plan: 'self_directed', ...URLS })).data
  expect((await team.client.post(`/sandbox/checkouts/${session_id}/complete`, {})).status).toBe(201)
  await runJobs(team.business_id)
  expect((await writes(team)).status).toBe(201)
  expect(await toldOf(team)).toEqual(['billing.trial_ending', 'billing.access_changed', 'billing.checkout_started', 'billing.plan_changed', 'billing.access_changed', 'billing.payment_succeeded'])
})

it('a yearly plan renews year after year, also when the clock jumps', async () => {
  const team = await begunAt('2024-02-29T12:00:00.000Z', 'managed', 'year')
  await at('2028-03-01T00:00:00.000Z', team)
  expect(await billingOf(team)).toMatchObject({ plan_tier: 'managed', billing_status: 'active', current_period_end: '2029-02-28T12:00:00.000Z' })
  const page = (await team.client.get('/billing/invoices', { limit: 2, include_total_count: true })).data
  expect([page.total, page.items.map(({ period_start }: any) => period_start)]).toEqual([5, ['2028-02-29T12:00:00.000Z', '2027-02-28T12:00:00.000Z']])
  expect((await toldOf(team)).filter((type) => type === 'billing.payment_succeeded')).toHaveLength(5)
})

it('with a real processor there are no test doors, and without prices no plans', async () => {
  const team = await businessOn('grandfathered')
  const { url, program } = await startService({ DAYBOOK_STRIPE_KEY: 'sk_test_nothing', DAYBOOK_STRIPE_HOST: 'http://127.0.0.1:9' })
  const real = client(team.owner.token, team.business_id, url)
  const answers = [
    await real.post('/sandbox/clock', { now: new Date().toISOString() }), await real.put(`/sandbox/businesses/${team.business_id}/plan-tier`, { plan_tier: 'trial' }),
    await real.post('/sandbox/checkouts/cs_1/complete', {}), await real.post('/sandbox/checkouts/cs_1/expire'), await real.post('/sandbox/checkouts/cs_1/cancel'),
  ]
  expect(answers.map(({ status, detail }) => [status, detail])).toEqual(answers.map(() => [404, 'Test door not found.']))
  expect((await real.get('/billing/plans')).data.map(({ prices }: any) => prices)).toEqual([[], []])
  expect((await real.post('/billing/migrate-from-grandfathered', { target_plan: 'managed', ...URLS })).status).toBe(503)
  expect((await fetch(`${url}/sandbox/plan/ps_1`)).status).toBe(404)
  expect((await fetch(`${url}/sandbox/plan-invoices/in_1/pdf`)).status).toBe(404)
  await program.stop()
  expect(await sql('select from billing_sessions where business_id = $1', [team.business_id])).toEqual([])
})
