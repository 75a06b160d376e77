// What paying early is worth: by the terms of the invoice, within their window, for payment of the whole rest.
import { invalid } from '../../foundation/refusal.ts'
import type { PaymentTerm } from '../../directory/payment-terms/contract.ts'
import { discountOf, discountUntil } from '../../directory/payment-terms/rules.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { balanceOf, money, nameOf } from '../invoices/rules.ts'

/** The discount, and what is left to pay with it. */
export function earlyDiscount(invoice: InvoiceRow, term: PaymentTerm | undefined, posted_on: string, given: number | null | undefined): { discount: number; amount: number } {
  const until = term && invoice.invoice_date ? discountUntil(term, invoice.invoice_date) : null
  const discount = term && until ? discountOf(term, invoice.total) : 0
  if (until === null || discount === 0) throw invalid(`${nameOf(invoice)} has no discount for early payment.`)
  if (posted_on > until) throw invalid(`The discount on ${nameOf(invoice)} was for payment until ${until}, not on ${posted_on}: leave take_discount out.`)
  const amount = balanceOf(invoice) - discount
  if (amount <= 0) throw invalid(`The balance of ${nameOf(invoice)} is no more than the discount of ${money(discount, invoice.currency)}: credit it instead.`)
  if ((given ?? amount) !== amount) {
    throw invalid(`The discount on ${nameOf(invoice)} is for payment of the whole rest: pay ${money(amount, invoice.currency)}, not ${money(given ?? 0, invoice.currency)}.`)
  }
  return { discount, amount }
}
