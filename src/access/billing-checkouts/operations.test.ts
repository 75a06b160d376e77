// Buying a plan: the story of a grandfathered business to the letter, who may, from where, and what two at once lead to.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { businessOn, businessWithPlan, eventAbout, openSession, payOn, send, takeEvents, toldOf, URLS } from '../../../test/support/plans.ts'
import { service } from '../../../test/support/service.ts'

const MIGRATE = '/billing/migrate-from-grandfathered'
afterEach(async () => (await service()).clock.set(null))

describe('a grandfathered business gets a paid plan', () => {
  let team: Team
  let [s1, s2]: any[] = []
  beforeAll(async () => {
    team = await businessOn('grandfathered')
  })

  it('nobody without billing:manage, and not with ftp', async () => {
    for (const role of ['accountant', 'bookkeeper', 'approver', 'viewer'] as const) {
      const { status, detail } = await (await newMember(team.business_id, role)).client.post(MIGRATE, { target_plan: 'managed', ...URLS })
      expect([status, detail]).toEqual([403, 'This needs the permission billing:manage.'])
    }
    const token = await newToken(team.owner, ['businesses:read', 'businesses:write'])
    expect((await client(token, team.business_id).post(MIGRATE, { target_plan: 'managed', ...URLS })).status).toBe(403)
    const { status, detail } = await team.client.post(MIGRATE, { target_plan: 'managed', ...URLS, success_url: 'ftp://app.example/paid' })
    expect([status, detail]).toEqual([422, [{ loc: ['body', 'success_url'], msg: 'Must be an absolute http or https URL.', type: 'value_error' }]])
  })

  it('managed, by the month unless said otherwise', async () => {
    const { status, data } = await team.client.post(MIGRATE, { target_plan: 'managed', ...URLS })
    s1 = data
    expect(status).toBe(201)
    expect(s1).toEqual({ checkout_url: expect.stringMatching(/^http/), session_id: expect.any(String), target_plan: 'managed', billing_interval: 'month', expires_at: expect.any(String) })
    expect((await team.client.get('/billing')).data).toMatchObject({ plan_tier: 'grandfathered', billing_status: 'none', pending_session: { session_id: s1.session_id } })
  })

  it('self_directed by the year instead: a fresh session, and the old one expires', async () => {
    s2 = (await team.client.post(MIGRATE, { target_plan: 'self_directed', billing_interval: 'year', ...URLS })).data
    expect(s2.session_id).not.toBe(s1.session_id)
    expect((await team.client.get(`/billing/checkout-sessions/${s1.session_id}`)).data).toMatchObject({ status: 'expired', target_plan: 'managed', checkout_url: null })
    expect((await team.client.get(`/billing/checkout-sessions/${s2.session_id}`)).data).toMatchObject({ status: 'open', checkout_url: s2.checkout_url, completed_at: null })
    expect(await (await fetch(s1.checkout_url)).text()).toContain('This page has expired')
  })

  it('paid, its event three times, the expiry of the first after it: one change of plan', async () => {
    await takeEvents(team)
    const paid = await payOn(s2.checkout_url)
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `https://app.example/paid?s=${s2.session_id}`])
    expect((await team.client.get('/billing')).data.plan_tier).toBe('grandfathered')
    const [completed] = (await takeEvents(team)).filter(({ type }) => type === 'session.completed')
    for (let time = 0; time < 3; time++) expect((await send(completed!)).body).toEqual({ received: true })
    expect((await send(await eventAbout(team, 'session.expired', s1.session_id))).status).toBe(200)
    await runJobs(team.business_id)
    expect((await team.client.get('/billing')).data).toMatchObject({
      plan_tier: 'self_directed', billing_interval: 'year', billing_status: 'active', access: 'full', next_amount: 49_000, currency: 'USD', pending_session: null,
      payment_method: { brand: 'visa', last4: '4242', exp: '12/90' },
    })
    expect((await team.client.get(`/businesses/${team.business_id}`)).data).toMatchObject({ plan_tier: 'self_directed', access: 'full' })
    expect((await toldOf(team)).filter((type) => type === 'billing.plan_changed')).toHaveLength(1)
    expect((await team.client.get(`/billing/checkout-sessions/${s2.session_id}`)).data).toMatchObject({ status: 'completed', refunded: false })
  })

  it('a tampered event is refused, and there is no way back', async () => {
    const event = await eventAbout(team, 'session.completed', s1.session_id)
    const { status, body } = await send(event, { tamper: (text) => text.replace('session.completed', 'session.completes') })
    expect([status, body]).toEqual([401, { detail: 'The signature of this event is missing or wrong.' }])
    const again = await team.client.post(MIGRATE, { target_plan: 'managed', ...URLS })
    expect([again.status, again.detail]).toEqual([400, 'This business is on the tier self_directed, not grandfathered: change its plan by PUT /billing/plan.'])
  })
})

