import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, occurrence } from '../../foundation/calendar.ts'
import { divideRounded, parseDecimal } from '../../foundation/money.ts'
import { FREQUENCIES, type TemplateLine } from './contract.ts'
import { entryLines, nextDate, requireSchedule, sharesOf, templateLine } from './rules.ts'

const schedule = {
  frequency: 'monthly' as const, start_date: '2026-01-31', end_date: null, day_of_month: null, max_occurrences: null, occurrences: 0, last_date: null,
}

describe('the next date', () => {
  it('is the first occurrence after the last one', () => {
    const days = fc.integer({ min: 0, max: 20_000 })
    fc.assert(fc.property(fc.constantFrom(...FREQUENCIES), days, days, fc.option(
      fc.integer({ min: 1, max: 31 }), { nil: null },
    ), (frequency, start, past, day) => {
      const day_of_month = ['monthly', 'quarterly', 'annually'].includes(frequency) ? day : null
      const start_date = addDays('1990-01-01', start)
      const last_date = addDays(start_date, past)
      const found = nextDate({ ...schedule, frequency, start_date, day_of_month, last_date, occurrences: 3 })
      let index = 0
      while (occurrence({ frequency, start_date, day_of_month }, index) <= last_date) index++
      expect(found).toBe(occurrence({ frequency, start_date, day_of_month }, index))
    }), { numRuns: 60 })
  })

  it('begins with the first day that fits, and does not drift', () => {
    const dates: (string | null)[] = [nextDate(schedule)]
    for (let turn = 1; turn < 4; turn++) dates.push(nextDate({ ...schedule, last_date: dates.at(-1) ?? null, occurrences: turn }))
    expect(dates).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'])
    expect(nextDate({ ...schedule, start_date: '2026-01-20', day_of_month: 15 })).toBe('2026-02-15')
  })

  it('is none without a frequency, after the last day, and after the last time', () => {
    expect(nextDate({ ...schedule, frequency: null })).toBeNull()
    expect(nextDate({ ...schedule, end_date: '2026-01-31' })).toBe('2026-01-31')
    expect(nextDate({ ...schedule, end_date: '2026-02-27', last_date: '2026-01-31' })).toBeNull()
    expect(nextDate({ ...schedule, max_occurrences: 2, occurrences: 1, last_date: '2026-01-31' })).toBe('2026-02-28')
    expect(nextDate({ ...schedule, max_occurrences: 2, occurrences: 2, last_date: '2026-02-28' })).toBeNull()
  })

  it.each([
    [{ start_date: null }, /needs a start_date/],
    [{ end_date: '2026-01-30' }, /lies before start_date/],
    [{ frequency: 'weekly' as const, day_of_month: 3 }, /has no day_of_month/],
  ])('needs a schedule that is one: %j', (wrong, detail) => {
    expect(() => requireSchedule({ ...schedule, ...wrong })).toThrow(detail)
  })
})

describe('shares', () => {
  const percents = fc.array(
    fc.tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: 0, max: 999_999 })).map(
      ([whole, part]) => ({ percent: `${whole}.${String(part).padStart(6, '0')}` }),
    ),
    { minLength: 1, maxLength: 12 },
  )

  it('sum to what their percentages sum to, and none is a cent off', () => {
    fc.assert(fc.property(percents, fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), (lines, movement) => {
      const whole = 100_000_000n
      const exact = lines.map(({ percent }) => parseDecimal(percent).units * BigInt(movement))
      const shares = sharesOf(lines, movement)
      expect(BigInt(shares.reduce((sum, share) => sum + share, 0))).toBe(divideRounded(exact.reduce((sum, each) => sum + each, 0n), whole))
      for (const [index, share] of shares.entries()) {
        const off = BigInt(share) * whole - (exact[index] ?? 0n)
        expect(off < whole && off > -whole).toBe(true)
      }
    }))
  })

  it('of an allocation balance to the cent', () => {
    expect(sharesOf([{ percent: '33.333333' }, { percent: '33.333333' }, { percent: '33.333334' }, { percent: '-100' }], 100)).toEqual([33, 33, 34, -100])
    expect(sharesOf([{ percent: '50' }, { percent: '50' }, { percent: '-100' }], -101)).toEqual([-51, -50, 101])
  })

  it('become lines in the base currency beside the fixed ones; what is nothing is left out', () => {
    const lines: TemplateLine[] = [
      templateLine({ ledger_id: 'a', debit: 10 }, 1),
      templateLine({ ledger_id: 'b', amount_kind: 'percent_of_ledger', percent: '-10', of_ledger_id: 'x' }, 2),
      templateLine({ ledger_id: 'c', amount_kind: 'percent_of_ledger', percent: '10', of_ledger_id: 'y' }, 3),
    ]
    expect(
      entryLines(lines, new Map([['x', 105]]), 'USD').map(({ ledger_id, amount, currency }) => [ledger_id, amount, currency]),
    ).toEqual([['a', 10, undefined], ['b', -11, 'USD']])
  })

  it.each([
    [{ ledger_id: 'a', amount_kind: 'percent_of_ledger' as const, percent: '1' }, /needs percent and of_ledger_id/],
    [{ ledger_id: 'a', amount_kind: 'percent_of_ledger' as const, percent: '1', of_ledger_id: 'x', debit: 1 }, /leave its amount and currency out/],
    [
      { ledger_id: 'a', amount_kind: 'percent_of_ledger' as const, percent: '1', of_ledger_id: 'x', currency: 'EUR' as const },
      /leave its amount and currency out/,
    ],
    [{ ledger_id: 'a', debit: 1, percent: '1' }, /leave percent and of_ledger_id out/],
    [{ ledger_id: 'a' }, /exactly one of amount, debit and credit/],
  ])('are one thing or the other: %j', (wrong, detail) => {
    expect(() => templateLine(wrong, 4)).toThrow(detail)
  })
})
