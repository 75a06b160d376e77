// Which events an endpoint can ask for, and what its answers say about its health.
import { unprocessable } from '../../foundation/refusal.ts'

export const MOST_WEBHOOKS = 20
export const ROTATION_MS = 24 * 3_600_000

/** The first words of the events from order to cash. */
export const WORDS = [
  'customer', 'estimate', 'order', 'esign', 'contract', 'change_order', 'subscription', 'invoice', 'credit_memo', 'sales_receipt',
  'charge', 'payout', 'dispute',
] as const

const words = new Set<string>(WORDS)

/** The names of those events, among all that the resources have. */
export function typesToSend(resources: Iterable<{ events: readonly string[] }>): string[] {
  return [...resources].flatMap(({ events }) => events.filter((type) => words.has(type.split('.')[0] ?? '')))
}

/** 422 for names that no event has. */
export function requireKinds(events: readonly string[], types: readonly string[]): void {
  const allowed = ['*', ...WORDS.map((word) => `${word}.*`), ...types]
  const known = new Set(allowed)
  const problems = events.flatMap((name, index) =>
    known.has(name) ? [] : [{ loc: ['body', 'events', index], msg: `Must be one of: ${allowed.join(', ')}.`, type: 'enum' as const, ctx: { allowed } }])
  if (problems.length > 0) throw unprocessable(problems)
}

/** What is remembered of an endpoint's answers. */
export type Health = { last_success_at: string | null; last_failure_at: string | null; failing_since: string | null }

const LONGEST_FAILING_MS = 5 * 86_400_000
/** Longer than the longest wait between two tries: a silence like that says nothing of the time in between. */
const SILENCE_MS = 86_400_000

export function healthAfter(health: Health, succeeded: boolean, now: string): Health {
  if (succeeded) return { ...health, last_success_at: now, failing_since: null }
  const silent = health.last_failure_at === null || Date.parse(now) - Date.parse(health.last_failure_at) > SILENCE_MS
  return { ...health, last_failure_at: now, failing_since: silent ? now : health.failing_since ?? now }
}

/** Nothing but failures for five days. */
export function isHopeless({ failing_since, last_failure_at }: Health): boolean {
  return failing_since !== null && last_failure_at !== null && Date.parse(last_failure_at) - Date.parse(failing_since) >= LONGEST_FAILING_MS
}
