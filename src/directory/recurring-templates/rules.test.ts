import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween, lastDayOfMonth, monthOf, weekday } from '../../foundation/calendar.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { FREQUENCIES, type Occurrence, type RecurringConfig, type RecurringTemplate } from './contract.ts'
import {
  advanced, datesOf, finalDate, MOST_IN_THE_PAST, nameFor, nextDate, requireDates, requireNext, requireOccurrence, rescheduled, retried, retryAt, scheduleOf, settled,
} from './rules.ts'

const TODAY = '2026-06-15'

function template(config: Partial<RecurringConfig> = {}, more: Partial<RecurringTemplate> = {}): RecurringTemplate {
  const schedule = scheduleOf({ frequency: 'monthly', start_date: '2026-01-31', ...config })
  return settled({
    ...schedule,
    id: 'a', business_id: 'b', created_at: '', updated_at: '', version: 1, kind: 'invoice', name: 'Rent', status: 'active', days_until_due: 30,
    on_generate: 'draft', price_mode: 'frozen', template: {}, customer_id: 'c', prices: [], currency: 'USD', amount: 0, source_invoice_id: null,
    next_date: null, paused_until: null, occurrences: 0, last_error: null, created_by: null, ...more,
  })
}

const some = {
  frequency: fc.constantFrom(...FREQUENCIES),
  start_date: fc.integer({ min: 0, max: 30_000 }).map((days) => addDays('1980-01-01', days)),
  day_of_month: fc.option(fc.integer({ min: 1, max: 31 })),
  day_of_week: fc.option(fc.integer({ min: 0, max: 6 })),
}
const configs = fc.record(some)
const limited = fc.record({ ...some, length: fc.option(fc.integer({ min: 0, max: 2000 })), max_occurrences: fc.option(fc.integer({ min: 1, max: 40 })) })
  .map(({ length, ...config }): RecurringConfig => ({ ...config, end_date: length === null ? null : addDays(config.start_date, length) }))

/** Every day from the start that fits, found by looking at each: the rule said another way. */
function byLooking(config: RecurringConfig, count: number): string[] {
  const { frequency, start_date } = config
  const weekly = frequency === 'weekly' || frequency === 'biweekly'
  const found: string[] = []
  let first: string | null = null
  for (let date = start_date; found.length < count; date = addDays(date, 1)) {
    const wanted = Math.min(config.day_of_month ?? Number(start_date.slice(8)), Number(lastDayOfMonth(date).slice(8)))
    const fits = frequency === 'daily' || (weekly ? weekday(date) === (config.day_of_week ?? weekday(start_date)) : Number(date.slice(8)) === wanted)
    if (!fits) continue
    first ??= date
    const months = (Number(date.slice(0, 4)) - Number(first.slice(0, 4))) * 12 + Number(date.slice(5, 7)) - Number(first.slice(5, 7))
    const step = { daily: 1, weekly: 7, biweekly: 14, monthly: 1, quarterly: 3, annually: 12 }[frequency]
    if ((weekly ? daysBetween(first, date) : frequency === 'daily' ? 0 : months) % step === 0) found.push(date)
  }
  return found
}

