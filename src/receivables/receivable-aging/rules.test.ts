import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgingItem } from './contract.ts'
import { asksDocuments, bucketsOf, byAge, daysLate } from './rules.ts'

describe('buckets', () => {
  it('are those of 30 days unless others are given, and rise', () => {
    expect(bucketsOf()).toEqual([30, 60, 90])
    expect(bucketsOf([1, 2, 3])).toEqual([1, 2, 3])
    fc.assert(fc.property(fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50)), (days) => {
      const rising = days[0] < days[1] && days[1] < days[2]
      if (rising) expect(bucketsOf(days)).toEqual(days)
      else expect(() => bucketsOf(days)).toThrow()
    }))
  })
})

it('nothing is late before its day', () => {
  expect([daysLate('2026-03-16', '2026-03-15'), daysLate('2026-03-15', '2026-03-15'), daysLate('2026-03-01', '2026-03-15'), daysLate(null, '2026-03-15')]).toEqual([0, 0, 14, 0])
})

it('the oldest item comes first, and what has no document last', () => {
  const item = (due_date: string | null, date: string | null, number: string | null) => ({ due_date, date, number }) as AgingItem
  const sorted = [item(null, null, null), item('2026-03-02', '2026-01-01', 'B'), item(null, '2026-03-01', 'C'), item('2026-03-02', '2026-01-01', 'A')].sort(byAge)
  expect(sorted.map(({ number }) => number)).toEqual(['C', 'A', 'B', null])
})

it('documents tell of the last two months, as long as nothing is to be unknown', () => {
  expect(asksDocuments('2026-01-12', '2026-03-15', true)).toBe(true)
  expect(asksDocuments('2026-01-11', '2026-03-15', true)).toBe(false)
  expect(asksDocuments('2026-12-31', '2026-03-15', true)).toBe(true)
  expect(asksDocuments('2026-03-15', '2026-03-15', false)).toBe(false)
})
