// A payment of an invoice, with the discount for paying early where that is taken: then a credit note settles the rest in the same transaction.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { termsByIds } from '../../directory/payment-terms/operations.ts'
import { applyToOwn, issueNote } from '../credit-intake/operations.ts'
import type { PaymentInput } from '../invoice-payments/contract.ts'
import { addPayment as addPlainPayment, recordPayments, toPay } from '../invoice-payments/operations.ts'
import { requirePayable } from '../invoice-payments/rules.ts'
import type { InvoicePayment } from '../invoices/contract.ts'
import { lockInvoice, type Loaded } from '../invoices/operations.ts'
import { earlyDiscount } from './rules.ts'

export async function addPayment(tx: BusinessTx, invoice_id: string, { take_discount, ...input }: PaymentInput): Promise<InvoicePayment> {
  if (!take_discount) return addPlainPayment(tx, invoice_id, input)
  const loaded = await lockInvoice(tx, invoice_id)
  const { invoice } = loaded
  requirePayable(invoice, input.amount ?? 1)
  const term = invoice.payment_terms_id ? (await termsByIds(tx, [invoice.payment_terms_id])).get(invoice.payment_terms_id) : undefined
  const wanted = await toPay(tx, invoice, { ...input, amount: input.amount ?? null })
  const { discount, amount } = earlyDiscount(invoice, term, wanted.posted_on, input.amount)
  const paid = await recordPayments(tx, new Map([[invoice_id, loaded]]), [{ ...wanted, amount }])
  const credit_date = wanted.posted_on > (invoice.invoice_date ?? '') ? wanted.posted_on : invoice.invoice_date
  const note = await issueNote(tx, paid.invoices.get(invoice_id) as Loaded, { mode: 'amount', amount: discount }, { credit_date, reason: 'early_payment' })
  await applyToOwn(tx, note.memo, note.invoice)
  return paid.payments[0] as InvoicePayment
}
