// The journal entry that a credit memo yields, and which of its fields may change.
import { invalid } from '../../foundation/refusal.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import type { Posting } from '../../ledger/posting/contract.ts'
import type { MemoLineRow, MemoRow } from '../credit-memos/contract.ts'
import { nameOf, remainingOf } from '../credit-memos/rules.ts'
import { incomeLines, taxLines } from '../invoice-postings/rules.ts'

const head = (memo: MemoRow) => ({
  date: memo.credit_date, source_type: 'credit_memo', source_id: memo.id, area: 'receivables' as const, currency: memo.currency, rate: memo.fx_rate, automatic: true,
})

/** Takes income and tax back; credits the receivable, in the first line, which opens an item of its own. */
export function notePosting(memo: MemoRow, lines: readonly MemoLineRow[], receivable_ledger_id: string): Posting {
  const { customer_id, tax_mode, total } = memo
  const sold = [...incomeLines({ customer_id, project_id: null, dimension_value_ids: [] }, lines, tax_mode), ...taxLines(lines, customer_id)]
  return { ...head(memo), lines: [{ ledger_id: receivable_ledger_id, amount: -total, customer_id }, ...sold.map((line) => ({ ...line, amount: -line.amount }))] }
}

/** Debits the ledger the money is on; credits what is owed to the customer, in the first line. */
export function moneyPosting(memo: MemoRow, transaction: CashRow, deposits_ledger_id: string): Posting {
  const { customer_id, total } = memo
  return { ...head(memo), lines: [{ ledger_id: deposits_ledger_id, amount: -total, customer_id }, { ledger_id: transaction.ledger_id, amount: total, customer_id }] }
}

const FINALIZED = new Set(['description', 'reason', 'credit_date'])

/** Refuses what this state does not allow; `changes` holds real changes only. */
export function requireEditable(memo: MemoRow, changes: Partial<Record<string, unknown>>): void {
  const fields = Object.keys(changes)
  if (memo.status === 'draft' || fields.length === 0) return
  if (memo.status !== 'open' || remainingOf(memo) !== memo.total) throw invalid(`${nameOf(memo)} is ${memo.status === 'open' ? 'used' : memo.status}: it cannot change.`)
  const fixed = fields.find((field) => !FINALIZED.has(field))
  if (fixed) throw invalid(`${nameOf(memo)} is finalized: ${fixed} can change on a draft only.`)
}
