// When an invoice can be paid on the processor's page, and how much of it.
import { invalid } from '../../foundation/refusal.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { balanceOf, isOpen, isPaid, money, nameOf } from '../invoices/rules.ts'

/** Why an invoice cannot be paid online, in a sentence; null where it can. */
export function unpayableReason(invoice: InvoiceRow, connected: boolean): string | null {
  if (isPaid(invoice.status)) return `${nameOf(invoice)} is paid.`
  if (!isOpen(invoice.status)) return `${nameOf(invoice)} is ${invoice.status} and cannot be paid.`
  if (!invoice.collect_online || !connected) return `${nameOf(invoice)} cannot be paid online: ask for other ways to pay.`
  return null
}

/** What is to be paid: all that is due, or a part where the invoice allows it. */
export function amountToPay(invoice: InvoiceRow, asked: number | undefined): number {
  const due = balanceOf(invoice)
  const amount = asked ?? due
  if (amount > due) throw invalid(`${nameOf(invoice)} has a balance of ${money(due, invoice.currency)}.`)
  if (amount < due && !invoice.allow_partial_payments) throw invalid(`${nameOf(invoice)} is paid in one sum of ${money(due, invoice.currency)}.`)
  return amount
}
