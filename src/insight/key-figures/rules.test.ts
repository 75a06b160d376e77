import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyFiguresOf, quotient, type Sums } from './rules.ts'

const NOTHING: Sums = { days: 30, revenue: 0, cost_of_goods_sold: 0, net_income: 0, current_assets: 0, current_liabilities: 0, cash: 0,
  cash_before: 0, receivables: 0, payables: 0 }
const valuesOf = (sums: Partial<Sums>) => Object.fromEntries(keyFiguresOf({ ...NOTHING, ...sums }).map(({ key, value }) => [key, value]))

describe('a quotient', () => {
  it('is exact, rounded half away from zero, and undefined without a base', () => {
    expect(quotient(1n, 3n, 2)).toBe('0.33')
    expect(quotient(5n, 1000n, 2)).toBe('0.01')
    expect(quotient(-5n, 1000n, 2)).toBe('-0.01')
    expect(quotient(7n, 1n, 0)).toBe('7')
    expect([quotient(1n, 0n, 2), quotient(1n, -5n, 2)]).toEqual([null, null])
  })

  it('lies within half of its last decimal', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 4 }), (numerator, denominator, decimals) => {
      const text = quotient(BigInt(numerator), BigInt(denominator), decimals) ?? ''
      expect(text).toMatch(/^-?\d+(\.\d+)?$/)
      const units = BigInt(text.replace('.', ''))
      const off = units * BigInt(denominator) - BigInt(numerator) * 10n ** BigInt(decimals)
      expect(2n * (off < 0n ? -off : off) <= BigInt(denominator)).toBe(true)
    }))
  })
})

describe('key figures', () => {
  it('are undefined where nothing stands behind them', () => {
    expect(valuesOf({})).toEqual({
      gross_margin: null, net_margin: null, current_ratio: null, quick_ratio: null, dso: null, dpo: null, cash: '0.00', burn: '0.00', cash_runway: null,
    })
  })

  it('are what their formulas say', () => {
    expect(valuesOf({
      days: 90, revenue: 300_000, cost_of_goods_sold: 120_000, net_income: 45_000, current_assets: 250_000, current_liabilities: 100_000,
      cash: 90_000, cash_before: 150_000, receivables: 100_000, payables: 40_000,
    })).toEqual({
      gross_margin: '60.00', net_margin: '15.00', current_ratio: '2.50', quick_ratio: '1.90', dso: '30.0', dpo: '30.0', cash: '900.00',
        burn: '200.00', cash_runway: '4.5',
    })
  })

  it('burn nothing where cash grows, and have no way to go without cash', () => {
    expect(valuesOf({ cash: 200, cash_before: 100 })).toMatchObject({ burn: '0.00', cash_runway: null })
    expect(valuesOf({ cash: -50, cash_before: 100 })).toMatchObject({ cash: '-0.50', burn: '1.50', cash_runway: '0.0' })
  })
})
