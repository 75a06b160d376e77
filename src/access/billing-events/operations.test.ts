// Events about plans: forged, late, repeated and in any order they lead to the same plan; a second payment goes back.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { businessOn, businessWithPlan, customerOf, eventAbout, openSession, payOn, send, takeEvents, toldOf } from '../../../test/support/plans.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { SANDBOX_SIGNATURE, signedMessage } from '../../foundation/processor/sandbox.ts'
import type { PlanEvent } from '../../foundation/processor/plans.ts'
import { isAboutPlan } from './rules.ts'

const stateOf = async (team: Team) => {
  const { version: _version, ...billing } = (await team.client.get('/billing')).data
  const sessions = await sql('select session_id, status, outcome, settled from billing_sessions where business_id = $1 order by created_at, id', [team.business_id])
  const invoices = await sql('select number, status, total::int as total from billing_invoices where business_id = $1 order by issued_at, number', [team.business_id])
  return { billing, sessions, invoices }
}

describe('an event', () => {
  it('that is forged, tampered with or old is a 401 and leaves nothing', async () => {
    const team = await businessOn('grandfathered')
    const { session_id, checkout_url } = await openSession(team)
    await payOn(checkout_url)
    await takeEvents(team)
    const event = await eventAbout(team, 'session.completed', session_id)
    const now = (await service()).clock.now().getTime()
    const answers = [
      await send(event, { tamper: (text) => text.replace('session', 'sessiom') }),
      await send(event, { key: Buffer.alloc(32, 9) }),
      await send(event, { at: new Date(now - 301_000) }),
      await send(event, { at: new Date(now + 330_000) }),
      await client().post('/billing/processor-events', undefined, { raw: JSON.stringify(event) }),
      await client().post('/billing/processor-events', undefined, { raw: JSON.stringify(event), headers: { 'daybook-plan-signature': `t=${Math.floor(now / 1000)},v1=${'0'.repeat(64)}` } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401])
    // Signed, but for the events of customers' charges.
    const { program, clock } = await service()
    const other = signedMessage(program.database.surroundings.encryption_key, { ...event, account: null, subject: null }, clock.now())
    const crossed = await client().post('/billing/processor-events', undefined, { raw: other.body, headers: { 'daybook-plan-signature': String(other.headers[SANDBOX_SIGNATURE]) } })
    expect(crossed.status).toBe(401)
    await runJobs(team.business_id)
    expect((await team.client.get('/billing')).data.plan_tier).toBe('grandfathered')
    expect(await sql('select from billing_events where business_id = $1', [team.business_id])).toEqual([])
    expect((await send(event, { at: new Date(now - 290_000) })).status).toBe(200)
    await runJobs(team.business_id)
    expect((await team.client.get('/billing')).data.plan_tier).toBe('self_directed')
  })

  it('of nobody, of an unknown kind, or that says what is not so, changes nothing', async () => {
    const team = await businessOn('grandfathered')
    const { session_id } = await openSession(team)
    await runJobs(team.business_id)
    const before = await stateOf(team)
    const event = await eventAbout(team, 'session.completed', session_id)
    for (const one of [event, { ...event, id: newId(), customer_id: 'cus_nobody' }, { ...event, id: newId(), customer_id: null }, { ...event, id: newId(), type: 'tax.settings.updated' }]) {
      expect(await send(one)).toMatchObject({ status: 200, body: { received: true } })
    }
    await runJobs(team.business_id)
    expect(await stateOf(team)).toEqual(before)
    expect((await sql('select outcome from billing_events where business_id = $1 order by created_at, id', [team.business_id])).map(({ outcome }) => outcome)).toEqual(['processed', 'ignored'])
  })

  it('of another business touches only that one', async () => {
    const [team, other] = [await businessOn('grandfathered'), await businessOn('grandfathered')]
    const { checkout_url, session_id } = await openSession(team)
    await openSession(other)
    await payOn(checkout_url)
    await takeEvents(team)
    await send({ ...await eventAbout(team, 'session.completed', session_id), customer_id: await customerOf(other) })
    await Promise.all([runJobs(team.business_id), runJobs(other.business_id)])
    for (const one of [team, other]) expect((await one.client.get('/billing')).data.plan_tier).toBe('grandfathered')
  })

  it('of both processors is known by its kind', () => {
    expect(['checkout.session.completed', 'customer.subscription.updated', 'invoice.paid', 'session.expired', 'subscription.ended'].every(isAboutPlan)).toBe(true)
    expect(['charge.succeeded', 'payout.paid', 'customer.created', 'sessions', ''].some(isAboutPlan)).toBe(false)
  })
})

it('in any order, however often: the same plan', async () => {
  // Two sessions both paid, the second although the first has begun a plan; all events are held back.
  const team = await businessOn('grandfathered')
  const first = await openSession(team, 'managed', 'month')
  await payOn(first.checkout_url)
  const raced = await secondSession(team)
  await payOn(raced.checkout_url)
  const events = await takeEvents(team)
  expect(events.map(({ type }) => type).toSorted()).toEqual(['invoice.paid', 'invoice.paid', 'session.completed', 'session.completed'])
  await fc.assert(fc.asyncProperty(fc.array(fc.nat(events.length - 1), { maxLength: 8 }), fc.shuffledSubarray(events.map((_, index) => index), { minLength: events.length }), async (some, all) => {
    await rewind(team, [first.session_id, raced.session_id])
    for (const index of [...some, ...all]) {
      await send(events[index] as PlanEvent)
      if (index % 2 === 0) await runJobs(team.business_id)
    }
    await runJobs(team.business_id)
    const { billing, sessions, invoices } = await stateOf(team)
    expect(billing).toMatchObject({ plan_tier: 'managed', billing_interval: 'month', billing_status: 'active', access: 'full' })
    expect(sessions.map(({ session_id, status, outcome }) => [session_id, status, outcome])).toEqual([[first.session_id, 'completed', 'applied'], [raced.session_id, 'completed', 'refunded']])
    expect(invoices.map(({ status, total }) => [status, total]).toSorted()).toEqual([['paid', 29_900], ['refunded', 4_900]])
  }), { numRuns: 8 })
  const told = await toldOf(team)
  expect(told.filter((type) => type === 'billing.second_payment_refunded').length).toBe(told.filter((type) => type === 'billing.plan_changed').length)
}, 20_000)

it('of two sessions that are both paid the first counts, and the other payment goes back once', async () => {
  const team = await businessOn('trial')
  const first = await openSession(team, 'self_directed', 'year', '/billing/checkout')
  await payOn(first.checkout_url)
  const second = await secondSession(team)
  await payOn(second.checkout_url)
  await runJobs(team.business_id)
  expect((await team.client.get('/billing')).data).toMatchObject({ plan_tier: 'self_directed', billing_interval: 'year' })
  expect((await team.client.get(`/billing/checkout-sessions/${second.session_id}`)).data).toMatchObject({ status: 'completed', refunded: true })
  const [refunded] = await sql(`select data from events where business_id = $1 and type = 'billing.second_payment_refunded'`, [team.business_id])
  expect(refunded.data).toMatchObject({ session_id: second.session_id, amount: 4_900, refund_currency: 'USD' })
  expect(await toldOf(team)).toHaveLength(5)
  expect((await team.client.get('/billing/invoices', { status: 'refunded' })).data.items).toMatchObject([{ total: 4_900 }])
  for (const event of [await eventAbout(team, 'session.completed', second.session_id), await eventAbout(team, 'invoice.paid', 'in_any')]) await send(event)
  await runJobs(team.business_id)
  expect(await toldOf(team)).toHaveLength(5)
})

it('what is deleted is no longer heard of', async () => {
  const team = await businessWithPlan()
  const path = `/businesses/${team.business_id}?confirm_name=Test%20Trading`
  expect((await team.client.delete(path)).detail).toMatch(/Cancel it under billing first/)
  expect((await team.client.put('/billing/cancel')).status).toBe(200)
  expect((await team.client.delete(path)).status).toBe(200)
  expect((await (await newBusiness()).client.get('/billing')).data.payment_method).toBeNull()
})

/** Another session at the processor, as a race would leave it: opened before the first was paid. */
async function secondSession(team: Team) {
  const { program } = await service()
  const session = await program.database.surroundings.processor.plans.createSession({
    customer: await customerOf(team), plan: 'self_directed', billing_interval: 'month', reference: team.business_id, success_url: 'https://app.example', cancel_url: 'https://app.example',
    idempotency_key: newId(),
  })
  await sql(
    `insert into billing_sessions (business_id, id, session_id, kind, target_plan, billing_interval, status, checkout_url, settled, expires_at, created_at, updated_at, version)
     values ($1, $2, $3, 'migration', 'self_directed', 'month', 'expired', '', false, $4, now(), now(), 1)`, [team.business_id, newId(), session.id, session.expires_at])
  return { session_id: session.id, checkout_url: session.url ?? '' }
}

/** As if nothing had been heard yet. */
async function rewind(team: Team, sessions: string[]): Promise<void> {
  await sql('delete from billing_events where business_id = $1', [team.business_id])
  await sql('delete from billing_invoices where business_id = $1', [team.business_id])
  await sql(`update billing_sessions set status = 'expired', outcome = null, settled = false, completed_at = null where session_id = any($1)`, [sessions])
  await sql(`update billing_accounts set subscription_id = null, status = 'none', billing_interval = null where business_id = $1`, [team.business_id])
  await sql(`update businesses set plan_tier = 'grandfathered' where id = $1`, [team.business_id])
}
