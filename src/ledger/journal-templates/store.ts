// The SQL of templates and of what they were run for.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { cents, date, id, nullable } from '../../foundation/shapes.ts'
import { Template } from './contract.ts'

export const insertTemplate = command(
  `insert into journal_templates (${columns(Template)})
   select ${columns(Template)} from json_populate_record(null::journal_templates, :template::json) where business_id = :business_id`)
export const updateTemplate = updating(
  'journal_templates', 'name', 'memo', 'currency', 'is_adjusting', 'frequency', 'start_date', 'end_date', 'day_of_month', 'max_occurrences', 'auto_post',
  'lines', 'occurrences', 'last_date', 'next_date')
/** What it was run for goes with it. */
export const deleteTemplate = deletion('journal_templates')
export const findTemplate = selectionById('journal_templates', Template)
export const lockTemplate = selectionById('journal_templates', Template, true)

export const templates = list({
  item: Template,
  from: 'journal_templates t',
  where: 't.business_id = :business_id',
  sorts: {
    name: { column: 't.name_key', type: 'text' },
    next_date: { column: 't.next_date', type: 'date', nullable: true },
    created_at: { column: 't.created_at', type: 'timestamptz' },
  },
})

/** Nothing comes back where it was run for this date before. */
export const claimRun = statement(
  Type.Object({ date: date() }),
  `insert into journal_template_runs (business_id, template_id, date, entry_id, created_at) values (:business_id, :template_id, :date, null, :now)
   on conflict (business_id, template_id, date) do nothing returning date`)
export const nameEntryOfRun = command(
  'update journal_template_runs set entry_id = :entry_id where business_id = :business_id and template_id = :template_id and date = :date')
export const findRun = statement(
  Type.Object({ entry_id: nullable(id()) }),
  'select entry_id from journal_template_runs where business_id = :business_id and template_id = :template_id and date = :date')

export const movements = statement(
  Type.Object({ ledger_id: id(), movement: cents() }),
  `select ledger_id, sum(debit - credit)::bigint as movement from ledger_months
   where business_id = :business_id and ledger_id = any(:ledger_ids) and month = :month group by ledger_id`)

/** Across businesses. */
export const dueTemplates = statement(
  Type.Object({ business_id: id(), template_id: id() }),
  'select due.business_id, due.template_id from journal_templates_due(:now) as due')
