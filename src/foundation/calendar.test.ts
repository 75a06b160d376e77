// Tests of the calendar: dates that exist, months that do not drift, time zones and occurrences.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  compareDates,
  daysBetween,
  firstDayOfMonth,
  indexAfter,
  isDate,
  isTimestamp,
  isTimezone,
  lastDayOfMonth,
  monthOf,
  occurrence,
  occurrenceAfter,
  systemClock,
  toTimestamp,
  today,
  weekday,
} from './calendar.ts'
import type { Frequency, Recurrence } from './calendar.ts'
import { Refusal } from './refusal.ts'

// Far enough from both ends that the steps below stay inside the calendar.
const date = fc.integer({ min: -600_000, max: 2_500_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))

describe('dates', () => {
  test.each(['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('%s exists', (text) => {
    expect(isDate(text)).toBe(true)
  })

  test.each([
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '0000-01-01',
    '2026-1-1',
    '2026-01-01T00:00:00Z',
    '20260101',
    '+002026-01-01',
    ' 2026-01-01',
    '2026-01-01\n',
    '',
  ])('%j does not', (text) => {
    expect(isDate(text)).toBe(false)
  })

  test('every day made by counting exists and counts back', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: -100_000, max: 100_000 }), (from, days) => {
        const to = addDays(from, days)
        expect(isDate(to)).toBe(true)
        expect(daysBetween(from, to)).toBe(days)
        expect(compareDates(from, to)).toBe(Math.sign(-days) + 0)
        expect((((weekday(to) - weekday(from) - days) % 7) + 7) % 7).toBe(0)
      }),
    )
  })

  test('weekdays start on Monday', () => {
    expect(weekday('2026-03-02')).toBe(0)
    expect(weekday('2026-03-08')).toBe(6)
    expect(weekday('1969-12-31')).toBe(2)
    expect(weekday('0001-01-01')).toBe(0)
  })

  test('early years are not taken for the twentieth century', () => {
    expect(addDays('0099-12-31', 1)).toBe('0100-01-01')
    expect(addMonths('0004-01-31', 1)).toBe('0004-02-29')
  })

  test('the ends of the calendar refuse, a date that does not exist is a mistake of the program', () => {
    expect(() => addDays('9999-12-31', 1)).toThrow(Refusal)
    expect(() => addDays('2026-01-01', 1e15)).toThrow(Refusal)
    expect(() => addMonths('0001-01-01', -1)).toThrow(Refusal)
    expect(() => addDays('2026-02-30', 1)).toThrow(TypeError)
    expect(() => addMonths('soon', 1)).toThrow(TypeError)
  })
})

describe('months', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2025-12-15', 1, '2026-01-15'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-05-31', 0, '2026-05-31'],
  ])('%s and %i months is %s', (from, months, expected) => {
    expect(addMonths(from, months)).toBe(expected)
  })

  test('an anchor brings the day back after a short month', () => {
    expect(addMonths('2026-02-28', 1, 31)).toBe('2026-03-31')
    expect(addMonths('2026-02-28', 1)).toBe('2026-03-28')
  })

  test('first, last and month agree', () => {
    fc.assert(
      fc.property(date, (day) => {
        expect(firstDayOfMonth(day)).toBe(`${monthOf(day)}-01`)
        expect(monthOf(lastDayOfMonth(day))).toBe(monthOf(day))
        expect(addDays(lastDayOfMonth(day), 1)).toBe(firstDayOfMonth(addMonths(day, 1)))
      }),
    )
  })

  test('anchored steps never drift: many small ones equal one large one', () => {
    fc.assert(
      fc.property(date, fc.array(fc.integer({ min: -30, max: 30 }), { maxLength: 20 }), (from, steps) => {
        const anchor = Number(from.slice(8))
        const walked = steps.reduce((day, step) => addMonths(day, step, anchor), from)
        const total = steps.reduce((sum, step) => sum + step, 0)
        expect(walked).toBe(addMonths(from, total))
      }),
    )
  })
})

