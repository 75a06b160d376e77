// Tests of how a refund is shared between credits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { restOf, shareOf, type Measure, type Part } from './rules.ts'

describe('a refund', () => {
  it.each<[Part, number, Measure, Part]>([
    [{ amount: 4_000, settled: 4_000 }, 9_000, 'amount', { amount: 4_000, settled: 4_000 }],
    [{ amount: 4_000, settled: 4_000 }, 1_500, 'amount', { amount: 1_500, settled: 1_500 }],
    [{ amount: 10_000, settled: 11_000 }, 4_000, 'amount', { amount: 4_000, settled: 4_400 }],
    [{ amount: 10_000, settled: 11_000 }, 4_400, 'settled', { amount: 4_000, settled: 4_400 }],
    [{ amount: 4_000, settled: 4_000 }, 0, 'amount', { amount: 0, settled: 0 }],
    [{ amount: 2, settled: 1 }, 1, 'amount', { amount: 0, settled: 0 }],
  ])('of %j from a credit of %i in its %s', (rest, remaining, measure, share) => {
    expect(shareOf(rest, remaining, measure)).toEqual(share)
  })

  it('is shared without a cent left over, and never half of a share', () => {
    const cents = fc.integer({ min: 1, max: 1e9 })
    fc.assert(fc.property(cents, cents, fc.array(fc.tuple(fc.integer({ min: 0, max: 1e9 }), fc.constantFrom<Measure>('amount', 'settled'))), (amount, settled, credits) => {
      let rest = { amount, settled }
      for (const [remaining, measure] of credits) {
        const share = shareOf(rest, remaining, measure)
        expect(share[measure]).toBeLessThanOrEqual(remaining)
        expect(share.amount > 0).toBe(share.settled > 0)
        rest = restOf(rest, share)
        expect(Math.min(rest.amount, rest.settled)).toBeGreaterThanOrEqual(0)
        expect(rest.amount > 0).toBe(rest.settled > 0)
      }
    }))
  })
})
