// The weeks of cash receipts, and which deposits may leave them. Pure.
import { addDays, daysBetween, weekday } from '../../foundation/calendar.ts'
import { addCents } from '../../foundation/money.ts'
import { invalid, unprocessable, type Refusal } from '../../foundation/refusal.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { nameOfRow, ownersOf } from '../../ledger/cash-book/rules.ts'
import { DEFAULT_WEEKS, Figures, MOST_WEEKS, type CashReceiptRow, type CashReceiptWeek } from './contract.ts'

const monday = (date: string): string => addDays(date, -weekday(date))

/** Whole weeks: of the two ends, what is not given lies as far from the other as makes the usual number of weeks. */
export function rangeOf({ from, to }: { from?: string | undefined; to?: string | undefined }, today: string): { from: string; to: string } {
  const usual = (DEFAULT_WEEKS - 1) * 7
  const last = monday(to ?? (from === undefined ? today : addDays(from, usual)))
  const first = monday(from ?? addDays(last, -usual))
  if (first > last) throw wrong('to', `Must not lie before ${first}, the first day of the week of from.`)
  if (daysBetween(first, last) / 7 >= MOST_WEEKS) throw wrong('to', `Must lie within ${MOST_WEEKS} weeks of from.`)
  return { from: first, to: addDays(last, 6) }
}

export function requireMonday(week_start: string): void {
  if (weekday(week_start) !== 0) throw wrong('week_start', `Must be a Monday, such as ${monday(week_start)}.`)
}

const wrong = (name: string, msg: string): Refusal => unprocessable([{ loc: ['query', name], msg, type: 'value_error' }])

type FigureName = keyof typeof Figures
export type WeekFigures = Record<FigureName, number>
const names = Object.keys(Figures) as FigureName[]

/** Every week of the range, also those in which nothing happened. */
export function weeksOf({ from, to }: { from: string; to: string }, rows: readonly (WeekFigures & { week_start: string })[]): CashReceiptWeek[] {
  const known = new Map(rows.map((row) => [row.week_start, row]))
  return Array.from({ length: (daysBetween(from, to) + 1) / 7 }, (_, index) => {
    const week_start = addDays(from, index * 7)
    const figures = pick((name) => known.get(week_start)?.[name] ?? 0)
    return { week_start, week_end: addDays(week_start, 6), ...figures, status: figures.unmatched === 0 && figures.undeposited === 0 ? 'reconciled' : 'open' }
  })
}

export function totalsOf(weeks: readonly WeekFigures[]): WeekFigures {
  return pick((name) => addCents(...weeks.map((week) => week[name])))
}

function pick(valueOf: (name: FigureName) => number): WeekFigures {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as WeekFigures
}

export function rowStatus({ remaining, dismissal, uses }: Pick<CashReceiptRow, 'remaining' | 'dismissal' | 'uses'>): CashReceiptRow['status'] {
  if (remaining === 0) return 'matched'
  if (dismissal) return 'dismissed'
  return uses.length > 0 ? 'partially_matched' : 'unmatched'
}

/** Only evidence that nobody has used can turn out to be no receipt. */
export function requireDismissible(row: CashRow): void {
  if (row.kind === 'book') throw invalid(`${nameOfRow(row)} was posted by ${ownersOf(row) ?? 'a document'}: only deposits of the bank are dismissed.`)
  if (row.amount < 0) throw invalid(`${nameOfRow(row)} is a withdrawal: only deposits are dismissed.`)
  if (row.status === 'excluded') throw invalid(`${nameOfRow(row)} is excluded, so it is in no week: there is nothing to dismiss.`)
  const owners = ownersOf(row)
  if (owners) throw invalid(`${nameOfRow(row)} is used by ${owners}: remove the payment there first.`)
}
