// Tests of what a payout means in the books.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PAYOUT_ITEM_KINDS } from '../../foundation/processor/processor.ts'
import { figuresOf, payoutLines } from './rules.ts'

const item = fc.record({ kind: fc.constantFrom(...PAYOUT_ITEM_KINDS), amount: fc.integer({ min: -1e9, max: 1e9 }), fee: fc.integer({ min: -1e6, max: 1e6 }) })
const ledgers = { bank: 'bank', fees: 'fees', clearing: 'clearing' }

describe('a payout', () => {
  it('tells gross, all fees and those of charges alone', () => {
    expect(figuresOf([{ kind: 'charge', amount: 100_000, fee: 2_930 }, { kind: 'refund', amount: -40_000, fee: 0 }, { kind: 'dispute', amount: -5_000, fee: 1_500 }, { kind: 'fee', amount: -20, fee: 0 }]))
      .toEqual({ gross: 100_000, fee: 4_450, charge_fee: 2_930 })
  })

  it('balances, whatever it carries, and takes from clearing all but the fees', () => {
    fc.assert(fc.property(fc.array(item, { maxLength: 20 }), (items) => {
      const amount = items.reduce((sum, each) => sum + each.amount - each.fee, 0)
      const { fee } = figuresOf(items)
      const lines = payoutLines(amount, fee, ledgers)
      expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(0)
      const carried = items.filter(({ kind }) => kind !== 'fee').reduce((sum, each) => sum + each.amount, 0)
      expect((lines.find(({ ledger_id }) => ledger_id === 'clearing')?.amount ?? 0) + carried).toBe(0)
      expect(lines.every((line) => line.amount !== 0)).toBe(true)
    }))
  })
})
