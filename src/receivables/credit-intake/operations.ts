// New credit memos on their way in: made, and where asked finalized and applied, all or nothing.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { unprocessable } from '../../foundation/refusal.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { allocate } from '../credit-applications/operations.ts'
import type { CreditedPart } from '../credit-drafts/contract.ts'
import { createDraft, draftFromInvoice, draftMemo, lockCredited, type Drafted, type NoteWords } from '../credit-drafts/operations.ts'
import type { CreditMemo, MemoRow } from '../credit-memos/contract.ts'
import { getMemo, insertMemo } from '../credit-memos/operations.ts'
import { finalizeDraft } from '../credit-postings/operations.ts'
import type { Loaded } from '../invoices/operations.ts'
import { balanceOf, isOpen } from '../invoices/rules.ts'
import type { NewCreditMemo, NoteFromInvoice } from './contract.ts'

export async function createMemo(tx: BusinessTx, { finalize, apply, ...input }: NewCreditMemo): Promise<CreditMemo> {
  if (apply?.length && !finalize) throw unprocessable([{ loc: ['body', 'apply'], msg: 'Needs finalize: drafts are not applied.', type: 'value_error' }])
  const drafted = await createDraft(tx, input)
  if (!finalize) return getMemo(tx, drafted.memo.id)
  const { memo, invoice } = await finalizeDraft(tx, drafted)
  if (apply?.length) await allocate(tx, memo, apply, latest(tx.today, memo.credit_date), invoice ? new Map([[invoice.invoice.id, invoice]]) : undefined)
  return getMemo(tx, memo.id)
}

export async function createFromInvoice(tx: BusinessTx, { invoice_id, finalize, apply, credit_date, fx_rate, reason, description, ...part }: NoteFromInvoice): Promise<CreditMemo> {
  if (apply && !finalize) throw unprocessable([{ loc: ['body', 'apply'], msg: 'Needs finalize: drafts are not applied.', type: 'value_error' }])
  const invoice = await lockCredited(tx, invoice_id)
  const words = { credit_date: credit_date ?? null, fx_rate: fx_rate ?? null, reason: reason ?? null, description: description ?? null }
  const drafted = finalize ? await issueNote(tx, invoice, part, words) : await draftFromInvoice(tx, invoice, part, words)
  if (!finalize) insertMemo(tx, drafted)
  if (apply && drafted.invoice) await applyToOwn(tx, drafted.memo, drafted.invoice)
  return getMemo(tx, drafted.memo.id)
}

/** A finalized credit note on an invoice that is locked: for every room that takes back what it invoiced. */
export async function issueNote(tx: BusinessTx, invoice: Loaded, part: CreditedPart, words: NoteWords): Promise<Drafted & { invoice: Loaded }> {
  const drafted = await draftFromInvoice(tx, invoice, part, words)
  insertMemo(tx, drafted)
  const finalized = await finalizeDraft(tx, drafted)
  return { ...finalized, invoice: finalized.invoice ?? invoice }
}

/** Applies a note to the invoice that it credits, as far as that is open. */
export async function applyToOwn(tx: BusinessTx, memo: MemoRow, loaded: Loaded): Promise<void> {
  const { invoice } = loaded
  const amount = Math.min(memo.total, isOpen(invoice.status) && !invoice.uncollectible && invoice.receivable_line_id ? balanceOf(invoice) : 0)
  if (amount > 0) await allocate(tx, memo, [{ invoice_id: invoice.id, amount }], latest(memo.credit_date, invoice.invoice_date ?? ''), new Map([[invoice.id, loaded]]))
}

/** Money of a transaction that is locked or was made in this transaction, beyond what invoices could take. */
export async function keepOverpayment(
  tx: BusinessTx, { transaction, ...given }: { customer_id: string; amount: number; transaction: CashRow; credit_date: string; description: string | null },
): Promise<MemoRow> {
  const drafted = await draftMemo(tx, { ...given, kind: 'overpayment', deposit_ledger_id: transaction.ledger_id }, null)
  insertMemo(tx, drafted)
  return (await finalizeDraft(tx, drafted, null, transaction)).memo
}

const latest = (one: string, other: string): string => (one > other ? one : other)
