// Tasks: who has to do what until when, with a line on top that adds one and a box beside each that completes it.
import { Button, Checkbox, Group, Kbd, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { words } from '../format.ts'
import { usePeople } from '../directory/choices.ts'
import { useAddress } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { Empty, Failure, say, sayFailed } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { useMayDecide } from '../parts/roles.ts'
import { useSession } from '../session.tsx'
import { Due, isOpen, PRIORITIES, TodoStatus, TOUCHED, type Todo } from './todo-words.tsx'

const OPEN = { status: ['open', 'in_progress'] }
const WHICH: Record<string, object> = { mine: { ...OPEN, assignee_id: 'me' }, all: OPEN, overdue: { overdue: true }, done: { status: ['done', 'canceled'] } }

export function TodosPage() {
  const [given, change] = useAddress()
  const go = useNavigate()
  const queries = useQueryClient()
  const writes = useMayDecide()
  const people = usePeople()
  const { user } = useSession()
  const { which = 'mine', assignee_id, priority, sort_by = 'due_date', descending = 'false' } = given
  const sort = { sort_by, descending: descending === 'true' }
  const query = { ...WHICH[which], ...(assignee_id ? { assignee_id } : {}), ...(priority ? { priority: [priority] } : {}), ...sort }
  const counts = useQuery({ queryKey: ['todos', 'summary'], queryFn: () => dataOf(api.GET('/api/v1/todos/summary')) })
  const mine = counts.data?.find((one) => one.assignee_id === user.id)
  const overdue = counts.data?.reduce((sum, one) => sum + one.overdue, 0)
  const nameOf = (id: string | null) => (id === null ? '' : people.find(({ value }) => value === id)?.label ?? '…')
  const turn = useMutation({
    mutationFn: (todo: Todo) => {
      const params = { path: { todo_id: todo.id } }
      return dataOf(isOpen(todo) ? api.PUT('/api/v1/todos/{todo_id}/complete', { params, body: {} }) : api.PUT('/api/v1/todos/{todo_id}/reopen', { params }))
    },
    onSuccess: (todo) => {
      say(isOpen(todo) ? `“${todo.title}” is open again.` : `“${todo.title}” is done.`)
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
    },
    onError: sayFailed,
  })
  const columns: Column<Todo>[] = [
    {
      name: 'done', title: '', width: '44px',
      cell: (todo) => (
        <Checkbox
          size="sm" tabIndex={-1} aria-label={`${isOpen(todo) ? 'Complete' : 'Reopen'} ${todo.title}`} checked={!isOpen(todo)} disabled={!writes}
          onClick={(event) => event.stopPropagation()} onChange={() => turn.mutate(todo)}
        />
      ),
    },
    { name: 'title', title: 'Task', width: 'minmax(220px, 2fr)', cell: ({ id, title }) => <NameLink path={`/todos/${id}`}>{title}</NameLink> },
    { name: 'due', title: 'Due', width: '190px', sort_by: 'due_date', cell: (todo) => <Due todo={todo} /> },
    { name: 'assignee', title: 'Who', width: '150px', cell: (todo) => nameOf(todo.assignee_id) },
    { name: 'priority', title: 'Priority', width: '110px', sort_by: 'priority', cell: (todo) => words(todo.priority) },
    { name: 'status', title: 'Status', width: '130px', cell: ({ status }) => <TodoStatus status={status} /> },
    {
      name: 'about', title: 'About', width: '150px',
      cell: ({ resource_type, resource_id }) => resource_type && resource_id && <RecordLink brief type={resource_type} id={resource_id} />,
    },
  ]
  const onKey = ({ key }: KeyboardEvent, todo: Todo): boolean => {
    if (key !== ' ' && key !== 'x') return false
    if (writes && !turn.isPending) turn.mutate(todo)
    return true
  }
  const label = (text: string, count: number | undefined) => (count ? `${text} (${count})` : text)
  return (
    <Page title="Tasks">
      {writes && <QuickAdd people={people} />}
      <Group gap="sm">
        <SegmentedControl
          aria-label="Which tasks" value={which} onChange={(value) => change({ which: value === 'mine' ? null : value, assignee_id: null })}
          data={[
            { value: 'mine', label: label('Mine', mine?.open) }, { value: 'all', label: 'All' },
            { value: 'overdue', label: label('Overdue', overdue) }, { value: 'done', label: 'Done' },
          ]}
        />
        {which !== 'mine' && (
          <Select
            aria-label="Who" placeholder="Everybody" clearable w={170} data={people} value={assignee_id ?? null}
            onChange={(value) => change({ assignee_id: value })}
          />
        )}
        <Select
          aria-label="Priority" placeholder="Every priority" clearable w={150} data={PRIORITIES} value={priority ?? null}
          onChange={(value) => change({ priority: value })}
        />
      </Group>
      <DataList
        label="Tasks" columns={columns} query_key={['todos', 'list', query]} sort={sort} height="max(320px, calc(100dvh - 330px))"
        on_sort={(wanted) => change({ sort_by: wanted.sort_by, descending: String(wanted.descending) })} on_key={onKey}
        read={(cursor) => dataOf(api.GET('/api/v1/todos', { params: { query: { ...query, limit: 100, ...(cursor ? { cursor } : {}) } as object } }))}
        open={({ id }) => void go({ to: `/todos/${id}` })}
        empty={which === 'mine'
          ? <Empty title="Nothing is yours to do">Add a task above, or look at all.</Empty>
          : <Empty title="No tasks here">Nothing matches what you have chosen above.</Empty>}
      />
      {writes && (
        <Text size="xs" c="dimmed" visibleFrom="sm">
          <Kbd size="xs">↑ ↓</Kbd> move, <Kbd size="xs">X</Kbd> completes or reopens, <Kbd size="xs">Enter</Kbd> opens.
        </Text>
      )}
    </Page>
  )
}

function QuickAdd({ people }: { people: { value: string; label: string }[] }) {
  const queries = useQueryClient()
  const { user } = useSession()
  const field = useRef<HTMLInputElement>(null)
  const [title, setTitle] = useState('')
  const [due_date, setDue] = useState<string | null>(null)
  const [assignee_id, setAssignee] = useState<string | null>(user.id)
  const add = useMutation({
    mutationFn: (body: Schemas['TodoInput']) => dataOf(api.POST('/api/v1/todos', { body })),
    onSuccess: () => {
      setTitle('')
      field.current?.focus()
      void queries.invalidateQueries({ queryKey: ['todos'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim()) add.mutate({ title: title.trim(), due_date, assignee_id })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <TextInput
          ref={field} label="New task" placeholder="What is to be done" maxLength={300} flex={1} miw={220} value={title}
          onChange={({ currentTarget: { value } }) => setTitle(value)}
        />
        <DayField label="Due" value={due_date} on_change={setDue} width={150} />
        <Select label="Who" placeholder="Nobody yet" clearable searchable w={170} data={people} value={assignee_id} onChange={setAssignee} />
        <Button type="submit" loading={add.isPending} disabled={!title.trim()}>Add</Button>
      </Group>
      {add.isError && <Failure error={add.error} />}
    </form>
  )
}
