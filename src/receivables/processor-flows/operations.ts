// What the card processor has done, brought into the books: charges pay invoices, disputes take that back, payouts reach the bank.
// The connection is locked first, so one thing happens at a time; every step looks at what stands, so it may run again.
import type { Currency } from '../../foundation/money.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { isUuid, newId } from '../../foundation/ids.ts'
import type { Account, CardProcessor, Charge, Checkout, Dispute, Payout } from '../../foundation/processor/processor.ts'
import { invalid } from '../../foundation/refusal.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { Books } from '../../ledger/books/contract.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { claim, recordTransactions } from '../../ledger/cash-book/operations.ts'
import { postEntry } from '../../ledger/posting/operations.ts'
import { recordPayments, reversePayments } from '../invoice-payments/operations.ts'
import { lockInvoices, save, type Loaded } from '../invoices/operations.ts'
import { balanceOf, isOpen, nameOf } from '../invoices/rules.ts'
import type { ChargeRow } from '../processor-charges/contract.ts'
import { applyCharge, markDisputed, saveCharge } from '../processor-charges/operations.ts'
import { hasSucceeded } from '../processor-charges/rules.ts'
import { applyCheckout } from '../processor-checkouts/operations.ts'
import type { ConnectionRow } from '../processor-connections/contract.ts'
import { applyAccount, lockConnection } from '../processor-connections/operations.ts'
import type { DisputeRow } from '../processor-disputes/contract.ts'
import { applyDispute, saveDispute } from '../processor-disputes/operations.ts'
import { applyPayout } from '../processor-payouts/operations.ts'
import { bookingDate, divided } from './rules.ts'
import * as store from './store.ts'

export type Found =
  | { subject: 'account'; account: Account }
  | { subject: 'checkout'; checkout: Checkout; charge: Charge | null }
  | { subject: 'charge'; charge: Charge }
  | { subject: 'dispute'; dispute: Dispute; charge: Charge }
  | { subject: 'payout'; payout: Payout }

/** Asks the processor how things stand; outside any transaction. */
export async function readSubject(processor: CardProcessor, account: string, subject: Found['subject'], object_id: string): Promise<Found> {
  switch (subject) {
    case 'account':
      return { subject, account: await processor.readAccount(account) }
    case 'checkout': {
      const checkout = await processor.readCheckout(account, object_id)
      return { subject, checkout, charge: checkout.charge_id === null ? null : await processor.readCharge(account, checkout.charge_id) }
    }
    case 'charge':
      return { subject, charge: await processor.readCharge(account, object_id) }
    case 'dispute': {
      const dispute = await processor.readDispute(account, object_id)
      return { subject, dispute, charge: await processor.readCharge(account, dispute.charge_id) }
    }
    case 'payout':
      return { subject, payout: await processor.readPayout(account, object_id) }
  }
}

/** Brings the books to where the processor is. */
export async function applySubject(tx: BusinessTx, found: Found): Promise<void> {
  const connection = await lockConnection(tx)
  switch (found.subject) {
    case 'account':
      return void applyAccount(tx, connection, found.account)
    case 'checkout':
      await applyCheckout(tx, found.checkout)
      return void (found.charge && await followCharge(tx, connection, found.charge))
    case 'charge':
      return void await followCharge(tx, connection, found.charge)
    case 'dispute':
      return followDispute(tx, connection, await followCharge(tx, connection, found.charge), found.dispute)
    case 'payout':
      return void await applyPayout(tx, connection, found.payout)
  }
}

async function followCharge(tx: BusinessTx, connection: ConnectionRow, found: Charge): Promise<ChargeRow> {
  const invoice = found.reference !== null && isUuid(found.reference) ? await tx.find(store.invoiceById, { id: found.reference }) : null
  const { charge } = await applyCharge(tx, found, invoice)
  const settled = await settleCharge(tx, connection, charge)
  if (settled.payout_id !== null || !hasSucceeded(settled)) return settled
  // Its payout may have come first.
  const carried = await tx.find(store.payoutOfCharge, { processor_charge_id: settled.processor_charge_id })
  return carried ? saveCharge(tx, settled, { payout_id: carried.payout_id }) : settled
}

/** A charge that succeeded pays its invoice, once. What the invoice cannot take any more is kept for the customer. */
export async function settleCharge(tx: BusinessTx, connection: ConnectionRow, charge: ChargeRow): Promise<ChargeRow> {
  if (charge.booked || !hasSucceeded(charge) || charge.settled_amount === null || charge.invoice_id === null) return charge
  const { books } = await readBooks(tx)
  const loaded = await lockPaidInvoice(tx, charge.invoice_id)
  const at = bookingDate(books.periods, charge.charged_at, tx.business.timezone)
  const { payment_id } = await stand(tx, books, charge, loaded, { amount: charge.amount, settled: charge.settled_amount, at })
  const fee = charge.fee ?? 0
  if (connection.fee_recognition === 'charge' && fee !== 0) {
    await postEntry(tx, {
      date: at, memo: `Fee of charge ${charge.processor_charge_id}`, source_type: 'processor_charge', source_id: charge.id, area: 'receivables',
      automatic: true,
      lines: [{ ledger_id: ledgerOfRole(books, 'processor_fees').id, amount: fee }, { ledger_id: ledgerOfRole(books, 'processor_clearing').id, amount: -fee }],
    })
  }
  return saveCharge(tx, charge, { booked: true, payment_id })
}

