// Long work: what runs, what waits, and how it ended.
import { Group, Select, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, dataOf } from '../api.ts'
import { moment, words } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty } from '../parts/feedback.tsx'
import { JobBar, JobButtons, progressWords } from '../parts/job-progress.tsx'
import { Page } from '../parts/page.tsx'
import { isFinished, type Job } from '../parts/use-job.ts'

type Status = Job['status']
const STATUSES: Status[] = ['queued', 'running', 'succeeded', 'failed', 'canceled']

export function JobsPage() {
  const go = useNavigate()
  const [given, change] = useAddress()
  const status = STATUSES.find((one) => one === given['status'])
  useFreshList()
  return (
    <Page title="Jobs">
      <Group gap="xs">
        <Select
          label="State" clearable placeholder="All" value={status ?? null} data={STATUSES.map((value) => ({ value, label: words(value) }))}
          onChange={(value) => change({ status: value ?? '' })}
        />
      </Group>
      <DataList<Job>
        label="Jobs" query_key={['jobs', 'list', status ?? 'all']} columns={columns} open={({ id }) => void go({ to: `/jobs/${id}` })}
        read={(cursor) => dataOf(api.GET('/api/v1/jobs', { params: { query: { limit: 50, ...(cursor ? { cursor } : {}), ...(status ? { status } : {}) } } }))}
        empty={<Empty title="No jobs">Work that takes a while, such as an export, shows here with its progress.</Empty>}
      />
    </Page>
  )
}

const columns: Column<Job>[] = [
  { name: 'title', title: 'Job', width: 'minmax(180px, 2fr)', cell: ({ title }) => title },
  { name: 'bar', title: 'Progress', width: 'minmax(120px, 1fr)', cell: (job) => <JobBar job={job} /> },
  {
    name: 'words', title: 'State', width: 'minmax(190px, 2fr)',
    cell: (job) => (job.status === 'failed' ? <Text span size="sm" title={job.error ?? ''}>Failed: {job.error}</Text> : progressWords(job)),
  },
  { name: 'created_at', title: 'Asked for', width: '200px', cell: ({ created_at }) => moment(created_at) },
  {
    name: 'actions', title: 'Actions', width: '110px',
    // A press of the button is for the button, not for the row around it.
    cell: (job) => <span onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}><JobButtons job={job} /></span>,
  },
]

const AGAIN_MS = 2000

/** While one of the jobs in sight goes on, the list is read again and again: a stream for each would be too many. */
function useFreshList(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      const pages = queries.getQueriesData<{ items?: Job[] }>({ queryKey: ['jobs', 'list'] })
      if (pages.some(([, page]) => page?.items?.some((job) => !isFinished(job)))) void queries.invalidateQueries({ queryKey: ['jobs', 'list'] })
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [queries])
}