describe('today', () => {
  test('is the date where the business is', () => {
    const moment = new Date('2026-03-01T03:30:00Z')
    expect(today(moment, 'UTC')).toBe('2026-03-01')
    expect(today(moment, 'America/Los_Angeles')).toBe('2026-02-28')
    expect(today(new Date('2026-02-28T13:00:00Z'), 'Pacific/Auckland')).toBe('2026-03-01')
  })

  test('knows summer time', () => {
    expect(today(new Date('2026-07-01T04:30:00Z'), 'America/New_York')).toBe('2026-07-01')
    expect(today(new Date('2026-01-01T04:30:00Z'), 'America/New_York')).toBe('2025-12-31')
  })

  test.each(['UTC', 'America/New_York', 'Europe/London', 'US/Eastern', 'Etc/GMT+5'])('%s is a time zone', (text) => {
    expect(isTimezone(text)).toBe(true)
  })

  test.each(['', '+02:00', '-05', 'Mars/Olympus', 'America/New York', 'x'.repeat(1000)])('%s is not a time zone', (text) => {
    expect(isTimezone(text)).toBe(false)
  })
})

describe('timestamps', () => {
  test.each([
    '2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00.123Z',
    '2026-03-01T12:00:00.123456+02:00',
    '2026-03-01T23:59:59-11:30',
    '2026-03-01t12:00:00z',
  ])('%s is one, and the language reads it', (text) => {
    expect(isTimestamp(text)).toBe(true)
    expect(Number.isNaN(Date.parse(text))).toBe(false)
  })

  test.each([
    '2026-03-01',
    '2026-03-01T12:00:00',
    '2026-03-01T12:00Z',
    '2026-03-01 12:00:00Z',
    '2026-02-30T12:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00+0200',
    '2026-03-01T12:00:00.Z',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
    '',
  ])('%j is not', (text) => {
    expect(isTimestamp(text)).toBe(false)
  })

  test('are written in UTC with milliseconds', () => {
    expect(toTimestamp(new Date('2026-03-01T12:00:00+02:00'))).toBe('2026-03-01T10:00:00.000Z')
    expect(isTimestamp(toTimestamp(systemClock.now()))).toBe(true)
  })
})

