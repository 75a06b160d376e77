// Periods and titles of decks.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths } from '../../foundation/calendar.ts'
import { periodWords, requirePeriod, requireReady, titleFor } from './rules.ts'

const at = (period_start: string, period_end: string) => ({ period_start, period_end })

describe('a period', () => {
  it('ends where it starts or later, within sixty months', () => {
    expect(() => requirePeriod(at('2026-03-01', '2026-03-01'))).not.toThrow()
    expect(() => requirePeriod(at('2026-03-02', '2026-03-01'))).toThrow(/before it starts/)
    expect(() => requirePeriod(at('2021-01-01', '2025-12-31'))).not.toThrow()
    expect(() => requirePeriod(at('2021-01-01', '2026-01-01'))).toThrow(/more than 60 months/)
    expect(() => requirePeriod(at('2021-01-31', '2026-01-30'))).not.toThrow()
  })

  it('of any start can have sixty months and not a day more', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 20_000 }), (days) => {
      const start = addDays('1990-01-01', days)
      const beyond = addMonths(start, 60)
      expect(() => requirePeriod(at(start, addDays(beyond, -1)))).not.toThrow()
      expect(() => requirePeriod(at(start, beyond))).toThrow(/more than 60 months/)
    }))
  })

  it.each([
    ['2026-03-01', '2026-03-31', 'March 2026'],
    ['2024-02-01', '2024-02-29', 'February 2024'],
    ['2026-01-01', '2026-12-31', '2026'],
    ['2026-01-01', '2026-03-31', 'January 2026 to March 2026'],
    ['2025-07-01', '2026-06-30', 'July 2025 to June 2026'],
    ['2026-03-02', '2026-03-31', 'March 2, 2026 to March 31, 2026'],
  ])('from %s to %s is %s', (start, end, words) => {
    expect(periodWords(at(start, end))).toBe(words)
    expect(titleFor('board', at(start, end))).toBe(`Board report, ${words}`)
  })
})

it('only a deck that is ready can be worked on', () => {
  expect(() => requireReady({ status: 'ready', error: 'A refresh failed.' })).not.toThrow()
  expect(() => requireReady({ status: 'generating', error: null })).toThrow(/still being generated/)
  expect(() => requireReady({ status: 'failed', error: 'No ledger.' })).toThrow(/refresh it first. No ledger./)
})
