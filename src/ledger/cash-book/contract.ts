// The cash book: rows of what happened on cash ledgers, and the claims that documents have on them.
import { Type, type Static } from 'typebox'
import { resource } from '../../foundation/resource.ts'
import { cents, date, id, list, nullable, oneOf, record, shape, text } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'

export const KINDS = ['bank', 'book'] as const
export const SOURCES = ['feed', 'import', 'manual', 'document', 'journal'] as const
export const STATUSES = ['unreviewed', 'partially_allocated', 'categorized', 'matched', 'excluded'] as const
export const EXCLUDE_REASONS = ['duplicate', 'personal', 'not_ours', 'other'] as const

/** What people, and documents that record a row, say of one. */
export const fields = {
  ledger_id: id({ description: 'A cash ledger: a bank account, card, cash box, undeposited funds or the clearing of the card processor.' }),
  amount: cents({ description: 'Integer cents, positive for a deposit and negative for a withdrawal or a card charge; never 0.' }),
  datetime: date({ description: 'The day on which it happened.' }),
  counterparty: nullable(text(1, 200, { pattern: '\\S', description: 'Who paid or was paid.' })),
  description: nullable(text(1, 500)),
  reference: nullable(text(1, 100, { description: 'A check number or the like.' })),
  customer_id: nullable(id()),
  vendor_id: nullable(id()),
  note: nullable(text(1, 2000)),
}

export const external_id = text(1, 200, { pattern: '\\S', description: 'What the bank calls it; one transaction per ledger has it.' })

const stored = {
  ...record,
  ...fields,
  currency,
  kind: oneOf(KINDS, { description: 'bank: evidence, which posts nothing by itself. book: cash that a document posted without such evidence.' }),
  status: oneOf(STATUSES, {
    description: 'Follows from what was taken of it: categorized by a category alone, matched by documents, perhaps with a category. A book row is always matched.',
  }),
  source: oneOf(SOURCES),
  counterparty_raw: nullable(text(1, 500, { description: 'As the bank writes it.' })),
  external_id: nullable(external_id),
  exclude_reason: nullable(oneOf(EXCLUDE_REASONS)),
  bank_transaction_id: nullable(id({ description: 'Of a book row: the bank row that proves it.' })),
}

/** A row of the table; `claimed` is the sum of its claims, without a sign, and `categorized` what of it is the claim of a category. */
export const TransactionRow = Type.Object({ ...stored, claimed: cents(), categorized: cents() })
export type TransactionRow = Static<typeof TransactionRow>

/** What a document takes of a transaction: in the transaction's currency, without a sign. */
export const Claim = Type.Object({ id: id(), transaction_id: id(), document_type: Type.String(), document_id: id(), amount: cents() })
export type Claim = Static<typeof Claim>

/** The claim of a category has this type; every other claim is that of a document. */
export const CATEGORY = 'category'

/** A row with all its claims; `remaining` is what nobody has claimed. */
export type CashRow = TransactionRow & { remaining: number; claims: Claim[] }

export const TransactionMatch = shape('TransactionMatch', {
  type: Type.String({ description: 'The kind of document, as invoice.' }),
  id: id({ description: 'Of the document.' }),
  amount: cents({ description: 'What the document takes of the transaction: integer cents of its currency, without a sign.' }),
})

export const Transaction = shape('Transaction', {
  ...stored,
  allocated_amount: cents({ description: 'What documents and a category have taken of it, without a sign.' }),
  unallocated_amount: cents({ description: 'What is left to be claimed, without a sign.' }),
  matches: list(TransactionMatch, { description: 'What documents have taken.' }),
})
export type Transaction = Static<typeof Transaction>

/** A transaction in short, as payments show it. */
export const TransactionSummary = shape('TransactionSummary', {
  id: id(),
  amount: cents({ description: 'Integer cents, positive for a deposit and negative for a withdrawal.' }),
  currency,
  datetime: date(),
  counterparty: nullable(Type.String()),
  description: nullable(Type.String()),
  ledger_id: id(),
})
export type TransactionSummary = Static<typeof TransactionSummary>

export const transactionResource = resource({
  type: 'transaction',
  group: 'transactions',
  shape: Transaction,
  table: 'transactions',
  label: 'counterparty',
  events: [
    'transaction.created', 'transaction.updated', 'transaction.deleted', 'transaction.matched', 'transaction.released', 'transaction.excluded',
    'transaction.restored', 'transaction.categorized', 'transaction.undone',
  ],
})

/** What a new row is made from; whatever is left out is empty. */
export type NewRow = Pick<TransactionRow, 'ledger_id' | 'amount' | 'datetime'> & {
  id?: string | undefined
  counterparty?: string | null | undefined
  counterparty_raw?: string | null | undefined
  description?: string | null | undefined
  reference?: string | null | undefined
  external_id?: string | null | undefined
  customer_id?: string | null | undefined
  vendor_id?: string | null | undefined
  note?: string | null | undefined
}

export type NewBookRow = NewRow & { source?: 'document' | 'journal' | undefined }
export type NewBankRow = NewRow & { source: 'feed' | 'import' | 'manual' }

/** `id` is that of the claim, given by the document: it is what release and changeClaim are told. */
export type NewClaim = { id: string; transaction: CashRow; document_type: string; document_id: string; amount: number }

/** What a release leaves: rows as they are now, and book rows that went because no claim on them was left. */
export type Released = { claims: Claim[]; transactions: CashRow[]; removed: CashRow[] }
