// What a document is attached to, and the ways to attach it to more and to take it off.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Section } from '../parts/details.tsx'
import { Failure } from '../parts/feedback.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { RecordPicker, type Picked } from '../parts/record-picker.tsx'
import { recordName } from '../parts/records.ts'
import { useMayDecide } from '../parts/roles.ts'
import { useSaved } from '../parts/saved.ts'

const TOUCHED = ['documents']

export function DocumentAttachments({ document: { id: document_id, attachments, deleted_at } }: { document: Schemas['Document'] }) {
  const writes = useMayDecide() && deleted_at === null
  const [opened, { open, close }] = useDisclosure()
  return (
    <Section title="Attached to" actions={writes && <Button size="xs" variant="default" onClick={open}>Attach to a record</Button>}>
      {attachments.length === 0 && <Text size="sm" c="dimmed">It is attached to nothing yet.</Text>}
      {attachments.map(({ id: attachment_id, resource_type, resource_id }) => (
        <Group key={attachment_id} justify="space-between" gap="xs">
          <RecordLink type={resource_type} id={resource_id} />
          {writes && (
            <ActionButton
              small button="Take off" words={`It stays in the documents, and the ${recordName(resource_type).toLowerCase()} no longer shows it.`}
              touched={TOUCHED} done="Taken off."
              run={() => api.DELETE('/api/v1/documents/{document_id}/attachments/{attachment_id}', { params: { path: { document_id, attachment_id } } })}
            />
          )}
        </Group>
      ))}
      <Modal opened={opened} onClose={close} title="Attach to a record"><Attach document_id={document_id} close={close} /></Modal>
    </Section>
  )
}

function Attach({ document_id, close }: { document_id: string; close: () => void }) {
  const saved = useSaved(TOUCHED)
  const [picked, pick] = useState<Picked | null>(null)
  const attach = useMutation({
    mutationFn: ({ resource_type, resource_id }: Picked) =>
      api.POST('/api/v1/documents/{document_id}/attachments', { params: { path: { document_id } }, body: { resource_type, resource_id } }),
    onSuccess: () => {
      close()
      saved('Attached.')
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (picked) attach.mutate(picked)
      }}
    >
      <Stack>
        <RecordPicker label="Record" value={picked} on_change={pick} required />
        {attach.isError && <Failure error={attach.error} />}
        <Group><Button type="submit" disabled={!picked} loading={attach.isPending}>Attach</Button></Group>
      </Stack>
    </form>
  )
}
