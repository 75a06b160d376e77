// Asking for papers: what, of whom, until when; and changing a request, of which little can be changed once it was sent.
import { Select, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { Loaded } from '../parts/details.tsx'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { AskedLines, askedItems, isComplete, lineOf, newLine } from './asked-lines.tsx'
import { arePeople, isNobody, newPerson, PeopleLines } from './people-lines.tsx'
import { daysOf, daysText } from './reminder-days.ts'
import { useRequest, useTemplates, type Request, type Template } from './request-status.tsx'

type Body = {
  title?: string
  message?: string | null
  due_date?: string | null
  reminders?: string | null
  frequency?: string | null
  end_date?: string | null
}

const DAYS: Field[] = [
  { name: 'message', label: 'Message', kind: 'long_text', words: 'Stands in the mail and on the page where they send the papers.' },
  { name: 'due_date', label: 'Due', kind: 'date' },
  {
    name: 'reminders', label: 'Reminders', kind: 'text',
    words: 'Days from the due date, such as -2, 3: two days before and three days after. Never more than one a day, and none once all was received.',
  },
]
const SERIES: Field[] = [
  {
    name: 'frequency', label: 'Again', kind: 'choice', words: 'The next one is made and sent by itself.',
    choices: [
      { value: 'weekly', label: 'Every week' }, { value: 'monthly', label: 'Every month' }, { value: 'quarterly', label: 'Every quarter' },
      { value: 'annually', label: 'Every year' },
    ],
  },
  { name: 'end_date', label: 'Until', kind: 'date', words: 'Empty: it goes on.' },
]

export function NewRequest() {
  const [template, setTemplate] = useState<Template | null>(null)
  const templates = useTemplates().data?.items ?? []
  return (
    <Page title="Ask for papers">
      {templates.length > 0 && (
        <Select
          label="From a template" placeholder="Start with an empty request" clearable w={{ base: '100%', xs: 340 }} value={template?.id ?? null}
          data={templates.map(({ id, name }) => ({ value: id, label: name }))} onChange={(id) => setTemplate(templates.find((one) => one.id === id) ?? null)}
        />
      )}
      <RequestForm key={template?.id ?? 'empty'} template={template} />
    </Page>
  )
}

export function EditRequest() {
  const { request_id } = useParams({ strict: false }) as { request_id: string }
  return <Loaded query={useRequest(request_id)}>{(request) => <Page title={`Change ${request.title}`}><RequestForm request={request} /></Page>}</Loaded>
}

function dueFrom({ due_in_days }: Template): string {
  return due_in_days === null ? '' : new Date(Date.now() + due_in_days * 86_400_000).toISOString().slice(0, 10)
}

function RequestForm({ request, template = null }: { request?: Request; template?: Template | null }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const draft = !request || request.status === 'draft'
  const [lines, setLines] = useState(() => {
    const known = (request?.items ?? template?.items ?? []).map(lineOf)
    return known.length > 0 ? known : [newLine()]
  })
  const [people, setPeople] = useState(() => {
    const known = (request?.recipients ?? []).map(({ name, email }) => newPerson(name, email))
    return known.length > 0 ? known : [newPerson()]
  })
  const [checked, setChecked] = useState(false)
  const start = template && {
    title: template.title, message: template.message ?? '', due_date: dueFrom(template), reminders: daysText(template.reminder_days),
    frequency: '', end_date: '',
  }
  const title: Field = { name: 'title', label: 'Title', kind: 'text', required: true, words: 'Such as “Papers of March”.' }
  const fields = [...(draft ? [title] : []), ...DAYS, ...(draft ? SERIES : [])]
    .map((field) => (start && !request ? { ...field, initial: start[field.name as keyof typeof start] } : field))
  const record = request && {
    ...request, reminders: daysText(request.reminder_days), frequency: request.recurrence?.frequency, end_date: request.recurrence?.end_date,
  }

  const save = async ({ reminders, frequency, end_date, ...plain }: Body) => {
    setChecked(true)
    if (draft && (!isComplete(lines) || !arePeople(people))) throw new Error('Something is not complete yet: see above.')
    const often = frequency === undefined ? request?.recurrence?.frequency : frequency
    const series = frequency === undefined && end_date === undefined ? {}
      : { recurrence: often ? { frequency: often as 'monthly', end_date: end_date === undefined ? request?.recurrence?.end_date ?? null : end_date } : null }
    const recipients = people.filter((person) => !isNobody(person)).map(({ name, email }) => ({ name: name.trim(), email: email.trim() }))
    const given = {
      ...plain, ...(reminders === undefined ? {} : { reminder_days: daysOf(reminders ?? '') }), ...series,
      ...(draft ? { items: askedItems(lines), recipients } : {}),
    }
    const made = { ...given, ...(template ? { template_id: template.id } : {}) } as Schemas['DocumentRequestInput']
    const saved = request
      ? await dataOf(api.PUT(
        '/api/v1/document-requests/{request_id}', { params: { path: { request_id: request.id } }, body: given as Schemas['DocumentRequestUpdate'] },
      ))
      : await dataOf(api.POST('/api/v1/document-requests', { body: made }))
    void queries.invalidateQueries({ queryKey: ['document-requests'] })
    say(request ? 'Saved.' : 'The draft is ready: look at it, then send it.')
    await go({ to: `/papers/${saved.id}` })
  }
  return (
    <RecordForm<Body>
      fields={fields} record={record} button={request ? 'Save' : 'Save the draft'} save={save}
      cancel={() => void go({ to: request ? `/papers/${request.id}` : '/papers' })}
    >
      {draft ? (
        <>
          <AskedLines lines={lines} on_change={setLines} checked={checked} />
          <PeopleLines people={people} on_change={setPeople} checked={checked} />
        </>
      ) : <Text size="sm" c="dimmed">It was sent: papers are changed on its page, and who was asked stays.</Text>}
    </RecordForm>
  )
}
