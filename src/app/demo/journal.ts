// The journal of a client while it is written, month by month; it knows its balances, so that owners draw what is there.
import { addDays, addMonths, lastDayOfMonth, weekday } from '../../foundation/calendar.ts'
import { applyRate, type Currency } from '../../foundation/money.ts'
import type { Entry, Line, Rate } from './plan.ts'

/** Ledger, amount with debit positive, and more where there is more to say. */
export type Posting = readonly [ledger: string, amount: number, more?: Partial<Line> | undefined]

export type Journal = {
  entries: Entry[]
  /** Written where the date lies in the two years and any amount is left. */
  post(date: string, memo: string, lines: readonly Posting[], more?: Partial<Entry>): void
  /** What stands on a ledger at the end of a day, in the base currency or in its own. */
  balance(ledger: string, date: string, currency?: Currency): number
  /** What these ledgers moved in the base currency from one day to another, debit positive, with what reverses itself. */
  moved(ledgers: (number: string) => boolean, from: string, to: string): number
  rateOn(currency: Currency, date: string): string
}

export function openJournal(first_day: string, last_day: string, rates: readonly Rate[]): Journal {
  const entries: Entry[] = []
  const rateOn = (currency: Currency, date: string): string => {
    const found = rates.findLast((rate) => rate.from_currency === currency && rate.date <= date)
    if (!found) throw new Error(`No rate of ${currency} on ${date}`)
    return found.rate
  }
  const inBase = ({ date, currency: own }: Entry, { amount, base_amount, currency = own }: Line): number =>
    base_amount ?? (currency === undefined || currency === 'USD' ? amount : applyRate(amount, rateOn(currency, date)))
  return {
    entries,
    rateOn,
    post(date, memo, postings, more = {}) {
      const lines = postings.filter(([, amount]) => amount !== 0).map(([ledger, amount, rest]): Line => ({ ledger, amount, ...rest }))
      if (date < first_day || date > last_day || lines.length < 2) return
      const entry: Entry = { date, memo, ...more, lines }
      const sum = lines.reduce((total, line) => total + (line.currency ? inBase(entry, line) : line.amount), 0)
      if (sum !== 0) throw new Error(`${memo} of ${date} is off by ${sum}`)
      entries.push(entry)
    },
    balance(ledger, date, currency) {
      let sum = 0
      for (const entry of entries) {
        if (entry.date > date) continue
        for (const line of entry.lines) if (line.ledger === ledger) sum += currency ? line.amount : inBase(entry, line)
      }
      return sum
    },
    moved(wanted, from, to) {
      let sum = 0
      for (const entry of entries) {
        const { date, auto_reverse_on = '' } = entry
        const times = (date >= from && date <= to ? 1 : 0) - (auto_reverse_on >= from && auto_reverse_on <= to ? 1 : 0)
        if (times !== 0) for (const line of entry.lines) if (wanted(line.ledger)) sum += times * inBase(entry, line)
      }
      return sum
    },
  }
}

export type Month = {
  /** Counted from 0. */
  index: number
  first: string
  last: string
  next: string
  /** 1 to 12. */
  of_year: number
  days: string[]
  /** The day with this number, the last one where the month is shorter. */
  day(number: number): string
}

export function monthsFrom(first_day: string, count: number): Month[] {
  return Array.from({ length: count }, (_, index): Month => {
    const first = addMonths(first_day, index)
    const last = lastDayOfMonth(first)
    const length = Number(last.slice(8))
    return {
      index,
      first,
      last,
      next: addDays(last, 1),
      of_year: Number(first.slice(5, 7)),
      days: Array.from({ length }, (_day, day) => addDays(first, day)),
      day: (number) => addDays(first, Math.min(number, length) - 1),
    }
  })
}

/** Monday to Friday. */
export const isWorkday = (date: string): boolean => weekday(date) < 5