describe('the dates of a schedule', () => {
  it('are those that looking at every day finds', () => {
    fc.assert(fc.property(configs, (config) => {
      expect(datesOf(scheduleOf(config), { most: 9 })).toEqual(byLooking(config, 9))
    }), { numRuns: 150 })
  })

  it.each<[Partial<RecurringConfig>, string[]]>([
    [{}, ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']],
    [{ start_date: '2024-01-31' }, ['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30']],
    [{ frequency: 'annually', start_date: '2024-02-29' }, ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28']],
    [{ frequency: 'quarterly', start_date: '2025-11-30' }, ['2025-11-30', '2026-02-28', '2026-05-30', '2026-08-30']],
    [{ start_date: '2026-01-20', day_of_month: 15 }, ['2026-02-15', '2026-03-15', '2026-04-15', '2026-05-15']],
    [{ frequency: 'weekly', start_date: '2026-03-04', day_of_week: 0 }, ['2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30']],
    [{ frequency: 'biweekly', start_date: '2026-03-04' }, ['2026-03-04', '2026-03-18', '2026-04-01', '2026-04-15']],
    [{ frequency: 'daily', start_date: '2026-02-27', day_of_month: 9, day_of_week: 1 }, ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']],
    [{ frequency: 'weekly', start_date: '2026-03-04', day_of_month: 9 }, ['2026-03-04', '2026-03-11', '2026-03-18', '2026-03-25']],
    [{ day_of_week: 2 }, ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']],
  ])('%j', (config, expected) => {
    expect(datesOf(template(config), { most: 4 })).toEqual(expected)
  })

  it('come one after another as they were foreseen, and stop at the end or after so many, whichever is first', () => {
    fc.assert(fc.property(limited, (config) => {
      const foreseen = datesOf(scheduleOf(config), { most: 50 })
      let each = template(config)
      const come: string[] = []
      while (each.next_date !== null && come.length < 50) {
        come.push(each.next_date)
        each = advanced(each, each.next_date, 'generated')
      }
      expect(come).toEqual(foreseen)
      const all = byLooking(config, 50).filter((date) => !config.end_date || date <= config.end_date)
      expect(come).toEqual(all.slice(0, config.max_occurrences ?? 50))
      if (come.length < 50) expect(each.status).toBe('ended')
    }), { numRuns: 100 })
  })

  it('of a window are those of the whole', () => {
    const window = fc.tuple(fc.integer({ min: -10, max: 500 }), fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 5 }))
    fc.assert(fc.property(limited, window, (config, [start, length, past]) => {
      let each = template(config)
      for (let turn = 0; turn < past && each.next_date !== null; turn++) each = advanced(each, each.next_date, 'generated')
      const from = addDays(config.start_date, start)
      const through = addDays(from, length)
      const whole = datesOf(each, { most: 1200 }).filter((date) => date >= from && date <= through)
      expect(datesOf(each, { from, through, most: 1200 })).toEqual(whole)
    }), { numRuns: 100 })
  })

  it('end on the end date itself, and with the calendar', () => {
    expect(datesOf(template({ end_date: '2026-02-28' }), { most: 9 })).toEqual(['2026-01-31', '2026-02-28'])
    expect(datesOf(template({ end_date: '2026-02-27' }), { most: 9 })).toEqual(['2026-01-31'])
    expect(datesOf(template({ start_date: '9999-11-30', max_occurrences: 9007199254740991 }), { most: 9 })).toEqual(['9999-11-30', '9999-12-30'])
    expect(finalDate(template({ max_occurrences: 3, end_date: '2026-12-31' }))).toBe('2026-03-31')
    expect(finalDate(template())).toBeNull()
  })

  it.each<[RecurringConfig, string | RegExp]>([
    [{ frequency: 'monthly', start_date: '2026-01-01', day_of_month: 31, end_date: '2026-01-30' }, 'No date of this monthly schedule lies between 2026-01-01 and 2026-01-30.'],
    [{ frequency: 'weekly', start_date: '2026-03-03', day_of_week: 0, end_date: '2026-03-08' }, /^No date of this weekly schedule/],
    [{ frequency: 'daily', start_date: '0026-01-01' }, /^More than 1000 dates of this schedule are over already/],
  ])('%j has none, or too many that are over', (config, detail) => {
    expect(() => requireOccurrence(scheduleOf(config), TODAY)).toThrow(detail)
  })

  it('may begin in the past, within reason', () => {
    expect(requireOccurrence(scheduleOf({ frequency: 'daily', start_date: addDays(TODAY, 1 - MOST_IN_THE_PAST) }), TODAY)).toBe(addDays(TODAY, 1 - MOST_IN_THE_PAST))
    expect(() => requireOccurrence(scheduleOf({ frequency: 'daily', start_date: addDays(TODAY, -MOST_IN_THE_PAST) }), TODAY)).toThrow(Refusal)
    expect(requireOccurrence(scheduleOf({ frequency: 'daily', start_date: '2000-01-01', max_occurrences: 2 }), TODAY)).toBe('2000-01-01')
  })

  it('an end before the start is a body of the wrong shape', () => {
    expect(() => requireDates({ start_date: '2026-01-02', end_date: '2026-01-02' })).not.toThrow()
    const problems = (() => {
      try {
        requireDates({ start_date: '2026-01-02', end_date: '2026-01-01' }, ['body', 'recurring'])
      } catch (error) {
        return (error as Refusal).problems
      }
    })()
    expect(problems).toEqual([{ loc: ['body', 'recurring', 'end_date'], msg: 'Must not be before start_date 2026-01-02.', type: 'value_error' }])
  })
})

describe('a template', () => {
  const failed = (retry_at: string | null): Occurrence =>
    ({ id: 'o', template_id: 'a', number: 1, scheduled_date: '2026-01-31', status: 'failed', document_id: null, attempts: 1, error: 'x', warning: null, retry_at, created_at: '', updated_at: '' })

  it('keeps a place for what is tried again, and gives it free when that is given up', () => {
    const first = template({ max_occurrences: 2 })
    const waiting = advanced(first, '2026-01-31', 'retrying')
    expect(waiting).toMatchObject({ next_date: '2026-02-28', occurrences: 1, occurrences_generated: 0, occurrences_retrying: 1, status: 'active' })
    const full = advanced(waiting, '2026-02-28', 'generated')
    expect(full).toMatchObject({ next_date: null, occurrences: 2, occurrences_generated: 1, status: 'active' })
    expect(() => requireNext(full)).toThrow('Rent has no further date while earlier ones are tried again.')
    expect(retried(full, failed('later'), true)).toMatchObject({ next_date: null, status: 'ended', occurrences_generated: 2, occurrences_retrying: 0 })
    expect(retried(full, failed('later'), false)).toMatchObject({ next_date: '2026-03-31', status: 'active', occurrences_generated: 1, occurrences_retrying: 0 })
  })

  it('does not count what is skipped', () => {
    const skipped = advanced(template({ max_occurrences: 1 }), '2026-01-31', 'skipped')
    expect(skipped).toMatchObject({ next_date: '2026-02-28', occurrences: 1, status: 'active' })
    expect(advanced(skipped, '2026-02-28', 'generated')).toMatchObject({ next_date: null, status: 'ended' })
  })

  it('never makes more than it may, whatever happens in whatever order', () => {
    const turns = fc.array(fc.constantFrom('generated', 'skipped', 'retrying', 'succeeds', 'gives up'), { maxLength: 40 })
    fc.assert(fc.property(limited, turns, (config, chosen) => {
      let each = template(config)
      let come = 0
      for (const turn of chosen) {
        if (each.status === 'ended') break
        if (turn === 'succeeds' || turn === 'gives up') {
          if (each.occurrences_retrying > 0) each = retried(each, failed('later'), turn === 'succeeds')
        } else if (each.next_date !== null) {
          expect(each.last_date === null || each.next_date > each.last_date).toBe(true)
          each = advanced(each, each.next_date, turn)
          come++
        }
        expect(each.occurrences).toBe(come)
        expect(each.occurrences_generated + each.occurrences_retrying).toBeLessThanOrEqual(config.max_occurrences ?? Infinity)
        if (each.next_date !== null && config.end_date) expect(each.next_date <= config.end_date).toBe(true)
        expect(each.status === 'ended').toBe(each.next_date === null && each.occurrences_retrying === 0)
      }
    }))
  })

  it('that is changed counts from the next date on, and keeps the day it was asked for', () => {
    const running = advanced(template(), '2026-01-31', 'generated')
    expect(rescheduled(running, { max_occurrences: 9 }, TODAY)).toMatchObject({ anchor_date: '2026-01-31', next_date: '2026-02-28' })
    const quarterly = rescheduled(running, { frequency: 'quarterly' }, TODAY)
    expect(datesOf(quarterly, { most: 3 })).toEqual(['2026-02-28', '2026-05-31', '2026-08-31'])
    expect(datesOf(rescheduled(running, { day_of_month: 15 }, TODAY), { most: 2 })).toEqual(['2026-03-15', '2026-04-15'])
    expect(datesOf(rescheduled(running, { frequency: 'weekly' }, TODAY), { most: 2 })).toEqual(['2026-02-28', '2026-03-07'])
    expect(datesOf(rescheduled(running, { frequency: 'weekly', day_of_week: 0 }, TODAY), { most: 2 })).toEqual(['2026-03-02', '2026-03-09'])
    expect(datesOf(rescheduled(running, { start_date: '2026-02-10' }, TODAY), { most: 2 })).toEqual(['2026-02-10', '2026-03-10'])
    expect(rescheduled(running, { start_date: '2026-01-31', frequency: 'monthly', day_of_month: null }, TODAY)).toEqual(running)
  })

  it.each([
    [{ start_date: '2026-01-31' }, '2026-02-28', 'Rent has come to 2026-02-28 already: choose a start_date after that.', { start_date: '2026-02-01' }],
    [{}, '2026-02-28', 'Rent would have no date left: end it instead.', { end_date: '2026-03-30' }],
    [{}, '2026-02-28', 'Rent would have no date left: end it instead.', { max_occurrences: 1 }],
    [{ start_date: '2015-01-31' }, '2015-02-28', /^More than 1000 dates/, { frequency: 'daily' as const }],
  ])('%j that has come to %s is not changed so that %s', (config, last_date, detail, changes) => {
    const running = template(config, { last_date, occurrences: 2, occurrences_generated: 2 })
    expect(() => rescheduled(running, changes, TODAY)).toThrow(detail)
  })

  it('whose end comes before its start after a change is a body of the wrong shape', () => {
    expect(() => rescheduled(template(), { end_date: '2026-01-01' }, TODAY)).toThrow('The request does not have the expected shape.')
  })

  it('ended stays so', () => {
    const ended = template({}, { status: 'ended' })
    expect(settled(ended)).toEqual(ended)
    expect(() => requireNext(ended)).toThrow('Rent has ended: make a new template.')
    expect(() => requireNext(template({}, { status: 'paused' }))).toThrow('Rent is paused: resume it first.')
    expect(requireNext(template())).toBe('2026-01-31')
  })

  it('has a name in any case', () => {
    expect(nameFor(' Rent ', 'Office', 'invoice')).toBe('Rent')
    expect(nameFor('  ', 'Office', 'invoice')).toBe('Office')
    expect(nameFor(null, null, 'invoice')).toBe('Recurring invoice')
    expect(nameFor(undefined, 'x'.repeat(500), 'invoice')).toHaveLength(200)
  })
})

describe('a failure', () => {
  it('is tried again at growing intervals, for the last time after three days', () => {
    const first = '2026-06-01T00:00:00.000Z'
    const times = [first]
    for (let attempts = 1; ; attempts++) {
      const next = retryAt(first, attempts, times.at(-1) ?? first)
      if (next === null) break
      times.push(next)
    }
    const hours = times.map((time) => (Date.parse(time) - Date.parse(first)) / 3_600_000)
    expect(hours).toEqual([0, 0.25, 0.75, 1.75, 3.75, 7.75, 15.75, 31.75, 55.75, 72])
    expect(monthOf(times.at(-1) ?? '')).toBe('2026-06')
  })

  it('that was left alone for long is tried once more and no more', () => {
    expect(retryAt('2026-06-01T00:00:00.000Z', 1, '2026-06-03T23:59:00.000Z')).toBe('2026-06-04T00:00:00.000Z')
    expect(retryAt('2026-06-01T00:00:00.000Z', 1, '2026-06-09T00:00:00.000Z')).toBeNull()
    expect(nextDate(template())).toBe('2026-01-31')
  })
})