describe('occurrences', () => {
  function first(recurrence: Recurrence, count: number): string[] {
    return Array.from({ length: count }, (_, index) => occurrence(recurrence, index))
  }

  test.each<[Recurrence, string[]]>([
    [{ frequency: 'daily', start_date: '2026-02-27' }, ['2026-02-27', '2026-02-28', '2026-03-01']],
    [{ frequency: 'weekly', start_date: '2026-03-04' }, ['2026-03-04', '2026-03-11', '2026-03-18']],
    [{ frequency: 'weekly', start_date: '2026-03-04', day_of_week: 0 }, ['2026-03-09', '2026-03-16']],
    [{ frequency: 'weekly', start_date: '2026-03-04', day_of_week: 2 }, ['2026-03-04', '2026-03-11']],
    [{ frequency: 'biweekly', start_date: '2026-03-04', day_of_week: 4 }, ['2026-03-06', '2026-03-20']],
    [{ frequency: 'monthly', start_date: '2026-01-31' }, ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']],
    [{ frequency: 'monthly', start_date: '2026-01-20', day_of_month: 15 }, ['2026-02-15', '2026-03-15']],
    [{ frequency: 'monthly', start_date: '2026-01-10', day_of_month: 15 }, ['2026-01-15', '2026-02-15']],
    [{ frequency: 'monthly', start_date: '2026-02-28', day_of_month: 31 }, ['2026-02-28', '2026-03-31']],
    [{ frequency: 'quarterly', start_date: '2025-11-30' }, ['2025-11-30', '2026-02-28', '2026-05-30']],
    [{ frequency: 'quarterly', start_date: '2026-01-20', day_of_month: 15 }, ['2026-02-15', '2026-05-15']],
    [{ frequency: 'annually', start_date: '2024-02-29' }, ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    [{ frequency: 'annually', start_date: '2026-12-20', day_of_month: 1 }, ['2027-01-01', '2028-01-01']],
    [{ frequency: 'daily', start_date: '2026-01-01', day_of_month: 15, day_of_week: 3 }, ['2026-01-01', '2026-01-02']],
    [{ frequency: 'weekly', start_date: '2026-03-04', day_of_month: 1, day_of_week: null }, ['2026-03-04', '2026-03-11']],
    [{ frequency: 'monthly', start_date: '2026-03-04', day_of_month: null, day_of_week: 6 }, ['2026-03-04', '2026-04-04']],
  ])('%j gives %j', (recurrence, expected) => {
    expect(first(recurrence, expected.length)).toEqual(expected)
  })

  test('start on or after start_date, rise, and fall on the day asked for', () => {
    const frequency = fc.constantFrom<Frequency>('daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually')
    const day_of_month = fc.option(fc.integer({ min: 1, max: 31 }))
    const day_of_week = fc.option(fc.integer({ min: 0, max: 6 }))
    const recurrences = fc.record({ frequency, start_date: date, day_of_month, day_of_week })
    fc.assert(
      fc.property(recurrences, fc.nat({ max: 300 }), (recurrence, index) => {
        const one = occurrence(recurrence, index)
        const next = occurrence(recurrence, index + 1)
        expect(one >= recurrence.start_date && next > one).toBe(true)
        expect(daysBetween(recurrence.start_date, occurrence(recurrence, 0))).toBeLessThan(31)
        if (recurrence.frequency === 'weekly' || recurrence.frequency === 'biweekly') {
          expect(weekday(one)).toBe(recurrence.day_of_week ?? weekday(recurrence.start_date))
        } else if (recurrence.frequency !== 'daily') {
          const wanted = recurrence.day_of_month ?? Number(recurrence.start_date.slice(8))
          expect(Number(one.slice(8))).toBe(Math.min(wanted, Number(lastDayOfMonth(one).slice(8))))
        }
      }),
    )
  })

  test('are found by what comes after a date, as counting them one by one would', () => {
    const frequency = fc.constantFrom<Frequency>('daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually')
    const day_of_month = fc.option(fc.integer({ min: 1, max: 31 }))
    const day_of_week = fc.option(fc.integer({ min: 0, max: 6 }))
    const recurrences = fc.record({ frequency, start_date: date, day_of_month, day_of_week })
    fc.assert(
      fc.property(recurrences, fc.integer({ min: -400, max: 40_000 }), (recurrence, days) => {
        const day = addDays(recurrence.start_date, days)
        const index = indexAfter(recurrence, day)
        expect(occurrence(recurrence, index) > day).toBe(true)
        if (index > 0) expect(occurrence(recurrence, index - 1) <= day).toBe(true)
        expect(occurrenceAfter(recurrence, day)).toBe(occurrence(recurrence, index))
      }),
    )
  })

  test('end where the calendar does', () => {
    const yearly: Recurrence = { frequency: 'annually', start_date: '9998-12-31' }
    expect(occurrenceAfter(yearly, null)).toBe('9998-12-31')
    expect(occurrenceAfter(yearly, '9998-12-31')).toBe('9999-12-31')
    expect(occurrenceAfter(yearly, '9999-12-31')).toBeNull()
    expect(occurrenceAfter({ frequency: 'weekly', start_date: '9999-12-31', day_of_week: 3 }, null)).toBeNull()
    expect(() => occurrenceAfter({ frequency: 'daily', start_date: 'soon' }, null)).toThrow(TypeError)
  })

  test('have no negative or fractional number', () => {
    expect(() => occurrence({ frequency: 'daily', start_date: '2026-01-01' }, -1)).toThrow(RangeError)
    expect(() => occurrence({ frequency: 'daily', start_date: '2026-01-01' }, 0.5)).toThrow(RangeError)
  })
})
