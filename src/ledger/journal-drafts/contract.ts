// Entries that people write: what they hand in, what is kept until it is posted, and what an entry looks like in either state.
import { Type, type Static } from 'typebox'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { analysis, EntryHeader, JournalLine, rate } from '../journal/contract.ts'
import { currency } from '../ledgers/contract.ts'

export const MOST_LINES = 1000

const memo = nullable(text(1, 500))

/** One side of an amount, or the amount with its sign: exactly one of the three. */
export const amounts = {
  amount: optional(cents({ description: 'Integer cents in the currency of the line; debit positive.' })),
  debit: optional(cents({ minimum: 0 })),
  credit: optional(cents({ minimum: 0 })),
}

export const lineTags = {
  memo: optional(memo),
  customer_id: optional(analysis.customer_id),
  vendor_id: optional(analysis.vendor_id),
  project_id: optional(analysis.project_id),
  dimension_value_ids: optional(list(id(), { maxItems: 10, description: 'At most one value of each dimension.' })),
  tax_code_id: optional(nullable(id({ description: 'For tax reports only; no tax is worked out from it.' }))),
}

export const LineInput = shape('JournalLineInput', {
  ledger_id: id(),
  ...amounts,
  currency: optional({ ...currency, description: 'That of the entry unless given.' }),
  base_amount: optional(cents({ description: 'Integer cents in the base currency, debit positive; the amount at the rate unless given.' })),
  ...lineTags,
  settles_line_id: optional(nullable(id({ description: 'The line of a receivable or payable that this one settles.' }))),
})
export type LineInput = Static<typeof LineInput>

const fields = {
  date: date(),
  memo: optional(memo),
  currency: optional({ ...currency, description: 'The base currency unless given.' }),
  rate: optional(nullable(rate)),
  is_adjusting: optional(boolean({ default: false })),
  auto_reverse_on: optional(nullable(date({ description: 'After its date: the opposite entry is posted on this day, together with it.' }))),
  lines: list(LineInput, { minItems: 2, maxItems: MOST_LINES }),
}

export const EntryInput = shape('JournalEntryInput', fields)
export type EntryInput = Static<typeof EntryInput>

export const EntryUpdate = shape('JournalEntryUpdate', { ...fields, date: optional(fields.date), lines: optional(fields.lines) })
export type EntryUpdate = Static<typeof EntryUpdate>

const unvalued = 'null in a draft in another currency whose rate is not known.'

export const EntryLine = shape('JournalEntryLine', {
  ...JournalLine.properties,
  base_amount: nullable(cents({ description: `Integer cents in the base currency; debit positive; ${unvalued}` })),
  rate: nullable({ ...rate, description: `Units of the base currency for one unit, as decimal text; ${unvalued}` }),
})

/** An entry with its lines, posted or not. */
export const Entry = shape('JournalEntryWithLines', { ...EntryHeader.properties, lines: list(EntryLine) })
export type Entry = Static<typeof Entry>

export const DRAFT_STATUSES = ['draft', 'pending_approval'] as const

const {
  id: line_id, ledger_id, amount, memo: line_memo, customer_id, vendor_id, project_id, dimension_value_ids, tax_code_id, settles_line_id,
} = JournalLine.properties

/** A line as it is kept. `base_given` tells an amount that was written from one that was worked out, and is when it is posted. */
export const DraftLine = Type.Object({
  id: line_id, ledger_id, currency, amount, base_amount: nullable(cents()), base_given: boolean(), rate: nullable(rate), memo: line_memo,
  customer_id, vendor_id, project_id, dimension_value_ids, tax_code_id, settles_line_id,
})
export type DraftLine = Static<typeof DraftLine>

/** A row of the table. */
export const EntryDraft = Type.Object({
  id: id(),
  business_id: id(),
  date: date(),
  memo,
  status: oneOf(DRAFT_STATUSES),
  currency,
  rate: nullable(rate),
  is_adjusting: boolean(),
  auto_reverse_on: nullable(date()),
  template_id: nullable(id()),
  prepared_by: nullable(id()),
  total: cents(),
  lines: list(DraftLine),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1),
})
export type EntryDraft = Static<typeof EntryDraft>

/** A posted entry counts its changes from 1: a draft begins so far above that no ETag of the one is ever one of the other. */
export const FIRST_VERSION = 1_000_001
