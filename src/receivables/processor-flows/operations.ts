// What the card processor has done, brought into the books: charges pay invoices, refunds pay out credits, disputes take that back, payouts reach the
// bank. The connection is locked first, so one thing happens at a time; every step looks at what stands, so it may run again.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { isUuid } from '../../foundation/ids.ts'
import { addCents } from '../../foundation/money.ts'
import type { Account, CardProcessor, Charge, Checkout, Dispute, Payout } from '../../foundation/processor/processor.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { Books } from '../../ledger/books/contract.ts'
import type { MemoRow } from '../credit-memos/contract.ts'
import { lockMemos } from '../credit-memos/operations.ts'
import { nameOf as memoName, remainingOf } from '../credit-memos/rules.ts'
import type { CreditRefund } from '../credit-refunds/contract.ts'
import { refund, reverseRefund } from '../credit-refunds/operations.ts'
import { save, type Loaded } from '../invoices/operations.ts'
import { money } from '../invoices/rules.ts'
import { lockPaidInvoice, paidBy, settleCharge, standFor } from '../processor-bookings/operations.ts'
import { bookingDate, latest } from '../processor-bookings/rules.ts'
import type { ChargeRow, RefundRow } from '../processor-charges/contract.ts'
import { applyCharge, markDisputed, saveCharge } from '../processor-charges/operations.ts'
import { hasSucceeded } from '../processor-charges/rules.ts'
import { applyCheckout } from '../processor-checkouts/operations.ts'
import type { ConnectionRow } from '../processor-connections/contract.ts'
import { applyAccount, lockConnection } from '../processor-connections/operations.ts'
import type { DisputeRow } from '../processor-disputes/contract.ts'
import { applyDispute, saveDispute } from '../processor-disputes/operations.ts'
import { applyPayout } from '../processor-payouts/operations.ts'
import { followRefunds, lockCredits, partsOf } from '../processor-refunds/operations.ts'
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

/** Brings the books to where the processor is. What is known now but cannot be booked is told: null, or why. */
export async function applySubject(tx: BusinessTx, found: Found): Promise<string | null> {
  const connection = await lockConnection(tx)
  switch (found.subject) {
    case 'account':
      applyAccount(tx, connection, found.account)
      return null
    case 'checkout':
      await applyCheckout(tx, found.checkout)
      return found.charge && (await followCharge(tx, connection, found.charge)).problem
    case 'charge':
      return (await followCharge(tx, connection, found.charge)).problem
    case 'dispute': {
      const { charge, problem } = await followCharge(tx, connection, found.charge)
      const short = await followDispute(tx, charge, found.dispute)
      return [problem, short].filter((each) => each !== null).join(' ') || null
    }
    case 'payout':
      await applyPayout(tx, connection, found.payout)
      return null
  }
}

async function followCharge(tx: BusinessTx, connection: ConnectionRow, found: Charge): Promise<{ charge: ChargeRow; problem: string | null }> {
  const invoice = found.reference !== null && isUuid(found.reference) ? await tx.find(store.invoiceById, { id: found.reference }) : null
  const { charge, refunds } = await applyCharge(tx, found, invoice)
  const credits = await lockCredits(tx, charge, refunds)
  const settled = await carried(tx, await settleCharge(tx, connection, charge))
  // The surplus of a charge that is booked only now.
  const surplus = refunds.length > 0 && settled.credit_memo_id !== charge.credit_memo_id ? [settled.credit_memo_id].filter((id) => id !== null) : []
  for (const [id, memo] of await lockMemos(tx, surplus)) credits.set(id, memo)
  const made = new Map(found.refunds.map(({ id, created_at }) => [id, created_at]))
  const made_at = ({ processor_refund_id, created_at }: RefundRow) => made.get(processor_refund_id ?? '') ?? created_at
  const { problem } = await followRefunds(tx, settled, refunds, credits, made_at)
  return { charge: settled, problem }
}

/** Its payout may have come first. */
async function carried(tx: BusinessTx, charge: ChargeRow): Promise<ChargeRow> {
  if (charge.payout_id !== null || !hasSucceeded(charge)) return charge
  const found = await tx.find(store.payoutOfCharge, { processor_charge_id: charge.processor_charge_id })
  return found ? saveCharge(tx, charge, { payout_id: found.payout_id }) : charge
}

