// What postings are held against: the ledgers and periods of a business, as the posting function sees them.
import { Type, type Static } from 'typebox'
import { date, id, integer, list, nullable, oneOf } from '../../foundation/shapes.ts'
import type { BookDimensions } from '../dimension-rules/contract.ts'
import { LedgerRow } from '../ledgers/contract.ts'

/** Who posts: a period can be locked for one of these alone. */
export const AREAS = ['receivables', 'payables', 'banking', 'inventory', 'journal'] as const
export type Area = (typeof AREAS)[number]

export const PERIOD_STATUSES = ['open', 'soft_closed', 'closed'] as const

const { id: ledger_id, number, name, type, subtype, currency, is_bank, role, archived, posting, merged_into_id, cash_flow_class, parent_id, default_tax_code_id } = LedgerRow.properties

export const BookLedger = Type.Object({ id: ledger_id, number, name, type, subtype, currency, is_bank, role, archived, posting, merged_into_id, cash_flow_class, parent_id, default_tax_code_id })
export type BookLedger = Static<typeof BookLedger>

export const BookPeriod = Type.Object({
  id: id(),
  fiscal_year: integer(),
  name: Type.String(),
  start_date: date(),
  end_date: date(),
  status: oneOf(PERIOD_STATUSES),
  locks: list(oneOf(AREAS)),
})
export type BookPeriod = Static<typeof BookPeriod>

/** Where the journal stands. */
export const Head = Type.Object({ number: integer(), hash: Type.Unsafe<Buffer>({ type: 'buffer' }), recorded_at: nullable(Type.String({ format: 'date-time' })), stamp: id() })
export type Head = Static<typeof Head>

export type Books = {
  ledgers: ReadonlyMap<string, BookLedger>
  /** By date, without a gap. */
  periods: readonly BookPeriod[]
  dimensions: BookDimensions
}
