// How a number is put together and which one comes next.
import { firstDayOfMonth } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'

export const RESETS = ['never', 'yearly', 'monthly'] as const
export type Reset = (typeof RESETS)[number]

export type Pattern = { prefix: string; suffix: string; padding: number }

/** How far one prefix and suffix were used by documents of one month, and where they were told to go on. */
export type Mark = { month: string; highest_used: number; starts_at: number }

/** The templates have the same length on every date, so two numbers of one pattern are equal only where all their parts are. */
export function formatNumber({ prefix, suffix, padding }: Pattern, number: number, date: string): string {
  const filled = (template: string) =>
    template.replaceAll('{YYYY}', date.slice(0, 4)).replaceAll('{YY}', date.slice(2, 4)).replaceAll('{MM}', date.slice(5, 7))
  return `${filled(prefix)}${String(number).padStart(padding, '0')}${filled(suffix)}`
}

/** The highest number used in the window that this date is in; 0 where there is none. */
export function highestUsed(marks: readonly Mark[], reset: Reset, date: string): number {
  return Math.max(0, ...inWindow(marks, reset, date).map((mark) => mark.highest_used))
}

export function nextNumberOn(marks: readonly Mark[], reset: Reset, date: string): number {
  return Math.max(highestUsed(marks, reset, date) + 1, ...inWindow(marks, reset, date).map((mark) => mark.starts_at))
}

/** A number for each document date, in this order, and the marks that changed. `used` says which numbers were typed by somebody. */
export function draw(marks: readonly Mark[], reset: Reset, dates: readonly string[], used: (number: number, date: string) => boolean = () => false): { numbers: number[]; marks: Mark[] } {
  const byMonth = new Map(marks.map((mark) => [mark.month, mark]))
  const touched = new Set<string>()
  const numbers = dates.map((date) => {
    const month = firstDayOfMonth(date)
    let number = nextNumberOn([...byMonth.values()], reset, date)
    while (used(number, date)) number += 1
    byMonth.set(month, { month, starts_at: byMonth.get(month)?.starts_at ?? 1, highest_used: number })
    touched.add(month)
    return number
  })
  return { numbers, marks: [...byMonth.values()].filter((mark) => touched.has(mark.month)) }
}

/** The marks of the running window, told to go on at this number. */
export function goOnAt(marks: readonly Mark[], reset: Reset, date: string, number: number): Mark[] {
  const month = firstDayOfMonth(date)
  const current = marks.find((mark) => mark.month === month) ?? { month, highest_used: 0, starts_at: 1 }
  const others = inWindow(marks, reset, date).filter((mark) => mark.month !== month)
  return [...others.map((mark) => ({ ...mark, starts_at: 1 })), { ...current, starts_at: number }]
}

export function requireUnused(pattern: Pattern, number: number, highest: number, date: string): void {
  if (number > highest) return
  throw invalid(`${formatNumber(pattern, highest, date)} is used already: next_number must be above ${highest}, or choose another prefix or suffix.`)
}

/** Numbers that start again must look different afterwards, or the first of the new year would be one of the old. */
export function requireTellingWindowsApart({ prefix, suffix }: Pattern, reset: Reset): void {
  const template = prefix + suffix
  const year = /\{YY(?:YY)?\}/.test(template)
  const month = template.includes('{MM}')
  if (reset === 'yearly' && !year) throw invalid('Numbers that start again every year need {YYYY} or {YY} in the prefix or the suffix.')
  if (reset === 'monthly' && !(year && month)) {
    throw invalid('Numbers that start again every month need {MM} and {YYYY} or {YY} in the prefix or the suffix.')
  }
}

function inWindow(marks: readonly Mark[], reset: Reset, date: string): readonly Mark[] {
  const length = { never: 0, yearly: 4, monthly: 7 }[reset]
  return marks.filter((mark) => mark.month.slice(0, length) === date.slice(0, length))
}
