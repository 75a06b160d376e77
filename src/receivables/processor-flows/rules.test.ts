// Tests of how money at the processor is divided.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divided } from './rules.ts'

describe('a charge', () => {
  it.each([
    [10_000, 10_000, 10_000, [10_000, 10_000, 0, 0]], [10_000, 11_000, 4_000, [4_000, 4_400, 6_000, 6_600]], [10_000, 11_000, 0, [0, 0, 10_000, 11_000]], [5, 5, 100, [5, 5, 0, 0]],
  ])('of %i settled as %i against a balance of %i', (amount, settled, balance, parts) => {
    expect(Object.values(divided(amount, settled, balance))).toEqual(parts)
  })

  it('is divided without a cent left over', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 1e9 }), (amount, settled, balance) => {
      const { paid, paid_settled, surplus, surplus_settled } = divided(amount, settled, balance)
      expect([paid + surplus, paid_settled + surplus_settled]).toEqual([amount, settled])
      expect(paid).toBeLessThanOrEqual(balance)
      expect(Math.min(paid_settled, surplus_settled)).toBeGreaterThanOrEqual(0)
    }))
  })
})
