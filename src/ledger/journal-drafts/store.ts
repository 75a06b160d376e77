// The SQL of drafts. They are written many at a time, as JSON, so that one and a thousand take the same path.
import { Type } from 'typebox'
import { deletion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { date, id, integer, nullable } from '../../foundation/shapes.ts'
import { EntryDraft } from './contract.ts'

export const insertDrafts = command(
  `insert into journal_drafts (${columns(EntryDraft)})
   select ${columns(EntryDraft)} from json_populate_recordset(null::journal_drafts, :drafts::json) where business_id = :business_id`)
export const updateDraft = updating(
  'journal_drafts', 'date', 'memo', 'status', 'currency', 'rate', 'is_adjusting', 'auto_reverse_on', 'prepared_by', 'total', 'lines',
)
export const deleteDraft = deletion('journal_drafts')
export const findDraft = selectionById('journal_drafts', EntryDraft)
export const lockDraft = selectionById('journal_drafts', EntryDraft, true)
export const draftsByIds = statement(EntryDraft, `select ${columns(EntryDraft)} from journal_drafts where business_id = :business_id and id = any(:ids)`)

/** The first few of a range of dates, and how many there are. */
export const draftsBetween = statement(
  Type.Object({ id: id(), date: date(), memo: nullable(Type.String()), count: integer() }),
  `select id, date, memo, count(*) over () as count from journal_drafts
   where business_id = :business_id and date between :start_date and :end_date order by date, id limit 5`)

export const linesThatExist = statement(Type.Object({ id: id() }), 'select id from journal_lines where business_id = :business_id and id = any(:ids)')
