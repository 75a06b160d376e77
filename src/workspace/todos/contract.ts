// Todos: tasks of the business, alone or on a record.
import { Type, type Static } from 'typebox'
import { atomic, BulkResult } from '../../foundation/bulk.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'

const status = oneOf(['open', 'in_progress', 'done', 'canceled'])
const priority = oneOf(['low', 'normal', 'high', 'urgent'])
const source = oneOf(['manual', 'close', 'anomaly', 'request', 'intent', 'template'], { description: 'Which part of the service made it.' })

const item = { label: text(1, 300), done: boolean() }
export const ChecklistItem = shape('ChecklistItem', { id: id(), ...item })
export const ChecklistItemInput = shape('ChecklistItemInput', {
  ...item,
  done: optional(boolean()),
  id: optional(id({ description: 'Of an item to keep; an item without one is new.' })),
})
export const ChecklistItemUpdate = shape('ChecklistItemUpdate', { done: boolean() })

const fields = {
  title: text(1, 300, { pattern: '\\S' }),
  description: nullable(text(1, 20_000)),
  due_date: nullable(date()),
  priority,
  assignee_id: nullable(id({ description: 'An active member of the business.' })),
  resource_type: nullable(text(1, 50, { description: 'With resource_id: the record it is about.' })),
  resource_id: nullable(id()),
  checklist: list(ChecklistItemInput, { maxItems: 100 }),
  tags: list(text(1, 50), { maxItems: 20, description: 'Free labels.' }),
  recurrence: nullable(Type.Object({
    frequency: oneOf(['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually']),
    end_date: optional(nullable(date({ description: 'The last day on which one may be due.' }))),
  }, { description: 'Completing it makes the next one.' })),
}

export const Todo = shape('Todo', {
  ...record,
  ...fields,
  checklist: list(ChecklistItem),
  status,
  source,
  completed_at: nullable(timestamp()),
  completed_by: nullable(id()),
  series_id: nullable(id({ description: 'Shared by the todos that follow each other by recurrence.' })),
  series_start: nullable(date({ description: 'The first due date of the series, from which all others are counted.' })),
  occurrence: nullable(integer(0, undefined, { description: 'Its place in the series, from 0.' })),
})
export const TodoInput = shape('TodoInput', { ...partial('TodoFields', fields).properties, title: fields.title })
export const TodoUpdate = partial('TodoUpdate', fields)

export const TodoSummary = shape('TodoSummary', {
  assignee_id: nullable(id({ description: 'Null: those that nobody has.' })),
  assignee_name: nullable(text(1, 200)),
  open: integer(0, undefined, { description: 'Neither done nor canceled.' }),
  overdue: integer(0),
  due_this_week: integer(0, undefined, { description: 'Due from Monday to Sunday of this week.' }),
})

export const TodoBulk = shape('TodoBulk', {
  ids: list(id(), { minItems: 1, maxItems: 200 }),
  action: oneOf(['complete', 'assign', 'due', 'cancel']),
  assignee_id: optional(nullable(id({ description: 'For assign; null unassigns.' }))),
  due_date: optional(nullable(date({ description: 'For due; null clears it.' }))),
  force: optional(boolean({ description: 'For complete: also with open checklist items.' })),
  reason: optional(text(1, 500, { description: 'For cancel.' })),
  atomic,
})

export type Todo = Static<typeof Todo>
export type ChecklistItemInput = Static<typeof ChecklistItemInput>
export type TodoInput = Static<typeof TodoInput>
export type TodoUpdate = Static<typeof TodoUpdate>
export type TodoBulk = Static<typeof TodoBulk>

export const todoResource = resource({
  type: 'todo', group: 'todos', shape: Todo, table: 'todos', label: 'title',
  events: [
    'todo.created', 'todo.updated', 'todo.assigned', 'todo.unassigned', 'todo.started', 'todo.completed', 'todo.reopened', 'todo.canceled',
    'todo.overdue', 'todo.deleted',
  ],
})

const endpoint = endpointsOf('todos', 'business')
const params = shape('TodoParams', { todo_id: id() })

