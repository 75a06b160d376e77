// What stands in the books for a charge: the payment of its invoice, and what the customer has to their credit beyond it. The connection is locked.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import { recordTransactions } from '../../ledger/cash-book/operations.ts'
import { postEntry } from '../../ledger/posting/operations.ts'
import { keepOverpayment } from '../credit-intake/operations.ts'
import { recordPayments, reversePayments } from '../invoice-payments/operations.ts'
import { payableOf } from '../invoice-payments/rules.ts'
import type { InvoicePayment } from '../invoices/contract.ts'
import { lockInvoices, type Loaded } from '../invoices/operations.ts'
import { nameOf } from '../invoices/rules.ts'
import type { ChargeRow } from '../processor-charges/contract.ts'
import { saveCharge } from '../processor-charges/operations.ts'
import { hasSucceeded } from '../processor-charges/rules.ts'
import type { ConnectionRow } from '../processor-connections/contract.ts'
import { amountOf, bookingDate, divided, latest } from './rules.ts'

/** A charge that succeeded pays its invoice, once. What the invoice cannot take any more is kept for the customer. */
export async function settleCharge(tx: BusinessTx, connection: ConnectionRow, charge: ChargeRow): Promise<ChargeRow> {
  if (charge.booked || !hasSucceeded(charge) || charge.settled_amount === null || charge.invoice_id === null) return charge
  const { books } = await readBooks(tx)
  const loaded = await lockPaidInvoice(tx, charge.invoice_id)
  const at = bookingDate(books.periods, charge.charged_at, tx.business.timezone)
  const { stands } = await stand(tx, books, charge, loaded, { amount: charge.amount, settled: charge.settled_amount, at })
  const fee = charge.fee ?? 0
  if (connection.fee_recognition === 'charge' && fee !== 0) {
    await postEntry(tx, {
      date: at, memo: `Fee of charge ${charge.processor_charge_id}`, source_type: 'processor_charge', source_id: charge.id, area: 'receivables',
      automatic: true,
      lines: [{ ledger_id: ledgerOfRole(books, 'processor_fees').id, amount: fee }, { ledger_id: ledgerOfRole(books, 'processor_clearing').id, amount: -fee }],
    })
  }
  return saveCharge(tx, charge, { booked: true, ...stands })
}

export async function lockPaidInvoice(tx: BusinessTx, invoice_id: string): Promise<Loaded> {
  const loaded = (await lockInvoices(tx, [invoice_id])).get(invoice_id)
  if (!loaded) throw new Error(`Invoice ${invoice_id} is missing.`)
  return loaded
}

/** What of the money at the processor stands as a payment of the invoice. */
export function paidBy(charge: ChargeRow, { payments }: Loaded): number {
  return addCents(...standingOf(charge, payments).map(({ transaction_amount }) => transaction_amount))
}

/** What stands for a charge, as it is kept with it. */
type Stands = Partial<Pick<ChargeRow, 'payment_id' | 'credit_memo_id'>>
export type Standing = { loaded: Loaded; stands: Stands }

/** The payment of the invoice is taken back, and stands again for this much of the money at the processor. */
export async function standFor(tx: BusinessTx, books: Books, charge: ChargeRow, loaded: Loaded, settled: number, at: string): Promise<Standing> {
  const before = standingOf(charge, loaded.payments)
  const reversed_on = latest(at, ...before.map(({ posted_on }) => posted_on))
  const freed = before.length === 0 ? loaded : await reversePayments(tx, loaded, before, reversed_on)
  if (settled === 0) return { loaded: freed, stands: { payment_id: null } }
  return stand(tx, books, charge, freed, { amount: amountOf(charge, loaded.payments, settled), settled, at: reversed_on })
}

function standingOf({ processor_charge_id }: ChargeRow, payments: readonly InvoicePayment[]): InvoicePayment[] {
  return payments.filter((payment) => payment.processor_charge_id === processor_charge_id && payment.reversed_at === null)
}

/** The payment of the invoice that stands for this much of a charge, and the overpayment that holds the rest. */
async function stand(
  tx: BusinessTx, books: Books, charge: ChargeRow, loaded: Loaded, { amount, settled, at }: { amount: number; settled: number; at: string },
): Promise<Standing> {
  const clearing = ledgerOfRole(books, 'processor_clearing')
  if (charge.settled_currency !== clearing.currency) {
    const name = `Charge ${charge.processor_charge_id}`
    throw invalid(`${name} was settled in ${charge.settled_currency}, but ${clearing.name} is kept in ${clearing.currency}: let the processor settle in that.`)
  }
  const { invoice, names } = loaded
  const { paid, paid_settled, surplus_settled } = divided(amount, settled, payableOf(invoice))
  const reference = charge.card_last4 === null ? charge.processor_charge_id : `${charge.card_brand ?? 'card'} ${charge.card_last4}`
  const [transaction] = await recordTransactions(tx, [{
    ledger_id: clearing.id, amount: settled, datetime: at, counterparty: names.customer_name?.slice(0, 200) ?? null, customer_id: invoice.customer_id,
    reference: charge.processor_charge_id.slice(0, 100),
    description: `Card payment of ${nameOf(invoice)}`,
  }])
  if (!transaction) throw new Error('No transaction was recorded.')
  const surplus = surplus_settled === 0 ? null : await keepOverpayment(tx, {
    customer_id: invoice.customer_id, amount: surplus_settled, transaction, credit_date: at, description: `Paid beyond ${nameOf(invoice)}`,
  })
  const kept = surplus ? { credit_memo_id: surplus.id } : {}
  if (paid === 0) return { loaded, stands: { payment_id: null, ...kept } }
  const { invoices, payments: [payment] } = await recordPayments(tx, new Map([[invoice.id, loaded]]), [{
    invoice_id: invoice.id, amount: paid, transaction, transaction_amount: paid_settled, paid_on: charge.charged_at, posted_on: at, kind: 'processor',
    method: 'card', reference,
    processor_charge_id: charge.processor_charge_id,
  }])
  return { loaded: invoices.get(invoice.id) ?? loaded, stands: { payment_id: payment?.id ?? null, ...kept } }
}
