// Refunds of charges in the books: they pay out credits of the customer from the money at the processor. The connection is locked before the credits,
// those before the invoice; every step looks at what stands, so it may run again.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents } from '../../foundation/money.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import { issueNote } from '../credit-intake/operations.ts'
import type { MemoRow } from '../credit-memos/contract.ts'
import { creditedOf, lockMemos } from '../credit-memos/operations.ts'
import { remainingOf } from '../credit-memos/rules.ts'
import { openShares } from '../credit-notes/rules.ts'
import type { CreditRefund } from '../credit-refunds/contract.ts'
import { refund as payOut, reverseRefund } from '../credit-refunds/operations.ts'
import type { Loaded } from '../invoices/operations.ts'
import { isFinalized, money, nameOf } from '../invoices/rules.ts'
import { lockPaidInvoice } from '../processor-bookings/operations.ts'
import { bookingDate, latest } from '../processor-bookings/rules.ts'
import type { ChargeRow, ProcessorRefund, RefundRow } from '../processor-charges/contract.ts'
import { failRefund, requestRefund, saveRefund, shownRefund } from '../processor-charges/operations.ts'
import { lockConnection } from '../processor-connections/operations.ts'
import type { RefundInput } from './contract.ts'
import { measureOf, NOTHING, requireCredit, restOf, shareOf, wantedOf, type Part } from './rules.ts'
import * as store from './store.ts'

/** Somebody here gives a charge back: in the books at once, at the processor by a job. */
export async function refundCharge(tx: BusinessTx, charge_id: string, { amount, reason = null, credit_memo_id = null }: RefundInput): Promise<ProcessorRefund> {
  await lockConnection(tx)
  const { charge, refund } = await requestRefund(tx, charge_id, { amount, reason, credit_memo_id })
  const credits = await lockGiven(tx, charge, refund)
  const given = credits.get(credit_memo_id ?? '')
  if (given) requireCredit(given, charge, { amount: refund.amount, settled: refund.settled_amount ?? 0 })
  const { refunds: [booked], problem } = await followRefunds(tx, charge, [refund], credits)
  if (problem !== null) throw invalid(problem)
  return shownRefund(booked ?? refund)
}

/** The processor will not do what was asked of it. */
export async function refuseRefund(tx: BusinessTx, refund_id: string, failure_reason: string): Promise<void> {
  await lockConnection(tx)
  const failed = await failRefund(tx, refund_id, failure_reason)
  if (failed) await followRefunds(tx, failed.charge, failed.refunds, await lockCredits(tx, failed.charge, failed.refunds))
}

export type Credits = Map<string, MemoRow>

/** The credits from which refunds of this charge can come; none where nothing is to be done. Before the invoice is locked. */
export async function lockCredits(tx: BusinessTx, charge: ChargeRow, refunds: readonly RefundRow[]): Promise<Credits> {
  if (refunds.length === 0) return new Map()
  const [notes, parts] = await Promise.all([
    charge.invoice_id === null ? [] : tx.many(store.openNotesOf, { invoice_id: charge.invoice_id }),
    partsOf(tx, refunds.flatMap(({ credit_refund_ids }) => credit_refund_ids)),
  ])
  const known = [charge.credit_memo_id, ...refunds.map(({ credit_memo_id }) => credit_memo_id), ...parts.map(({ credit_memo_id }) => credit_memo_id)]
  return lockMemos(tx, [...known.filter((id) => id !== null), ...notes.map(({ id }) => id)])
}

/** The refunds of credit memos that stand for something at the processor. */
export async function partsOf(tx: BusinessTx, ids: readonly string[]): Promise<CreditRefund[]> {
  return ids.length === 0 ? [] : tx.many(store.creditRefundsByIds, { ids })
}

async function lockGiven(tx: BusinessTx, charge: ChargeRow, refund: RefundRow): Promise<Credits> {
  try {
    return await lockCredits(tx, charge, [refund])
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? notFound(`credit_memo_id: credit memo ${refund.credit_memo_id}`) : error
  }
}

type Followed = { refunds: RefundRow[]; problem: string | null }

/** Brings the books to what is known of the refunds of a charge. `made_at` says when the processor made one. What cannot be booked is told. */
export async function followRefunds(
  tx: BusinessTx, charge: ChargeRow, refunds: readonly RefundRow[], credits: Credits, made_at: (refund: RefundRow) => string = () => tx.now,
): Promise<Followed> {
  const parts = await partsOf(tx, refunds.flatMap(({ credit_refund_ids }) => credit_refund_ids))
  const bookedOf = ({ credit_refund_ids }: RefundRow) => parts.filter(({ id }) => credit_refund_ids.includes(id))
  const isOff = (refund: RefundRow) => wantedOf(charge, refund) !== addCents(...bookedOf(refund).map(({ transaction_amount }) => transaction_amount))
  if (!refunds.some(isOff)) return { refunds: [...refunds], problem: null }
  const { books } = await readBooks(tx)
  const ground: Ground = { books, charge, credits, invoice: charge.invoice_id === null ? null : await lockPaidInvoice(tx, charge.invoice_id) }
  const after: RefundRow[] = []
  const problems: string[] = []
  // One after the other: what the first takes of a credit, the next cannot.
  for (const refund of refunds) {
    if (!isOff(refund)) {
      after.push(refund)
      continue
    }
    const wanted = wantedOf(charge, refund)
    const standing = bookedOf(refund)
    await giveBack(tx, ground, standing, wanted === 0 ? 'credit_memo.refund_failed' : 'credit_memo.refund_reversed')
    const sources = wanted === 0 ? [] : await sourcesOf(tx, ground, refund, standing.map(({ credit_memo_id }) => credit_memo_id))
    if (typeof sources === 'string') problems.push(sources)
    const made = typeof sources === 'string' ? [] : await book(tx, ground, refund, sources, bookingDate(books.periods, made_at(refund), tx.business.timezone))
    if (made.length === 0 && standing.length === 0) after.push(refund)
    else {
      const [first] = made
      after.push(saveRefund(tx, refund, {
        booked: made.length > 0, credit_refund_ids: made.map(({ id }) => id), credit_memo_id: refund.credit_memo_id ?? first?.credit_memo_id ?? null,
      }))
    }
  }
  return { refunds: after, problem: problems.length === 0 ? null : problems.join(' ') }
}

