import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INTERVALS, PLANS, type Subscription } from '../../foundation/processor/plans.ts'
import { priceOf, quoteFor, SANDBOX_PRICES, turned, type Turn } from '../../foundation/processor/sandbox-plan-rules.ts'
import { periodOf } from '../../foundation/processor/proration.ts'
import { whenOf } from '../billing-plans/rules.ts'
import { inOrderOfPayment } from '../billing-checkouts/rules.ts'
import { overdueSince } from '../billing-events/rules.ts'
import { planReason } from '../read-only.ts'
import type { AccountRow } from './contract.ts'
import { endOf, isRunning, paidUntil, requireRunning, statusOf } from './rules.ts'

const terms = fc.record({ plan: fc.constantFrom(...PLANS), billing_interval: fc.constantFrom(...INTERVALS) })
const account = { subscription_id: 'sub', status: 'active', past_due_since: null, cancel_at_period_end: false, current_period_end: '2026-04-01T00:00:00.000Z' } as AccountRow

describe('a change of plan', () => {
  it('is upward one way and downward the other', () => {
    fc.assert(fc.property(terms, terms, (one, other) => {
      const [there, back] = [whenOf(one, other), whenOf(other, one)]
      expect([there, back].toSorted()).toEqual(there === 'same' ? ['same', 'same'] : ['now', 'period_end'])
      expect(there === 'same').toBe(one.plan === other.plan && one.billing_interval === other.billing_interval)
    }))
  })

  it('never costs more than the new price, never gives back more than the old one, and its lines come to it', () => {
    const moments = fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }).map((moment) => moment.toISOString())
    fc.assert(fc.property(terms, terms, moments, fc.double({ min: 0, max: 1, noNaN: true }), (present, wanted, anchor, share) => {
      const { start, end } = periodOf(anchor, present.billing_interval, 0)
      const at = new Date(Date.parse(start) + Math.floor((Date.parse(end) - Date.parse(start)) * share)).toISOString()
      const { amount, lines } = quoteFor({ ...present, current_period_start: start, current_period_end: end }, wanted, at)
      expect(amount).toBeLessThanOrEqual(priceOf(wanted))
      expect(amount).toBeGreaterThanOrEqual(-priceOf(present))
      expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(amount)
    }))
  })

  it('by the year is cheaper than twelve months', () => {
    for (const plan of PLANS) expect(priceOf({ plan, billing_interval: 'year' })).toBeLessThan(12 * priceOf({ plan, billing_interval: 'month' }))
    expect(SANDBOX_PRICES).toHaveLength(4)
  })
})

describe('what time does to a subscription', () => {
  const running: Turn = {
    plan: 'managed', billing_interval: 'month', status: 'active', anchor_at: '2026-01-31T00:00:00.000Z', period: 0, current_period_start: '2026-01-31T00:00:00.000Z', current_period_end: '2026-02-28T00:00:00.000Z',
    cancel_at_period_end: false, pending_plan: null, pending_interval: null, ended_at: null,
  }
  it.each([
    ['nothing before its end', {}, '2026-02-27T23:59:59.999Z', null],
    ['the next period', {}, '2026-02-28T00:00:00.000Z', { period: 1, current_period_start: '2026-02-28T00:00:00.000Z', current_period_end: '2026-03-31T00:00:00.000Z' }],
    ['its last day', { cancel_at_period_end: true }, '2026-05-01T00:00:00.000Z', { status: 'canceled', ended_at: '2026-02-28T00:00:00.000Z' }],
    ['nothing while a bill is open', { status: 'past_due' as const }, '2026-05-01T00:00:00.000Z', null],
    ['nothing once it is over', { status: 'canceled' as const }, '2026-05-01T00:00:00.000Z', null],
    ['the plan that was to come', { pending_plan: 'self_directed', pending_interval: 'year' }, '2026-03-01T00:00:00.000Z', { plan: 'self_directed', billing_interval: 'year', pending_plan: null, current_period_end: '2027-02-28T00:00:00.000Z' }],
  ])('%s', (_, more, now, expected) => {
    const next = turned({ ...running, ...more }, now)
    if (expected === null) expect(next).toBeNull()
    else expect(next).toMatchObject(expected)
  })
})

describe('until when things can be changed', () => {
  it.each([
    [{}, null, null],
    [{ cancel_at_period_end: true }, null, '2026-04-01T00:00:00.000Z'],
    [{ status: 'past_due', past_due_since: '2026-03-01T00:00:00.000Z' }, null, '2026-03-15T00:00:00.000Z'],
    [{ status: 'past_due', past_due_since: '2026-03-25T00:00:00.000Z', cancel_at_period_end: true }, null, '2026-04-01T00:00:00.000Z'],
    [{ status: 'canceled' }, '2026-03-20T00:00:00.000Z', '2026-03-20T00:00:00.000Z'],
    [{ status: 'canceled' }, null, '2026-04-01T00:00:00.000Z'],
  ])('%j', (more, ended_at, until) => expect(paidUntil({ ...account, ...more } as AccountRow, ended_at)).toBe(until))

  it('a grandfathered business never ends, whatever else is written of it', () => {
    const plan = { plan_tier: 'grandfathered' as const, trial_ends_at: '2020-01-01T00:00:00.000Z', plan_ends_at: '2020-01-01T00:00:00.000Z' }
    expect([planReason(plan, '2026-01-01T00:00:00.000Z'), endOf(plan), statusOf(plan, account, '2026-01-01T00:00:00.000Z')]).toEqual([null, null, 'none'])
  })

  it('a plan that was given is active, and nothing of it can be canceled', () => {
    const given = { ...account, subscription_id: null, status: 'none' } as AccountRow
    expect([statusOf({ plan_tier: 'managed', trial_ends_at: null, plan_ends_at: null }, given, ''), isRunning(given)]).toEqual(['active', false])
    expect(() => requireRunning(given, 'cancel')).toThrow('There is no paid plan to cancel.')
  })
})

it('of several payments the first counts, whoever tells of them first', () => {
  const sessions = [{ session_id: 'b', completed_at: '2026-01-01T00:00:00.000Z' }, { session_id: 'a', completed_at: '2026-01-02T00:00:00.000Z' }, { session_id: 'c', completed_at: '2026-01-01T00:00:00.000Z' }]
  fc.assert(fc.property(fc.shuffledSubarray(sessions, { minLength: 3 }), (some) => {
    expect(inOrderOfPayment(some).map(({ session_id }) => session_id)).toEqual(['b', 'c', 'a'])
  }))
})

it('a payment is overdue since the oldest open bill of that subscription', () => {
  const subscription = { id: 'sub', status: 'past_due', current_period_start: '2026-03-09T00:00:00.000Z' } as Subscription
  const bill = (issued_at: string, status: string, subscription_id = 'sub') => ({ issued_at, status, subscription_id }) as never
  expect(overdueSince(subscription, [bill('2026-03-05', 'open'), bill('2026-03-02', 'open'), bill('2026-03-01', 'paid'), bill('2026-02-01', 'open', 'other')])).toBe('2026-03-02')
  expect(overdueSince(subscription, [])).toBe('2026-03-09T00:00:00.000Z')
  expect(overdueSince({ ...subscription, status: 'active' }, [bill('2026-03-05', 'open')])).toBeNull()
})
