// Writing a template of requests, and asking many people for the same with it.
import { Group, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded } from '../parts/details.tsx'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { AskedLines, askedItems, isComplete, lineOf, newLine } from './asked-lines.tsx'
import { daysOf, daysText } from './reminder-days.ts'
import type { Template } from './request-status.tsx'

type Body = { name?: string; title?: string; message?: string | null; due_in_days?: number | null; reminders?: string | null }

const FIELDS: Field[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true, words: 'For you; nobody outside sees it.' },
  { name: 'title', label: 'Title', kind: 'text', required: true, words: 'What a request made from it is called.' },
  { name: 'message', label: 'Message', kind: 'long_text' },
  { name: 'due_in_days', label: 'Due after', kind: 'number', unit: 'days' },
  { name: 'reminders', label: 'Reminders', kind: 'text', words: 'Days from the due date, such as -2, 3.' },
]

export function NewTemplate() {
  return <Page title="New template"><TemplateForm /></Page>
}

export function EditTemplate() {
  const { template_id } = useParams({ strict: false }) as { template_id: string }
  const template = useQuery({
    queryKey: ['document-requests', 'templates', template_id],
    queryFn: () => dataOf(api.GET('/api/v1/document-requests/templates/{template_id}', { params: { path: { template_id } } })),
  })
  return (
    <Loaded query={template}>
      {(read) => (
        <Page title={read.name} actions={<TemplateActions template={read} />}>
          <TemplateForm template={read} />
        </Page>
      )}
    </Loaded>
  )
}

function TemplateActions({ template }: { template: Template }) {
  const go = useNavigate()
  const [typed, setTyped] = useState('')
  if (!useMayWrite() || template.archived_at) return null
  return (
    <Group gap="xs">
      <ActionButton
        button="Ask many people" touched={['document-requests']} done="Everybody was asked." then={() => void go({ to: '/papers' })}
        words={(
          <Textarea
            label="One person a line" autosize minRows={4} maxRows={12}
            description="Ann Client <ann@example.com>. Each gets a request of their own, which is sent at once."
            value={typed} onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        )}
        run={() => dataOf(api.POST('/api/v1/document-requests/bulk', { body: { template_id: template.id, recipients: peopleIn(typed) } }))}
      />
      <ActionButton
        grave button="Delete" touched={['document-requests']} done="Deleted." then={() => void go({ to: '/papers/templates' })}
        words="Requests that were made from it stay as they are."
        run={() => dataOf(api.DELETE('/api/v1/document-requests/templates/{template_id}', { params: { path: { template_id: template.id } } }))}
      />
    </Group>
  )
}

function peopleIn(text: string): { name: string; email: string }[] {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  if (lines.length === 0) throw new Error('Name at least one person.')
  return lines.map((line) => {
    const [, name = '', email = ''] = /^(.*?)[\s,;<]*([^\s<>,;]+@[^\s<>,;]+)>?$/.exec(line) ?? []
    if (email === '') throw new Error(`“${line}” holds no e-mail address.`)
    return { name: name.trim() || email, email }
  })
}

function TemplateForm({ template }: { template?: Template }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const [lines, setLines] = useState(() => (template ? template.items.map(lineOf) : [newLine()]))
  const [checked, setChecked] = useState(false)
  const save = async ({ reminders, ...plain }: Body) => {
    setChecked(true)
    if (!isComplete(lines)) throw new Error('Something is not complete yet: see above.')
    const body = { ...plain, ...(reminders === undefined ? {} : { reminder_days: daysOf(reminders ?? '') }), items: askedItems(lines, false) }
    if (template) {
      const params = { path: { template_id: template.id } }
      await dataOf(api.PUT('/api/v1/document-requests/templates/{template_id}', { params, body: body as Schemas['DocumentRequestTemplateUpdate'] }))
    } else await dataOf(api.POST('/api/v1/document-requests/templates', { body: body as Schemas['DocumentRequestTemplateInput'] }))
    void queries.invalidateQueries({ queryKey: ['document-requests'] })
    say('Saved.')
    await go({ to: '/papers/templates' })
  }
  return (
    <RecordForm<Body>
      fields={FIELDS} record={template && { ...template, reminders: daysText(template.reminder_days) }} button={template ? 'Save' : 'Create'} save={save}
      cancel={() => void go({ to: '/papers/templates' })}
    >
      <AskedLines lines={lines} on_change={setLines} periods={false} checked={checked} />
    </RecordForm>
  )
}
