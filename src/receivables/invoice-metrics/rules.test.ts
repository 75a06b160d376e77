import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STATUSES } from '../invoices/contract.ts'
import { averageDays, byStatus, invoicedOf, monthsOf, rangeOf, type Counted } from './rules.ts'

describe('the time', () => {
  it('is a year up to today unless said', () => {
    expect(rangeOf({}, '2026-03-15')).toEqual({ from: '2025-04-01', to: '2026-03-15' })
    expect(rangeOf({ to: '2026-01-31' }, '2026-03-15')).toEqual({ from: '2025-02-01', to: '2026-01-31' })
    expect(rangeOf({ from: '2026-03-15' }, '2026-03-15')).toEqual({ from: '2026-03-15', to: '2026-03-15' })
  })

  it('runs forward, for ten years at most', () => {
    expect(() => rangeOf({ from: '2026-03-16' }, '2026-03-15')).toThrow()
    expect(() => rangeOf({ from: '2016-03-31' }, '2026-03-15')).toThrow(/ten years/)
    expect(rangeOf({ from: '2016-04-01' }, '2026-03-15').from).toBe('2016-04-01')
  })
})

const part = fc.record({
  status: fc.constantFrom(...STATUSES), month: fc.constantFrom('2026-01-01', '2026-02-01', '2026-03-01'), count: fc.nat(9), total: fc.nat(1e6), paid: fc.nat(5), days: fc.nat(500),
}) satisfies fc.Arbitrary<Counted>

it('the months and the statuses add up to the whole', () => {
  fc.assert(fc.property(fc.array(part), fc.array(fc.record({ month: fc.constantFrom('2026-01-01', '2026-03-01'), amount: fc.nat(1e6) })), (counted, collected) => {
    const months = monthsOf({ from: '2026-01-15', to: '2026-03-02' }, counted, collected)
    expect(months.map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03'])
    expect(months.reduce((sum, { invoiced }) => sum + invoiced, 0)).toBe(invoicedOf(counted))
    expect(months.reduce((sum, month) => sum + month.collected, 0)).toBe(collected.reduce((sum, { amount }) => sum + amount, 0))
    const { draft, void: voided, ...finalized } = byStatus(counted)
    expect(Object.values(finalized).reduce((sum, { total }) => sum + total, 0)).toBe(invoicedOf(counted))
    expect(draft.count + voided.count + Object.values(finalized).reduce((sum, { count }) => sum + count, 0)).toBe(counted.reduce((sum, { count }) => sum + count, 0))
  }))
})

it('nothing paid has no average', () => {
  expect(averageDays([])).toBeNull()
  expect(averageDays([{ status: 'manual_paid', month: '2026-01-01', count: 2, total: 1, paid: 2, days: 5 }])).toBe(3)
})
