// The form of a webhook endpoint: where to, what about.
import { Button, Group, MultiSelect, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ApiError, type Schemas } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { useEventChoices } from './webhook-events.ts'

type WebhookFormProps = { webhook?: Schemas['Webhook']; button: string; save: (body: Schemas['WebhookInput']) => Promise<unknown>; cancel: () => void }

export function WebhookForm({ webhook, button, save, cancel }: WebhookFormProps) {
  const choices = useEventChoices()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<string[]>(webhook?.events ?? ['invoice.*'])
  const keep = useMutation({ mutationFn: () => save({ url: url.trim(), description: description.trim() || null, events }) })
  const problem = (field: string) => (keep.error instanceof ApiError ? keep.error.problems.find(({ loc }) => loc[1] === field)?.msg : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    keep.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Address" description="Begins with https." withAsterisk type="url" value={url} error={problem('url')}
          onChange={({ currentTarget: { value } }) => setUrl(value)}
        />
        <TextInput label="What it is" value={description} error={problem('description')} onChange={({ currentTarget: { value } }) => setDescription(value)} />
        <MultiSelect
          label="Told of" withAsterisk searchable data={choices} value={events} error={problem('events')} onChange={setEvents} maxDropdownHeight={320}
        />
        {keep.isError && <Failure error={keep.error} />}
        <Group gap="xs">
          <Button type="submit" loading={keep.isPending}>{button}</Button>
          <Button variant="default" onClick={cancel}>Cancel</Button>
        </Group>
      </Stack>
    </form>
  )
}
