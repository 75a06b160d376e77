// A document to look at: its pages as pictures, or the beginning of its text. Other kinds are downloaded.
import { Button, Code, Group, Image, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { contentOf, type Schemas } from '../api.ts'
import { Failure, Loading } from '../parts/feedback.tsx'

const DRAWN = new Set(['application/pdf', 'image/png', 'image/jpeg'])
const MOST_TEXT = 20_000

export function DocumentPreview({ document }: { document: Schemas['Document'] }) {
  if (DRAWN.has(document.content_type)) return <Pages document={document} />
  if (document.content_type.startsWith('text/') && document.size < 5_000_000) return <Words document={document} />
  return <Text size="sm" c="dimmed">Files of this kind are not shown here. Download it to look at it.</Text>
}

/** The address of a content that was read; freed when it is no longer shown. */
function useObjectUrl(blob: Blob | undefined): string | null {
  const url = useMemo(() => (blob ? URL.createObjectURL(blob) : null), [blob])
  useEffect(() => () => {
    if (url) URL.revokeObjectURL(url)
  }, [url])
  return url
}

function Pages({ document: { id, name, pages, version_number } }: { document: Schemas['Document'] }) {
  const [page, setPage] = useState(1)
  const picture = useQuery({
    queryKey: ['documents', id, 'preview', version_number, page], queryFn: () => contentOf(`/api/v1/documents/${id}/preview?page=${page}`), retry: false,
    structuralSharing: false,
  })
  const url = useObjectUrl(picture.data)
  return (
    <Stack gap="xs">
      {pages !== null && pages > 1 && (
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>Page before</Button>
          <Text size="sm" role="status">Page {page} of {pages}</Text>
          <Button size="xs" variant="default" disabled={page === pages} onClick={() => setPage(page + 1)}>Next page</Button>
        </Group>
      )}
      {picture.isPending && <Loading what="Loading the page" />}
      {picture.isError && <Failure error={picture.error} again={() => void picture.refetch()} />}
      {url && <Paper withBorder p={4} bg="white"><Image src={url} alt={`Page ${page} of ${name}`} fit="contain" mah="80dvh" /></Paper>}
    </Stack>
  )
}

function Words({ document: { id, version_number } }: { document: Schemas['Document'] }) {
  const content = useQuery({
    queryKey: ['documents', id, 'text', version_number],
    queryFn: async () => (await contentOf(`/api/v1/documents/${id}/download`)).text(),
  })
  if (content.isPending) return <Loading />
  if (content.isError) return <Failure error={content.error} again={() => void content.refetch()} />
  return (
    <Stack gap="xs">
      <Code block tabIndex={0} mah="70dvh" style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>{content.data.slice(0, MOST_TEXT)}</Code>
      {content.data.length > MOST_TEXT && <Text size="sm" c="dimmed">This is its beginning. Download it to see all of it.</Text>}
    </Stack>
  )
}
