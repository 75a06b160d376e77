// How money at the processor is divided between an invoice and its customer, and when it counts.
import { today } from '../../foundation/calendar.ts'
import { divideRounded, toCents } from '../../foundation/money.ts'
import type { BookPeriod } from '../../ledger/books/contract.ts'
import { firstOpenDate } from '../../ledger/posting/rules.ts'

export type Split = { paid: number; paid_settled: number; surplus: number; surplus_settled: number }

/** What the invoice can take, and what is more than that; the settled amount is divided alike, to the cent. */
export function divided(amount: number, settled: number, balance: number): Split {
  const paid = Math.min(amount, Math.max(0, balance))
  const paid_settled = paid === amount ? settled : paid === 0 ? 0 : toCents(divideRounded(BigInt(settled) * BigInt(paid), BigInt(amount)))
  return { paid, paid_settled, surplus: amount - paid, surplus_settled: settled - paid_settled }
}

/** The day on which something at the processor is booked: that day where the business is, or the first after it that is open. */
export function bookingDate(periods: readonly BookPeriod[], at: string, timezone: string): string {
  const day = today(new Date(at), timezone)
  return firstOpenDate(periods, day, 'receivables') ?? day
}
