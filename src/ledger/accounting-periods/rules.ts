// When a period may be closed and reopened, and what is sworn to when it is.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../foundation/canonical.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { BookPeriod } from '../books/contract.ts'
import type { Certificate, PeriodCheck } from './contract.ts'

type Sworn = Pick<Certificate, 'business_id' | 'period_id' | 'journal_number' | 'trial_balance' | 'tie_outs' | 'open_items'>

export function certificateHash({ business_id, period_id, journal_number, trial_balance, tie_outs, open_items }: Sworn): string {
  return createHash('sha256').update(canonicalJson({ business_id, period_id, journal_number, trial_balance, tie_outs, open_items })).digest('hex')
}

/** Periods close in order, and only when they are over. */
export function requireClosable(period: BookPeriod, periods: readonly BookPeriod[], today: string): void {
  if (period.end_date >= today) throw invalid(`${period.name} is not over: it can be closed from ${nextDay(period, periods)} on.`)
  const earlier = periods.find((other) => other.start_date < period.start_date && other.status !== 'closed')
  if (earlier) throw invalid(`${earlier.name} is ${words(earlier.status)}: close it before ${period.name}.`)
}

export function requireSoftClosable(period: BookPeriod, periods: readonly BookPeriod[]): void {
  if (period.status === 'closed') throw invalid(`${period.name} is closed: reopen it first.`)
  const earlier = periods.find((other) => other.start_date < period.start_date && other.status === 'open')
  if (earlier) throw invalid(`${earlier.name} is open: close it, at least softly, before ${period.name}.`)
}

export function requireReopenable(period: BookPeriod, periods: readonly BookPeriod[]): void {
  const later = periods.findLast((other) => other.start_date > period.start_date && other.status === 'closed')
  if (later && period.status === 'closed') throw invalid(`${later.name} is closed: reopen it before ${period.name}.`)
}

export function requireNotClosed(period: BookPeriod): void {
  if (period.status === 'closed') throw invalid(`${period.name} is closed: reopen it first.`)
}

/** Blockers must be gone; warnings must be accepted. */
export function requirePassed(name: string, checks: readonly PeriodCheck[], accept_warnings: boolean): void {
  const failed = checks.filter(({ ok }) => !ok)
  const blockers = failed.filter(({ severity }) => severity === 'blocker')
  if (blockers.length > 0) throw invalid(`${name} cannot be closed: ${blockers.map(({ detail }) => detail).join(' ')}`)
  if (failed.length > 0 && !accept_warnings) throw invalid(`${name} has warnings; close it with accept_warnings to go on: ${failed.map(({ detail }) => detail).join(' ')}`)
}

/** Years stand side by side without a gap. */
export function requireTouching(fiscal_year: number, periods: readonly BookPeriod[]): void {
  const first = periods[0]?.fiscal_year
  const last = periods.at(-1)?.fiscal_year
  if (first === undefined || last === undefined || (fiscal_year >= first - 1 && fiscal_year <= last + 1)) return
  throw invalid(`The years that exist are ${first} to ${last}: make ${fiscal_year < first ? first - 1 : last + 1} first.`)
}

function nextDay(period: BookPeriod, periods: readonly BookPeriod[]): string {
  return periods.find((other) => other.start_date > period.end_date)?.start_date ?? `the day after ${period.end_date}`
}

function words(status: string): string {
  return status === 'soft_closed' ? 'only softly closed' : status
}
