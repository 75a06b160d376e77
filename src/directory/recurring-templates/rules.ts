// On which days a template has its turn, what becomes of it then, and how long a failure is tried again.
import { addDays, indexAfter, occurrence, occurrenceAfter, weekday, type Recurrence } from '../../foundation/calendar.ts'
import { invalid, Refusal, unprocessable, type Problem } from '../../foundation/refusal.ts'
import type { Occurrence, RecurringConfig, RecurringTemplate } from './contract.ts'

export type Schedule = Pick<
  RecurringTemplate,
  'frequency' | 'start_date' | 'end_date' | 'day_of_month' | 'day_of_week' | 'max_occurrences' | 'anchor_date' | 'last_date' | 'occurrences_generated' |
  'occurrences_retrying'
>

/** A start in the distant past is more often a slip of the pen than the wish for that many documents at once. */
export const MOST_IN_THE_PAST = 1000

/** A schedule of which nothing has come yet. */
export function scheduleOf(config: RecurringConfig): Schedule {
  return {
    frequency: config.frequency,
    start_date: config.start_date,
    end_date: config.end_date ?? null,
    day_of_month: config.day_of_month ?? null,
    day_of_week: config.day_of_week ?? null,
    max_occurrences: config.max_occurrences ?? null,
    anchor_date: config.start_date,
    last_date: null,
    occurrences_generated: 0,
    occurrences_retrying: 0,
  }
}

/** The days asked for are those of the start, however often the anchor was moved since: a short month never shifts the ones after it. */
export function recurrenceOf({ frequency, start_date, day_of_month, day_of_week, anchor_date }: Schedule): Recurrence {
  return { frequency, start_date: anchor_date, day_of_month: day_of_month ?? Number(start_date.slice(8)), day_of_week: day_of_week ?? weekday(start_date) }
}

/** The first date after the last one that has come; null where the schedule is over. */
export function nextDate(schedule: Schedule): string | null {
  const date = occurrenceAfter(recurrenceOf(schedule), schedule.last_date)
  const last = finalDate(schedule)
  return date === null || (last !== null && date > last) ? null : date
}

/** No date of the schedule lies after this one; null where it goes on for ever. What is still tried again may yet be generated, so it counts. */
export function finalDate(schedule: Schedule): string | null {
  const { end_date, max_occurrences, occurrences_generated, occurrences_retrying, last_date } = schedule
  if (max_occurrences === null) return end_date
  const left = max_occurrences - occurrences_generated - occurrences_retrying
  const last = left <= 0 ? (last_date ?? schedule.anchor_date) : dateAfter(recurrenceOf(schedule), last_date, left)
  return end_date === null || (last !== null && last < end_date) ? last : end_date
}

/** There are not so many days in the calendar. */
const MOST_DAYS = 4_000_000

