import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CatalogPriceChange } from './contract.ts'
import { nameOfCopy, raised, repriced, requireOneWay } from './rules.ts'

describe('a price after a change by percent', () => {
  it.each([
    [10_000, '3.5', 1, 10_350],
    [10_000, '3.5', 100, 10_400],
    [12_345, '10', 100, 13_600],
    [105, '0', 10, 110],
    [104, '0', 10, 100],
    [333, '-50', 1, 167],
    [999, '-100', 1, 0],
    [1, '0.0001', 1, 1],
    [9_007_199_254_740_991, '0', 1, 9_007_199_254_740_991],
  ])('%i by %s%% to multiples of %i is %i', (price, percent, round_to, expected) => {
    expect(raised(price, percent, round_to)).toBe(expected)
  })

  it('is the nearest multiple, half away from zero, whatever the figures', () => {
    const percents = fc.tuple(fc.integer({ min: -1_000_000, max: 5_000_000 }), fc.constantFrom(4)).map(([units]) => units)
    fc.assert(fc.property(fc.nat({ max: 10 ** 9 }), percents, fc.integer({ min: 1, max: 10_000 }), (price, units, round_to) => {
      const percent = `${units < 0 ? '-' : ''}${Math.floor(Math.abs(units) / 10_000)}.${String(Math.abs(units) % 10_000).padStart(4, '0')}`
      const found = raised(price, percent, round_to)
      expect(found % round_to).toBe(0)
      // Twice the distance to the exact price, in millionths of a cent, is at most the multiple; where it is just that, the price went up.
      const distance = 2n * (BigInt(found) * 1_000_000n - BigInt(price) * (1_000_000n + BigInt(units)))
      const multiple = BigInt(round_to) * 1_000_000n
      expect(distance <= multiple && distance > -multiple).toBe(true)
    }))
  })

  it('is refused where it does not fit a number', () => {
    expect(() => raised(9_007_199_254_740_991, '1', 1)).toThrow('The amount is out of range')
  })
})

describe('the prices of an item after a change', () => {
  const before = [{ currency: 'USD' as const, unit_price: 1000 }, { currency: 'EUR' as const, unit_price: 900 }]

  it('by percent, all or those of one currency', () => {
    expect(repriced(before, { percent: '10' })).toEqual([{ currency: 'USD', unit_price: 1100 }, { currency: 'EUR', unit_price: 990 }])
    expect(repriced(before, { percent: '10', currency: 'EUR' })).toEqual([{ currency: 'USD', unit_price: 1000 }, { currency: 'EUR', unit_price: 990 }])
  })

  it('as given, the other currencies as they were, in one order', () => {
    expect(repriced(before, { prices: [{ currency: 'GBP', unit_price: 700 }, { currency: 'USD', unit_price: 1 }] })).toEqual([
      { currency: 'USD', unit_price: 1 }, { currency: 'EUR', unit_price: 900 }, { currency: 'GBP', unit_price: 700 },
    ])
  })

  it.each<[string, CatalogPriceChange, string]>([
    ['no items', { percent: '1' }, 'give either item_ids or filter'],
    ['items in two ways', { item_ids: [], filter: {}, percent: '1' }, 'give either item_ids or filter'],
    ['no change', { filter: {} }, 'give either percent or prices'],
    ['two changes', { filter: {}, percent: '1', prices: [] }, 'give either percent or prices'],
    ['less than nothing', { filter: {}, percent: '-100.0001' }, '-100 is the least'],
    ['two prices in one currency', { filter: {}, prices: [before[0]!, before[0]!] }, 'two prices in USD'],
  ])('refuses %s', (_, change, detail) => {
    expect(() => requireOneWay(change)).toThrow(detail)
  })
})

it('a copy has a name that fits', () => {
  expect(nameOfCopy('Consulting')).toBe('Consulting (copy)')
  expect([...nameOfCopy('😀'.repeat(200))]).toHaveLength(200)
})
