// One long job as it stands: followed by its events while they come, asked for every two seconds where they do not.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { useLiveEvents } from './live-events.ts'

export type Job = Schemas['Job']

export const isFinished = ({ status }: Pick<Job, 'status'>): boolean => status === 'succeeded' || status === 'failed' || status === 'canceled'

const keyOf = (job_id: string) => ['jobs', 'one', job_id]

export function useJob(job_id: string) {
  const queries = useQueryClient()
  const known = queries.getQueryData<Job>(keyOf(job_id))
  const follows = useLiveEvents(known && !isFinished(known) ? `/api/v1/jobs/${job_id}/events` : null, ({ data }) => {
    const heard = JSON.parse(data) as Job
    queries.setQueryData<Job>(keyOf(job_id), (before) => (before && before.version > heard.version ? before : heard))
  })
  return useQuery({
    queryKey: keyOf(job_id),
    queryFn: () => dataOf(api.GET('/api/v1/jobs/{job_id}', { params: { path: { job_id } } })),
    refetchInterval: ({ state: { data } }) => (data && isFinished(data) ? false : follows ? 30_000 : 2000),
  })
}

/** A job that the caller has just been given, so that nothing waits for the first answer. */
export function useKnownJob(): (job: Job) => void {
  const queries = useQueryClient()
  return (job) => queries.setQueryData(keyOf(job.id), job)
}
