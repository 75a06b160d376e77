// The category of a bank transaction: what its money was for, in one line or several, and the entry that says so.
import { Type, type Static } from 'typebox'
import { cents, date, id, integer, list, nullable, oneOf, shape, text, timestamp } from '../../foundation/shapes.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { analysis } from '../../ledger/journal/contract.ts'

/** person: somebody chose it. default: a counterparty default did. uncategorized: posted so that the bank ties, and still to be decided. */
export const CATEGORY_SOURCES = ['person', 'default', 'uncategorized'] as const

export const MOST_LINES = 200

export const memo = text(1, 500)

export const TransactionLine = shape('TransactionLine', {
  ledger_id: id(),
  amount: cents({ description: 'With tax, in the direction of the transaction: the lines add up to what the category takes of it.' }),
  tax_amount: cents({ description: 'The tax within the amount; of a reversed charge the tax beside it.' }),
  tax_code_id: nullable(id()),
  memo: nullable(memo),
  ...analysis,
})
export type TransactionLine = Static<typeof TransactionLine>

export const LineRow = Type.Object({ transaction_id: id(), position: integer(1), ...TransactionLine.properties })
export type LineRow = Static<typeof LineRow>

/** A row of the table; its id is that of its claim. */
export const CategoryRow = Type.Object({
  id: id(),
  transaction_id: id(),
  journal_entry_id: id(),
  posting_date: date(),
  amount: cents(),
  memo: nullable(Type.String()),
  source: oneOf(CATEGORY_SOURCES),
  default_id: nullable(id()),
  created_by: nullable(id()),
  created_at: timestamp(),
})
export type CategoryRow = Static<typeof CategoryRow>

export type Category = CategoryRow & { lines: TransactionLine[] }

/** A line as somebody wants it: by amount or percent, or alone for the whole. An absent party is that of the transaction. */
export type WantedLine = {
  ledger_id: string
  amount?: number | undefined
  percent?: string | undefined
  tax_code_id?: string | null | undefined
  memo?: string | null | undefined
  customer_id?: string | null | undefined
  vendor_id?: string | null | undefined
  project_id?: string | null | undefined
  dimension_value_ids?: readonly string[] | undefined
}

/** The transaction is locked, or was made just now. */
export type Wanted = {
  transaction: CashRow
  lines: readonly WantedLine[]
  memo?: string | null | undefined
  posting_date?: string | undefined
  source: CategoryRow['source']
  default_id?: string | null | undefined
}

/** What a bank transaction was taken for, as it is shown with it. */
export const categoryFields = {
  lines: list(TransactionLine, { description: 'What its category says; none without one.' }),
  category_source: nullable(oneOf(CATEGORY_SOURCES, { description: 'person: chosen by somebody. default: by a counterparty default. uncategorized: still to be decided.' })),
  category_memo: nullable(Type.String()),
  default_id: nullable(id({ description: 'The counterparty default by which it was categorized.' })),
  posting_date: nullable(date({ description: 'The day of the entry.' })),
  journal_entry_ids: list(id(), { description: 'The entry of its category. Those of documents are found with the documents.' }),
  needs_category: Type.Boolean({ description: 'It is in the books, but nobody has said yet what it was for.' }),
}
const CategoryFields = Type.Object(categoryFields)
export type CategoryFields = Static<typeof CategoryFields>
