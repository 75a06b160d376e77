import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, daysBetween, lastDayOfMonth } from '../../foundation/calendar.ts'
import type { BookPeriod } from '../../ledger/books/contract.ts'
import { fiscalYear } from '../../ledger/books/rules.ts'
import type { Group } from '../report-figures/contract.ts'
import type { Period } from './contract.ts'
import { columnsOf, fiscalQuarterAt, fiscalYearAt, previousPeriod, previousYear, rangeOf, slotsOf } from './rules.ts'

const periodsOf = (start_month: number, ...years: number[]): BookPeriod[] => years.flatMap((year) => fiscalYear(year, start_month).months.map((month) => (
  { id: month.name, fiscal_year: year, name: month.name, start_date: month.start_date, end_date: month.end_date, status: 'open', locks: [] })))

const calendar = periodsOf(1, 2025, 2026)
const april = periodsOf(4, 2025, 2026)

describe('fiscal years', () => {
  it.each([
    [calendar, '2026-07-15', 2026, '2026-01-01', '2026-12-31'],
    [april, '2026-03-31', 2026, '2025-04-01', '2026-03-31'],
    [april, '2025-04-01', 2026, '2025-04-01', '2026-03-31'],
    // Beyond the periods there are, years go on.
    [april, '2026-04-01', 2027, '2026-04-01', '2027-03-31'],
    [april, '2030-01-01', 2030, '2029-04-01', '2030-03-31'],
    [april, '2020-02-29', 2020, '2019-04-01', '2020-03-31'],
    [[], '2026-07-15', 2026, '2026-01-01', '2026-12-31'],
  ] as const)('%#', (periods, date, fiscal_year, start_date, end_date) => {
    expect(fiscalYearAt(periods, date)).toEqual({ fiscal_year, start_date, end_date })
  })

  it('hold every date between their ends, and so do quarters', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -2000, max: 3000 }), (start_month, days) => {
      const periods = periodsOf(start_month, 2024, 2025, 2026)
      const date = addDays('2024-02-29', days)
      const year = fiscalYearAt(periods, date)
      const quarter = fiscalQuarterAt(periods, date)
      expect(year.start_date <= date && date <= year.end_date).toBe(true)
      expect(year.end_date).toBe(addDays(addMonths(year.start_date, 12), -1))
      expect(Number(year.start_date.slice(5, 7))).toBe(start_month)
      expect(year.start_date <= quarter.start_date && quarter.start_date <= date && date <= quarter.end_date && quarter.end_date <= year.end_date).toBe(true)
    }))
  })
})

describe('the dates of a report', () => {
  const today = '2026-05-20'
  it.each<[Period, readonly BookPeriod[], string, string]>([
    ['this_month', calendar, '2026-05-01', '2026-05-31'],
    ['last_month', calendar, '2026-04-01', '2026-04-30'],
    ['this_quarter', calendar, '2026-04-01', '2026-06-30'],
    ['last_quarter', calendar, '2026-01-01', '2026-03-31'],
    ['this_quarter', periodsOf(2, 2026, 2027), '2026-05-01', '2026-07-31'],
    ['last_quarter', periodsOf(2, 2026, 2027), '2026-02-01', '2026-04-30'],
    ['this_year', april, '2026-01-01', '2026-12-31'],
    ['last_year', april, '2025-01-01', '2025-12-31'],
    ['year_to_date', april, '2026-01-01', today],
    ['fiscal_ytd', april, '2026-04-01', today],
    ['this_fiscal_year', april, '2026-04-01', '2027-03-31'],
    ['last_fiscal_year', april, '2025-04-01', '2026-03-31'],
    ['all_time', april, '2024-04-01', today],
    ['all_time', calendar, '2025-01-01', '2026-12-31'],
    ['all_time', [], today, today],
  ])('%s', (period, periods, start_date, end_date) => {
    expect(rangeOf({ period }, today, periods)).toEqual({ start_date, end_date })
  })

  it.each([
    [{}, { start_date: '2026-01-01', end_date: today }],
    [{ end_date: '2025-06-30' }, { start_date: '2025-01-01', end_date: '2025-06-30' }],
    [{ as_of: '2025-06-30' }, { start_date: '2025-01-01', end_date: '2025-06-30' }],
    [{ start_date: '2025-06-30' }, { start_date: '2025-06-30', end_date: today }],
    [{ start_date: '2024-02-29', as_of: '2024-02-29' }, { start_date: '2024-02-29', end_date: '2024-02-29' }],
  ])('given %o', (query, expected) => expect(rangeOf(query, today, calendar)).toEqual(expected))

  it.each([
    [{ period: 'this_month', as_of: '2026-01-01' } as const, 'Give either a period or dates'],
    [{ end_date: '2026-01-01', as_of: '2026-01-02' }, 'as_of and end_date are the same thing'],
    [{ start_date: '2026-06-01', end_date: '2026-05-31' }, 'start_date 2026-06-01 lies after 2026-05-31'],
  ])('refuses %o', (query, detail) => expect(() => rangeOf(query, today, calendar)).toThrow(detail))
})

