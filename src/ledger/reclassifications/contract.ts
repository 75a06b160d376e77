// Reclassification: moving posted amounts to another value of a dimension by an entry of its own; no line is changed.
import type { Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, optional, shape, text } from '../../foundation/shapes.ts'
import { JournalEntry } from '../journal/contract.ts'
import { currency } from '../ledgers/contract.ts'

export const MOST_LINES = 10_000
export const MOST_ENTRY_LINES = 1000

const ReclassificationFilter = shape('ReclassificationFilter', {
  ledger_ids: optional(list(id(), { minItems: 1, maxItems: 1000 })),
  from_value_id: optional(nullable(id({ description: 'Lines that carry this value of the dimension; null: lines that carry none.' }))),
  start_date: optional(date()),
  end_date: optional(date()),
  customer_id: optional(id()),
  vendor_id: optional(id()),
  project_id: optional(id()),
})

export const ReclassificationInput = shape('ReclassificationInput', {
  filter: ReclassificationFilter,
  dimension_id: id(),
  to_value_id: id(),
  date: date({ description: 'Of the entry that moves the amounts.' }),
  memo: optional(nullable(text(1, 500))),
  preview: optional(boolean({ default: false, description: 'Only say what would be moved.' })),
})
export type ReclassificationInput = Static<typeof ReclassificationInput>

export const Move = shape('ReclassificationMove', {
  ledger_id: id(),
  currency,
  from_value_id: nullable(id()),
  line_count: integer(1),
  amount: cents({ description: 'What is moved, in the currency; debit positive.' }),
  base_amount: cents({ description: 'The same in the base currency.' }),
})
export type Move = Static<typeof Move>

export const Reclassification = shape('Reclassification', {
  line_count: integer(0, MOST_LINES, { description: 'How many lines the filter finds that are still to be moved.' }),
  moves: list(Move),
  entry: nullable(JournalEntry),
})
export type Reclassification = Static<typeof Reclassification>

const endpoint = endpointsOf('accounting-dimensions', 'business')

export const reclassify = endpoint({
  id: 'reclassify_dimension', method: 'POST', path: '/reclassify', summary: 'Move posted amounts to another value of a dimension',
  description:
    'Posts one entry that takes the amounts out under the values they have and puts them in again under the new one, zero in sum for each ledger; '
    + 'other tags stay. Lines that were moved before do not move again until that entry is reversed. Left out are bank and cash ledgers and those that '
    + `documents of other groups make up, such as receivables. At most ${MOST_LINES.toLocaleString('en')} lines a call.`,
  body: ReclassificationInput,
  reply: Reclassification,
  refusals: [
    'No line is found that could be moved.', 'More lines are found than one call can move, or than one entry can take.',
    'The value is archived, or not valid on the date.', 'A rule forbids the dimension on one of the ledgers.',
    'The filter names a bank, cash or control ledger.', 'The date is in a closed period.',
  ],
})