/** Open: what the customer paid is taken back, and the invoice says so. Won: it stands again. Lost: it stays as it is. */
async function followDispute(tx: BusinessTx, charge: ChargeRow, found: Dispute): Promise<string | null> {
  const dispute = await applyDispute(tx, charge.id, found)
  const taken = dispute.status !== 'won' && dispute.settled_amount !== null
  const marked = markDisputed(tx, charge, taken)
  const wanted = taken ? dispute.settled_amount ?? 0 : 0
  if (wanted === dispute.booked_amount || marked.invoice_id === null || !marked.booked) return null
  const { books } = await readBooks(tx)
  const parts = await partsOf(tx, dispute.credit_refund_ids)
  const memos = await lockMemos(tx, [marked.credit_memo_id, ...parts.map(({ credit_memo_id }) => credit_memo_id)].filter((id) => id !== null))
  const ground = { books, charge: marked, memos, loaded: await lockPaidInvoice(tx, marked.invoice_id) }
  if (wanted < dispute.booked_amount) return giveDisputed(tx, ground, dispute, parts)
  return takeDisputed(tx, ground, dispute, wanted, found.created_at)
}

type Ground = { books: Books; charge: ChargeRow; memos: Map<string, MemoRow>; loaded: Loaded }

/** What is unused of a surplus goes first, then the payment. What of a surplus was used stays where it is, and somebody has to look after it. */
async function takeDisputed(
  tx: BusinessTx, { books, charge, memos, loaded }: Ground, dispute: DisputeRow, wanted: number, disputed_at: string,
): Promise<string | null> {
  const at = bookingDate(books.periods, disputed_at, tx.business.timezone)
  const more = wanted - dispute.booked_amount
  const memo = memos.get(charge.credit_memo_id ?? '')
  const unused = memo?.status === 'open' ? Math.min(more, remainingOf(memo)) : 0
  const made = memo && unused > 0 ? [(await refund(tx, memo, {
    amount: unused, method: 'processor', ledger_id: ledgerOfRole(books, 'processor_clearing').id, transaction_amount: unused,
    refunded_on: latest(at, memo.credit_date), reference: charge.processor_charge_id, note: `Disputed: ${dispute.processor_dispute_id}`,
  })).refund.id] : []
  const before = paidBy(charge, loaded)
  const paid = Math.min(more - unused, before)
  if (paid > 0) {
    const { loaded: after, stands } = await standFor(tx, books, charge, loaded, before - paid, at)
    save(tx, after, { disputed: true }, 'invoice.disputed')
    saveCharge(tx, charge, stands)
  }
  saveDispute(tx, dispute, { booked_amount: dispute.booked_amount + unused + paid, credit_refund_ids: [...dispute.credit_refund_ids, ...made] })
  const short = more - unused - paid
  if (short === 0) return null
  const where = memo ? `, ${memoName(memo)}` : ''
  return `${money(short, charge.settled_currency ?? '')} of charge ${charge.processor_charge_id} are disputed, but were used as a credit${where}: `
    + 'take that back, or book by hand what the customer owes.'
}

/** What was taken back is the business's again: the surplus, and the payment. */
async function giveDisputed(tx: BusinessTx, { books, charge, memos, loaded }: Ground, dispute: DisputeRow, parts: readonly CreditRefund[]): Promise<null> {
  const at = bookingDate(books.periods, tx.now, tx.business.timezone)
  for (const part of parts) {
    const memo = memos.get(part.credit_memo_id) as MemoRow
    memos.set(memo.id, await reverseRefund(tx, memo, part, 'credit_memo.refund_reversed', latest(at, part.refunded_on)))
  }
  const paid = dispute.booked_amount - addCents(...parts.map(({ transaction_amount }) => transaction_amount))
  if (paid > 0) {
    const { loaded: after, stands } = await standFor(tx, books, charge, loaded, paidBy(charge, loaded) + paid, at)
    save(tx, after, { disputed: false }, 'invoice.updated')
    saveCharge(tx, charge, stands)
  }
  saveDispute(tx, dispute, { booked_amount: 0, credit_refund_ids: [] })
  return null
}
