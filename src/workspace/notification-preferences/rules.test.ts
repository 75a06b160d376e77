import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEVERITIES, TOPICS } from '../notification-kinds/contract.ts'
import * as rules from './rules.ts'

const BUSINESS = '11111111-1111-4111-8111-111111111111'
const settings = (more: Partial<rules.Settings> = {}): rules.Settings => ({ ...rules.DEFAULT_SETTINGS, ...more })
const flag = fc.constantFrom(null, true, false)
const chosen = (business_id: string | null) => fc.record({
  topic: fc.constantFrom(...TOPICS), business_id: fc.constant(business_id), in_app: flag, email: flag, digest: flag, min_severity: fc.constantFrom(null, ...SEVERITIES),
})

describe('what counts', () => {
  it('business and topic beats topic beats default, value by value', () => {
    fc.assert(fc.property(fc.constantFrom(...TOPICS), chosen(null), chosen(BUSINESS), (topic, general, special) => {
      const found = rules.effective(topic, BUSINESS, [{ ...general, topic }, { ...special, topic }])
      expect(found.in_app).toBe(special.in_app ?? general.in_app ?? true)
      expect(found.digest).toBe(special.digest ?? general.digest ?? true)
      if (topic !== 'security') expect([found.email, found.min_severity]).toEqual([special.email ?? general.email ?? true, special.min_severity ?? general.min_severity ?? 'warning'])
      expect(found.sources.in_app).toBe(special.in_app !== null ? 'business' : general.in_app !== null ? 'topic' : 'default')
    }))
  })

  it('mail from warning on by default; security always, critical billing always', () => {
    const mailed = (topic: (typeof TOPICS)[number], off = false) => SEVERITIES.filter((severity) => rules.isMailed(
      rules.effective(topic, null, off ? [{ topic, business_id: null, in_app: null, email: false, digest: null, min_severity: 'critical' }] : []), severity))
    expect(mailed('invoice')).toEqual(['warning', 'critical'])
    expect([mailed('security'), mailed('security', true)]).toEqual([[...SEVERITIES], [...SEVERITIES]])
    expect([mailed('billing'), mailed('billing', true)]).toEqual([['warning', 'critical'], ['critical']])
    expect(mailed('invoice', true)).toEqual([])
  })
})

describe('the clock of a person', () => {
  it.each([
    ['22:00', '06:30', 'Europe/Vienna', '2026-03-10T23:00:00.000Z', '2026-03-11T05:30:00.000Z'],
    ['22:00', '06:30', 'Europe/Vienna', '2026-03-10T21:30:00.000Z', '2026-03-11T05:30:00.000Z'],
    ['22:00', '06:30', 'Europe/Vienna', '2026-03-10T05:30:00.000Z', null],
    ['22:00', '06:30', 'Europe/Vienna', '2026-03-10T12:00:00.000Z', null],
    ['09:00', '17:00', 'America/New_York', '2026-03-10T15:00:00.000Z', '2026-03-10T21:00:00.000Z'],
    // The night in which the clocks go forward is an hour shorter.
    ['22:00', '06:30', 'Europe/Vienna', '2026-03-28T23:00:00.000Z', '2026-03-29T04:30:00.000Z'],
  ])('quiet from %s to %s in %s: at %s until %s', (quiet_from, quiet_to, timezone, now, until) => {
    expect(rules.quietUntil(settings({ quiet_from, quiet_to }), timezone, now)).toBe(until)
  })

  it.each([
    ['daily at 8', {}, 'UTC', '2026-03-10T07:59:00.000Z', null, '2026-03-10T08:00:00.000Z'],
    ['daily, the moment itself', {}, 'UTC', '2026-03-10T08:00:00.000Z', null, '2026-03-11T08:00:00.000Z'],
    ['daily, already had one', {}, 'UTC', '2026-03-10T07:00:00.000Z', '2026-03-10', '2026-03-11T08:00:00.000Z'],
    ['by its own zone', {}, 'Asia/Kathmandu', '2026-03-10T00:00:00.000Z', null, '2026-03-10T02:15:00.000Z'],
    ['weekly on Friday', { frequency: 'weekly', weekday: 4, hour: 7 }, 'UTC', '2026-03-10T07:00:00.000Z', null, '2026-03-13T07:00:00.000Z'],
    ['off', { frequency: 'off' }, 'UTC', '2026-03-10T07:00:00.000Z', null, null],
  ] as const)('the next digest: %s', (_what, more, timezone, now, last, next) => {
    expect(rules.nextDigest(settings(more), timezone, now, last)).toBe(next)
  })

  it('the next digest always lies ahead, at its hour, on a later day than the last', () => {
    const zone = fc.constantFrom('UTC', 'Europe/Vienna', 'America/New_York', 'Pacific/Auckland', 'Asia/Kolkata')
    fc.assert(fc.property(fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }), zone, fc.integer({ min: 3, max: 23 }), fc.integer({ min: 0, max: 6 }), fc.boolean(), (at, timezone, hour, weekday, weekly) => {
      const now = at.toISOString()
      const last = rules.localDate(now, timezone)
      const next = rules.nextDigest(settings({ frequency: weekly ? 'weekly' : 'daily', hour, weekday }), timezone, now, last)
      expect(next).not.toBeNull()
      expect(Date.parse(next ?? '')).toBeGreaterThan(at.getTime())
      expect(rules.localDate(next ?? '', timezone) > last).toBe(true)
      expect(new Intl.DateTimeFormat('en', { timeZone: timezone, hour: 'numeric', hourCycle: 'h23' }).format(Date.parse(next ?? ''))).toBe(String(hour).padStart(2, '0'))
    }))
  })
})

describe('the token of a mail', () => {
  const key = Buffer.alloc(32, 1)

  it('says whose it is only to us', () => {
    const token = rules.unsubscribeToken(key, { user_id: BUSINESS, topic: 'task' })
    expect(rules.readUnsubscribeToken(key, token)).toEqual({ user_id: BUSINESS, topic: 'task' })
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(BUSINESS)
    for (const broken of ['', 'x', `${token.slice(0, -4)}AAAA`, token.slice(4)]) expect(() => rules.readUnsubscribeToken(key, broken)).toThrow('not valid')
    expect(() => rules.readUnsubscribeToken(Buffer.alloc(32, 2), token)).toThrow('not valid')
  })
})
