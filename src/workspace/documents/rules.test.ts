import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../foundation/refusal.ts'
import { requireRetention, retainedUntil } from './rules.ts'

describe('retention', () => {
  it('runs from the date on the paper, to the last day that a month has', () => {
    expect([retainedUntil('2024-02-29', 7), retainedUntil('2026-03-31', 1), retainedUntil(null, 7)]).toEqual(['2031-02-28', '2027-03-31', null])
  })

  it('is never shortened while it runs, but by who may correct', () => {
    const day = fc.integer({ min: 0, max: 7300 }).map((days) => new Date(Date.UTC(2020, 0, 1 + days)).toISOString().slice(0, 10))
    fc.assert(fc.property(fc.option(day), fc.option(day), day, fc.boolean(), (before, after, today, may) => {
      const shortens = before !== null && before >= today && (after === null || after < before)
      const refused = (() => {
        try {
          requireRetention(before, after, today, may)
          return false
        } catch (error) {
          return error instanceof Refusal && error.status === 403
        }
      })()
      expect(refused).toBe(shortens && !may)
    }))
  })
})