describe('which way a business buys', () => {
  it.each([
    ['trial', MIGRATE, /on the tier trial, not grandfathered: buy a plan by POST \/billing\/checkout/],
    ['managed', MIGRATE, /on the tier managed, not grandfathered/],
    ['grandfathered', '/billing/checkout', /is grandfathered: it gets a paid plan by POST/],
    ['self_directed', '/billing/checkout', /has the plan self_directed: change it/],
  ])('%s: %s is a 400', async (tier, path, detail) => {
    const answer = await (await businessOn(tier)).client.post(path, { target_plan: 'managed', ...URLS })
    expect([answer.status, answer.detail]).toEqual([400, expect.stringMatching(detail)])
  })

  it('from a trial by checkout, also in a dry run that asks nobody', async () => {
    const team = await businessOn('trial')
    const dry = await team.client.post('/billing/checkout', { target_plan: 'managed', ...URLS }, { query: { dry_run: 'true' } })
    expect([dry.status, dry.data]).toEqual([201, { checkout_url: null, session_id: null, target_plan: 'managed', billing_interval: 'month', expires_at: null }])
    expect(await sql('select from billing_sessions where business_id = $1', [team.business_id])).toEqual([])
    const { checkout_url } = await openSession(team, 'managed', 'month', '/billing/checkout')
    const declined = await payOn(checkout_url, '4000000000000002')
    expect([declined.status, /declined the payment/.test(await declined.text())]).toEqual([400, true])
    await payOn(checkout_url)
    await runJobs(team.business_id)
    expect((await team.client.get('/billing')).data).toMatchObject({ plan_tier: 'managed', billing_status: 'active', trial_ends_on: null })
    expect(await toldOf(team)).toEqual(['billing.checkout_started', 'billing.plan_changed', 'billing.payment_succeeded'])
  })
})

it.each([
  'javascript:alert(1)', 'ftp://example.com', '/paid', '//example.com/paid', 'https:example.com', 'https://', 'http:///x', 'data:text/html,x', ' https://example.com', 'https://user:word@example.com', 'https:\\\\example.com',
  'https://exa mple.com', 'example.com',
])('nobody is sent to %s', async (url) => {
  const team = await shared()
  for (const name of ['success_url', 'cancel_url']) {
    const { status, detail } = await team.client.post(MIGRATE, { target_plan: 'managed', ...URLS, [name]: url })
    expect([status, detail[0].loc]).toEqual([422, ['body', name]])
  }
  expect((await team.client.post('/billing/portal', { return_url: url })).status).toBe(422)
})

let kept: Promise<Team> | null = null
const shared = () => (kept ??= businessOn('grandfathered'))

it('of wrong bodies all problems are told', async () => {
  const { status, detail } = await (await shared()).client.post(MIGRATE, { target_plan: 'gold', billing_interval: 'week' })
  expect(status).toBe(422)
  expect(detail.map(({ loc, type }: any) => [loc[1], type]).toSorted()).toEqual([['billing_interval', 'enum'], ['cancel_url', 'missing'], ['success_url', 'missing'], ['target_plan', 'enum']])
})

