// How urgent it is to ask a customer for money. The order of the list is worked out by the database from the same numbers.
import { divideRounded } from '../../foundation/money.ts'
import type { Risk } from './contract.ts'

/** From how many days late on, and how many broken promises, a customer is of this risk. */
export const THRESHOLDS = { high: { days: 91, promises: 2 }, medium: { days: 31, promises: 1 } } as const

/** In quarters of what is overdue times the days. */
export const WEIGHTS = { plain: 4, promise: 2, most_promises: 4, low: 0, medium: 1, high: 2 } as const

type Facts = { days_late: number; broken_promises: number }

export function riskOf({ days_late, broken_promises }: Facts): Risk {
  const reaches = ({ days, promises }: { days: number; promises: number }) => days_late >= days || broken_promises >= promises
  return reaches(THRESHOLDS.high) ? 'high' : reaches(THRESHOLDS.medium) ? 'medium' : 'low'
}

/** How long it takes to be paid for what is sold, in days; null without sales. */
export function daysOfSales(receivable: number, sales: number, days: number): number | null {
  return sales > 0 ? Number(divideRounded(BigInt(receivable) * BigInt(days), BigInt(sales))) : null
}

/** Over how many days sales are looked at for it. */
export const SALES_DAYS = 90
