// Changing a task: what is to be done, by whom, until when, how often, and what it is about.
import { useState } from 'react'
import { api, type Schemas } from '../api.ts'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { RecordPicker, type Picked } from '../parts/record-picker.tsx'
import { recordName } from '../parts/records.ts'
import { useSaved } from '../parts/saved.ts'
import { FREQUENCIES, PRIORITIES, TOUCHED, type Todo } from './todo-words.tsx'

/** As the form gives it: labels in one line, and what comes again in two fields. */
type Body = Omit<Schemas['TodoUpdate'], 'tags' | 'recurrence'> & { tags?: string | null; frequency?: string | null; end_date?: string | null }

const aboutOf = ({ resource_type, resource_id }: Todo): Picked | null =>
  (resource_type && resource_id ? { resource_type, resource_id, text: `${recordName(resource_type)}, as before` } : null)

export function TodoForm({ todo, people, close }: { todo: Todo; people: { value: string; label: string }[]; close: () => void }) {
  const saved = useSaved(TOUCHED)
  const [about, setAbout] = useState(() => aboutOf(todo))
  const fields: Field[] = [
    { name: 'title', label: 'What is to be done', kind: 'text', required: true },
    { name: 'description', label: 'More about it', kind: 'long_text' },
    { name: 'due_date', label: 'Due', kind: 'date' },
    { name: 'assignee_id', label: 'Who', kind: 'choice', choices: people },
    { name: 'priority', label: 'Priority', kind: 'choice', required: true, choices: PRIORITIES },
    { name: 'tags', label: 'Tags', kind: 'text', words: 'Separated by commas.' },
    { name: 'frequency', label: 'Comes again', kind: 'choice', choices: FREQUENCIES, words: 'Completing it makes the next one.' },
    { name: 'end_date', label: 'Until', kind: 'date', words: 'The last day on which one may be due.' },
  ]
  const record = { ...todo, tags: todo.tags.join(', '), frequency: todo.recurrence?.frequency ?? null, end_date: todo.recurrence?.end_date ?? null }
  const save = async ({ tags, frequency, end_date, ...body }: Body) => {
    const wanted = { frequency: frequency === undefined ? record.frequency : frequency, end_date: end_date === undefined ? record.end_date : end_date }
    const again = frequency === undefined && end_date === undefined ? {} : { recurrence: wanted.frequency === null ? null : wanted }
    const labels = tags === undefined ? {} : { tags: (tags ?? '').split(',').map((tag) => tag.trim()).filter(Boolean) }
    const moved = about?.resource_id === (todo.resource_id ?? undefined)
      ? {} : { resource_type: about?.resource_type ?? null, resource_id: about?.resource_id ?? null }
    await api.PUT('/api/v1/todos/{todo_id}', {
      params: { path: { todo_id: todo.id } }, body: { ...body, ...again, ...labels, ...moved } as Schemas['TodoUpdate'],
    })
    close()
    saved('Saved.')
  }
  return (
    <RecordForm<Body> fields={fields} record={record} button="Save" save={save} cancel={close} columns={1}>
      <RecordPicker label="About" value={about} on_change={setAbout} />
    </RecordForm>
  )
}