it('several at once: a session each, one of them open', async () => {
  const team = await businessOn('grandfathered')
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => team.client.post(MIGRATE, { target_plan: 'managed', ...URLS })))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  await runJobs(team.business_id)
  const states = await Promise.all(answers.map(async ({ data }) => (await team.client.get(`/billing/checkout-sessions/${data.session_id}`)).data.status))
  expect(states.toSorted()).toEqual(['expired', 'expired', 'expired', 'expired', 'open'])
  const pages = await Promise.all(answers.map(async ({ data }) => (await (await fetch(data.checkout_url)).text()).includes('has expired')))
  expect(pages.filter((expired) => !expired)).toHaveLength(1)
})

it('a session ends after 24 hours, and somebody else sees none of it', async () => {
  const { clock } = await service()
  const team = await businessOn('grandfathered')
  const opened = Date.now()
  const { session_id, checkout_url, expires_at } = await openSession(team)
  expect(Math.round((Date.parse(expires_at) - opened) / 3_600_000)).toBe(24)
  const other = await newBusiness()
  for (const call of [other.client.get(`/billing/checkout-sessions/${session_id}`), other.client.post(`/sandbox/checkouts/${session_id}/complete`, {}), other.client.post(`/sandbox/checkouts/${session_id}/expire`)]) {
    expect((await call).status).not.toBe(201)
    expect([400, 404]).toContain((await call).status)
  }
  clock.set(new Date(opened + 25 * 3_600_000).toISOString())
  expect((await team.client.get(`/billing/checkout-sessions/${session_id}`)).data.status).toBe('expired')
  expect((await team.client.get('/billing')).data.pending_session).toBeNull()
  expect((await payOn(checkout_url)).status).toBe(200)
  await runJobs(team.business_id)
  expect((await team.client.get('/billing')).data.plan_tier).toBe('grandfathered')
})

describe('the test doors', () => {
  it('pay, leave and end the checkout of a plan by the paths of any checkout', async () => {
    const team = await businessOn('grandfathered')
    const first = await openSession(team)
    expect((await team.client.post(`/sandbox/checkouts/${first.session_id}/cancel`)).data).toMatchObject({ id: first.session_id, status: 'open', amount: 4_900 })
    expect((await team.client.post(`/sandbox/checkouts/${first.session_id}/complete`, { card_number: '4000000000000002' })).status).toBe(400)
    expect((await team.client.post(`/sandbox/checkouts/${first.session_id}/expire`)).data.status).toBe('expired')
    expect((await team.client.post(`/sandbox/checkouts/${first.session_id}/complete`, {})).detail).toBe('This page has expired.')
    const second = await openSession(team)
    const admin = await newMember(team.business_id, 'admin')
    expect((await admin.client.post(`/sandbox/checkouts/${second.session_id}/complete`, {})).status).toBe(403)
    expect((await team.client.post(`/sandbox/checkouts/${second.session_id}/complete`, {})).data).toMatchObject({ status: 'complete' })
    expect((await team.client.post(`/sandbox/checkouts/${second.session_id}/expire`)).detail).toBe('This checkout was paid.')
    await runJobs(team.business_id)
    expect((await team.client.get('/billing')).data.plan_tier).toBe('self_directed')
  })

  it('put a business on a tier, for its owner', async () => {
    const team = await businessWithPlan()
    const path = `/sandbox/businesses/${team.business_id}/plan-tier`
    expect((await (await newMember(team.business_id, 'admin')).client.put(path, { plan_tier: 'trial' })).status).toBe(403)
    expect((await (await newBusiness()).client.put(path, { plan_tier: 'trial' }, { business_id: null })).status).toBe(403)
    expect((await team.client.put(path, { plan_tier: 'gold' })).status).toBe(422)
    expect((await team.client.put(path, { plan_tier: 'grandfathered' })).data).toMatchObject({ plan_tier: 'grandfathered', billing_status: 'none', billing_interval: null, access: 'full' })
    expect((await team.client.put(path, { plan_tier: 'trial' })).data).toMatchObject({ plan_tier: 'trial', billing_status: 'trialing', trial_ends_on: expect.any(String) })
  })
})
