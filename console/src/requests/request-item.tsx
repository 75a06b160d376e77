// One paper of a request: what is asked, what came, and what is thought of it.
import { Button, FileButton, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { upload } from '../api.ts'
import { moment, words } from '../format.ts'
import { sayFailed } from '../parts/feedback.tsx'
import { useSaved } from '../parts/saved.ts'
import { ItemActions } from './item-dialogs.tsx'
import { ItemFile } from './item-file.tsx'
import { isOpen, ItemStatus, TOUCHED, type Item, type Request } from './request-status.tsx'

export function RequestItem({ request, item, writes }: { request: Request; item: Item; writes: boolean }) {
  const about = [words(item.kind), item.period, item.required ? 'required' : 'only if there is one'].filter(Boolean).join(', ')
  const taking = writes && isOpen(request) && item.status !== 'accepted' && item.status !== 'waived'
  return (
    <Paper withBorder p="sm" component="article" aria-label={item.label}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start">
          <Stack gap={2} style={{ flex: '1 1 200px', minWidth: 0 }}>
            <Group gap="xs">
              <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>{item.label}</Title>
              <ItemStatus status={item.status} />
            </Group>
            <Text size="xs" c="dimmed">{about}</Text>
          </Stack>
          {writes && <ItemActions request={request} item={item} />}
        </Group>
        {item.note && <Text size="sm" style={{ overflowWrap: 'anywhere' }}>{item.note}</Text>}
        {item.reason && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {words(item.status)}: {item.reason}{item.decided_at ? ` (${moment(item.decided_at)})` : ''}
          </Text>
        )}
        {item.files.length > 0 && (
          <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={`Files of ${item.label}`}>
            {item.files.map((file) => <ItemFile key={file.id} request={request} item={item} file={file} writes={writes} />)}
          </Stack>
        )}
        {taking && <Supply request={request} item={item} />}
      </Stack>
    </Paper>
  )
}

/** Papers that came another way, by post or by hand. */
function Supply({ request, item }: { request: Request; item: Item }) {
  const [part, setPart] = useState<number | null>(null)
  const saved = useSaved(TOUCHED)
  const send = async (files: File[]) => {
    if (files.length === 0) return
    const form = new FormData()
    for (const file of files) form.append('files', file)
    setPart(0)
    try {
      await upload(`/api/v1/document-requests/${request.id}/items/${item.id}/files`, form, setPart)
      saved(files.length === 1 ? 'The file was added.' : `${files.length} files were added.`)
    } catch (error) {
      sayFailed(error)
    } finally {
      setPart(null)
    }
  }
  return (
    <Group gap="xs">
      <FileButton multiple onChange={(files) => void send(files)}>
        {(props) => <Button {...props} size="xs" variant="default" loading={part !== null} aria-label={`Add files to ${item.label}`}>Add files</Button>}
      </FileButton>
      {part !== null && <Progress w={140} value={part * 100} aria-label={`Sending files of ${item.label}`} />}
    </Group>
  )
}
