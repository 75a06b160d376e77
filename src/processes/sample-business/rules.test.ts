import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../foundation/calendar.ts'
import { INDUSTRIES } from '../../ledger/charts/rules.ts'
import { planSample } from './rules.ts'

const any = fc.record({ seed: fc.nat(1_000_000), industry: fc.constantFrom(...INDUSTRIES), days: fc.nat(3000) })
const dayOf = (days: number) => addDays('2024-01-01', days)

describe('the plan of a sample', () => {
  it('is the same for the same seed, day and industry, and another for another seed', () => {
    fc.assert(fc.property(any, ({ seed, industry, days }) => {
      expect(planSample(seed, dayOf(days), industry)).toEqual(planSample(seed, dayOf(days), industry))
      expect(planSample(seed + 1, dayOf(days), industry)).not.toEqual(planSample(seed, dayOf(days), industry))
    }), { numRuns: 25 })
  })

  it('balances, stays between its first day and today, and pays nothing twice', () => {
    fc.assert(fc.property(any, ({ seed, industry, days }) => {
      const today = dayOf(days)
      const { start_date, entries, bills, invoices } = planSample(seed, today, industry)
      for (const { lines } of entries) expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
      const dates = [...entries, ...bills, ...invoices].map(({ date }) => date)
      const paid = [...bills.flatMap(({ paid_on }) => paid_on ?? []), ...invoices.flatMap(({ payments }) => payments.map(({ paid_on }) => paid_on))]
      for (const date of [...dates, ...paid]) expect(date >= start_date && date <= today).toBe(true)
      for (const { lines, payments } of invoices) {
        const total = lines.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0)
        expect(payments.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(total)
        for (const { amount } of payments) expect(amount).toBeGreaterThan(0)
      }
      for (const { date, paid_on } of bills) expect(paid_on === null || paid_on > date).toBe(true)
      expect(invoices.length).toBeGreaterThan(15)
      expect(invoices.filter(({ draft }) => draft)).toHaveLength(1)
    }), { numRuns: 60 })
  })
})