describe('the range before', () => {
  const range = (start_date: string, end_date: string) => ({ start_date, end_date })
  it.each([
    ['a whole month', range('2026-03-01', '2026-03-31'), range('2026-02-01', '2026-02-28'), range('2025-03-01', '2025-03-31')],
    ['a leap February', range('2024-02-01', '2024-02-29'), range('2024-01-01', '2024-01-31'), range('2023-02-01', '2023-02-28')],
    ['the February after', range('2025-02-01', '2025-02-28'), range('2025-01-01', '2025-01-31'), range('2024-02-01', '2024-02-29')],
    ['a quarter', range('2026-04-01', '2026-06-30'), range('2026-01-01', '2026-03-31'), range('2025-04-01', '2025-06-30')],
    ['a year', range('2025-04-01', '2026-03-31'), range('2024-04-01', '2025-03-31'), range('2024-04-01', '2025-03-31')],
    ['days', range('2026-03-10', '2026-03-19'), range('2026-02-28', '2026-03-09'), range('2025-03-10', '2025-03-19')],
    ['days to a leap day', range('2024-02-10', '2024-02-29'), range('2024-01-21', '2024-02-09'), range('2023-02-10', '2023-02-28')],
  ])('%s', (_, given, period, year) => {
    expect(previousPeriod(given)).toEqual(period)
    expect(previousYear(given)).toEqual(year)
  })

  it('touches it and is as long', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 800 }), (from, length) => {
      const given = range(addDays('2020-01-01', from), addDays('2020-01-01', from + length))
      const before = previousPeriod(given)
      expect(addDays(before.end_date, 1)).toBe(given.start_date)
      const whole = given.start_date.endsWith('-01') && given.end_date === lastDayOfMonth(given.end_date)
      if (!whole) expect(daysBetween(before.start_date, before.end_date)).toBe(length)
    }))
  })
})

