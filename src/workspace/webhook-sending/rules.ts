// A message as it goes out, when it is tried again, and what an answer means.
import { createHmac } from 'node:crypto'
import { toTimestamp } from '../../foundation/calendar.ts'
import type { Outcome } from '../../foundation/outbound.ts'
import type { Message, Tried } from '../webhook-queue/operations.ts'

/** The body of a message: the same bytes on every attempt, since the log that it is made from never changes. */
export function bodyOf(business_id: string, { event_id, type, sequence, occurred_at, created_at, data, previous }: Message): string {
  return JSON.stringify({
    id: event_id, type, business_id, sequence, occurred_at: occurred_at ?? created_at,
    data: { object: data ?? { message: 'It works.' } },
    ...(previous === null ? {} : { previous }),
  })
}

/** The headers of Standard Webhooks: a signature for each valid secret, over id, time and body. */
export function headersOf(secrets: readonly string[], event_id: string, now: Date, body: string): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${event_id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json', 'user-agent': 'Daybook-Webhooks/1',
    'webhook-id': event_id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' '),
  }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const WAITS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]
const LAST_WAIT = 12 * HOUR
const LONGEST_ROUND = 72 * HOUR
const JITTER = 0.1

/** When to try again after so many tries of a round; the last try is at its end, and then there is none. `chance` is from 0 to 1. */
export function nextAttempt(round_started_at: string, tries: number, now: string, chance: number): string | null {
  const end = Date.parse(round_started_at) + LONGEST_ROUND
  if (Date.parse(now) >= end) return null
  const wait = (WAITS[tries - 1] ?? LAST_WAIT) * (1 - JITTER + 2 * JITTER * chance)
  return toTimestamp(new Date(Math.min(end, Math.round(Date.parse(now) + wait))))
}

export const succeeded = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300
export const isGone = ({ status }: Outcome): boolean => status === 410

/** Attempts that a delivery shows. */
const SHOWN = 20

export function afterAttempt(delivery: Tried, outcome: Outcome, now: string, chance: number): Tried {
  const { status, error, latency_ms, answer } = outcome
  const round_tries = delivery.round_tries + 1
  const next_attempt_at = succeeded(outcome) || isGone(outcome) ? null : nextAttempt(delivery.round_started_at, round_tries, now, chance)
  return {
    ...delivery,
    status: succeeded(outcome) ? 'delivered' : next_attempt_at === null ? 'dead' : 'failed',
    attempt_count: delivery.attempt_count + 1,
    attempts: [...delivery.attempts, { at: now, status, error, latency_ms, answer }].slice(-SHOWN),
    round_tries,
    next_attempt_at,
    delivered_at: succeeded(outcome) ? now : null,
  }
}
