import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RISKS } from './contract.ts'
import { daysOfSales, riskOf } from './rules.ts'

describe('risk', () => {
  it.each([
    [0, 0, 'low'], [30, 0, 'low'], [31, 0, 'medium'], [90, 0, 'medium'], [91, 0, 'high'], [0, 1, 'medium'], [0, 2, 'high'], [31, 2, 'high'],
  ])('of %i days and %i broken promises is as said', (days_late, broken_promises, risk) => {
    expect(riskOf({ days_late, broken_promises })).toBe(risk)
  })

  it('never falls with more days or more broken promises', () => {
    fc.assert(fc.property(fc.nat(200), fc.nat(4), fc.nat(50), fc.nat(2), (days_late, broken_promises, more_days, more_promises) => {
      const [before, after] = [riskOf({ days_late, broken_promises }), riskOf({ days_late: days_late + more_days, broken_promises: broken_promises + more_promises })]
      expect(RISKS.indexOf(after)).toBeGreaterThanOrEqual(RISKS.indexOf(before))
    }))
  })
})

describe('days of sales', () => {
  it('are what is receivable over what was sold', () => {
    expect(daysOfSales(30_000, 90_000, 90)).toBe(30)
    expect(daysOfSales(5, 9, 90)).toBe(50)
    expect(daysOfSales(-100, 900, 90)).toBe(-10)
    expect(daysOfSales(100, 0, 90)).toBeNull()
  })
})
