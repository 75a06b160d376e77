// How often a caller may call: a bucket per credential or address that fills again with time. Kept in this process.
import type { Clock } from '../calendar.ts'

export type Verdict = { allowed: boolean; limit: number; remaining: number; reset_seconds: number }
export type RateLimit = (caller: string, per_minute?: number) => Verdict

/** Who is counted where a public link is opened: that link from that address, whichever way it is opened. */
export function linkCaller(token: string, ip: string, per_minute: number): string {
  return `link ${per_minute} ${token} ${ip}`
}

type Bucket = { tokens: number; at: number }

const FIRST_SWEEP = 20_000

export function rateLimit(default_per_minute: number, clock: Clock): RateLimit {
  const buckets = new Map<string, Bucket>()
  let sweep_at = FIRST_SWEEP
  return (caller, per_minute = default_per_minute) => {
    const now = clock.now().getTime()
    if (buckets.size > sweep_at) {
      sweep(buckets, now)
      // Where most of them are in use, the next sweep waits until there are twice as many: its cost per call stays the same.
      sweep_at = Math.max(FIRST_SWEEP, buckets.size * 2)
    }
    const bucket = buckets.get(caller) ?? { tokens: per_minute, at: now }
    const elapsed = Math.max(0, now - bucket.at)
    bucket.tokens = Math.min(per_minute, bucket.tokens + (elapsed / 60_000) * per_minute)
    bucket.at = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    buckets.set(caller, bucket)
    const missing = allowed ? per_minute - bucket.tokens : 1 - bucket.tokens
    return { allowed, limit: per_minute, remaining: Math.floor(bucket.tokens), reset_seconds: Math.ceil((missing / per_minute) * 60) }
  }
}

/** A bucket untouched for a minute is full again: forgetting it changes nothing. */
function sweep(buckets: Map<string, Bucket>, now: number): void {
  for (const [caller, bucket] of buckets) if (now - bucket.at >= 60_000) buckets.delete(caller)
}