function dateAfter(recurrence: Recurrence, date: string | null, count: number): string | null {
  try {
    return occurrence(recurrence, (date === null ? 0 : indexAfter(recurrence, date)) + Math.min(count, MOST_DAYS) - 1)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** The dates to come, from one day to another, at most so many. */
export function datesOf(schedule: Schedule, { from = null, through = null, most }: { from?: string | null; through?: string | null; most: number }): string[] {
  const last = finalDate(schedule)
  const end = through === null || (last !== null && last < through) ? last : through
  const recurrence = recurrenceOf(schedule)
  let before = schedule.last_date
  if (from !== null && (before === null || from > before)) before = addDays(from, -1)
  const dates: string[] = []
  while (dates.length < most) {
    const date = occurrenceAfter(recurrence, before)
    if (date === null || (end !== null && date > end)) break
    dates.push(date)
    before = date
  }
  return dates
}

/** Refused as a body of the wrong shape; `loc` is where the configuration stands in it. */
export function requireDates({ start_date, end_date }: Pick<RecurringConfig, 'start_date' | 'end_date'>, loc: Problem['loc'] = ['body']): void {
  if (!end_date || end_date >= start_date) return
  throw unprocessable([{ loc: [...loc, 'end_date'], msg: `Must not be before start_date ${start_date}.`, type: 'value_error' }])
}

/** The first date; refuses a schedule that has none, or very many that are over already. */
export function requireOccurrence(schedule: Schedule, today: string): string {
  const next = nextDate(schedule)
  if (next === null) throw invalid(`No date of this ${schedule.frequency} schedule lies between ${schedule.start_date} and ${schedule.end_date ?? 'the end of the calendar'}.`)
  if (datesOf(schedule, { through: today, most: MOST_IN_THE_PAST + 1 }).length > MOST_IN_THE_PAST) {
    throw invalid(`More than ${MOST_IN_THE_PAST} dates of this schedule are over already, and each would make a document: choose a later start_date.`)
  }
  return next
}

type Outcome = 'generated' | 'skipped' | 'retrying'

/** After one more date has come. */
export function advanced(template: RecurringTemplate, date: string, outcome: Outcome): RecurringTemplate {
  return settled({
    ...template,
    last_date: date,
    occurrences: template.occurrences + 1,
    occurrences_generated: template.occurrences_generated + (outcome === 'generated' ? 1 : 0),
    occurrences_retrying: template.occurrences_retrying + (outcome === 'retrying' ? 1 : 0),
  })
}

/** After a date that had failed was tried again, successfully or for the last time. */
export function retried(template: RecurringTemplate, occurrence: Occurrence, generated: boolean): RecurringTemplate {
  return settled({
    ...template,
    occurrences_generated: template.occurrences_generated + (generated ? 1 : 0),
    occurrences_retrying: template.occurrences_retrying - (occurrence.retry_at === null ? 0 : 1),
  })
}

/** With its next date; ended where there is none and nothing is tried again. What has ended stays so. */
export function settled(template: RecurringTemplate): RecurringTemplate {
  if (template.status === 'ended') return template
  const next_date = nextDate(template)
  const ended = next_date === null && template.occurrences_retrying === 0
  return { ...template, next_date, ...(ended && { status: 'ended', paused_until: null }) }
}

type Changes = { [Field in 'frequency' | 'start_date' | 'end_date' | 'day_of_month' | 'day_of_week' | 'max_occurrences']?: RecurringTemplate[Field] | undefined }

/** With another schedule for what is to come: where its days change they are counted from the next date on, or from a new start. */
export function rescheduled(template: RecurringTemplate, changes: Changes, today: string): RecurringTemplate {
  const { name, last_date, next_date } = template
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<RecurringTemplate>
  const wanted = { ...template, ...given }
  requireDates(wanted)
  const restarted = wanted.start_date !== template.start_date
  if (restarted && last_date !== null && wanted.start_date <= last_date) throw invalid(`${name} has come to ${last_date} already: choose a start_date after that.`)
  const moved = (['frequency', 'day_of_month', 'day_of_week'] as const).some((field) => wanted[field] !== template[field])
  const anchor_date = restarted ? wanted.start_date : moved ? (next_date ?? addDays(last_date ?? template.anchor_date, 1)) : template.anchor_date
  const after = settled({ ...wanted, anchor_date })
  if (after.status === 'ended') throw invalid(`${name} would have no date left: end it instead.`)
  if (restarted || moved) requireOccurrence(after, today)
  return after
}

const QUARTER_OF_AN_HOUR = 15 * 60_000
const DAY = 24 * 60 * 60_000
const TRIED_FOR = 3 * DAY

/** After 15 minutes, then after twice as long each time, a day at most, for three days; null when they are over. */
export function retryAt(failed_first: string, attempts: number, now: string): string | null {
  const last = Date.parse(failed_first) + TRIED_FOR
  if (Date.parse(now) >= last) return null
  const pause = Math.min(DAY, QUARTER_OF_AN_HOUR * 2 ** (attempts - 1))
  return new Date(Math.min(Date.parse(now) + pause, last)).toISOString()
}

/** The next date of a template that has its turn now. */
export function requireNext({ name, status, next_date }: RecurringTemplate): string {
  if (status === 'ended') throw invalid(`${name} has ended: make a new template.`)
  if (status === 'paused') throw invalid(`${name} is paused: resume it first.`)
  if (next_date === null) throw invalid(`${name} has no further date while earlier ones are tried again.`)
  return next_date
}

export function requireNotEnded({ name, status }: RecurringTemplate): void {
  if (status === 'ended') throw invalid(`${name} has ended: make a new template.`)
}

/** Of the longest that fits; a template without a word about itself is called by what it makes. */
export function nameFor(name: string | null | undefined, described: string | null, kind: string): string {
  const found = [name, described].map((text) => text?.trim()).find((text) => text !== undefined && text !== '')
  return found?.slice(0, 200) ?? `Recurring ${kind}`
}
