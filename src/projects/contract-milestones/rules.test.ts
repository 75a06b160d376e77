import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apportioned, measureOf, requireMeasure, requireWhole, requireWithin, sumOf } from './rules.ts'

const share = (percent: string) => ({ amount: 0, percent, invoice_id: null })
const fixed = (amount: number) => ({ amount, percent: null, invoice_id: null })
const values = fc.nat({ max: 10 ** 12 })

/** Percentages of 4 decimals that come to 100. */
const whole = fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 0, maxLength: 8 }).map((cuts) => {
  const parts: number[] = []
  let left = 1_000_000
  for (const cut of cuts) {
    if (cut >= left) break
    parts.push(cut)
    left -= cut
  }
  return [...parts, left].map((units) => `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`)
})

describe('shares of the value', () => {
  it('of 100 percent are the whole value', () => {
    fc.assert(fc.property(whole, values, (percents, value) => {
      const parts = apportioned(percents.map(share), value)
      expect(sumOf(parts)).toBe(value)
      for (const { amount, percent } of parts) expect(Math.abs(amount - (value * Number(percent)) / 100)).toBeLessThanOrEqual(1)
    }))
  })

  it('come out the same again, and leave amounts alone', () => {
    fc.assert(fc.property(whole, values, fc.nat({ max: 10 ** 6 }), (percents, value, amount) => {
      const once = apportioned([fixed(amount), ...percents.map(share)], value)
      expect(once[0]).toEqual(fixed(amount))
      expect(apportioned(once, value)).toEqual(once)
    }))
  })

  it('that are billed stay as they were billed', () => {
    const billed = { amount: 3333, percent: '33.3333', invoice_id: 'i' }
    expect(apportioned([billed, share('33.3333'), share('33.3334')], 20_000).map(({ amount }) => amount)).toEqual([3333, 8333, 8334])
  })
})

describe('sums', () => {
  const terms = { number: 'CON-1', status: 'draft', value: 1000, currency: 'USD' as const }
  it('may not be above the value, and must be it where billing goes by milestones', () => {
    expect(() => requireWithin([fixed(600), fixed(400)], terms)).not.toThrow()
    expect(() => requireWithin([fixed(600), fixed(401)], terms)).toThrow('The milestones of CON-1 would come to 10.01, above its value of 10.00.')
    expect(() => requireWhole([fixed(600), fixed(400)], terms)).not.toThrow()
    expect(() => requireWhole([fixed(600)], terms)).toThrow('The milestones come to 6.00 and not to the value of the contract, 10.00.')
  })
})

describe('a measure', () => {
  it('is an amount or a percent, never both', () => {
    expect(measureOf({ name: 'M', amount: 5 })).toEqual({ amount: 5, percent: null })
    expect(measureOf({ name: 'M', percent: '05.50' })).toEqual({ amount: 0, percent: '5.5' })
    expect(measureOf({ name: 'M' })).toBe(null)
    expect(() => measureOf({ name: 'M', amount: 5, percent: '5' })).toThrow('both an amount and a percent')
    expect(() => measureOf({ name: 'M', percent: '0.0' })).toThrow('percent must be above 0')
    expect(() => requireMeasure({ name: 'M' })).toThrow('needs an amount or a percent')
  })
})
