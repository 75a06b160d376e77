// Tests of how money at the processor is divided.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOf, divided } from './rules.ts'

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

describe('what the customer paid for a part of the money at the processor', () => {
  const charge = { processor_charge_id: 'ch_1', amount: 10_000, settled_amount: 7_333 }
  it.each([
    ['all of it', [], 7_333, 10_000], ['a part', [], 3_666, 4_999], ['a part that was a payment before', [{ processor_charge_id: 'ch_1', transaction_amount: 3_666, amount: 5_000 }], 3_666, 5_000],
    ['a part that was a payment of another charge', [{ processor_charge_id: 'ch_2', transaction_amount: 3_666, amount: 5_000 }], 3_666, 4_999],
  ])('%s', (_, payments, settled, amount) => expect(amountOf(charge, payments, settled)).toBe(amount))
})
