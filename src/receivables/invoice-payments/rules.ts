// What a payment does: the entry it posts, and what the invoice is afterwards.
import { today } from '../../foundation/calendar.ts'
import { applyRate, divideRounded, parseDecimal, toCents, type Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import type { Posting } from '../../ledger/posting/contract.ts'
import type { RateOf } from '../../ledger/posting/rules.ts'
import type { InvoiceRow, PaymentRow } from '../invoices/contract.ts'
import { balanceOf, isOpen, money, nameOf, requireStatus, statusOf } from '../invoices/rules.ts'

/** When a payment was made, and the day it is posted on. */
export function paidOn(given: string | null | undefined, fallback: string, timezone: string): { paid_on: string; posted_on: string } {
  if (!given || given.length === 10) {
    const day = given || fallback
    return { paid_on: `${day}T00:00:00.000Z`, posted_on: day }
  }
  const moment = new Date(given)
  return { paid_on: moment.toISOString(), posted_on: today(moment, timezone) }
}

/** How much an invoice takes in one payment: its balance, or of a written-off one what the books gave up. */
export function payableOf(invoice: InvoiceRow): number {
  if (!isOpen(invoice.status) || !invoice.receivable_line_id) return 0
  return invoice.written_off > 0 ? Math.min(invoice.written_off, balanceOf(invoice)) : balanceOf(invoice)
}

/** Refuses to pay what is not owed. Written-off invoices still take money: it is a recovery. */
export function requirePayable(invoice: InvoiceRow, amount: number): void {
  requireStatus(invoice, ['open', 'partially_paid'], 'only open invoices take payments')
  if (!invoice.receivable_line_id) throw invalid(`${nameOf(invoice)} has no journal entry yet: post or link it first.`)
  // Of a payment from before the write-off that was taken back, the books have given up nothing.
  if (invoice.written_off > 0 && amount > invoice.written_off && amount <= balanceOf(invoice)) {
    throw invalid(`${nameOf(invoice)} was written off with ${money(invoice.written_off, invoice.currency)}: recover no more than that at once, or undo the write-off first.`)
  }
  if (amount > balanceOf(invoice)) throw invalid(`${nameOf(invoice)} has a balance of ${money(balanceOf(invoice), invoice.currency)}, less than ${money(amount, invoice.currency)}.`)
}

/** An amount of one currency in another, through the base currency. */
export function converted(amount: number, from: Currency, to: Currency, base: Currency, date: string, rateOf: RateOf): number {
  if (from === to) return amount
  const rate = (currency: Currency) => {
    const found = currency === base ? '1' : rateOf(currency, date)
    if (!found) throw invalid(`No ${currency}/${base} rate on or before ${date}: add one with POST /fx/rates, or give transaction_amount.`)
    return found
  }
  const in_base = from === base ? amount : applyRate(amount, rate(from))
  if (to === base) return in_base
  const { units, scale } = parseDecimal(rate(to))
  return toCents(divideRounded(BigInt(in_base) * 10n ** BigInt(scale), units))
}

export type Accounts = { receivable: string; bad_debt: () => string }

/** Debits the ledger of the transaction; credits the receivable, or of a recovery bad debt. */
export function paymentPosting(invoice: InvoiceRow, payment: Pick<PaymentRow, 'id' | 'amount' | 'kind' | 'posted_on' | 'transaction_amount'>, transaction: CashRow, base: Currency, accounts: Accounts): Posting {
  const { customer_id, currency } = invoice
  const recovery = payment.kind === 'recovery'
  // Cash in another currency that pays a debt in the base currency is worth what it paid.
  const base_amount = currency === base && transaction.currency !== base ? payment.amount : undefined
  return {
    date: payment.posted_on, source_type: 'invoice_payment', source_id: payment.id, area: 'receivables', currency, automatic: true,
    memo: `${recovery ? 'Recovery' : 'Payment'} of ${nameOf(invoice)}`,
    lines: [
      { ledger_id: transaction.ledger_id, amount: payment.transaction_amount, currency: transaction.currency as Currency, base_amount, customer_id },
      recovery
        ? { ledger_id: accounts.bad_debt(), amount: -payment.amount, customer_id }
        : { ledger_id: accounts.receivable, amount: -payment.amount, customer_id, settles_line_id: invoice.receivable_line_id },
    ],
  }
}

/** The invoice once this much more (or, negative, less) of it is settled. `relieved` is what the receivable falls by in base currency. */
export function settled(invoice: InvoiceRow, change: { amount: number; relieved: number; credit?: boolean; recovery?: boolean; by_processor: boolean; paid_on: string | null }): Partial<InvoiceRow> {
  const total_paid = invoice.total_paid + change.amount
  const status = statusOf({ total: invoice.total, total_paid }, change.by_processor)
  return {
    total_paid,
    total_credited: invoice.total_credited + (change.credit ? change.amount : 0),
    written_off: invoice.written_off - (change.recovery ? change.amount : 0),
    base_balance: (invoice.base_balance ?? 0) - change.relieved,
    status,
    paid_on: isOpen(status) ? null : change.paid_on,
  }
}
