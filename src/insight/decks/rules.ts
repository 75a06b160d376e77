// What a deck may cover, and what it is called.
import { addDays, addMonths } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import { MOST_MONTHS, type DeckStatus, type DeckTemplate } from './contract.ts'

type Period = { period_start: string; period_end: string }

export function requirePeriod({ period_start, period_end }: Period): void {
  if (period_end < period_start) throw invalid(`The period ends on ${period_end}, before it starts on ${period_start}: exchange the two, or move one.`)
  if (period_end >= addMonths(period_start, MOST_MONTHS)) throw invalid(`The period has more than ${MOST_MONTHS} months: choose a shorter one.`)
}

export function requireReady({ status, error }: { status: DeckStatus; error: string | null }): void {
  if (status === 'generating') throw invalid('This deck is still being generated: wait for its job.')
  if (status === 'failed') throw invalid(`This deck could not be generated: refresh it first. ${error ?? ''}`.trim())
}

const TITLES: Record<DeckTemplate, string> = {
  board: 'Board report', monthly_review: 'Monthly review', cash: 'Cash report', investor: 'Investor update', sales: 'Sales report', custom: 'Report',
}

export function titleFor(template: DeckTemplate, period: Period): string {
  return `${TITLES[template]}, ${periodWords(period)}`
}

/** A whole month, a whole year, or from day to day. */
export function periodWords({ period_start, period_end }: Period): string {
  const whole = (months: number) => period_start.endsWith('-01') && addMonths(period_start, months) === addDays(period_end, 1)
  if (whole(1)) return monthWords(period_start)
  if (whole(12) && period_start.slice(5, 7) === '01') return period_start.slice(0, 4)
  const [first, last] = [monthWords(period_start), monthWords(period_end)]
  const months = period_start.endsWith('-01') && addDays(period_end, 1).endsWith('-01')
  return months ? `${first} to ${last}` : `${dayWords(period_start)} to ${dayWords(period_end)}`
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
const monthName = (date: string): string => MONTHS[Number(date.slice(5, 7)) - 1] ?? ''
const monthWords = (date: string): string => `${monthName(date)} ${date.slice(0, 4)}`
const dayWords = (date: string): string => `${monthName(date)} ${Number(date.slice(8))}, ${date.slice(0, 4)}`