/** Open: the payment is taken back and the invoice says so. Won: it stands again. Lost: it stays as it is. */
async function followDispute(tx: BusinessTx, _connection: ConnectionRow, charge: ChargeRow, found: Dispute): Promise<void> {
  const dispute = await applyDispute(tx, charge.id, found)
  const taken = dispute.status !== 'won' && dispute.settled_amount !== null
  const marked = markDisputed(tx, charge, taken)
  if (taken === dispute.booked || marked.invoice_id === null || !marked.booked) return
  const { books } = await readBooks(tx)
  const loaded = await lockPaidInvoice(tx, marked.invoice_id)
  const at = bookingDate(books.periods, taken ? found.created_at : tx.now, tx.business.timezone)
  const after = await reverseStanding(tx, marked, loaded, at)
  const held = { amount: marked.amount - (taken ? dispute.amount : 0), settled: (marked.settled_amount ?? 0) - (taken ? dispute.settled_amount ?? 0 : 0), at }
  const { loaded: paid, payment_id } = held.amount === 0 ? { loaded: after, payment_id: null } : await stand(tx, books, marked, after, held)
  save(tx, paid, { disputed: taken }, taken ? 'invoice.disputed' : 'invoice.updated')
  saveCharge(tx, marked, { payment_id })
  saveDispute(tx, dispute, { booked: taken } satisfies Partial<DisputeRow>)
}

type Held = { amount: number; settled: number; at: string }
type Standing = { loaded: Loaded; payment_id: string | null }

/** The payment of the invoice that stands for this much of a charge. */
async function stand(tx: BusinessTx, books: Books, charge: ChargeRow, loaded: Loaded, { amount, settled, at }: Held): Promise<Standing> {
  const clearing = ledgerOfRole(books, 'processor_clearing')
  if (charge.settled_currency !== clearing.currency) {
    const name = `Charge ${charge.processor_charge_id}`
    throw invalid(`${name} was settled in ${charge.settled_currency}, but ${clearing.name} is kept in ${clearing.currency}: let the processor settle in that.`)
  }
  const { invoice, names } = loaded
  const { paid, paid_settled, surplus, surplus_settled } = divided(amount, settled, isOpen(invoice.status) && invoice.receivable_line_id ? balanceOf(invoice) : 0)
  const reference = charge.card_last4 === null ? charge.processor_charge_id : `${charge.card_brand ?? 'card'} ${charge.card_last4}`
  const [transaction] = await recordTransactions(tx, [{
    ledger_id: clearing.id, amount: settled, datetime: at, counterparty: names.customer_name?.slice(0, 200) ?? null, customer_id: invoice.customer_id,
    reference: charge.processor_charge_id.slice(0, 100),
    description: `Card payment of ${nameOf(invoice)}`,
  }])
  if (!transaction) throw new Error('No transaction was recorded.')
  if (surplus > 0) await keepSurplus(tx, books, charge, loaded, transaction, { amount: surplus, settled: surplus_settled, at })
  if (paid === 0) return { loaded, payment_id: null }
  const { invoices, payments: [payment] } = await recordPayments(tx, new Map([[invoice.id, loaded]]), [{
    invoice_id: invoice.id, amount: paid, transaction, transaction_amount: paid_settled, paid_on: charge.charged_at, posted_on: at, kind: 'processor',
    method: 'card', reference,
    processor_charge_id: charge.processor_charge_id,
  }])
  return { loaded: invoices.get(invoice.id) ?? loaded, payment_id: payment?.id ?? null }
}

/** Money that the invoice could not take any more: it is the customer's, held as a deposit. */
async function keepSurplus(tx: BusinessTx, books: Books, charge: ChargeRow, { invoice }: Loaded, transaction: CashRow, { settled, at }: Held): Promise<void> {
  claim(tx, [{ id: newId(), transaction, document_type: 'processor_charge', document_id: charge.id, amount: settled }])
  await postEntry(tx, {
    date: at, memo: `Paid beyond ${nameOf(invoice)}`, source_type: 'processor_charge', source_id: charge.id, area: 'receivables', automatic: true,
    lines: [
      { ledger_id: transaction.ledger_id, amount: settled, currency: transaction.currency as Currency, customer_id: invoice.customer_id },
      { ledger_id: ledgerOfRole(books, 'customer_deposits').id, amount: -settled, currency: transaction.currency as Currency, customer_id: invoice.customer_id },
    ],
  })
}

async function reverseStanding(tx: BusinessTx, charge: ChargeRow, loaded: Loaded, at: string): Promise<Loaded> {
  const standing = loaded.payments.filter(({ processor_charge_id, reversed_at }) => processor_charge_id === charge.processor_charge_id && reversed_at === null)
  if (standing.length === 0) return loaded
  const latest = standing.map(({ posted_on }) => posted_on).toSorted().at(-1) ?? at
  return reversePayments(tx, loaded, standing, at > latest ? at : latest)
}

async function lockPaidInvoice(tx: BusinessTx, invoice_id: string): Promise<Loaded> {
  const loaded = (await lockInvoices(tx, [invoice_id])).get(invoice_id)
  if (!loaded) throw new Error(`Invoice ${invoice_id} is missing.`)
  return loaded
}
