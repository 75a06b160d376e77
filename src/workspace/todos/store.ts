// The SQL of todos. Rows are written many at a time, as JSON, so that one todo and two hundred take the same path.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, selectionById } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { Todo, TodoSummary } from './contract.ts'

const rows = 'jsonb_populate_recordset(null::todos, :rows::jsonb)'
const open = `status in ('open', 'in_progress')`

/** The ids of those that were written: an occurrence that exists already is passed over. */
export const insertTodos = statement(
  Type.Object({ id: id() }),
  `insert into todos (${columns(Todo)}) select ${columns(Todo)} from ${rows} where business_id = :business_id
   on conflict on constraint todos_occurrence do nothing returning id`,
)

const changing = [
  'title', 'description', 'due_date', 'priority', 'assignee_id', 'resource_type', 'resource_id', 'checklist', 'tags', 'recurrence',
  'series_id', 'series_start', 'occurrence', 'status', 'completed_at', 'completed_by', 'updated_at', 'version',
]
export const updateTodos = command(
  `update todos t set ${changing.map((name) => `${name} = r.${name}`).join(', ')} from ${rows} r where t.business_id = :business_id and t.id = r.id`,
)
export const deleteTodo = deletion('todos')
export const findTodo = selectionById('todos', Todo)
export const lockTodo = selectionById('todos', Todo, true)
/** In the order of ids, so that two bulk calls never wait for each other. */
export const lockTodos = statement(Todo, `select ${columns(Todo)} from todos where business_id = :business_id and id = any(:ids) order by id for update`)

export const todos = list({
  item: Todo,
  from: 'todos t',
  where: 't.business_id = :business_id',
  sorts: {
    due_date: { column: 't.due_date', type: 'date', nullable: true },
    priority: { column: 't.priority_rank', type: 'integer' },
    created_at: { column: 't.created_at', type: 'timestamptz' },
  },
  filters: {
    status: 't.status = any(:status)',
    assignee_id: 't.assignee_id = :assignee_id::uuid',
    due_before: 't.due_date < :due_before',
    due_after: 't.due_date > :due_after',
    // The date of the business is worked out here: as a parameter it would change under a cursor at midnight.
    overdue: `t.${open} and t.due_date < (select (:now::timestamptz at time zone timezone)::date from businesses where id = :business_id)`,
    priority: 't.priority = any(:priority)',
    tag: ':tag = any(t.tags)',
    source: 't.source = :source',
    resource_type: 't.resource_type = :resource_type',
    resource_id: 't.resource_id = :resource_id',
  },
})

export const summary = statement(
  TodoSummary,
  `select t.assignee_id, u.name as assignee_name, count(*) as open, count(*) filter (where t.due_date < :today) as overdue,
     count(*) filter (where t.due_date between :monday and :sunday) as due_this_week
   from todos t left join users u on u.id = t.assignee_id
   where t.business_id = :business_id and t.${open} group by t.assignee_id, u.name order by u.name nulls last, t.assignee_id`,
)

/** Which of them are active. Held until the commit: whoever removes a member waits, so that no todo slips in behind their leaving. */
export const holdMembers = statement(
  Type.Object({ user_id: id() }),
  `select user_id from memberships where business_id = :business_id and user_id = any(:user_ids) and status = 'active' order by user_id for share`,
)

/** Someone who is back in the meantime keeps their todos. */
export const unassignMember = statement(
  Todo,
  `update todos set assignee_id = null, updated_at = :now, version = version + 1
   where business_id = :business_id and assignee_id = :user_id and ${open}
     and not exists (select from memberships where business_id = :business_id and user_id = :user_id and status = 'active')
   returning ${columns(Todo)}`,
)

/** Those whose due date has passed since the last look, at most 1,000 at a time. */
export const markOverdue = statement(
  Todo,
  `update todos set overdue_on = due_date
   where business_id = :business_id and id in (
     select id from todos where business_id = :business_id and ${open} and due_date < :today and overdue_on is distinct from due_date
     order by due_date limit 1000 for update)
   returning ${columns(Todo)}`,
)

export const businessesWithOverdue = statement(
  Type.Object({ business_id: id() }),
  'select businesses_with_overdue_todos(:now) as business_id',
)
