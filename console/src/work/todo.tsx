// One task: what it is about, its checklist, and everything that can be done with it.
import { Button, Drawer, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { usePeople } from '../directory/choices.ts'
import { day, moment, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Loaded } from '../parts/details.tsx'
import { sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { RecordNotes } from '../parts/record-notes.tsx'
import { useMayDecide } from '../parts/roles.ts'
import { useSaved } from '../parts/saved.ts'
import { TodoChecklist } from './todo-checklist.tsx'
import { TodoForm } from './todo-form.tsx'
import { Due, isOpen, TodoStatus, TOUCHED, type Todo } from './todo-words.tsx'

export function TodoPage() {
  const { todo_id } = useParams({ strict: false }) as { todo_id: string }
  const todo = useQuery({ queryKey: ['todos', todo_id], queryFn: () => dataOf(api.GET('/api/v1/todos/{todo_id}', { params: { path: { todo_id } } })) })
  return <Loaded query={todo}>{(found) => <Content todo={found} />}</Loaded>
}

function Content({ todo }: { todo: Todo }) {
  const {
    id, title, description, status, priority, assignee_id, resource_type, resource_id, tags, recurrence, completed_at, completed_by, source,
    checklist,
  } = todo
  const go = useNavigate()
  const writes = useMayDecide()
  const people = usePeople()
  const saved = useSaved(TOUCHED)
  const [edits, { open, close }] = useDisclosure()
  const params = { path: { todo_id: id } }
  const nameOf = (person: string | null) => person && (people.find(({ value }) => value === person)?.label ?? '…')
  const unchecked = checklist.filter(({ done }) => !done).length
  const act = useMutation({
    mutationFn: (verb: 'start' | 'complete' | 'reopen') => (verb === 'complete'
      ? api.PUT('/api/v1/todos/{todo_id}/complete', { params, body: {} })
      : verb === 'start' ? api.PUT('/api/v1/todos/{todo_id}/start', { params }) : api.PUT('/api/v1/todos/{todo_id}/reopen', { params })),
    onSuccess: (_, verb) => saved({ start: 'Started.', complete: 'Done.', reopen: 'Open again.' }[verb]),
    onError: sayFailed,
  })
  const button = (verb: 'start' | 'complete' | 'reopen', label: string, main = false) => (
    <Button variant={main ? 'filled' : 'default'} loading={act.isPending && act.variables === verb} onClick={() => act.mutate(verb)}>{label}</Button>
  )
  const actions = writes && (
    <>
      {isOpen(todo) && (unchecked === 0 ? button('complete', 'Complete', true) : (
        <ActionButton
          main button="Complete" touched={TOUCHED} done="Done."
          words={`${unchecked} of the checklist ${unchecked === 1 ? 'is' : 'are'} still open. Complete it all the same?`}
          run={() => api.PUT('/api/v1/todos/{todo_id}/complete', { params, body: { force: true } })}
        />
      ))}
      {status === 'open' && button('start', 'Start')}
      {!isOpen(todo) && button('reopen', 'Reopen')}
      <Button variant="default" onClick={open}>Change</Button>
      {isOpen(todo) && (
        <ActionButton<Schemas['TodoCancel']>
          button="Cancel it" touched={TOUCHED} done="Canceled." words="It will not be done. Why is kept in the audit trail."
          fields={[{ name: 'reason', label: 'Why', kind: 'text', required: source !== 'manual' }]}
          run={(body) => api.PUT('/api/v1/todos/{todo_id}/cancel', { params, body })}
        />
      )}
      {source === 'manual' && (
        <ActionButton
          grave button="Delete" words="The task is gone." touched={TOUCHED} done="Deleted." run={() => api.DELETE('/api/v1/todos/{todo_id}', { params })}
          then={() => void go({ to: '/todos' })}
        />
      )}
    </>
  )
  return (
    <Page title={title} actions={actions}>
      <Facts facts={[
        ['Status', <TodoStatus key="status" status={status} />], ['Due', todo.due_date && <Due key="due" todo={todo} />],
        ['Who', nameOf(assignee_id) ?? 'Nobody yet'],
        ['Priority', words(priority)],
        ['About', resource_type && resource_id && <RecordLink key="about" type={resource_type} id={resource_id} />],
        ['Comes again', recurrence && `${words(recurrence.frequency)}${recurrence.end_date ? ` until ${day(recurrence.end_date)}` : ''}`],
        ['Tags', tags.join(', ')], ['Done', completed_at && `${moment(completed_at)}${completed_by ? `, ${nameOf(completed_by)}` : ''}`],
        ['Made', source === 'manual' ? null : `By the service (${words(source).toLowerCase()})`],
      ]} />
      {description && <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{description}</Text>}
      <TodoChecklist todo={todo} writes={writes} />
      <RecordNotes resource_type="todo" resource_id={id} />
      <Drawer opened={edits} onClose={close} position="right" title="Change the task">
        {edits && <TodoForm key={todo.version} todo={todo} people={people} close={close} />}
      </Drawer>
    </Page>
  )
}
