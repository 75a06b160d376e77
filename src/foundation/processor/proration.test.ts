// Parts of a period: never more than the whole, additive, and right at the ends of months and in leap years.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeMoment, partBetween, periodOf, unusedPart } from './proration.ts'

const amounts = fc.integer({ min: 0, max: 100_000_000 })
const moments = fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2080-12-31T00:00:00Z'), noInvalidDate: true }).map((moment) => moment.toISOString())
const intervals = fc.constantFrom('month' as const, 'year' as const)
const periods = fc.tuple(moments, intervals, fc.integer({ min: 0, max: 40 })).map(([anchor, interval, number]) => periodOf(anchor, interval, number))
const within = ({ start, end }: { start: string; end: string }, share: number) => new Date(Math.round(Date.parse(start) + (Date.parse(end) - Date.parse(start)) * share)).toISOString()
const shares = fc.double({ min: 0, max: 1, noNaN: true })

describe('the part of a price', () => {
  it('lies between nothing and the whole, and never grows with time', () => {
    fc.assert(fc.property(amounts, periods, shares, shares, (amount, period, one, other) => {
      const [earlier, later] = [Math.min(one, other), Math.max(one, other)].map((share) => unusedPart(amount, period, within(period, share))) as [number, number]
      expect(earlier).toBeLessThanOrEqual(amount)
      expect(later).toBeGreaterThanOrEqual(0)
      expect(later).toBeLessThanOrEqual(earlier)
    }))
  })

  it('is additive: what follows each other comes to the whole, to the cent', () => {
    fc.assert(fc.property(amounts, periods, fc.array(shares, { maxLength: 6 }), (amount, period, cuts) => {
      const edges = [period.start, ...cuts.toSorted((a, b) => a - b).map((share) => within(period, share)), period.end]
      const parts = edges.slice(1).map((to, index) => partBetween(amount, period, edges[index] ?? '', to))
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
      expect(parts.every((part) => part >= 0)).toBe(true)
    }))
  })

  it('of a dearer plan is never less than that of a cheaper one', () => {
    fc.assert(fc.property(amounts, amounts, periods, shares, (one, other, period, share) => {
      const at = within(period, share)
      expect(unusedPart(Math.max(one, other), period, at)).toBeGreaterThanOrEqual(unusedPart(Math.min(one, other), period, at))
    }))
  })

  it.each([
    ['2026-01-16T12:00:00.000Z', 50], ['2025-12-31T00:00:00.000Z', 100], ['2026-01-01T00:00:00.000Z', 100], ['2026-02-01T00:00:00.000Z', 0], ['2027-01-01T00:00:00.000Z', 0],
  ])('of 100 for January, on %s: %i', (at, part) => expect(unusedPart(100, { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' }, at)).toBe(part))
})

describe('periods', () => {
  it('follow each other without gap or overlap, from the day they began', () => {
    fc.assert(fc.property(moments, intervals, fc.integer({ min: 0, max: 60 }), (anchor, interval, number) => {
      const [one, next] = [periodOf(anchor, interval, number), periodOf(anchor, interval, number + 1)]
      expect(one.end).toBe(next.start)
      expect(one.start < one.end).toBe(true)
      expect(Number(one.start.slice(8, 10))).toBeLessThanOrEqual(Number(anchor.slice(8, 10)))
    }))
  })

  it('end with a short month and come back to their day', () => {
    const ends = [0, 1, 2, 3].map((number) => periodOf('2026-01-31T10:00:00.000Z', 'month', number).end)
    expect(ends).toEqual(['2026-02-28T10:00:00.000Z', '2026-03-31T10:00:00.000Z', '2026-04-30T10:00:00.000Z', '2026-05-31T10:00:00.000Z'])
    expect([0, 3].map((number) => periodOf('2024-02-29T00:00:00.000Z', 'year', number).end)).toEqual(['2025-02-28T00:00:00.000Z', '2028-02-29T00:00:00.000Z'])
  })
})

it('a change counts from the beginning of the day, but not from before its period', () => {
  expect(changeMoment('2026-03-10T15:00:00.000Z', '2026-03-01T09:00:00.000Z')).toBe('2026-03-10T00:00:00.000Z')
  expect(changeMoment('2026-03-01T15:00:00.000Z', '2026-03-01T09:00:00.000Z')).toBe('2026-03-01T09:00:00.000Z')
})
