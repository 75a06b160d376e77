// The journal: entries and their lines, as they are shown.
import { Type, type Static } from 'typebox'
import { columns } from '../../foundation/database/statement.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, shape, text, timestamp } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'

/** Whose entries a person writes and corrects in the journal itself; those of documents are corrected through the document. */
export const OWN_SOURCES = ['manual', 'opening', 'fx_revaluation', 'reclassification'] as const

export const ENTRY_STATUSES = ['draft', 'pending_approval', 'posted', 'reversed'] as const

/** The tags of a line by which statements can be split. */
export const analysis = {
  customer_id: nullable(id()),
  vendor_id: nullable(id()),
  project_id: nullable(id()),
  dimension_value_ids: list(id(), { description: 'At most one value of each dimension.' }),
}

export const rate = Type.String({ pattern: '^[0-9]{1,12}(\\.[0-9]{1,10})?$', description: 'Units of the base currency for one unit, as decimal text.' })

export const JournalLine = shape('JournalLine', {
  id: id(),
  entry_id: id(),
  position: integer(1, 1000),
  ledger_id: id(),
  currency,
  amount: cents({ description: 'Integer cents in the currency of the line; debit positive.' }),
  debit: cents(),
  credit: cents(),
  base_amount: cents({ description: 'Integer cents in the base currency; debit positive.' }),
  rate,
  memo: nullable(text(1, 500)),
  ...analysis,
  tax_code_id: nullable(id()),
  settles_line_id: nullable(id({ description: 'The line of a receivable or payable that this one settles.' })),
})
export type JournalLine = Static<typeof JournalLine>

/** An entry without its lines. */
export const EntryHeader = shape('JournalEntryHeader', {
  id: id(),
  business_id: id(),
  number: nullable(integer(1, undefined, { description: 'Given when it is posted, without a gap.' })),
  date: date(),
  memo: nullable(text(1, 500)),
  status: oneOf(ENTRY_STATUSES),
  source_type: text(1, 40, { description: 'manual, opening, or the kind of document it comes from.' }),
  source_id: nullable(id()),
  currency,
  rate: nullable(rate),
  is_adjusting: boolean(),
  auto_reverse_on: nullable(date({ description: 'Its mirror is posted on this date, together with it.' })),
  reversal_of_id: nullable(id()),
  reversed_by_id: nullable(id()),
  mirror_of_id: nullable(id({ description: 'The entry whose opposite this is by plan, not by correction.' })),
  superseded: boolean({ description: 'Replaced by an entry of another date, or the reversal that belongs to it.' }),
  template_id: nullable(id()),
  prepared_by: nullable(id()),
  approved_by: nullable(id()),
  posted_at: nullable(timestamp()),
  total: cents({ description: 'The sum of its debits in the base currency.' }),
  previous_hash: nullable(Type.String()),
  hash: nullable(Type.String({ description: 'SHA-256 over the entry and the hash before it.' })),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1),
})
export type EntryHeader = Static<typeof EntryHeader>

export const JournalEntry = shape('JournalEntry', { ...EntryHeader.properties, lines: list(JournalLine) })
export type JournalEntry = Static<typeof JournalEntry>

/** A posted entry always has these. */
export type PostedEntry = JournalEntry & { number: number; rate: string; posted_at: string; hash: string; previous_hash: string }

export const entryResource = resource({
  type: 'journal_entry',
  group: 'journal-entries',
  shape: EntryHeader,
  table: 'journal_entries',
  label: 'memo',
  events: [
    'journal_entry.posted', 'journal_entry.reversed', 'journal_entry.redated', 'journal_entry.created', 'journal_entry.updated', 'journal_entry.submitted',
    'journal_entry.rejected', 'journal_entry.deleted', 'journal_entry.imported',
  ],
})

/** How a row of the table, called `t`, reads as a header. */
export const headerColumns = `t.id, t.business_id, t.number, t.date, t.memo, t.status, t.source_type, t.source_id, t.currency, t.rate, t.is_adjusting,
  t.auto_reverse_on, t.reversal_of_id, t.reversed_by_id, t.mirror_of_id, t.superseded, t.template_id, t.prepared_by, t.approved_by, t.recorded_at as posted_at,
  t.total, encode(t.previous_hash, 'hex') as previous_hash, encode(t.hash, 'hex') as hash, t.recorded_at as created_at, t.updated_at, t.version`

/** How a row of the table, called `l`, reads as a line. */
export const lineColumns = columns(JournalLine, 'l').replace('l.debit, l.credit', 'greatest(l.amount, 0) as debit, greatest(-l.amount, 0) as credit')
