// Writing a note: a field that grows, and a button. What is refused stays written.
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { Failure } from './feedback.tsx'

type NoteEditorProps = { label: string; button: string; start?: string; save: (body: string) => Promise<unknown>; cancel?: () => void; disabled?: boolean }

export function NoteEditor({ label, button, start = '', save, cancel, disabled = false }: NoteEditorProps) {
  const [body, setBody] = useState(start)
  const keep = useMutation({ mutationFn: () => save(body.trim()), onSuccess: () => setBody('') })
  const ready = body.trim() !== '' && !disabled && !keep.isPending
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ready) keep.mutate()
  }
  return (
    <Stack gap="xs">
      <Textarea
        label={label} autosize minRows={2} maxRows={14} maxLength={20_000} value={body} onKeyDown={key}
        onChange={({ currentTarget: { value } }) => setBody(value)}
      />
      {keep.isError && <Failure error={keep.error} />}
      <Group gap="xs">
        <Button size="xs" loading={keep.isPending} disabled={!ready} onClick={() => keep.mutate()}>{button}</Button>
        {cancel && <Button size="xs" variant="default" onClick={cancel}>Cancel</Button>}
        <Text size="xs" c="dimmed">Markdown. @name@example.com tells a member. Ctrl+Enter saves.</Text>
      </Group>
    </Stack>
  )
}