/** What refunds are booked on; credits and invoice are as this transaction has made them. */
type Ground = { books: Books; charge: ChargeRow; credits: Credits; invoice: Loaded | null }

/** A part of a refund, and the credit it comes from; null: a credit note that is issued for it. */
type Source = { memo_id: string | null; part: Part }

/**
 * Credits that were meant or taken before come first, then what was paid beyond the invoice, then a new credit note as far as there is something left
 * to credit, then the open credit notes of the invoice. A sentence where all that is not enough.
 */
async function sourcesOf(tx: BusinessTx, { charge, credits, invoice }: Ground, refund: RefundRow, taken: readonly string[]): Promise<Source[] | string> {
  let rest: Part = { amount: refund.amount, settled: refund.settled_amount ?? 0 }
  const sources: Source[] = []
  const take = (memo_id: string | null, part: Part) => {
    if (part.settled > 0) sources.push({ memo_id, part })
    rest = restOf(rest, part)
  }
  const takeFrom = (id: string | null) => {
    const memo = credits.get(id ?? '')
    const measure = memo && sources.every(({ memo_id }) => memo_id !== id) ? measureOf(memo, charge) : null
    take(id, memo && measure ? shareOf(rest, remainingOf(memo), measure) : NOTHING)
  }
  for (const id of [...taken, refund.credit_memo_id, charge.credit_memo_id]) takeFrom(id)
  if (rest.settled > 0 && invoice) take(null, shareOf(rest, await leftToCredit(tx, invoice), 'amount'))
  for (const { id, invoice_id } of [...credits.values()].toSorted(byDate)) if (rest.settled > 0 && invoice_id === charge.invoice_id) takeFrom(id)
  if (rest.settled === 0) return sources
  const of = invoice ? nameOf(invoice.invoice) : 'the charge'
  return `${money(rest.amount, charge.currency)} of the refund of charge ${charge.processor_charge_id} have no credit to pay out: nothing more of ${of} is left `
    + 'to credit, and it has no open credit note. Undo a credit note of it that was not paid out.'
}

const byDate = (one: MemoRow, other: MemoRow): number => (one.credit_date + one.id < other.credit_date + other.id ? -1 : 1)

async function leftToCredit(tx: BusinessTx, { invoice, lines }: Loaded): Promise<number> {
  if (!isFinalized(invoice.status)) return 0
  const credited = await creditedOf(tx, invoice.id)
  const shares = openShares(lines, invoice.tax_mode, credited.lines, (cents) => money(cents, invoice.currency), nameOf(invoice))
  return Math.max(0, Math.min(invoice.total - credited.total, shares.left()))
}

async function book(tx: BusinessTx, ground: Ground, refund: RefundRow, sources: readonly Source[], at: string): Promise<CreditRefund[]> {
  const { books, charge, credits } = ground
  const made: CreditRefund[] = []
  for (const { memo_id, part } of sources) {
    const memo = memo_id === null ? await issue(tx, ground, refund, part.amount, at) : credits.get(memo_id) as MemoRow
    const { memo: after, refund: paid } = await payOut(tx, memo, {
      amount: measureOf(memo, charge) === 'settled' ? part.settled : part.amount, method: 'processor', ledger_id: ledgerOfRole(books, 'processor_clearing').id,
      transaction_amount: part.settled, refunded_on: latest(at, memo.credit_date), reference: charge.processor_charge_id, note: refund.reason,
      processor_refund_id: refund.processor_refund_id,
    })
    credits.set(after.id, after)
    made.push(paid)
  }
  return made
}

/** A credit note over the lines of the invoice in proportion. */
async function issue(tx: BusinessTx, ground: Ground, { reason }: RefundRow, amount: number, at: string): Promise<MemoRow> {
  const loaded = ground.invoice as Loaded
  const { memo, invoice } = await issueNote(tx, loaded, { mode: 'amount', amount }, {
    credit_date: latest(at, loaded.invoice.invoice_date ?? at), reason: 'processor_refund', description: reason,
  })
  ground.invoice = invoice
  ground.credits.set(memo.id, memo)
  return memo
}

/** The money did not go, or went otherwise: the credits have it again. */
async function giveBack(
  tx: BusinessTx, { books, credits }: Ground, parts: readonly CreditRefund[], event: 'credit_memo.refund_failed' | 'credit_memo.refund_reversed',
): Promise<void> {
  const at = bookingDate(books.periods, tx.now, tx.business.timezone)
  for (const part of parts) {
    const memo = credits.get(part.credit_memo_id) as MemoRow
    credits.set(memo.id, await reverseRefund(tx, memo, part, event, latest(at, part.refunded_on)))
  }
}
