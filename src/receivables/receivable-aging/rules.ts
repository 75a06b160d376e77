// What aging asks of the books, and how its figures are held against them.
import { daysBetween } from '../../foundation/calendar.ts'
import { unprocessable } from '../../foundation/refusal.ts'
import type { AgingItem } from './contract.ts'

export const BUCKETS = [30, 60, 90] as const

/** The last day of each column; they must rise. */
export function bucketsOf(given: readonly number[] = BUCKETS): [number, number, number] {
  const [first = 0, second = 0, third = 0] = given
  if (first >= second || second >= third) {
    throw unprocessable([{ loc: ['query', 'bucket_days'], msg: 'The numbers of days must rise, as 30,60,90 do.', type: 'value_error' }])
  }
  return [first, second, third]
}

/** As far back the documents are asked and what came since is taken back; beyond that there is more of it than the journal has before. */
const DAYS_BACK = 62

/** Documents do not remember what was known when; the journal does. */
export const asksDocuments = (as_of: string, today: string, everything_known: boolean): boolean => everything_known && daysBetween(as_of, today) <= DAYS_BACK

/** How late something is; what is not due yet is not late. */
export const daysLate = (aged_on: string | null, as_of: string): number => (aged_on === null ? 0 : Math.max(0, daysBetween(aged_on, as_of)))

/** Oldest first; what belongs to no document comes last. */
export function byAge(a: AgingItem, b: AgingItem): number {
  const last = '9999-12-31'
  const [x, y] = [`${a.due_date ?? a.date ?? last} ${a.number ?? ''}`, `${b.due_date ?? b.date ?? last} ${b.number ?? ''}`]
  return x < y ? -1 : x > y ? 1 : 0
}
