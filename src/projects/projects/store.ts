// The SQL of projects.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { boolean, cents, date, id, integer } from '../../foundation/shapes.ts'
import { ProjectRow } from './contract.ts'

constraintMeans('projects_code', 'Another project has this code: choose another one.')
constraintMeans('projects_of_customer', 'This customer is gone: choose another one.')

export const insertProject = insertion('projects', ProjectRow)
export const updateProject = updating(
  'projects', 'name', 'code', 'customer_id', 'contract_id', 'billing_method', 'start_date', 'end_date', 'manager_id', 'budget', 'default_rate', 'percent_complete',
  'parent_id', 'status')
export const deleteProject = deletion('projects')
export const findProject = selectionById('projects', ProjectRow)
export const lockProject = selectionById('projects', ProjectRow, true)
export const projectsByIds = statement(ProjectRow, `select ${columns(ProjectRow)} from projects where business_id = :business_id and id = any(:ids)`)

export const projects = list({
  item: ProjectRow,
  from: 'projects t',
  where: 't.business_id = :business_id',
  sorts: {
    name: { column: 't.name_key', type: 'text' },
    code: { column: 't.code_key', type: 'text' },
    created_at: { column: 't.created_at', type: 'timestamptz' },
    end_date: { column: 't.end_date', type: 'date', nullable: true },
  },
  filters: {
    status: 't.status = any(:status::text[])',
    customer_id: 't.customer_id = :customer_id',
    contract_id: 't.contract_id = :contract_id',
    manager_id: 't.manager_id = :manager_id',
    parent_id: 't.parent_id = :parent_id',
    code: 't.code_key = lower(trim(:code))',
    search: 't.id in (select search_projects(:business_id, :search))',
    tag_id: `t.id in (select a.resource_id from tag_assignments a where a.business_id = :business_id and a.tag_id = :tag_id and a.resource_type = 'project')`,
    updated_since: 't.updated_at >= :updated_since',
  },
})

/** Of the months, never of lines. */
export const figuresOf = statement(
  Type.Object({ id: id(), income: cents(), cost: cents() }),
  `select a.value_id as id, coalesce(sum(a.credit - a.debit) filter (where l.type = 'income'), 0)::bigint as income,
     coalesce(sum(a.debit - a.credit) filter (where l.type = 'expense'), 0)::bigint as cost
   from analysis_months a join ledgers l on l.business_id = a.business_id and l.id = a.ledger_id
   where a.business_id = :business_id and a.axis = 'project' and a.value_id = any(:ids) group by a.value_id`)

export const movedByMonth = statement(
  Type.Object({ ledger_id: id(), month: date(), amount: cents() }),
  `select ledger_id, month, debit - credit + case when :cash then cash_debit - cash_credit else 0 end as amount from analysis_months
   where business_id = :business_id and axis = 'project' and value_id = :id
     and (:from_month::date is null or month >= :from_month) and (:to_month::date is null or month <= :to_month)
   order by month, ledger_id`)

/** Whether a line of the journal carries it. */
export const isPosted = statement(
  Type.Object({ posted: boolean() }),
  'select exists (select from journal_lines where business_id = :business_id and project_id = :id) as posted')

/** The projects from this one up, it itself first. */
export const lineage = statement(
  Type.Object({ id: id() }),
  `with recursive up as (
     select id, parent_id, 1 as level from projects where business_id = :business_id and id = :id
     union all
     select p.id, p.parent_id, up.level + 1 from up join projects p on p.business_id = :business_id and p.id = up.parent_id where up.level < 20)
   select id from up order by level`)

/** How many levels it and what lies below it have. */
export const heightOf = statement(
  Type.Object({ height: integer() }),
  `with recursive down as (
     select cast(:id as uuid) as id, 1 as level
     union all
     select p.id, down.level + 1 from down join projects p on p.business_id = :business_id and p.parent_id = down.id where down.level < 20)
   select max(level) as height from down`)

export const isMember = statement(
  Type.Object({ user_id: id() }),
  `select user_id from memberships where business_id = :business_id and user_id = :user_id and status = 'active'`)

export const contractOf = statement(
  Type.Object({ id: id(), number: Type.String(), customer_id: id() }),
  'select id, number, customer_id from contracts where business_id = :business_id and id = :id for key share')
