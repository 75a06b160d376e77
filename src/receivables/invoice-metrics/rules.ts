// The time that metrics are asked for, and how their parts are put together.
import { addMonths, firstDayOfMonth, monthOf } from '../../foundation/calendar.ts'
import { addCents, divideRounded } from '../../foundation/money.ts'
import { invalid, unprocessable } from '../../foundation/refusal.ts'
import { STATUSES, type Status } from '../invoices/contract.ts'
import { isFinalized } from '../invoices/rules.ts'
import type { InvoiceSum, MetricsMonth } from './contract.ts'

const MOST_MONTHS = 120

export function rangeOf(query: { from?: string; to?: string }, today: string): { from: string; to: string } {
  const to = query.to ?? today
  const from = query.from ?? firstDayOfMonth(addMonths(to, -11))
  if (from > to) throw unprocessable([{ loc: ['query', 'from'], msg: `from ${from} lies after to ${to}.`, type: 'value_error' }])
  if (addMonths(firstDayOfMonth(to), 1 - MOST_MONTHS) > from) throw invalid('The time is longer than ten years: ask for a shorter one.')
  return { from, to }
}

/** Invoices of one status and month; `paid` of them took `days` together to be paid. */
export type Counted = { status: Status; month: string; count: number; total: number; paid: number; days: number }
type Collected = { month: string; amount: number }

export function byStatus(counted: readonly Counted[]): Record<Status, InvoiceSum> {
  return Object.fromEntries(STATUSES.map((status) => {
    const own = counted.filter((part) => part.status === status)
    return [status, { count: own.reduce((sum, { count }) => sum + count, 0), total: addCents(...own.map(({ total }) => total)) }]
  })) as Record<Status, InvoiceSum>
}

export const invoicedOf = (counted: readonly Counted[]): number => addCents(...counted.filter(({ status }) => isFinalized(status)).map(({ total }) => total))

export function averageDays(counted: readonly Counted[]): number | null {
  const paid = counted.reduce((sum, part) => sum + part.paid, 0)
  return paid === 0 ? null : Number(divideRounded(BigInt(counted.reduce((sum, part) => sum + part.days, 0)), BigInt(paid)))
}

/** Every month of the time, also those without anything. */
export function monthsOf({ from, to }: { from: string; to: string }, counted: readonly Counted[], collected: readonly Collected[]): MetricsMonth[] {
  const months: MetricsMonth[] = []
  for (let first = firstDayOfMonth(from); first <= to; first = addMonths(first, 1)) {
    months.push({
      month: monthOf(first),
      invoiced: invoicedOf(counted.filter(({ month }) => month === first)),
      collected: addCents(...collected.filter(({ month }) => month === first).map(({ amount }) => amount)),
    })
  }
  return months
}
