import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../foundation/refusal.ts'
import { fiscalYearStart, isCountry, requireChangeable, requireRealPlace, shownTaxId } from './rules.ts'

const dates = fc.date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-12-31T00:00:00Z'), noInvalidDate: true })
  .map((moment) => moment.toISOString().slice(0, 10))

describe('the fiscal year', () => {
  it('starts at most a year before the date, on the first of its month', () => {
    fc.assert(fc.property(dates, fc.integer({ min: 1, max: 12 }), (date, month) => {
      const start = fiscalYearStart(date, month)
      expect(start <= date).toBe(true)
      expect(start.slice(5)).toBe(`${String(month).padStart(2, '0')}-01`)
      expect(`${Number(start.slice(0, 4)) + 1}${start.slice(4)}` > date).toBe(true)
    }))
  })

  it('of a business that starts in July began last year in June', () => {
    expect(fiscalYearStart('2026-06-30', 7)).toBe('2025-07-01')
    expect(fiscalYearStart('2026-07-01', 7)).toBe('2026-07-01')
  })
})

describe('what is fixed once the books are in use', () => {
  const before = { base_currency: 'USD', fiscal_year_start_month: 1, books_start_date: '2026-01-01' }
  const EMPTY_BOOKS = { has_postings: false, has_closed_periods: false, has_opening_balances: false }
  const cases = [
    [{ fiscal_year_start_month: 4 }, 'has_postings', /entries are posted in its periods/],
    [{ base_currency: 'EUR' }, 'has_postings', /base currency stays USD/],
    [{ fiscal_year_start_month: 4 }, 'has_closed_periods', /first month of the fiscal year is fixed/],
    [{ books_start_date: '2025-01-01' }, 'has_opening_balances', /start of the books is fixed/],
  ] as const
  it.each(cases)('%j once %s', (change, flag, detail) => {
    const after = { ...before, ...change }
    expect(() => requireChangeable(before, after, EMPTY_BOOKS)).not.toThrow()
    expect(() => requireChangeable(before, after, { ...EMPTY_BOOKS, [flag]: true })).toThrow(detail)
    expect(() => requireChangeable(before, before, { has_postings: true, has_closed_periods: true, has_opening_balances: true })).not.toThrow()
  })
})

describe('places', () => {
  it('names every country or zone that does not exist', () => {
    expect(() => requireRealPlace({ country: 'US', timezone: 'Asia/Tokyo', address: { country: 'DE' } })).not.toThrow()
    try {
      requireRealPlace({ country: 'XX', timezone: 'Mars/Base', address: { country: 'ZZ' } })
      expect.unreachable()
    } catch (error) {
      expect((error as Refusal).problems?.map((problem) => problem.loc.join('.'))).toEqual(['body.country', 'body.timezone', 'body.address.country'])
    }
  })

  it('knows the 249 codes and no others', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const known = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry)
    expect(known).toHaveLength(249)
    expect(['EU', 'UK', 'XK', ''].some(isCountry)).toBe(false)
  })
})

it('shows a tax id whole to those who may write it', () => {
  expect(shownTaxId('12-3456789', 'accountant')).toBe('12-3456789')
  expect(shownTaxId('12-3456789', 'bookkeeper')).toBe('•••••6789')
  expect(shownTaxId(null, 'viewer')).toBeNull()
})
