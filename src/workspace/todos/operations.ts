// What can be done with todos.
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { todoResource, type Todo, type TodoBulk, type TodoInput, type TodoUpdate } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

type TodoQuery = PageQuery & { assignee_id?: string; overdue?: boolean }
type TodoEvent = (typeof todoResource.events)[number]
type TodoChange = { event: TodoEvent; before: Todo; after: Todo }
type Given = { force?: boolean; reason?: string }

export function listTodos(tx: BusinessTx, query: TodoQuery) {
  const assignee_id = query.assignee_id === 'me' ? tx.user_id : query.assignee_id
  const asked = { ...query, assignee_id, overdue: query.overdue || undefined }
  return tx.page(store.todos, asked)
}

export function getTodo(tx: BusinessTx, todo_id: string): Promise<Todo> {
  return tx.get(store.findTodo, { id: todo_id }, 'Todo')
}

export function summarizeTodos(tx: BusinessTx) {
  return tx.many(store.summary, rules.weekOf(tx.today))
}

/** Also for the groups that make todos of their own; they name themselves as the source. */
export async function createTodo(tx: BusinessTx, input: TodoInput, source: Todo['source'] = 'manual'): Promise<Todo> {
  const recurrence = input.recurrence ?? null
  const due_date = input.due_date ?? null
  const todo: Todo = {
    id: newId(),
    business_id: tx.business_id,
    title: input.title,
    description: input.description ?? null,
    due_date,
    priority: input.priority ?? 'normal',
    assignee_id: input.assignee_id ?? null,
    resource_type: input.resource_type ?? null,
    resource_id: input.resource_id ?? null,
    checklist: rules.checklistOf(input.checklist ?? [], [], newId),
    tags: rules.tidyTags(input.tags ?? []),
    recurrence,
    ...rules.seriesOf(null, { recurrence, due_date }, newId()),
    status: 'open',
    source,
    completed_at: null,
    completed_by: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  await requireRecord(tx, todo)
  rules.requireConsistent(todo)
  await requireMember(tx, todo.assignee_id)
  await insert(tx, [todo])
  return todo
}

export async function updateTodo(tx: BusinessTx, todo_id: string, input: TodoUpdate): Promise<Todo> {
  const todo = await tx.lock(store.lockTodo, { id: todo_id }, 'Todo')
  const { checklist, tags, ...plain } = input
  const after = edited(tx, todo, {
    ...plain,
    ...(checklist && { checklist: rules.checklistOf(checklist, todo.checklist, newId) }),
    ...(tags && { tags: rules.tidyTags(tags) }),
  })
  if (input.resource_type || input.resource_id) await requireRecord(tx, after)
  rules.requireConsistent(after)
  if (input.assignee_id) await requireMember(tx, input.assignee_id)
  save(tx, [{ event: rules.updateEvent(todo, after), before: todo, after }])
  return after
}

export async function deleteTodo(tx: BusinessTx, todo_id: string): Promise<Todo> {
  const todo = await tx.lock(store.lockTodo, { id: todo_id }, 'Todo')
  rules.requireManual(todo)
  tx.queue(store.deleteTodo, todo)
  tx.record(todoResource, 'todo.deleted', { before: todo, after: null })
  return todo
}

export function startTodo(tx: BusinessTx, todo_id: string): Promise<Todo> {
  return act(tx, todo_id, 'start')
}

export function completeTodo(tx: BusinessTx, todo_id: string, given: Given): Promise<Todo> {
  return act(tx, todo_id, 'complete', given)
}

export function reopenTodo(tx: BusinessTx, todo_id: string): Promise<Todo> {
  return act(tx, todo_id, 'reopen')
}

export function cancelTodo(tx: BusinessTx, todo_id: string, given: Given): Promise<Todo> {
  return act(tx, todo_id, 'cancel', given)
}

/** The row lock makes two people wait for each other, each then changing the list the other has left: no If-Match is needed. */
export async function checkTodoItem(tx: BusinessTx, todo_id: string, item_id: string, done: boolean): Promise<Todo> {
  const todo = await tx.lock(store.lockTodo, { id: todo_id }, 'Todo')
  const checklist = rules.checked(todo.checklist, item_id, done)
  if (!checklist) return todo
  const after = changed(todo, { checklist }, tx.now)
  save(tx, [{ event: 'todo.updated', before: todo, after }])
  return after
}

export async function bulkTodos(tx: BusinessTx, input: TodoBulk): Promise<BulkResult> {
  if (input.action === 'assign' && input.assignee_id === undefined) throw invalid('assign needs assignee_id; null unassigns.')
  if (input.action === 'due' && input.due_date === undefined) throw invalid('due needs due_date; null clears it.')
  if (input.action === 'assign') await requireMember(tx, input.assignee_id ?? null)
  const todos = new Map((await tx.many(store.lockTodos, { ids: input.ids })).map((todo) => [todo.id, todo]))
  const changes: TodoChange[] = []
  const result = attemptEach(input.ids, input.atomic ?? true, (id) => {
    const todo = todos.get(id)
    if (!todo) throw notFound(`Todo ${id}`)
    const change = bulkChange(tx, todo, input)
    if (!change) return id
    todos.set(id, change.after)
    changes.push(change)
    return id
  })
  save(tx, changes, input.reason)
  if (input.action === 'complete') await addSuccessors(tx, changes)
  return result
}

/** After a member has left: what they had open belongs to nobody. */
export async function unassignMember(tx: BusinessTx, user_id: string): Promise<void> {
  const todos = await tx.many(store.unassignMember, { user_id })
  for (const todo of todos) tx.record(todoResource, 'todo.unassigned', { before: { ...todo, assignee_id: user_id }, after: todo })
}

/** Records what became overdue by the date of the business, once per due date; true while there may be more. */
export async function recordOverdue(tx: BusinessTx): Promise<boolean> {
  const todos = await tx.many(store.markOverdue)
  for (const todo of todos) tx.record(todoResource, 'todo.overdue', { before: todo, after: todo })
  return todos.length > 0
}

async function act(tx: BusinessTx, todo_id: string, action: rules.Action, given: Given = {}): Promise<Todo> {
  const todo = await tx.lock(store.lockTodo, { id: todo_id }, 'Todo')
  const change = moveChange(tx, todo, action, given)
  if (!change) return todo
  if (action === 'reopen') [change.after] = await withoutLeavers(tx, [change.after])
  save(tx, [change], given.reason)
  if (action === 'complete') await addSuccessors(tx, [change])
  return change.after
}

function moveChange(tx: BusinessTx, todo: Todo, action: rules.Action, given: Given): TodoChange | null {
  const changes = rules.moved(todo, action, { now: tx.now, user_id: tx.actor.user_id, ...given })
  return changes && { event: rules.ACTIONS[action].event, before: todo, after: changed(todo, changes, tx.now) }
}

function bulkChange(tx: BusinessTx, todo: Todo, input: TodoBulk): TodoChange | null {
  if (input.action === 'complete' || input.action === 'cancel') return moveChange(tx, todo, input.action, input)
  const field = input.action === 'assign' ? 'assignee_id' : 'due_date'
  if (input[field] === todo[field]) return null
  const after = edited(tx, todo, { [field]: input[field] })
  rules.requireConsistent(after)
  return { event: rules.updateEvent(todo, after), before: todo, after }
}

function edited(tx: BusinessTx, todo: Todo, changes: Partial<Todo>): Todo {
  const after = changed(todo, changes, tx.now)
  return { ...after, ...rules.seriesOf(todo, after, newId()) }
}

function save(tx: BusinessTx, changes: TodoChange[], reason?: string): void {
  if (changes.length === 0) return
  tx.queue(store.updateTodos, { rows: JSON.stringify(changes.map(({ after }) => after)) })
  for (const { event, before, after } of changes) tx.record(todoResource, event, { before, after, ...(reason && { reason }) })
}

/** Only what was really written is recorded: an occurrence that exists, because its predecessor was completed before, stays the one. */
async function insert(tx: BusinessTx, todos: Todo[]): Promise<void> {
  if (todos.length === 0) return
  const written = new Set((await tx.many(store.insertTodos, { rows: JSON.stringify(todos) })).map((row) => row.id))
  for (const todo of todos) if (written.has(todo.id)) tx.record(todoResource, 'todo.created', { before: null, after: todo })
}

async function addSuccessors(tx: BusinessTx, completed: TodoChange[]): Promise<void> {
  const following = completed.flatMap(({ after }) => rules.successorOf(after, newId(), tx.now) ?? [])
  await insert(tx, await withoutLeavers(tx, following))
}

async function requireRecord(tx: BusinessTx, { resource_type, resource_id }: Todo): Promise<void> {
  if (resource_type && resource_id) await requireRecords(tx, resource_type, [resource_id])
}

async function requireMember(tx: BusinessTx, assignee_id: string | null): Promise<void> {
  const members = await holdMembers(tx, [assignee_id])
  if (assignee_id && !members.has(assignee_id)) throw invalid('The assignee is not an active member of this business.')
}

/** The same todos, unassigned where the assignee has left. */
async function withoutLeavers<Todos extends Todo[]>(tx: BusinessTx, todos: Todos): Promise<Todos> {
  const members = await holdMembers(tx, todos.map((todo) => todo.assignee_id))
  return todos.map((todo) => (todo.assignee_id && !members.has(todo.assignee_id) ? { ...todo, assignee_id: null } : todo)) as Todos
}

async function holdMembers(tx: BusinessTx, user_ids: (string | null)[]): Promise<Set<string>> {
  const asked = user_ids.filter((user_id) => user_id !== null)
  return new Set(asked.length === 0 ? [] : (await tx.many(store.holdMembers, { user_ids: asked })).map((row) => row.user_id))
}
