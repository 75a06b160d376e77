import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { Outcome } from '../../foundation/outbound.ts'
import type { Message, Tried } from '../webhook-queue/operations.ts'
import { afterAttempt, bodyOf, headersOf, nextAttempt } from './rules.ts'

const START = '2026-03-01T00:00:00.000Z'
const message: Message = {
  id: newId(), webhook_id: newId(), event_id: newId(), sequence: 7, type: 'invoice.updated', created_at: START, occurred_at: '2026-02-28T23:59:59.000Z', data: { id: 'x' }, previous: { total: 1 },
}

describe('a message', () => {
  it('has its place in the log, the record and what it was before', () => {
    expect(JSON.parse(bodyOf('b', message))).toEqual({
      id: message.event_id, type: 'invoice.updated', business_id: 'b', sequence: 7, occurred_at: '2026-02-28T23:59:59.000Z', data: { object: { id: 'x' } }, previous: { total: 1 },
    })
    expect(JSON.parse(bodyOf('b', { ...message, previous: null }))).not.toHaveProperty('previous')
  })

  it('is signed so that a public library accepts it, with each secret', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 24, max: 64 }), { minLength: 1, maxLength: 3 }), fc.string(), (sizes, text) => {
      const secrets = sizes.map((size) => `whsec_${randomBytes(size).toString('base64')}`)
      const body = JSON.stringify({ text })
      const headers = headersOf(secrets, message.event_id, new Date(), body)
      for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual({ text })
      expect(() => new Webhook(`whsec_${randomBytes(32).toString('base64')}`).verify(body, headers)).toThrow('No matching signature')
      expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow('No matching signature')
    }))
  })
})

describe('the next attempt', () => {
  const after = (tries: number, now: string, chance = 0.5) => nextAttempt(START, tries, now, chance)

  it('waits longer each time, then half a day, for three days', () => {
    const moments: string[] = []
    for (let tries = 1, now: string | null = START; now !== null; tries++) {
      moments.push(now)
      now = after(tries, now)
    }
    const seconds = moments.map((moment) => (Date.parse(moment) - Date.parse(START)) / 1_000)
    expect(seconds).toEqual([0, 5, 65, 365, 2_165, 9_365, 30_965, 74_165, 117_365, 160_565, 203_765, 246_965, 259_200])
  })

  it('is within a tenth of the plan and never after the third day', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 72 * 3_600_000 - 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, passed, chance) => {
      const now = new Date(Date.parse(START) + passed).toISOString()
      const next = Date.parse(after(tries, now, chance) ?? '')
      const end = Date.parse(START) + 72 * 3_600_000
      const wait = [5, 60, 300, 1_800, 7_200, 21_600][tries - 1] ?? 43_200
      expect(next).toBeLessThanOrEqual(end)
      if (next < end) expect(Math.abs(next - Date.parse(now) - wait * 1_000)).toBeLessThanOrEqual(wait * 100 + 1)
    }))
  })
})

describe('an attempt', () => {
  const delivery: Tried = { id: newId(), status: 'pending', attempt_count: 0, attempts: [], round_tries: 0, round_started_at: START, next_attempt_at: START, delivered_at: null }
  const outcome = (status: number | null): Outcome => ({ status, error: null, latency_ms: 3, answer: '', ended: false })

  it.each([[200, 'delivered'], [204, 'delivered'], [299, 'delivered'], [199, 'failed'], [301, 'failed'], [404, 'failed'], [500, 'failed'], [null, 'failed'], [410, 'dead']])('answered %s is %s', (status, became) => {
    const after = afterAttempt(delivery, outcome(status), START, 0.5)
    expect(after).toMatchObject({ status: became, attempt_count: 1, round_tries: 1, attempts: [{ at: START, status, latency_ms: 3 }] })
    expect(after.next_attempt_at === null).toBe(became !== 'failed')
  })

  it('keeps the latest twenty', () => {
    let row = delivery
    for (let n = 0; n < 30; n++) row = afterAttempt(row, { ...outcome(500), latency_ms: n }, START, 0.5)
    expect([row.attempt_count, row.attempts.length, row.attempts[0]?.latency_ms]).toEqual([30, 20, 10])
  })
})
