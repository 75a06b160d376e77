// Refunds of credit memos: recorded, and taken back. The memo is locked.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { applyRate, type Currency } from '../../foundation/money.ts'
import { invalid, notFound, unprocessable } from '../../foundation/refusal.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { claim, lockTransactions, recordTransactions, release } from '../../ledger/cash-book/operations.ts'
import { ratesFor } from '../../ledger/fx-rates/operations.ts'
import { postEntry, reverseEntries } from '../../ledger/posting/operations.ts'
import type { CreditMemo, MemoRow } from '../credit-memos/contract.ts'
import { getMemo, lockMemo, saveMemo } from '../credit-memos/operations.ts'
import { nameOf, remainingOf, requireStatus, used } from '../credit-memos/rules.ts'
import { converted } from '../invoice-payments/rules.ts'
import { money } from '../invoices/rules.ts'
import type { CreditRefund, CreditRefundInput } from './contract.ts'
import { refundPosting } from './rules.ts'
import * as store from './store.ts'

/** A refund of a memo that is locked. Without `transaction` one is recorded on `ledger_id`; money that went through the processor is on its clearing ledger. */
export type ToRefund = {
  amount: number
  method: 'bank' | 'processor'
  transaction?: CashRow | undefined
  ledger_id?: string | undefined
  transaction_amount?: number | null | undefined
  refunded_on: string
  reference?: string | null | undefined
  note?: string | null | undefined
  processor_refund_id?: string | null | undefined
}

export async function refund(tx: BusinessTx, memo: MemoRow, wanted: ToRefund): Promise<{ memo: MemoRow; refund: CreditRefund }> {
  const { amount, refunded_on } = wanted
  requireStatus(memo, ['open', 'closed'], 'only finalized credits are refunded')
  if (amount > remainingOf(memo)) throw invalid(`${nameOf(memo)} has ${money(remainingOf(memo), memo.currency)} left, less than ${money(amount, memo.currency)}.`)
  if (refunded_on < memo.credit_date) throw invalid(`${nameOf(memo)} is of ${memo.credit_date}: refund it on that day or later, not on ${refunded_on}.`)
  const base = tx.business.base_currency as Currency
  const { books } = await readBooks(tx)
  const currency = (wanted.transaction?.currency ?? books.ledgers.get(wanted.ledger_id ?? '')?.currency ?? base) as Currency
  const foreign = [memo.currency, currency].filter((one) => one !== base)
  const rateOf = foreign.length > 0 ? await ratesFor(tx, foreign.map((one) => ({ currency: one as Currency, date: refunded_on }))) : () => null
  const transaction_amount = wanted.transaction_amount ?? converted(amount, memo.currency, currency, base, refunded_on, rateOf)
  const cash_base = currency === base ? transaction_amount : memo.currency === base ? amount : baseOf(transaction_amount, currency, rateOf(currency, refunded_on), base, refunded_on)
  const id = newId()
  const transaction = wanted.transaction ?? await recordMoney(tx, memo, wanted, transaction_amount)
  claim(tx, [{ id, transaction, document_type: 'credit_memo', document_id: memo.id, amount: transaction_amount }])
  const gains = ledgerOfRole(books, 'realized_fx').id
  const accounts = { receivable: ledgerOfRole(books, 'accounts_receivable').id, deposits: ledgerOfRole(books, 'customer_deposits').id, gains: () => gains }
  const entry = await postEntry(tx, refundPosting(memo, { id, amount, transaction_amount, refunded_on }, transaction, accounts, base, cash_base))
  const base_amount = entry.lines[0]?.base_amount ?? 0
  const made: CreditRefund = {
    id, business_id: tx.business_id, credit_memo_id: memo.id, amount, currency: memo.currency, base_amount, method: wanted.method, refunded_on,
    transaction_id: transaction.id, transaction_amount, realized_fx: 0 - (entry.lines.find(({ ledger_id }, index) => index > 1 && ledger_id === gains)?.base_amount ?? 0),
    reference: wanted.reference ?? null, note: wanted.note ?? null, processor_refund_id: wanted.processor_refund_id ?? null,
    journal_entry_id: entry.id, reversed_at: null, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertRefund, made)
  return { memo: saveMemo(tx, memo, used(memo, { refunded: amount, base: base_amount }), 'credit_memo.refunded'), refund: made }
}

