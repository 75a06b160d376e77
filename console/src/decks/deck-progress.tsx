// While a deck is made or refreshed: how far it is. Where that failed: why, and the way to try again.
import { Alert, Button, Checkbox, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { moment } from '../format.ts'
import { Failure, sayFailed } from '../parts/feedback.tsx'
import { JobBar, JobButtons, progressWords } from '../parts/job-progress.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { useKnownJob } from '../parts/use-job.ts'
import { useDeckJob, type Deck } from './reading.ts'

export function DeckProgress({ deck: { job_id } }: { deck: Deck }) {
  return job_id ? <Progress key={job_id} job_id={job_id} /> : null
}

function Progress({ job_id }: { job_id: string }) {
  const job = useDeckJob(job_id)
  if (!job) return null
  return (
    <Paper withBorder p="sm" component="section" aria-label={job.title}>
      <Stack gap="xs">
        <Group justify="space-between"><Text fw={600}>{job.title}</Text><JobButtons job={job} /></Group>
        <JobBar job={job} />
        <Text size="sm" c="dimmed" role="status">{progressWords(job)}</Text>
      </Stack>
    </Paper>
  )
}

function useRefresh(deck_id: string) {
  const queries = useQueryClient()
  const know = useKnownJob()
  return useMutation({
    mutationFn: (overwrite_edits: boolean) => dataOf(
      api.POST('/api/v1/ai-reporting/decks/{deck_id}/refresh', { params: { path: { deck_id } }, body: { overwrite_edits } })),
    onSuccess: (job) => {
      know(job)
      void queries.invalidateQueries({ queryKey: ['decks'] })
    },
  })
}

/** What went wrong last, or that the books have gone on since. */
export function DeckState({ deck }: { deck: Deck }) {
  const { id, status, stale, error, data_as_of } = deck
  const writes = useMayWrite()
  const refresh = useRefresh(id)
  if (error) return (
    <Alert color="red" role="alert" title={status === 'failed' ? 'This deck could not be made' : 'The last refresh did not work'}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error}</Text>
        {writes && (
          <Button size="xs" variant="default" loading={refresh.isPending} onClick={() => refresh.mutate(false, { onError: sayFailed })}>Try again</Button>
        )}
      </Stack>
    </Alert>
  )
  if (!stale) return null
  return (
    <Alert color="yellow" title="The books have changed">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">These figures are of {moment(data_as_of)}. Entries were booked since then.</Text>
        {writes && <RefreshButton deck={deck} small />}
      </Stack>
    </Alert>
  )
}

export function RefreshButton({ deck: { id }, small = false }: { deck: Deck; small?: boolean }) {
  const [opened, { open, close }] = useDisclosure()
  const [overwrite, setOverwrite] = useState(false)
  const refresh = useRefresh(id)
  return (
    <>
      <Button variant="default" size={small ? 'xs' : 'sm'} onClick={open}>Refresh</Button>
      <Modal opened={opened} onClose={close} title="Refresh the deck">
        <Stack>
          <Text size="sm">Every figure is read anew, all of one moment. The slides change together when it is done; until then they stay as they are.</Text>
          <Checkbox
            label="Also replace texts that people have edited" description="Otherwise edited texts stay as they are." checked={overwrite}
            onChange={({ currentTarget: { checked } }) => setOverwrite(checked)}
          />
          {refresh.isError && <Failure error={refresh.error} />}
          <Group gap="xs">
            <Button loading={refresh.isPending} onClick={() => refresh.mutate(overwrite, { onSuccess: close })}>Refresh</Button>
            <Button variant="default" onClick={close}>Cancel</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
