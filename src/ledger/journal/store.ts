// The SQL of the journal. Nothing else writes these tables.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { EntryHeader, headerColumns, JournalLine, lineColumns } from './contract.ts'

constraintMeans('journal_entries_period', 'The date lies in a period that is closed or does not exist.')
constraintMeans('journal_lines_balance', 'The entry does not balance, or one of its ledgers takes no lines.')
constraintMeans('journal_entries_reversal', 'This entry is reversed already.')
constraintMeans('ledger_months_range', 'The posting would take the balance of a ledger out of the range of 90,071,992,547,409.91 in either direction.')

/**
 * Entries with all their lines, the balances that follow (in the order of their keys), and the new head of the journal: one statement.
 * The journal is locked before it is sent.
 */
export const insertEntries = command(
  `with entry as (
     insert into journal_entries (business_id, id, number, date, recorded_at, memo, source_type, source_id, currency, rate, is_adjusting, auto_reverse_on,
       reversal_of_id, mirror_of_id, template_id, prepared_by, approved_by, line_count, total, previous_hash, hash, reversed_by_id, superseded, updated_at, version)
     select :business_id, id, number, date, :recorded_at::timestamptz, memo, source_type, source_id, currency, rate, is_adjusting, auto_reverse_on,
       reversal_of_id, mirror_of_id, template_id, prepared_by, approved_by, line_count, total, decode(previous_hash, 'hex'), decode(hash, 'hex'), null, superseded,
       :recorded_at, 1
     from json_to_recordset(:entries::json) as e (id uuid, number bigint, date date, memo text, source_type text, source_id uuid, currency text,
       rate numeric, is_adjusting boolean, auto_reverse_on date, reversal_of_id uuid, mirror_of_id uuid, template_id uuid, prepared_by uuid, approved_by uuid,
       line_count int, total bigint, previous_hash text, hash text, superseded boolean)
   ), line as (
     insert into journal_lines (business_id, id, entry_id, entry_number, position, date, ledger_id, currency, amount, base_amount, rate, memo, customer_id,
       vendor_id, project_id, dimension_value_ids, tax_code_id, settles_line_id, is_adjusting)
     select :business_id, id, entry_id, entry_number, position, date, ledger_id, currency, amount, base_amount, rate, memo, customer_id,
       vendor_id, project_id, dimension_value_ids, tax_code_id, settles_line_id, is_adjusting
     from json_to_recordset(:lines::json) as l (id uuid, entry_id uuid, entry_number bigint, position int, date date, ledger_id uuid, currency text,
       amount bigint, base_amount bigint, rate numeric, memo text, customer_id uuid, vendor_id uuid, project_id uuid, dimension_value_ids uuid[],
       tax_code_id uuid, settles_line_id uuid, is_adjusting boolean)
     returning ledger_id, currency, date, amount, base_amount
   ), months as (
     insert into ledger_months as m (business_id, ledger_id, currency, month, amount, debit, credit, cash_debit, cash_credit)
     select :business_id, ledger_id, currency, date_trunc('month', date)::date, sum(amount), sum(greatest(base_amount, 0)), sum(greatest(-base_amount, 0)), 0, 0
     from line group by 2, 3, 4 order by 2, 3, 4
     on conflict (business_id, ledger_id, currency, month) do update
       set amount = m.amount + excluded.amount, debit = m.debit + excluded.debit, credit = m.credit + excluded.credit
   ), days as (
     insert into ledger_days as d (business_id, date, ledger_id, currency, amount, debit, credit, cash_debit, cash_credit)
     select :business_id, date, ledger_id, currency, sum(amount), sum(greatest(base_amount, 0)), sum(greatest(-base_amount, 0)), 0, 0
     from line group by 2, 3, 4 order by 2, 3, 4
     on conflict (business_id, date, ledger_id, currency) do update
       set amount = d.amount + excluded.amount, debit = d.debit + excluded.debit, credit = d.credit + excluded.credit
   )
   update journal_heads set number = :number, hash = decode(:hash, 'hex'), recorded_at = :recorded_at where business_id = :business_id`)

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

/** Who settles the items of an entry: it cannot be reversed before them. */
export const settlersOf = statement(
  Type.Object({ position: Type.Integer(), number: Type.Integer() }),
  `select i.position, max(s.entry_number) as number
   from journal_lines i join journal_lines s on s.business_id = i.business_id and s.settles_line_id = i.id
   where i.business_id = :business_id and i.entry_number = :entry_number and s.entry_number <> all(:apart_from)
   group by i.id, i.position having sum(s.amount) <> 0 limit 1`)
