// What a row of the cash book is worth to documents, and what may become of it. Pure.
import { addCents, formatCents } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { BookLedger, Books } from '../books/contract.ts'
import { isCashLedger, nameOf } from '../posting/rules.ts'
import { CATEGORY, type CashRow, type Claim, type NewRow, type Transaction, type TransactionRow } from './contract.ts'

/** Unreviewed where nothing is claimed, categorized or matched where nothing is left; a book row is matched by what it is. */
export function statusOf(row: Pick<TransactionRow, 'kind' | 'exclude_reason' | 'claimed' | 'categorized' | 'amount'>): TransactionRow['status'] {
  if (row.kind === 'book') return 'matched'
  if (row.exclude_reason !== null) return 'excluded'
  if (row.claimed === 0) return 'unreviewed'
  if (row.claimed < Math.abs(row.amount)) return 'partially_allocated'
  return row.categorized === row.claimed ? 'categorized' : 'matched'
}

export function withClaims(row: TransactionRow, claims: Claim[]): CashRow {
  return { ...row, remaining: Math.abs(row.amount) - row.claimed, claims }
}

/** As it is told over HTTP and in events. */
export function shown({ claimed, categorized: _categorized, remaining, claims, ...row }: CashRow): Transaction {
  const matches = ofDocuments(claims).map(({ document_type, document_id, amount }) => ({ type: document_type, id: document_id, amount }))
  return { ...row, allocated_amount: claimed, unallocated_amount: remaining, matches }
}

/** The row with these claims instead of its own. A book row is what its documents posted, so its amount moves along with them. */
export function reclaimed(row: CashRow, claims: Claim[], now: string): CashRow {
  const claimed = addCents(...claims.map(({ amount }) => amount))
  const size = row.kind === 'book' ? addCents(row.remaining, claimed) : Math.abs(row.amount)
  const categorized = addCents(...claims.filter(({ document_type }) => document_type === CATEGORY).map(({ amount }) => amount))
  const amount = row.amount < 0 ? -size : size
  const after = { ...row, amount, claimed, categorized, claims, remaining: size - claimed, updated_at: now, version: row.version + 1 }
  return { ...after, status: statusOf(after) }
}

/** Refuses to claim more than is left, or anything of a row that is out of the books. */
export function requireClaimable(row: CashRow, amount: number): void {
  if (!Number.isSafeInteger(amount) || amount <= 0) throw invalid('A claim on a transaction needs an amount above 0.')
  if (row.exclude_reason !== null) throw invalid(`${nameOfRow(row)} is excluded: restore it first.`)
  if (amount > row.remaining) {
    const left = `${nameOfRow(row)} has ${formatCents(row.remaining, row.currency)} ${row.currency} left, less than ${formatCents(amount, row.currency)}`
    throw invalid(row.categorized === 0 ? `${left}.` : `${left}: undo its category first.`)
  }
}

/** The ledger of a new row; a transaction happens on a cash ledger. */
export function requireCashLedger(books: Books, ledger_id: string): BookLedger {
  const ledger = books.ledgers.get(ledger_id)
  if (!ledger) throw notFound(`Ledger ${ledger_id} of ledger_id`)
  if (!isCashLedger(ledger)) throw invalid(`${nameOf(ledger)} is no cash ledger: choose a bank account, a card, undeposited funds or the processor's clearing.`)
  if (ledger.archived) throw invalid(`${nameOf(ledger)} is archived: restore it, or choose another ledger.`)
  return ledger
}

export function requireAmount({ amount }: Pick<NewRow, 'amount'>): void {
  if (amount === 0) throw invalid('A transaction moves money: give it an amount other than 0.')
}

/** Whose it is, where documents have claims on it; null where none has. */
export function ownersOf({ claims }: Pick<CashRow, 'claims'>): string | null {
  const names = [...new Set(ofDocuments(claims).map(({ document_type, document_id }) => `${document_type.replaceAll('_', ' ')} ${document_id}`))]
  if (names.length === 0) return null
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`
}

const MOST_NAMED = 3

function ofDocuments(claims: readonly Claim[]): Claim[] {
  return claims.filter(({ document_type }) => document_type !== CATEGORY)
}

/** 'The transaction of 2026-03-10 over -45.00 USD'. */
export function nameOfRow({ datetime, amount, currency }: Pick<TransactionRow, 'datetime' | 'amount' | 'currency'>): string {
  return `The transaction of ${datetime} over ${formatCents(amount, currency)} ${currency}`
}
