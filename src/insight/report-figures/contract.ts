// The figures behind every statement: what is asked of them and what they are.
//
//   figures(tx, request)   (operations.ts)  debit and credit per ledger in any number of date ranges, in base cents
//   FiguresRequest         ranges, basis, known_at, adjusting, filters, split
//   Figures                head and books as they were read, and one Group per combination of the values split by
//   amountsOf, balanceOf   (rules.ts)       one figure; zero where there is none
import type { Books, Head } from '../../ledger/books/contract.ts'

/** From the first day to the last, both included; `start_date: null` is from the beginning of the books. */
export type DateRange = { start_date: string | null; end_date: string }

export type Basis = 'accrual' | 'cash'

/** Which entries count: all of them, or none that are marked as adjusting. */
export const ADJUSTING = ['all', 'exclude'] as const
export type Adjusting = (typeof ADJUSTING)[number]

export const PARTY_AXES = ['customer', 'vendor', 'project'] as const
export type PartyAxis = (typeof PARTY_AXES)[number]

/** What lines can be told apart by: a party they carry, or their value of one dimension. */
export type Axis = PartyAxis | `dimension:${string}`

/**
 * Only lines that carry these. Values of one dimension are alternatives, those of different dimensions must all be there; values
 * below a value count with it.
 */
export type FigureFilters = {
  customer_id?: string | undefined
  vendor_id?: string | undefined
  project_id?: string | undefined
  dimension_value_ids?: readonly string[] | undefined
}

export type FiguresRequest = {
  ranges: readonly DateRange[]
  basis: Basis
  /** What the books said at this moment; absent or null: now. */
  known_at?: string | null | undefined
  adjusting?: Adjusting | undefined
  filters?: FigureFilters | undefined
  /** At most two axes: each combination of their values becomes a group of its own. */
  split?: readonly Axis[] | undefined
}

/** Sums of the base amounts of lines, both positive. On the cash basis only their difference means something. */
export type Amounts = { debit: number; credit: number }

export type Group = {
  /** One value per axis of `split`, in its order: an id, or null for lines that carry none. */
  values: readonly (string | null)[]
  /** By ledger, an element per range. Ledgers that are merged count under their target. */
  ledgers: ReadonlyMap<string, readonly Amounts[]>
}

export type Figures = {
  head: Head
  books: Books
  /** Without a split exactly one, whose `values` is empty. With one, only groups that have a line; the unassigned one among them. */
  groups: readonly Group[]
}
