// The bucket of a caller: full at first, refilled with time, never fuller than full.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rateLimit } from './rate-limit.ts'

function limiter(per_minute: number) {
  let time = Date.parse('2026-03-01T00:00:00Z')
  const limit = rateLimit(per_minute, { now: () => new Date(time) })
  return { limit, wait: (seconds: number) => (time += seconds * 1000) }
}

it('a full minute at once, then one whenever its share of the minute is over', () => {
  const { limit, wait } = limiter(60)
  for (let n = 59; n >= 0; n--) expect(limit('a')).toMatchObject({ allowed: true, limit: 60, remaining: n })
  expect(limit('a')).toEqual({ allowed: false, limit: 60, remaining: 0, reset_seconds: 1 })
  expect(limit('b').allowed).toBe(true)
  wait(0.5)
  expect(limit('a').allowed).toBe(false)
  wait(0.5)
  expect(limit('a').allowed).toBe(true)
  expect(limit('a').allowed).toBe(false)
  wait(3600)
  expect(limit('a')).toMatchObject({ allowed: true, remaining: 59 })
})

it('whoever waits as long as told is let in', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 100 }), (per_minute, more) => {
    const { limit, wait } = limiter(per_minute)
    let verdict = limit('a')
    for (let n = 0; n < per_minute + more && verdict.allowed; n++) verdict = limit('a')
    expect(verdict.allowed).toBe(false)
    expect(verdict.reset_seconds).toBeGreaterThanOrEqual(1)
    wait(verdict.reset_seconds)
    expect(limit('a').allowed).toBe(true)
  }), { numRuns: 50 })
})

it('a clock that is set back gives nobody more than a full bucket and locks nobody out', () => {
  const { limit, wait } = limiter(5)
  for (let n = 0; n < 5; n++) limit('a')
  wait(-3600)
  expect(limit('a').allowed).toBe(false)
  wait(12)
  expect(limit('a').allowed).toBe(true)
})

it('a hundred thousand callers within one minute cost no more each than one', () => {
  const { limit, wait } = limiter(60)
  const started = performance.now()
  for (let n = 0; n < 100_000; n++) limit(`caller ${n}`)
  // Sweeping all of them for each new one would take minutes.
  expect(performance.now() - started).toBeLessThan(2_000)
  wait(60)
  expect(limit('caller 1')).toMatchObject({ allowed: true, remaining: 59 })
})
