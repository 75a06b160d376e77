// Dates as 'YYYY-MM-DD' text and moments as RFC 3339 text, computed without regard to the machine's time zone.
import { invalid, Refusal } from './refusal.ts'

export type Frequency = 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'quarterly' | 'annually'

export type Recurrence = {
  frequency: Frequency
  start_date: string
  day_of_month?: number | null | undefined
  day_of_week?: number | null | undefined
}

// The date of the index-th occurrence, counted from 0. The first is the first matching day on or after start_date; each is
// computed from the first rather than from its predecessor, so that a short month never shifts the ones after it.
export function occurrence(recurrence: Recurrence, index: number): string {
  if (!Number.isSafeInteger(index) || index < 0) throw new RangeError(`Not the number of an occurrence: ${index}`)
  const { frequency, start_date } = recurrence
  switch (frequency) {
    case 'daily':
      return addDays(start_date, index)
    case 'weekly':
    case 'biweekly': {
      const wanted = recurrence.day_of_week ?? weekday(start_date)
      const first = addDays(start_date, (wanted - weekday(start_date) + 7) % 7)
      return addDays(first, index * DAYS_APART[frequency])
    }
    case 'monthly':
    case 'quarterly':
    case 'annually': {
      const day = recurrence.day_of_month ?? partsOf(start_date).day
      const passed = addMonths(start_date, 0, day) < start_date ? 1 : 0
      return addMonths(start_date, passed + index * MONTHS_APART[frequency], day)
    }
  }
}

const MONTHS_APART = { monthly: 1, quarterly: 3, annually: 12 }
const DAYS_APART = { daily: 1, weekly: 7, biweekly: 14 }

// The index of the first occurrence after a date, worked out and not searched for.
export function indexAfter(recurrence: Recurrence, date: string): number {
  const first = occurrence(recurrence, 0)
  if (date < first) return 0
  const { frequency } = recurrence
  if (frequency === 'daily' || frequency === 'weekly' || frequency === 'biweekly') return Math.floor(daysBetween(first, date) / DAYS_APART[frequency]) + 1
  const index = Math.floor(monthsBetween(first, date) / MONTHS_APART[frequency])
  return occurrence(recurrence, index) <= date ? index + 1 : index
}

// The first occurrence after a date, or the first of all; null where the calendar ends before it.
export function occurrenceAfter(recurrence: Recurrence, date: string | null): string | null {
  try {
    return occurrence(recurrence, date === null ? 0 : indexAfter(recurrence, date))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

// Where the month has no such day its last day is taken. anchor_day is the day wanted; without it the day of the date is.
export function addMonths(date: string, months: number, anchor_day?: number): string {
  const { year, month, day } = partsOf(date)
  const count = year * 12 + (month - 1) + months
  const targetYear = Math.floor(count / 12)
  const targetMonth = count - targetYear * 12 + 1
  return dateText(targetYear, targetMonth, Math.min(anchor_day ?? day, daysInMonth(targetYear, targetMonth)))
}

export function addDays(date: string, days: number): string {
  const moment = new Date((dayNumber(date) + days) * MILLISECONDS_A_DAY)
  return dateText(moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate())
}

// How many days `to` lies after `from`; negative where it lies before.
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from)
}

// Months by their names: from 31 January to 1 February is one.
function monthsBetween(from: string, to: string): number {
  const [a, b] = [partsOf(from), partsOf(to)]
  return (b.year - a.year) * 12 + (b.month - a.month)
}

// 0 is Monday, 6 is Sunday.
export function weekday(date: string): number {
  const sinceThursday = dayNumber(date) % 7
  return (sinceThursday + 7 + 3) % 7
}

export function firstDayOfMonth(date: string): string {
  return addMonths(date, 0, 1)
}

export function lastDayOfMonth(date: string): string {
  return addMonths(date, 0, 31)
}

// 'YYYY-MM'.
export function monthOf(date: string): string {
  return date.slice(0, 7)
}

// For sorting; four-digit years make the order of texts the order of days.
export function compareDates(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

// The years 0001 to 9999 are dates, the range RFC 3339 and PostgreSQL share; whether a year is sensible is for the rule that
// reads it.
export function isDate(text: string): boolean {
  const match = DATE.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

// The date it is at that moment where the business is.
export function today(now: Date, timezone: string): string {
  let formatter = formatters.get(timezone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
      timeZone: timezone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    })
    formatters.set(timezone, formatter)
  }
  const parts = { year: 0, month: 0, day: 0 }
  for (const { type, value } of formatter.formatToParts(now)) {
    if (type === 'year' || type === 'month' || type === 'day') parts[type] = Number(value)
  }
  return dateText(parts.year, parts.month, parts.day)
}

// Making a formatter costs a hundred times what using one does.
const formatters = new Map<string, Intl.DateTimeFormat>()

// Names of the time zone database only. Offsets such as '+02:00' are refused: PostgreSQL reads their sign the other way round.
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

// RFC 3339 with an offset. A leap second is refused: neither a Date nor PostgreSQL can keep one.
export function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text)
  if (!match || !isDate(match[1] ?? '')) return false
  const moment = Date.parse(text)
  return moment >= FIRST_MOMENT && moment <= LAST_MOMENT
}

export function toTimestamp(date: Date): string {
  return date.toISOString()
}

export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const HOUR_MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const TIMESTAMP = new RegExp(`^([-\\d]{10})[Tt]${HOUR_MINUTE}:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-]${HOUR_MINUTE})$`)
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')
const MILLISECONDS_A_DAY = 86_400_000
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0)
}

// Days since 1970-01-01; a date alone is read as UTC by the language's definition.
function dayNumber(date: string): number {
  requireDate(date)
  return Date.parse(date) / MILLISECONDS_A_DAY
}

function partsOf(date: string): { year: number; month: number; day: number } {
  requireDate(date)
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8)) }
}

// Dates are checked at the door, so one that does not exist in here is a mistake of the program.
function requireDate(date: string): void {
  if (!isDate(date)) throw new TypeError(`Not a date: ${date}`)
}

function dateText(year: number, month: number, day: number): string {
  if (!(year >= 1 && year <= 9999)) throw invalid('The date falls outside the years 0001 to 9999; choose one nearer to today.')
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
