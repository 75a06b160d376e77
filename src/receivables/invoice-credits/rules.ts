// Which invoices take credits.
import { invalid } from '../../foundation/refusal.ts'
import { requirePayable } from '../invoice-payments/rules.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { nameOf } from '../invoices/rules.ts'

export function requireApplicable(invoice: InvoiceRow, amount: number, applied_on: string): void {
  requirePayable(invoice, amount)
  if (invoice.uncollectible) throw invalid(`${nameOf(invoice)} is written off: mark it unpaid before credits are applied.`)
  if (applied_on < (invoice.invoice_date ?? '')) throw invalid(`${nameOf(invoice)} is of ${invoice.invoice_date}: apply the credit on that day or later, not on ${applied_on}.`)
}
