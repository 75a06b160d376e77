// Money for a part of a period, and where periods begin and end; to the cent and to the millisecond.
import { addMonths } from '../calendar.ts'
import { divideRounded, toCents } from '../money.ts'
import type { Interval } from './plans.ts'

export type Period = { start: string; end: string }

/** The part of a price that is left of its period at a moment; before the period all of it, behind it nothing. */
export function unusedPart(amount: number, { start, end }: Period, at: string): number {
  const [from, to, moment] = [Date.parse(start), Date.parse(end), Date.parse(at)]
  if (moment <= from) return amount
  if (moment >= to) return 0
  return toCents(divideRounded(BigInt(amount) * BigInt(to - moment), BigInt(to - from)))
}

/** The part for the time between two moments: parts that follow each other come to the part of the whole time. */
export function partBetween(amount: number, period: Period, from: string, to: string): number {
  return unusedPart(amount, period, from) - unusedPart(amount, period, to)
}

/** The moment from which a change counts: the beginning of the day, so that what was previewed is what is charged. */
export function changeMoment(now: string, period_start: string): string {
  const day = `${now.slice(0, 10)}T00:00:00.000Z`
  return day > period_start ? day : period_start
}

const MONTHS = { month: 1, year: 12 }

/** The period of this number, counted from 0: each from the first beginning, so that none drifts behind a short month. */
export function periodOf(anchor_at: string, interval: Interval, number: number): Period {
  const edge = (index: number): string => {
    const [date, time] = [anchor_at.slice(0, 10), anchor_at.slice(10)]
    return `${addMonths(date, index * MONTHS[interval], Number(date.slice(8)))}${time}`
  }
  return { start: edge(number), end: edge(number + 1) }
}
