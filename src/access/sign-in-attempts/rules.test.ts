// Tests of how long a full window makes one wait.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { secondsToWait, WINDOW_MS } from './rules.ts'

it('waits exactly until the failure that filled the window leaves it', () => {
  const now = '2026-03-01T12:00:00.000Z'
  expect(secondsToWait(null, now)).toBeNull()
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 * WINDOW_MS }), (age) => {
    const wait = secondsToWait(new Date(Date.parse(now) - age).toISOString(), now)
    expect(wait).toBe(age < WINDOW_MS ? Math.ceil((WINDOW_MS - age) / 1000) : null)
  }))
})
