// How long a public link may live, and how often its password may be guessed.
import { addMonths } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'

export function requireExpiry(expires_at: string, now: string): void {
  const latest = `${addMonths(now.slice(0, 10), 12)}${now.slice(10)}`
  if (Date.parse(expires_at) <= Date.parse(now)) throw invalid('expires_at is past: choose a time to come.')
  if (Date.parse(expires_at) > Date.parse(latest)) throw invalid(`expires_at is more than a year away: choose ${latest} at the latest.`)
}

export function isOpen({ expires_at, revoked_at }: { expires_at: string; revoked_at: string | null }, now: string): boolean {
  return revoked_at === null && expires_at > now
}

/** Wrong passwords, counted since then. */
export type Tries = { wrong_tries: number; wrong_since: string | null }

const MOST_TRIES = 10
const TRIES_MS = 900_000

/** Seconds until the next guess; null where one is free. */
export function waitOf({ wrong_tries, wrong_since }: Tries, now: string): number | null {
  const since = wrong_since === null ? Infinity : Date.parse(now) - Date.parse(wrong_since)
  return wrong_tries >= MOST_TRIES && since < TRIES_MS ? Math.ceil((TRIES_MS - since) / 1000) : null
}

/** One more wrong guess; after a while they are counted anew. */
export function wronger({ wrong_tries, wrong_since }: Tries, now: string): Tries {
  const over = wrong_since === null || Date.parse(now) - Date.parse(wrong_since) >= TRIES_MS
  return over ? { wrong_tries: 1, wrong_since: now } : { wrong_tries: wrong_tries + 1, wrong_since }
}
