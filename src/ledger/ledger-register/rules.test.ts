// Tests of the running balance: the same either way round.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { LineRow } from './contract.ts'
import { earliestOf, withBalances } from './rules.ts'

const lineOf = ({ day, amount, currency }: { day: number; amount: number; currency: 'USD' | 'EUR' }): LineRow => ({
  id: newId(), entry_id: newId(), entry_number: 1, date: `2026-01-${String(day).padStart(2, '0')}`, ledger_id: newId(),
  currency, amount, base_amount: amount * 2, rate: '1', memo: null,
  source_type: 'manual', source_id: null, customer_id: null, vendor_id: null, project_id: null, dimension_value_ids: [], is_adjusting: false, superseded: false,
})
const lines = fc.array(
  fc.record({ day: fc.integer({ min: 1, max: 3 }), amount: fc.integer({ min: -1000, max: 1000 }), currency: fc.constantFrom('USD', 'EUR') }),
  { maxLength: 12 },
)
  .map((specs) => specs.map(lineOf).toSorted((a, b) => (`${a.date}${a.id}` < `${b.date}${b.id}` ? -1 : 1)))

it('runs from the opening through each line, up or down the page', () => {
  fc.assert(fc.property(lines, fc.constantFrom('asset', 'liability'), (upward, type) => {
    const opening = { amount: 7, base_amount: 11 }
    const ledger = { type, currency: 'USD' }
    const sign = type === 'asset' ? 1 : -1
    const running = withBalances(upward, opening, ledger)
    expect(withBalances(upward.toReversed(), opening, ledger)).toEqual(running.toReversed())
    expect(earliestOf(upward)).toBe(upward[0] ?? null)
    expect(earliestOf(upward.toReversed())).toBe(upward[0] ?? null)
    running.forEach(({ balance, base_balance, debit, credit, amount }, index) => {
      const before = upward.slice(0, index + 1)
      expect(balance * sign + 0).toBe(7 + before.reduce((sum, line) => sum + (line.currency === 'USD' ? line.amount : 0), 0))
      expect(base_balance * sign + 0).toBe(11 + before.reduce((sum, line) => sum + line.base_amount, 0))
      expect([debit - credit, Math.min(debit, credit)]).toEqual([amount, 0])
    })
  }))
})
