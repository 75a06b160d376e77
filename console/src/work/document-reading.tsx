// What a document says, taken out of it by a job: fields with how sure that is. Nothing is booked by it.
import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { words } from '../format.ts'
import { Section } from '../parts/details.tsx'
import { Failure } from '../parts/feedback.tsx'
import { JobProgress, type Job } from '../parts/job-progress.tsx'
import { useMayDecide } from '../parts/roles.ts'
import { Rows } from '../parts/rows.tsx'
import { useKnownJob } from '../parts/use-job.ts'

type Found = { parts?: { name: string | null; fields: Record<string, { value: unknown; confidence: number }>; warnings: string[] }[]; warnings?: string[] }

export function DocumentReading({ document: { id, text_status, deleted_at } }: { document: Schemas['Document'] }) {
  const writes = useMayDecide() && deleted_at === null && text_status !== 'none'
  const know = useKnownJob()
  const [job_id, setJob] = useState<string | null>(null)
  const begin = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/documents/{document_id}/extract', { params: { path: { document_id: id } } })),
    onSuccess: (job) => {
      know(job)
      setJob(job.id)
    },
  })
  if (!writes && !job_id) return null
  return (
    <Section title="What it says" actions={writes && (
      <Button size="xs" variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>Read it</Button>
    )}>
      {begin.isError && <Failure error={begin.error} />}
      {job_id
        ? <JobProgress job_id={job_id} done={(job) => <Fields job={job} />} />
        : <Text size="sm" c="dimmed">Names, dates and amounts can be read out of it. Nothing is booked by that.</Text>}
    </Section>
  )
}

function Fields({ job }: { job: Job }) {
  const { parts = [], warnings = [] } = (job.result ?? {}) as Found
  const rows = parts.flatMap(({ fields }, part) => Object.entries(fields).map(([name, { value, confidence }]) => ({
    key: `${part} ${name}`, name, value, confidence,
  })))
  return (
    <Stack gap="xs">
      {rows.length === 0 ? <Text size="sm">Nothing was found in it.</Text> : (
        <Rows
          label="What it says" rows={rows} id={({ key }) => key} width={320}
          columns={[
            { title: 'What', cell: ({ name }) => words(name) },
            { title: 'As read', wraps: true, cell: ({ value }) => (typeof value === 'object' ? JSON.stringify(value) : String(value)) },
            { title: 'Sure', figures: true, cell: ({ confidence }) => `${confidence} %` },
          ]}
        />
      )}
      {[...warnings, ...parts.flatMap((part) => part.warnings)].map((warning) => <Text key={warning} size="sm" c="dimmed">{warning}</Text>)}
    </Stack>
  )
}
