// Tasks as they are shown: how urgent, how far, and when they are due.
import { Badge, Text } from '@mantine/core'
import type { Schemas } from '../api.ts'
import { day, words } from '../format.ts'

export type Todo = Schemas['Todo']

const choices = (names: readonly string[]) => names.map((value) => ({ value, label: words(value) }))

export const PRIORITIES = choices(['low', 'normal', 'high', 'urgent'])
export const FREQUENCIES = choices(['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually'])
export const TOUCHED = ['todos', 'record-titles']

export const isOpen = ({ status }: Todo): boolean => status === 'open' || status === 'in_progress'

/** The day as it is here. */
export const today = (): string => new Date().toLocaleDateString('sv')

const COLORS = { open: 'blue', in_progress: 'yellow', done: 'green', canceled: 'gray' } as const

export function TodoStatus({ status }: { status: Todo['status'] }) {
  return <Badge color={COLORS[status]} variant="light">{words(status)}</Badge>
}

export function Due({ todo }: { todo: Todo }) {
  const late = isOpen(todo) && todo.due_date !== null && todo.due_date < today()
  return late ? <Text span size="sm" fw={600} c="var(--mantine-color-error)">{day(todo.due_date)}, overdue</Text> : <>{day(todo.due_date)}</>
}
