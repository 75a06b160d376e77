// The SQL of the journal. Nothing else writes these tables.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, integer, timestamp } from '../../foundation/shapes.ts'
import { EntryHeader, headerColumns, JournalLine, lineColumns } from './contract.ts'

constraintMeans('journal_entries_period', 'The date lies in a period that is closed or does not exist.')
constraintMeans('journal_lines_balance', 'The entry does not balance, or one of its ledgers takes no lines.')
constraintMeans('journal_entries_reversal', 'This entry is reversed already.')
constraintMeans('journal_lines_tax_code', 'The tax code stands on posted lines, or is gone since it was looked up: archive it, or choose another.')
constraintMeans('ledger_months_range', 'The posting would take the balance of a ledger out of the range of 90,071,992,547,409.91 in either direction.')

/** Entries with all their lines, the balances that follow, and the new head of the journal. */
export const postEntries = statement(
  Type.Object({ id: id(), number: integer(), recorded_at: timestamp(), previous_hash: Type.String(), hash: Type.String() }),
  `select id, number, recorded_at, previous_hash, hash
   from post_entries(:business_id, :stamp::uuid, :now::timestamptz, :entries::json, :lines::json, :sealed::text[])`)

/** Which lines carry a value of a dimension, and the balances by customer, vendor, project and value. */
export const insertLineDimensions = command(
  `insert into journal_line_dimensions (business_id, value_id, date, line_id)
   select :business_id, value_id, date, line_id from json_to_recordset(:rows::json) as r (value_id uuid, date date, line_id uuid)`)

export const addToAnalysis = command(
  `insert into analysis_months as a (business_id, axis, value_id, ledger_id, month, debit, credit, cash_debit, cash_credit)
   select :business_id, axis, value_id, ledger_id, month, sum(debit), sum(credit), sum(cash_debit), sum(cash_credit)
   from json_to_recordset(:rows::json) as r (axis text, value_id uuid, ledger_id uuid, month date, debit bigint, credit bigint, cash_debit bigint, cash_credit bigint)
   group by 2, 3, 4, 5 order by 2, 3, 4, 5
   on conflict (business_id, axis, value_id, ledger_id, month) do update
     set debit = a.debit + excluded.debit, credit = a.credit + excluded.credit,
       cash_debit = a.cash_debit + excluded.cash_debit, cash_credit = a.cash_credit + excluded.cash_credit`)

/** The remarks beside the facts: reversed, replaced. */
export const markReversed = command(
  `update journal_entries set reversed_by_id = :reversed_by_id, superseded = :superseded, updated_at = :now, version = version + 1
   where business_id = :business_id and id = :id`)

export const changeMemo = command(
  `update journal_entries set memo = :memo, updated_at = :now, version = version + 1 where business_id = :business_id and id = :id`)

const from_entries = `select ${headerColumns} from journal_entries t where t.business_id = :business_id`

export const findEntry = statement(EntryHeader, `${from_entries} and t.id = :id`)
export const entriesByIds = statement(EntryHeader, `${from_entries} and t.id = any(:ids) order by t.number`)
export const mirrorOf = statement(EntryHeader, `${from_entries} and t.mirror_of_id = :id`)
export const entriesOfSource = statement(EntryHeader, `${from_entries} and t.source_type = :source_type and t.source_id = :source_id order by t.number`)

export const linesOfEntries = statement(
  Type.Object({ ...JournalLine.properties, entry_number: Type.Integer() }),
  `select ${lineColumns}, l.entry_number from journal_lines l where l.business_id = :business_id and l.entry_number = any(:numbers) order by l.entry_number, l.position`)

/** Who settles the items of some entries, apart from these themselves: they cannot be reversed before it. */
export const settlersOf = statement(
  Type.Object({ entry_number: Type.Integer(), position: Type.Integer(), settled_by: Type.Integer() }),
  `select i.entry_number, i.position, max(s.entry_number) as settled_by
   from journal_lines i join journal_lines s on s.business_id = i.business_id and s.settles_line_id = i.id
   where i.business_id = :business_id and i.entry_number = any(:numbers) and s.entry_number <> all(:numbers)
   group by i.id, i.entry_number, i.position having sum(s.amount) <> 0 order by i.entry_number, i.position limit 1`)

/** The entries that settle items of one and that nothing has reversed. */
export const settlingEntries = statement(EntryHeader, `${from_entries} and t.status = 'posted' and t.reversal_of_id is null and t.number in (
    select s.entry_number from journal_lines i join journal_lines s on s.business_id = i.business_id and s.settles_line_id = i.id
    where i.business_id = :business_id and i.entry_number = :number and s.entry_number <> :number) order by t.number`)