describe('columns', () => {
  const range = { start_date: '2026-01-15', end_date: '2026-05-10' }

  it('by month, quarter and year cover the range without gap or overlap', () => {
    fc.assert(fc.property(fc.constantFrom('month', 'quarter', 'year'), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 1500 }), (columns, start_month, from, length) => {
      const given = { start_date: addDays('2023-02-01', from), end_date: addDays('2023-02-01', from + length) }
      const { slots } = slotsOf({ columns }, given, 'movement', periodsOf(start_month, 2024, 2025))
      expect(slots[0]?.start_date).toBe(given.start_date)
      expect(slots.at(-1)?.end_date).toBe(given.end_date)
      for (const [index, slot] of slots.slice(1).entries()) expect(slot.start_date).toBe(addDays(slots[index]?.end_date ?? '', 1))
      expect(new Set(slots.map(({ key }) => key)).size).toBe(slots.length)
    }))
  })

  it('have keys and labels', () => {
    const keys = (columns: string, periods = calendar) => slotsOf({ columns }, range, 'movement', periods).slots.map(({ key, label }) => `${key} ${label}`)
    expect(keys('total')).toEqual(['total Total'])
    expect(keys('month')).toEqual(['2026-01 Jan 2026', '2026-02 Feb 2026', '2026-03 Mar 2026', '2026-04 Apr 2026', '2026-05 May 2026'])
    expect(keys('quarter')).toEqual(['2026-Q1 Q1 2026', '2026-Q2 Q2 2026'])
    expect(keys('quarter', april)).toEqual(['2026-Q4 Q4 2026', '2027-Q1 Q1 2027'])
    expect(keys('year', april)).toEqual(['2026 FY 2026', '2027 FY 2027'])
  })

  it('of a position have no first day, and are compared with one a period earlier', () => {
    const { slots } = slotsOf({ columns: 'quarter', compare: ['previous_period', 'previous_year'] }, range, 'position', calendar)
    expect(slots.map(({ key, start_date, end_date, comparison }) => [key, start_date, end_date, comparison?.with])).toEqual([
      ['2026-Q1', null, '2026-03-31', undefined], ['2026-Q1:previous_period', null, '2025-12-31', 0], ['2026-Q1:previous_year', null, '2025-03-31', 0],
      ['2026-Q2', null, '2026-05-10', undefined], ['2026-Q2:previous_period', null, '2026-02-10', 3], ['2026-Q2:previous_year', null, '2025-05-10', 3],
    ])
    const at = (end_date: string) => slotsOf({ compare: ['previous_period', 'previous_year'] }, { start_date: end_date, end_date }, 'position', calendar).slots.map((slot) => slot.end_date)
    expect(at('2024-02-29')).toEqual(['2024-02-29', '2024-01-31', '2023-02-28'])
    expect(at('2026-02-28')).toEqual(['2026-02-28', '2026-01-31', '2025-02-28'])
    expect(at('2026-03-30')).toEqual(['2026-03-30', '2026-02-28', '2025-03-30'])
    const quarter = { start_date: '2026-01-01', end_date: '2026-03-31' }
    expect(slotsOf({ ...quarter, compare: ['previous_period', 'previous_year'] }, quarter, 'position', calendar).slots.map(({ end_date }) => end_date))
      .toEqual(['2026-03-31', '2025-12-31', '2025-03-31'])
  })

  it('are at most 60', () => {
    const years = (count: number) => ({ start_date: '2020-01-01', end_date: addDays(addMonths('2020-01-01', count * 12), -1) })
    expect(slotsOf({ columns: 'month' }, years(5), 'movement', calendar).slots).toHaveLength(60)
    expect(() => slotsOf({ columns: 'month', compare: ['previous_year'] }, years(5), 'movement', calendar)).toThrow('more than 60 columns')
    expect(() => slotsOf({ columns: 'month' }, { start_date: '0001-01-01', end_date: '9999-12-31' }, 'movement', calendar)).toThrow('more than 60 columns')
  })

  it('of an axis stand in the order of their labels and end with what is unassigned', () => {
    const group = (value: string | null): Group => ({ values: [value], ledgers: new Map() })
    const plan = slotsOf({ columns: 'customer', compare: ['previous_year'] }, range, 'movement', calendar)
    const columns = columnsOf(plan, [group('b'), group(null), group('a')], { labels: new Map([['a', 'Zoe'], ['b', 'Ann']]), with_children: new Set(['a']) })
    expect(columns.map(({ key, label, compared_with }) => [key, label, compared_with])).toEqual([
      ['b', 'Ann', null], ['b:previous_year', 'Ann, previous year', 0], ['a', 'Zoe', null], ['a:previous_year', 'Zoe, previous year', 2],
      ['unassigned', 'Unassigned', null], ['unassigned:previous_year', 'Unassigned, previous year', 4],
    ])
    expect(columns.map(({ filters }) => filters)).toEqual([{ customer_id: 'b' }, { customer_id: 'b' }, null, null, null, null])
    const many = Array.from({ length: 30 }, (_, index) => group(String(index)))
    expect(() => columnsOf(plan, many, { labels: new Map(), with_children: new Set() })).toThrow('more than 60 columns')
  })
})
