// What may be entered by hand, who may do what with an entry in which state, and what a preview says.
import { addCents, formatCents, type Currency } from '../../foundation/money.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import type { Books } from '../books/contract.ts'
import type { EntryHeader } from '../journal/contract.ts'
import type { EntryDraft, EntryUpdate } from '../journal-drafts/contract.ts'
import type { LedgerRole } from '../ledgers/contract.ts'
import { firstOpenDate, nameOf, periodOf } from '../posting/rules.ts'

/** Ledgers that documents make up, and where their lines come from. */
const WRITTEN_BY: Partial<Record<LedgerRole, string>> = {
  inventory: 'inventory adjustments',
  goods_received_not_invoiced: 'purchase-orders and bills',
  undeposited_funds: 'invoice payments and bank-deposits',
  sales_tax_payable: 'tax',
  sales_tax_recoverable: 'tax',
  accumulated_depreciation: 'fixed-assets',
}

/** Why lines cannot stand where they stand, line by line; none where all can. Ledgers that do not exist are refused elsewhere. */
export function handProblems({ lines }: Pick<EntryDraft, 'lines'>, books: Books): string[] {
  return lines.flatMap((line, index) => {
    const ledger = books.ledgers.get(line.ledger_id)
    const group = ledger?.role && WRITTEN_BY[ledger.role]
    return ledger && group ? [`${nameOf(ledger)} of line ${index + 1} takes no lines by hand: use ${group}.`] : []
  })
}

/** What is missing before lines can be posted: whose they are, where that makes them open items. */
export function partyProblems({ lines }: Pick<EntryDraft, 'lines'>, books: Books): string[] {
  return lines.flatMap((line, index) => {
    const ledger = books.ledgers.get(line.ledger_id)
    if (!ledger) return []
    const place = `Line ${index + 1} on ${nameOf(ledger)}`
    if (ledger.role === 'accounts_receivable' && !line.customer_id) return [`${place} needs a customer_id.`]
    if (ledger.role === 'accounts_payable' && !line.vendor_id) return [`${place} needs a vendor_id.`]
    const item = ledger.role === 'accounts_receivable' || ledger.role === 'accounts_payable'
    return line.settles_line_id && !item ? [`${place} cannot settle another: only lines on receivables and payables do.`] : []
  })
}

export function requireNone([problem]: readonly string[]): void {
  if (problem !== undefined) throw invalid(problem)
}

/** From which total on entries need approval; null where none does. */
export function approvalLimit({ approval_required, approval_threshold }: { approval_required: boolean; approval_threshold: number }): number | null {
  return approval_required ? approval_threshold : null
}

export function approvalProblems(total: number, limit: number | null, base: Currency): string[] {
  return limit === null || total < limit ? [] : [`An entry of ${formatCents(total, base)} ${base} needs approval: submit it instead of posting it.`]
}

export function requireApprover(draft: Pick<EntryDraft, 'prepared_by'>, user_id: string | null): void {
  if (draft.prepared_by !== null && draft.prepared_by === user_id) throw invalid('Whoever prepared an entry cannot approve it: ask somebody else.')
}

type Action = 'change' | 'delete' | 'post' | 'submit' | 'approve' | 'reject'

/** From which state each action starts, and in which it has nothing left to do. */
const MOVES: Record<Action, { from: EntryHeader['status']; done: EntryHeader['status'] | null }> = {
  change: { from: 'draft', done: null },
  delete: { from: 'draft', done: null },
  post: { from: 'draft', done: 'posted' },
  submit: { from: 'draft', done: 'pending_approval' },
  approve: { from: 'pending_approval', done: 'posted' },
  reject: { from: 'pending_approval', done: 'draft' },
}

/**
 * What is submitted for a softly closed period may still be posted there, by an approver who may override it: it is looked at as
 * if it were of the first open day after.
 */
export function withinReach(draft: EntryDraft, { periods }: Books): EntryDraft {
  const soft = periodOf(periods, draft.date)?.status === 'soft_closed'
  return soft ? { ...draft, date: firstOpenDate(periods, draft.date, 'journal') ?? draft.date, auto_reverse_on: null } : draft
}

/** Whether there is something to do; refuses from any other state, naming it. */
export function requireMove(action: Action, entry: Pick<EntryHeader, 'status' | 'number'>): boolean {
  const { from, done } = MOVES[action]
  if (entry.status === done) return false
  if (entry.status === from) return true
  throw invalid(`${stateOf(entry)}: ${remedy(action, entry.status)}`)
}

/** What is posted can be reversed and put on another date; what is not, cannot. */
export function requirePosted(entry: Pick<EntryHeader, 'status' | 'number'>): void {
  if (entry.number === null) throw invalid(`${stateOf(entry)}: change or delete it instead.`)
}

/** Of a posted entry only the memo can change. */
export function requireMemoOnly(entry: Pick<EntryHeader, 'status' | 'number'>, { memo: _memo, ...others }: EntryUpdate): void {
  const [field] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (field !== undefined) throw invalid(`${stateOf(entry)}: only its memo can change, not ${field}; reverse it and post a new one, or put it on another date.`)
}

function stateOf({ status, number }: Pick<EntryHeader, 'status' | 'number'>): string {
  if (status === 'draft') return 'This entry is a draft'
  return status === 'pending_approval' ? 'This entry waits for approval' : `Entry ${number} is ${status}`
}

function remedy(action: Action, status: EntryHeader['status']): string {
  if (status === 'draft') return 'submit it first.'
  if (status === 'pending_approval') return action === 'post' ? 'somebody else than its preparer must approve it.' : 'reject it first.'
  return status === 'reversed' ? 'post a new one instead.' : 'reverse it instead.'
}

/** The sentences of those attempts that are refused, each once. */
export function refusalsOf(...attempts: (() => unknown)[]): string[] {
  const found = attempts.flatMap((attempt) => {
    try {
      attempt()
      return []
    } catch (error) {
      if (error instanceof Refusal) return [error.detail]
      throw error
    }
  })
  return [...new Set(found)]
}

/** What the lines add to each ledger, in the order in which they first stand there. */
export function changesByLedger(lines: readonly { ledger_id: string; base_amount: number | null }[]): Map<string, number> {
  const changes = new Map<string, number>()
  for (const { ledger_id, base_amount } of lines) changes.set(ledger_id, addCents(changes.get(ledger_id) ?? 0, base_amount ?? 0))
  return changes
}
