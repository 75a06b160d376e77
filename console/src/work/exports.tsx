// Exports: taking lists, reports and the books away as files.
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { api, dataOf, download, type Schemas } from '../api.ts'
import { moment, words } from '../format.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty, Failure, Loading, say, sayFailed } from '../parts/feedback.tsx'
import { JobProgress } from '../parts/job-progress.tsx'
import { Page } from '../parts/page.tsx'
import { ExportForm } from './export-form.tsx'

type Export = Schemas['Export']

export function ExportsPage() {
  const queries = useQueryClient()
  const kinds = useQuery({ queryKey: ['exports', 'kinds'], queryFn: () => dataOf(api.GET('/api/v1/exports/kinds')), staleTime: 300_000 })
  const [made, setMade] = useState<Export | null>(null)
  const refresh = useCallback(() => void queries.invalidateQueries({ queryKey: ['exports', 'list'] }), [queries])
  const begin = (given: Export) => {
    setMade(given)
    refresh()
  }
  return (
    <Page title="Exports">
      {kinds.isPending && <Loading what="Loading what can be exported" />}
      {kinds.isError && <Failure error={kinds.error} again={() => void kinds.refetch()} />}
      {kinds.data && <ExportForm kinds={kinds.data} on_made={begin} />}
      {made?.job_id && (
        <Paper withBorder p="md">
          <Text size="sm" mb="xs">{made.title}, {made.format.toUpperCase()}</Text>
          <JobProgress job_id={made.job_id} on_done={refresh} done={() => <DownloadButton export_id={made.id} title={made.title} />} />
        </Paper>
      )}
      <Stack gap="xs">
        <Title order={2} size="h4">Earlier exports</Title>
        <DataList<Export>
          label="Exports" query_key={['exports', 'list']} columns={columns} height="min(480px, 60dvh)"
          read={(cursor) => dataOf(api.GET('/api/v1/exports', { params: { query: { limit: 50, ...(cursor ? { cursor } : {}) } } }))}
          empty={<Empty title="No exports yet">Choose above what you want to take away.</Empty>}
        />
      </Stack>
    </Page>
  )
}

const COLOURS: Record<Export['status'], string> = { queued: 'gray', running: 'blue', ready: 'green', failed: 'red', canceled: 'gray', expired: 'gray' }

const columns: Column<Export>[] = [
  { name: 'title', title: 'What', width: 'minmax(150px, 2fr)', cell: ({ title }) => title },
  {
    name: 'status', title: 'State', width: '110px',
    cell: ({ status, error }) => <Badge variant="light" color={COLOURS[status]} title={error ?? ''}>{words(status)}</Badge>,
  },
  { name: 'actions', title: 'Actions', width: '176px', cell: (one) => <ExportButtons one={one} /> },
  { name: 'format', title: 'Format', width: '96px', cell: ({ format }) => format.toUpperCase() },
  { name: 'rows', title: 'Rows', width: '90px', figures: true, cell: ({ rows }) => rows?.toLocaleString() ?? '' },
  { name: 'as_of', title: 'As of', width: '200px', cell: ({ as_of, created_at }) => moment(as_of ?? created_at) },
  { name: 'expires_at', title: 'Kept until', width: '200px', cell: ({ expires_at, status }) => (status === 'ready' ? moment(expires_at) : '') },
]

function ExportButtons({ one: { id, status, title } }: { one: Export }) {
  const queries = useQueryClient()
  const drop = useMutation({
    mutationFn: () => dataOf(api.DELETE('/api/v1/exports/{export_id}', { params: { path: { export_id: id } } })), onError: sayFailed,
    onSuccess: () => {
      say(`The export of ${title} was dropped.`)
      void queries.invalidateQueries({ queryKey: ['exports', 'list'] })
    },
  })
  if (status === 'queued' || status === 'running') return null
  return (
    <Group gap={4} wrap="nowrap">
      {status === 'ready' && <DownloadButton export_id={id} title={title} compact />}
      <Button size="compact-sm" variant="default" loading={drop.isPending} onClick={() => drop.mutate()} aria-label={`Drop the export of ${title}`}>
        Drop
      </Button>
    </Group>
  )
}

function DownloadButton({ export_id, title, compact = false }: { export_id: string; title: string; compact?: boolean }) {
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    await download(`/api/v1/exports/${export_id}/download`).catch(sayFailed)
    setBusy(false)
  }
  return (
    <Button
      size={compact ? 'compact-sm' : 'sm'} w="fit-content" variant={compact ? 'default' : 'filled'} loading={busy}
      onClick={() => void take()} aria-label={`Download ${title}`}
    >
      Download
    </Button>
  )
}
