// A file that came for a paper: looked at, saved, or taken off again.
import { Button, Group, Image, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api, contentOf, dataOf, download, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Failure, Loading, sayFailed } from '../parts/feedback.tsx'
import { isOpen, TOUCHED, type Item, type Request } from './request-status.tsx'

type File = Schemas['DocumentRequestFile']

const SHOWN = ['application/pdf', 'image/png', 'image/jpeg']

const sizeText = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : bytes < 1_048_576 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`

export function ItemFile({ request, item, file, writes }: { request: Request; item: Item; file: File; writes: boolean }) {
  const [opened, { open, close }] = useDisclosure()
  const sender = request.recipients.find(({ id }) => id === file.recipient_id)?.name
  const origin = sender ? `from ${sender}` : 'added here'
  const facts = [sizeText(file.size), origin, moment(file.created_at), file.rejected_at && 'rejected'].filter(Boolean).join(', ')
  const params = { path: { request_id: request.id, item_id: item.id, document_id: file.document_id } }
  return (
    <Group component="li" gap="xs" justify="space-between">
      <div style={{ flex: '1 1 180px', minWidth: 0 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} {...(file.rejected_at ? { td: 'line-through' } : {})}>{file.name}</Text>
        <Text size="xs" c="dimmed">{facts}</Text>
      </div>
      <Group gap={6}>
        {SHOWN.includes(file.content_type) && <Button size="xs" variant="default" aria-label={`Show ${file.name}`} onClick={open}>Show</Button>}
        <Button
          size="xs" variant="default" aria-label={`Download ${file.name}`}
          onClick={() => void download(`/api/v1/documents/${file.document_id}/download`).catch(sayFailed)}
        >
          Download
        </Button>
        {writes && isOpen(request) && item.status !== 'accepted' && (
          <ActionButton
            small grave button="Take off" touched={TOUCHED} done="Taken off." words={`${file.name} no longer counts for this paper. The document itself stays.`}
            run={() => dataOf(api.DELETE('/api/v1/document-requests/{request_id}/items/{item_id}/files/{document_id}', { params }))}
          />
        )}
      </Group>
      <Modal opened={opened} onClose={close} title={file.name} size="xl" closeButtonProps={{ 'aria-label': 'Close' }}>
        {opened && <Picture file={file} />}
      </Modal>
    </Group>
  )
}

function Picture({ file }: { file: File }) {
  const picture = useQuery({
    queryKey: ['documents', file.document_id, 'preview'], queryFn: () => contentOf(`/api/v1/documents/${file.document_id}/preview`), retry: false,
  })
  const url = useMemo(() => (picture.data ? URL.createObjectURL(picture.data) : null), [picture.data])
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url])
  if (picture.isPending) return <Loading what={`Loading ${file.name}`} />
  if (!url) return <Failure error={picture.error} />
  return <Image src={url} alt={`The first page of ${file.name}`} fit="contain" />
}
