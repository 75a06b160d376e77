// The states of a todo, what it must hold together, and how one follows another.
import { addDays, occurrence, weekday } from '../../foundation/calendar.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { ChecklistItemInput, Todo } from './contract.ts'

type Status = Todo['status']
type Move = { from: readonly Status[]; to: Status; event: `todo.${string}`; word: string }

export const ACTIONS = {
  start: { from: ['open'], to: 'in_progress', event: 'todo.started', word: 'started' },
  complete: { from: ['open', 'in_progress'], to: 'done', event: 'todo.completed', word: 'completed' },
  reopen: { from: ['done', 'canceled'], to: 'open', event: 'todo.reopened', word: 'reopened' },
  cancel: { from: ['open', 'in_progress'], to: 'canceled', event: 'todo.canceled', word: 'canceled' },
} as const satisfies Record<string, Move>
export type Action = keyof typeof ACTIONS

type Circumstances = { now: string; user_id: string | null; force?: boolean; reason?: string }

/** What the action changes; null where the todo is there already. */
export function moved(todo: Todo, action: Action, { now, user_id, force, reason }: Circumstances): Partial<Todo> | null {
  const { from, to, word }: Move = ACTIONS[action]
  if (todo.status === to) return null
  if (!from.includes(todo.status)) throw invalid(`“${todo.title}” is ${todo.status}: only one that is ${from.join(' or ')} can be ${word}.`)
  if (action === 'complete' && !force) requireChecked(todo)
  if (action === 'cancel' && todo.source !== 'manual' && !reason) throw invalid(`“${todo.title}” comes from ${todo.source}: give a reason to cancel it.`)
  return { status: to, completed_at: to === 'done' ? now : null, completed_by: to === 'done' ? user_id : null }
}

function requireChecked({ title, checklist }: Todo): void {
  const open = checklist.filter((item) => !item.done).length
  if (open > 0) throw invalid(`“${title}” has ${open} open checklist item${open === 1 ? '' : 's'}: check them first, or complete it with force.`)
}

export function requireManual(todo: Todo): void {
  if (todo.source !== 'manual') throw invalid(`“${todo.title}” comes from ${todo.source} and cannot be deleted: cancel it with a reason.`)
}

/** What must be true of a todo however it came about. */
export function requireConsistent({ resource_type, resource_id, recurrence, due_date }: Todo): void {
  if ((resource_type === null) !== (resource_id === null)) throw invalid('resource_type and resource_id go together: give both or neither.')
  if (!recurrence) return
  if (due_date === null) throw invalid('A recurring todo needs a due_date, from which the next ones are counted.')
  if (recurrence.end_date && recurrence.end_date < due_date) throw invalid(`The recurrence ends on ${recurrence.end_date}, before the due date ${due_date}.`)
}

type Series = Pick<Todo, 'series_id' | 'series_start' | 'occurrence'>

/** Another rhythm is another series. The first due date is the anchor of its series; moving a later one moves only that one. */
export function seriesOf(before: Todo | null, { recurrence, due_date }: Pick<Todo, 'recurrence' | 'due_date'>, new_series_id: string): Series {
  if (!recurrence) return { series_id: null, series_start: null, occurrence: null }
  if (before?.recurrence?.frequency !== recurrence.frequency) return { series_id: new_series_id, series_start: due_date, occurrence: 0 }
  return { series_id: before.series_id, series_start: before.occurrence === 0 ? due_date : before.series_start, occurrence: before.occurrence }
}

/** The todo that follows a completed one, counted from the start of the series so that a short month shifts nothing; null after the last. */
export function successorOf(todo: Todo, id: string, now: string): Todo | null {
  if (!todo.recurrence || todo.series_start === null || todo.occurrence === null) return null
  const { frequency, end_date } = todo.recurrence
  const place = todo.occurrence + 1
  const due_date = occurrence({ frequency, start_date: todo.series_start }, place)
  if (end_date && due_date > end_date) return null
  const checklist = todo.checklist.map((item) => ({ ...item, done: false }))
  const fresh = { status: 'open', completed_at: null, completed_by: null, created_at: now, updated_at: now, version: 1 } as const
  return { ...todo, ...fresh, id, due_date, occurrence: place, checklist }
}

/** The list as it is kept: an item that was there keeps its id, any other gets a new one. */
export function checklistOf(given: readonly ChecklistItemInput[], before: Todo['checklist'], makeId: () => string): Todo['checklist'] {
  const unclaimed = new Set(before.map((item) => item.id))
  return given.map(({ id, label, done = false }) => ({ id: id !== undefined && unclaimed.delete(id) ? id : makeId(), label, done }))
}

/** The list with one item checked or unchecked; null where it is so already. */
export function checked(checklist: Todo['checklist'], item_id: string, done: boolean): Todo['checklist'] | null {
  const found = checklist.find((item) => item.id === item_id)
  if (!found) throw notFound('Checklist item')
  return found.done === done ? null : checklist.map((item) => (item === found ? { ...item, done } : item))
}

/** Labels without blanks around them, each once. */
export function tidyTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

export function updateEvent(before: Todo, after: Todo) {
  if (before.assignee_id === after.assignee_id) return 'todo.updated'
  return after.assignee_id ? 'todo.assigned' : 'todo.unassigned'
}

/** Monday to Sunday around a date. */
export function weekOf(date: string): { monday: string; sunday: string } {
  const monday = addDays(date, -weekday(date))
  return { monday, sunday: addDays(monday, 6) }
}