export const listTodos = endpoint({
  id: 'list_todos', method: 'GET', path: '', summary: 'List todos',
  query: listQuery(['due_date', 'priority', 'created_at'], {
    status: optional(list(status)),
    assignee_id: optional(text(2, 36, { pattern: '^(me|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$', description: 'A member, or `me`.' })),
    due_before: optional(date({ description: 'Due earlier than this day.' })),
    due_after: optional(date({ description: 'Due later than this day.' })),
    overdue: optional(boolean({ description: 'Only those that are open past their due date.' })),
    priority: optional(list(priority)),
    tag: optional(text(1, 50)),
    source: optional(source),
    resource_type: optional(text(1, 50)),
    resource_id: optional(id()),
  }),
  reply: pageOf(Todo),
})

export const createTodo = endpoint({
  id: 'create_todo', method: 'POST', path: '', summary: 'Create a todo',
  body: TodoInput,
  reply: Todo,
  refusals: [
    'The assignee is not an active member.',
    'Only one of resource_type and resource_id is given.',
    'It recurs without a due date, or ends before it is due.',
  ],
  example: {
    title: 'Send the statements', due_date: '2026-04-05', priority: 'high', recurrence: { frequency: 'monthly' }, checklist: [{ label: 'Check the balances' }],
  },
})

export const summarizeTodos = endpoint({
  id: 'summarize_todos', method: 'GET', path: '/summary', summary: 'Count the open todos of each assignee',
  reply: list(TodoSummary),
})

export const getTodo = endpoint({
  id: 'get_todo', method: 'GET', path: '/{todo_id}', summary: 'Get a todo',
  params,
  reply: Todo,
})

export const updateTodo = endpoint({
  id: 'update_todo', method: 'PUT', path: '/{todo_id}', summary: 'Update a todo',
  description: 'Another frequency starts a new series. Moving the first date of a series moves those that follow; moving a later one moves only that one.',
  params,
  body: TodoUpdate,
  reply: Todo,
  refusals: createTodo.refusals,
  example: { title: 'Send the April statements', tags: ['month end'] },
})

export const deleteTodo = endpoint({
  id: 'delete_todo', method: 'DELETE', path: '/{todo_id}', summary: 'Delete a todo',
  params,
  reply: Todo,
  refusals: ['The service made it: cancel it with a reason instead.'],
})

export const startTodo = endpoint({
  id: 'start_todo', method: 'PUT', path: '/{todo_id}/start', summary: 'Start a todo',
  params,
  reply: Todo,
  refusals: ['It is done or canceled.'],
})

export const completeTodo = endpoint({
  id: 'complete_todo', method: 'PUT', path: '/{todo_id}/complete', summary: 'Complete a todo',
  description: 'A recurring one is followed by the next, once, even if it is reopened and completed again.',
  params,
  body: shape('TodoComplete', { force: optional(boolean({ description: 'Also with open checklist items.' })) }),
  reply: Todo,
  refusals: ['It is canceled.', 'Checklist items are open and force is not true.'],
})

export const reopenTodo = endpoint({
  id: 'reopen_todo', method: 'PUT', path: '/{todo_id}/reopen', summary: 'Reopen a todo',
  description: 'An assignee who has left in the meantime does not get it back.',
  params,
  reply: Todo,
  refusals: ['It is in progress.'],
})

export const cancelTodo = endpoint({
  id: 'cancel_todo', method: 'PUT', path: '/{todo_id}/cancel', summary: 'Cancel a todo',
  params,
  body: shape('TodoCancel', { reason: optional(text(1, 500, { description: 'Kept in the audit trail; needed for one that the service made.' })) }),
  reply: Todo,
  refusals: ['It is done.', 'The service made it and no reason is given.'],
})

export const checkTodoItem = endpoint({
  id: 'check_todo_item', method: 'PATCH', path: '/{todo_id}/checklist/{item_id}', summary: 'Check or uncheck an item',
  
  params: shape('TodoItemParams', { todo_id: id(), item_id: id() }),
  body: ChecklistItemUpdate,
  reply: Todo,
  example: { done: true },
})

export const bulkTodos = endpoint({
  id: 'bulk_todos', method: 'POST', path: '/bulk', summary: 'Complete, assign, date or cancel many todos',
  body: TodoBulk,
  reply: BulkResult,
  refusals: [
    'The assignee is not an active member.',
    'assign comes without assignee_id, or due without due_date.',
    'atomic, and one of them cannot be changed so.',
  ],
})
