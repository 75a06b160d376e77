// How money at the processor is divided between an invoice and its customer, and when it counts.
import { today } from '../../foundation/calendar.ts'
import { divideRounded, toCents } from '../../foundation/money.ts'
import type { BookPeriod } from '../../ledger/books/contract.ts'
import { firstOpenDate } from '../../ledger/posting/rules.ts'
import type { PaymentRow } from '../invoices/contract.ts'
import type { ChargeRow } from '../processor-charges/contract.ts'

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

/** What the customer paid for this much of the money at the processor; as the charge was divided before, where it was. */
export function amountOf(
  charge: Pick<ChargeRow, 'processor_charge_id' | 'amount' | 'settled_amount'>,
  payments: readonly Pick<PaymentRow, 'processor_charge_id' | 'transaction_amount' | 'amount'>[], settled: number,
): number {
  const known = payments.find((payment) => payment.processor_charge_id === charge.processor_charge_id && payment.transaction_amount === settled)
  return known?.amount ?? Math.max(1, divided(charge.settled_amount ?? 0, charge.amount, settled).paid_settled)
}

export function latest(first: string, ...others: readonly string[]): string {
  return others.reduce((last, each) => (each > last ? each : last), first)
}
