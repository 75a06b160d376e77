// A widget of a board: what it asks of the books and how it shows the answer. Its figures are never typed.
import { Button, Group, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { words } from '../format.ts'
import { Failure } from '../parts/feedback.tsx'
import { useSaved } from '../parts/saved.ts'
import { KINDS, PERIODS } from './board-words.ts'
import { useMetrics } from './catalogue.ts'
import { ifMatch } from './reading.ts'
import type { WidgetData } from './widget-view.tsx'

type Query = Schemas['WidgetQueryInput']
type WidgetFormProps = { dashboard_id: string; widget: WidgetData | null; close: () => void }

const COMPARED = [{ value: 'none', label: 'Nothing' }, { value: 'prior_period', label: 'The period before' }, { value: 'prior_year', label: 'The year before' }]
const PARTIES = ['customer', 'vendor', 'ledger']

export function WidgetForm({ dashboard_id, widget, close }: WidgetFormProps) {
  const metrics = useMetrics()
  const saved = useSaved(['dashboards'])
  const [kind, setKind] = useState<string>(widget?.kind ?? 'metric')
  const [title, setTitle] = useState(widget?.title ?? '')
  const [text, setText] = useState(widget?.text ?? '')
  const [query, setQuery] = useState<Query>(widget?.query ?? { metric: 'revenue' })
  const metric = metrics.data?.find((each) => each.metric === query.metric)
  const put = (changes: Partial<Query>) => setQuery((before) => ({ ...before, ...changes }))
  const body = () => ({
    kind: kind as WidgetData['kind'], ...(title.trim() === '' ? {} : { title: title.trim() }),
    ...(kind === 'text' ? { text, query: null } : { query: kind === 'aging' ? { metric: 'receivable' } : query }),
    ...(kind !== 'text' && widget?.kind === 'text' ? { text: null } : {}),
  })
  const save = useMutation({
    mutationFn: () => (widget
      ? dataOf(api.PATCH('/api/v1/dashboards/{dashboard_id}/widgets/{widget_id}', {
        params: { path: { dashboard_id, widget_id: widget.id } }, body: body(), headers: ifMatch(widget.version),
      }))
      : dataOf(api.POST('/api/v1/dashboards/{dashboard_id}/widgets', { params: { path: { dashboard_id } }, body: body() }))),
    onSuccess: () => {
      close()
      saved(widget ? 'The widget was saved.' : 'The widget was added.')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const asks = kind !== 'text' && kind !== 'aging'
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Select label="Shown as" allowDeselect={false} data={KINDS} value={kind} onChange={(value) => value && setKind(value)} />
        <TextInput
          label="Title" description="Empty: the name of the metric." maxLength={200} value={title}
          onChange={({ currentTarget: { value } }) => setTitle(value)}
        />
        {kind === 'text' && (
          <Textarea label="Words" required autosize minRows={3} maxLength={10_000} value={text} onChange={({ currentTarget: { value } }) => setText(value)} />
        )}
        {asks && (
          <>
            <Select
              label="Metric" searchable allowDeselect={false} value={query.metric}
              onChange={(value) => value && put({ metric: value, group_by: null, top: null })}
              data={(metrics.data ?? []).map((each) => ({ value: each.metric, label: each.title, disabled: each.restricted }))}
            />
            {metric && <Text size="xs" c="dimmed">{metric.description}</Text>}
            <Select
              label="Told apart by" placeholder="As suits it" clearable value={query.group_by ?? null}
              onChange={(value) => put({ group_by: value as NonNullable<Query['group_by']> | null })}
              data={(metric?.group_by ?? []).map((each) => ({ value: each, label: each === 'none' ? 'Nothing' : words(each) }))}
            />
            <Select
              label="Period" placeholder="That of the board" clearable data={PERIODS} value={query.period ?? null}
              onChange={(value) => put({ period: value as NonNullable<Query['period']> | null })}
            />
            <Select
              label="Compared with" placeholder="As the board" clearable data={COMPARED} value={query.compare ?? null}
              onChange={(value) => put({ compare: value as NonNullable<Query['compare']> | null })}
            />
            {PARTIES.includes(query.group_by ?? metric?.group_by[0] ?? '') && (
              <NumberInput
                label="How many" description="The rest is one figure." min={1} max={50} value={query.top ?? ''}
                onChange={(value) => put({ top: Number(value) || null })}
              />
            )}
          </>
        )}
        {save.isError && <Failure error={save.error} />}
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={kind === 'text' && text.trim() === ''}>{widget ? 'Save' : 'Add the widget'}</Button>
          <Button variant="default" onClick={close}>Cancel</Button>
        </Group>
      </Stack>
    </form>
  )
}
