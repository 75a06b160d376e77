// The dimensions of a business as the posting function sees them: what a line may carry, and what its ledger asks for.
import { Type, type Static } from 'typebox'
import { boolean, date, id, nullable, oneOf } from '../../foundation/shapes.ts'
import { LEDGER_TYPES, type LedgerType } from '../ledgers/contract.ts'

export const MODES = ['required', 'optional', 'forbidden'] as const

export const BookValue = Type.Object({
  id: id(),
  dimension_id: id(),
  code: Type.String(),
  name: Type.String(),
  valid_from: nullable(date()),
  valid_to: nullable(date()),
  archived: boolean(),
  merged_into_id: nullable(id({ description: 'Statements show it under this value.' })),
})
export type BookValue = Static<typeof BookValue>

export const BookDimensionRow = Type.Object({ id: id(), key: Type.String(), name: Type.String(), archived: boolean() })

export const BookRuleRow = Type.Object({
  dimension_id: id(),
  ledger_id: nullable(id()),
  ledger_type: nullable(oneOf(LEDGER_TYPES)),
  mode: oneOf(MODES),
  default_value_id: nullable(id()),
})

export type BookRule = Pick<Static<typeof BookRuleRow>, 'mode' | 'default_value_id'>

/** A dimension with its rules; the most specific one counts: that of the ledger, then that of its type, then that for all. */
export type BookDimension = Static<typeof BookDimensionRow> & {
  by_ledger: ReadonlyMap<string, BookRule>
  by_type: ReadonlyMap<LedgerType, BookRule>
  for_all: BookRule | null
}

export type BookDimensions = {
  /** All of them; a line of the service itself may still carry what was archived since. */
  dimensions: ReadonlyMap<string, BookDimension>
  /** Those whose rules bind, in the order of their positions. */
  active: readonly BookDimension[]
  values: ReadonlyMap<string, BookValue>
}
