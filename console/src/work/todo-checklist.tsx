// The checklist of a task: items to be ticked off, added and taken out.
import { Button, Checkbox, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, dataOf } from '../api.ts'
import { Section } from '../parts/details.tsx'
import { Failure, sayFailed } from '../parts/feedback.tsx'
import type { Todo } from './todo-words.tsx'

export function TodoChecklist({ todo: { id: todo_id, checklist }, writes }: { todo: Todo; writes: boolean }) {
  const queries = useQueryClient()
  const [label, setLabel] = useState('')
  const shown = (todo: Todo) => {
    queries.setQueryData(['todos', todo_id], todo)
    void queries.invalidateQueries({ queryKey: ['todos', 'list'] })
  }
  const check = useMutation({
    mutationFn: ({ item_id, done }: { item_id: string; done: boolean }) =>
      dataOf(api.PATCH('/api/v1/todos/{todo_id}/checklist/{item_id}', { params: { path: { todo_id, item_id } }, body: { done } })),
    onSuccess: shown, onError: sayFailed,
  })
  const keep = useMutation({
    mutationFn: (items: { id?: string; label: string; done?: boolean }[]) =>
      dataOf(api.PUT('/api/v1/todos/{todo_id}', { params: { path: { todo_id } }, body: { checklist: items } })),
    onSuccess: shown,
  })
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (label.trim()) keep.mutate([...checklist, { label: label.trim() }], { onSuccess: () => setLabel('') })
  }
  const done = checklist.filter((item) => item.done).length
  return (
    <Section title="Checklist" actions={checklist.length > 0 && <Text size="sm" c="dimmed">{done} of {checklist.length} done</Text>}>
      {checklist.length === 0 && !writes && <Text size="sm" c="dimmed">It has none.</Text>}
      <Stack gap="xs">
        {checklist.map((item) => (
          <Group key={item.id} justify="space-between" wrap="nowrap">
            <Checkbox
              label={item.label} checked={item.done} disabled={!writes}
              onChange={({ currentTarget: { checked } }) => check.mutate({ item_id: item.id, done: checked })}
            />
            {writes && <CloseButton aria-label={`Take ${item.label} out`} onClick={() => keep.mutate(checklist.filter(({ id }) => id !== item.id))} />}
          </Group>
        ))}
      </Stack>
      {keep.isError && <Failure error={keep.error} />}
      {writes && (
        <form onSubmit={add}>
          <Group gap="xs" align="flex-end">
            <TextInput label="New item" flex={1} miw={200} maxLength={300} value={label} onChange={({ currentTarget: { value } }) => setLabel(value)} />
            <Button type="submit" variant="default" loading={keep.isPending} disabled={!label.trim()}>Add item</Button>
          </Group>
        </form>
      )}
    </Section>
  )
}