function baseOf(amount: number, currency: Currency, rate: string | null, base: Currency, date: string): number {
  if (!rate) throw invalid(`No ${currency}/${base} rate on or before ${date}: add one with POST /fx/rates.`)
  return applyRate(amount, rate)
}

async function recordMoney(tx: BusinessTx, memo: MemoRow, { ledger_id, refunded_on, reference }: ToRefund, amount: number): Promise<CashRow> {
  const [made] = await recordTransactions(tx, [{
    ledger_id: ledger_id ?? '', amount: -amount, datetime: refunded_on, reference: reference?.slice(0, 100) || null, customer_id: memo.customer_id, description: `Refund of ${nameOf(memo)}`,
  }])
  return made as CashRow
}

export async function refundMemo(tx: BusinessTx, memo_id: string, input: CreditRefundInput): Promise<CreditRefund> {
  if (!input.transaction_id && !input.ledger_id) throw unprocessable([{ loc: ['body', 'ledger_id'], msg: 'Give transaction_id or ledger_id.', type: 'missing' }])
  if (input.transaction_id && input.ledger_id) throw unprocessable([{ loc: ['body', 'ledger_id'], msg: 'Give transaction_id or ledger_id, not both.', type: 'value_error' }])
  const { memo } = await lockMemo(tx, memo_id)
  const transaction = input.transaction_id ? await lockWithdrawal(tx, input.transaction_id) : undefined
  if (input.ledger_id && !(await readBooks(tx)).books.ledgers.has(input.ledger_id)) throw notFound(`ledger_id: ledger ${input.ledger_id}`)
  const { amount, method, transaction_amount, reference, note } = input
  const { refund: made } = await refund(tx, memo, {
    amount, method, transaction_amount, reference, note, transaction, ledger_id: input.ledger_id ?? undefined, refunded_on: input.refunded_on ?? transaction?.datetime ?? tx.today,
  })
  return made
}

async function lockWithdrawal(tx: BusinessTx, id: string): Promise<CashRow> {
  const found = (await lockTransactions(tx, [id])).get(id)
  if (!found) throw notFound(`transaction_id: transaction ${id}`)
  if (found.amount > 0) throw invalid(`The transaction of ${found.datetime} is a deposit: a refund goes out with a withdrawal.`)
  return found
}

export async function listRefunds(tx: BusinessTx, memo_id: string, { include_superseded, ...query }: PageQuery & { include_superseded?: boolean }) {
  await getMemo(tx, memo_id)
  return tx.page(store.refunds, { ...query, credit_memo_id: memo_id, ...(include_superseded ? {} : { standing: true }) } as PageQuery)
}

export async function removeRefund(tx: BusinessTx, memo_id: string, refund_id: string, reversal_date?: string): Promise<CreditMemo> {
  const { memo } = await lockMemo(tx, memo_id)
  const found = await tx.get(store.findRefund, { id: refund_id, memo_id }, 'Refund')
  if (found.method === 'processor') throw invalid('This refund went through the processor and cannot be taken back.')
  if (!found.reversed_at) await reverseRefund(tx, memo, found, 'credit_memo.refund_reversed', reversal_date)
  return getMemo(tx, memo_id)
}

/** The one that the processor calls by this id, while it stands. */
export function findProcessorRefund(tx: BusinessTx, processor_refund_id: string): Promise<CreditRefund | null> {
  return tx.find(store.byProcessorId, { processor_refund_id })
}

/** Gives the memo back what a refund took: the money never left, or came back. */
export async function reverseRefund(
  tx: BusinessTx, memo: MemoRow, found: CreditRefund, event: 'credit_memo.refund_reversed' | 'credit_memo.refund_failed', reversal_date?: string,
): Promise<MemoRow> {
  await release(tx, [found.id])
  await reverseEntries(tx, [found.journal_entry_id], { reversal_date, area: 'receivables' })
  tx.queue(store.updateRefund, changed(found, { reversed_at: tx.now }, tx.now))
  return saveMemo(tx, memo, used(memo, { refunded: -found.amount, base: -found.base_amount }), event)
}
