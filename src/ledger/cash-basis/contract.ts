// What the cash basis counts otherwise than the journal: open items (lines of receivables and payables), and lines that wait for them to be paid.
import { Type, type Static } from 'typebox'
import { cents, id, integer, list, nullable } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'

const tags = { customer_id: nullable(id()), vendor_id: nullable(id()), project_id: nullable(id()), dimension_value_ids: list(id()) }

/** A line of a receivable or payable with what has settled it so far: `settled` and `settled_base` have the opposite sign. */
export const OpenItem = Type.Object({
  id: id(),
  entry_id: id(),
  entry_number: integer(),
  ledger_id: id(),
  currency,
  amount: cents(),
  base_amount: cents(),
  ...tags,
  settles_line_id: nullable(id()),
  settled: cents(),
  settled_base: cents(),
})
export type OpenItem = Static<typeof OpenItem>

/** A line of the item's document that counts as the item is paid: what was taken out at first, and what is still out. */
export const Part = Type.Object({ item_line_id: id(), document_line_id: id(), ledger_id: id(), ...tags, deferred: cents(), remaining: cents() })
export type Part = Static<typeof Part>

/** What the cash basis adds to an entry, in base cents, debit positive; the lines of an entry sum to zero. */
export const CashLine = Type.Object({
  item_line_id: id(),
  document_line_id: nullable(id()),
  ledger_id: id(),
  currency,
  base_amount: cents(),
  ...tags,
})
export type CashLine = Static<typeof CashLine>
