// The SQL of document requests, their recipients, items and files.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { changing, deletion, insertions, rowsGiven, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id, integer } from '../../foundation/shapes.ts'
import { Loaded, RecipientRow, RequestRow } from './contract.ts'

constraintMeans('document_request_files_once', 'This document belongs to this item already.')

const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const files = `(select coalesce(jsonb_agg(jsonb_build_object(
    'id', f.id, 'document_id', f.document_id, 'name', d.name, 'content_type', d.content_type, 'size', d.size,
    'recipient_id', f.recipient_id, 'submitted_at', ${moment('f.submitted_at')}, 'rejected_at', ${moment('f.rejected_at')},
    'created_at', ${moment('f.created_at')})
    order by f.created_at, f.id), '[]')
  from document_request_files f join documents d on d.business_id = f.business_id and d.id = f.document_id
  where f.business_id = i.business_id and f.item_id = i.id)`

const items = `(select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'label', i.label, 'kind', i.kind, 'required', i.required, 'period', i.period, 'note', i.note,
    'status', i.status, 'reason', i.reason, 'decided_at', ${moment('i.decided_at')}, 'decided_by', i.decided_by,
    'files', ${files}) order by i.position, i.id), '[]')
  from document_request_items i where i.business_id = t.business_id and i.request_id = t.id) as items`

const recipients = `(select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'email', p.email, 'user_id', p.user_id,
    'viewed_at', ${moment('p.viewed_at')}, 'submitted_at', ${moment('p.submitted_at')}, 'link_id', p.link_id) order by p.position, p.id), '[]')
  from document_request_recipients p where p.business_id = t.business_id and p.request_id = t.id) as recipients`

const select = `${columns(RequestRow, 't')}, ${recipients}, ${items}`

export const findRequest = statement(Loaded, `select ${select} from document_requests t where t.business_id = :business_id and t.id = :id`)
export const findRequests = statement(Loaded, `select ${select} from document_requests t where t.business_id = :business_id and t.id = any(:ids) order by t.id`)

/** Locked before it is read: what belongs to it is looked up by the statement that follows, after whoever was before has ended. */
export const holdRequest = command('select from document_requests where business_id = :business_id and id = :id for update')

export const requestOfLink = statement(
  Type.Object({ request_id: id() }), 'select request_id from document_request_recipients where business_id = :business_id and link_id = :link_id')

const waiting = `t.status in ('sent', 'partially_received')`
// The date of the business is worked out here: as a parameter it would change under a cursor at midnight.
const overdue = `${waiting} and t.due_date < (select (:now::timestamptz at time zone timezone)::date from businesses where id = :business_id)`

export const requests = list({
  item: Loaded,
  select,
  from: 'document_requests t',
  where: 't.business_id = :business_id',
  sorts: { due_date: { column: 't.due_date', type: 'date', nullable: true }, created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: {
    status: 't.status = any(:status)',
    overdue,
    recipient: 't.id in (select p.request_id from document_request_recipients p where p.business_id = :business_id and p.email = :recipient)',
    due_before: 't.due_date < :due_before',
    resource_type: 't.resource_type = :resource_type',
    resource_id: 't.resource_id = :resource_id',
    template_id: 't.template_id = :template_id',
  },
})

const open = `t.status in ('sent', 'partially_received', 'received')`

export const summary = statement(
  Type.Object({ open: integer(), overdue: integer(), waiting_for_review: integer() }),
  `select count(*) as open, count(*) filter (where ${waiting} and t.due_date < :today) as overdue,
     coalesce(sum((select count(*) from document_request_items i
       where i.business_id = :business_id and i.request_id = t.id and i.status = 'received')), 0)::bigint as waiting_for_review
   from document_requests t where t.business_id = :business_id and ${open}`)

export const byRecipient = statement(
  Type.Object({ email: Type.String(), name: Type.String(), open: integer(), overdue: integer() }),
  `select p.email, min(p.name) as name, count(*) as open, count(*) filter (where ${waiting} and t.due_date < :today) as overdue
   from document_requests t join document_request_recipients p on p.business_id = t.business_id and p.request_id = t.id
   where t.business_id = :business_id and ${open} group by p.email order by overdue desc, open desc, p.email limit 100`)

export const insertRequests = insertions('document_requests', RequestRow)
/** The ids of those that were written: an occurrence that exists already is passed over. */
export const insertOccurrences = statement(
  Type.Object({ id: id() }),
  `insert into document_requests (${columns(RequestRow)}) select ${columns(RequestRow)} from ${rowsGiven('document_requests')} where business_id = :business_id
   on conflict on constraint document_requests_occurrence do nothing returning id`)
export const updateRequest = updating('document_requests', ...changing(RequestRow, 'created_by', 'updated_at', 'version'))
export const deleteRequest = deletion('document_requests')

/** Rows that are new or were changed; which request they belong to never changes. */
function saving(table: string, names: readonly string[]) {
  const all = ['id', ...names]
  return command(
    `insert into ${table} (business_id, ${all.join(', ')}) select :business_id, ${all.map((name) => `r.${name}`).join(', ')} from ${rowsGiven(table)}
     on conflict (business_id, id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`)
}

const removing = (table: string) => command(`delete from ${table} where business_id = :business_id and id = any(:ids)`)

const ofRecipient = Object.keys(RecipientRow.properties).filter((name) => name !== 'id')
export const saveRecipients = saving('document_request_recipients', ['request_id', 'position', ...ofRecipient])
export const removeRecipients = removing('document_request_recipients')
export const saveItems = saving('document_request_items', [
  'request_id', 'position', 'label', 'kind', 'required', 'period', 'note', 'status', 'reason', 'decided_at', 'decided_by',
])
export const removeItems = removing('document_request_items')
export const saveFiles = saving('document_request_files', ['item_id', 'document_id', 'recipient_id', 'submitted_at', 'rejected_at', 'created_at'])
export const removeFiles = removing('document_request_files')

/** Which of them are active members. Held until the commit. */
export const holdMembers = statement(
  Type.Object({ user_id: id() }),
  `select user_id from memberships where business_id = :business_id and user_id = any(:user_ids) and status = 'active' order by user_id for share`)

const due = (condition: string) => statement(
  Type.Object({ id: id() }),
  `select id from document_requests t where business_id = :business_id and ${condition} limit 100 for update skip locked`)
export const dueReminders = due(`${waiting} and t.next_reminder_on <= :today`)
export const dueOccurrences = due('t.next_on <= :today')

/** Those whose due date has passed since the last look, at most 100 at a time. */
export const markOverdue = statement(
  Type.Object({ id: id() }),
  `update document_requests set overdue_on = due_date where business_id = :business_id and id in (
     select t.id from document_requests t
     where t.business_id = :business_id and ${waiting} and t.due_date < :today and t.overdue_on is distinct from t.due_date
     order by t.due_date limit 100 for update skip locked) returning id`)

export const businessesWithDue = statement(Type.Object({ business_id: id() }), 'select businesses_with_due_document_requests(:now) as business_id')
