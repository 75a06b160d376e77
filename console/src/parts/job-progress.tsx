// How a long job goes on: what it does, how far it is, the ways to stop it or to try again, and what came of it.
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { api, dataOf } from '../api.ts'
import { Failure, Loading, sayFailed } from './feedback.tsx'
import { isFinished, useJob, useKnownJob, type Job } from './use-job.ts'

export type { Job } from './use-job.ts'

type JobProgressProps = {
  job_id: string
  /** Once, when it has succeeded, also where it already had. After a retry it is given the new job. */
  on_done?: (job: Job) => void
  /** What stands below once it has succeeded: where the result is. */
  done?: (job: Job) => ReactNode
}

/** Begins anew with another job. */
export function JobProgress(props: JobProgressProps) {
  return <Followed key={props.job_id} {...props} />
}

function Followed({ job_id: first_id, on_done, done }: JobProgressProps) {
  const [job_id, setJob] = useState(first_id)
  const { data: job, error, refetch } = useJob(job_id)
  const queries = useQueryClient()
  const told = useRef<string | null>(null)
  useEffect(() => {
    if (!job || !isFinished(job) || told.current === job.id) return
    told.current = job.id
    void queries.invalidateQueries({ queryKey: ['jobs', 'list'] })
    if (job.status === 'succeeded') on_done?.(job)
  }, [job, on_done, queries])
  if (!job) return error ? <Failure error={error} again={() => void refetch()} /> : <Loading what="Loading the job" />
  return (
    <Stack gap="xs" component="section" aria-label={job.title}>
      <Group justify="space-between" wrap="wrap">
        <Text fw={600}>{job.title}</Text>
        <JobButtons job={job} on_retry={({ id }) => setJob(id)} />
      </Group>
      <JobBar job={job} />
      <Text size="sm" c="dimmed" role="status">{progressWords(job)}</Text>
      {job.status === 'failed' && <Alert color="red" title="This did not work" role="alert">{job.error}</Alert>}
      {job.status === 'succeeded' && done?.(job)}
    </Stack>
  )
}

/** The bar alone, for lists. While nobody knows how much there is, it only shows that something happens. */
export function JobBar({ job }: { job: Job }) {
  const percent = percentOf(job)
  const goes_on = !isFinished(job)
  const unknown = percent === null
  return (
    <Progress.Root size="lg">
      <Progress.Section
        withAria={false} role="progressbar" aria-label={job.title} aria-valuemin={0} aria-valuemax={100} aria-valuetext={progressWords(job)}
        {...(unknown ? {} : { 'aria-valuenow': percent })} value={unknown ? 100 : percent} animated={goes_on} color={COLOURS[job.status]}
      />
    </Progress.Root>
  )
}

const COLOURS: Record<Job['status'], string> = { queued: 'gray', running: 'blue', succeeded: 'green', failed: 'red', canceled: 'gray' }

export function percentOf({ status, progress: { done, total } }: Job): number | null {
  if (status === 'succeeded') return 100
  if (total === null || total === 0) return status === 'running' ? null : 0
  return Math.min(100, Math.floor((done / total) * 100))
}

const STATES: Record<Job['status'], string> = { queued: 'Waiting to begin', running: 'Running', succeeded: 'Done', failed: 'Failed', canceled: 'Canceled' }

export function progressWords(job: Job): string {
  const { status, cancel_requested, phase, progress: { done, total } } = job
  const state = cancel_requested && !isFinished(job) ? 'Stopping' : STATES[status]
  const far = total === null ? (done > 0 ? done.toLocaleString() : '') : total > 0 ? `${done.toLocaleString()} of ${total.toLocaleString()}` : ''
  return [state, far, status === 'running' ? phase : ''].filter(Boolean).join(' · ')
}

/** What can be done with a job in its state. */
export function JobButtons({ job, on_retry }: { job: Job; on_retry?: (job: Job) => void }) {
  const queries = useQueryClient()
  const know = useKnownJob()
  const heard = (after: Job) => {
    know(after)
    void queries.invalidateQueries({ queryKey: ['jobs', 'list'] })
  }
  const params = { path: { job_id: job.id } }
  const cancel = useMutation({
    mutationFn: () => dataOf(api.PUT('/api/v1/jobs/{job_id}/cancel', { params })), onError: sayFailed, onSuccess: heard,
  })
  const retry = useMutation({
    mutationFn: () => dataOf(api.PUT('/api/v1/jobs/{job_id}/retry', { params })), onError: sayFailed,
    onSuccess: (after) => {
      heard(after)
      on_retry?.(after)
    },
  })
  if (job.status === 'failed') return <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>Retry</Button>
  if (!job.cancelable || isFinished(job)) return null
  return (
    <Button size="xs" variant="default" loading={cancel.isPending} disabled={job.cancel_requested} onClick={() => cancel.mutate()}>
      {job.cancel_requested ? 'Stopping' : 'Cancel'}
    </Button>
  )
}
