// One long job, followed as it goes on.
import { Paper } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { moment } from '../format.ts'
import { JobProgress } from '../parts/job-progress.tsx'
import { Page } from '../parts/page.tsx'
import { useJob } from '../parts/use-job.ts'
import { JobFacts } from './job-facts.tsx'

export function JobPage() {
  const { job_id } = useParams({ strict: false }) as { job_id: string }
  const { data: job } = useJob(job_id)
  return (
    <Page title={job ? `${job.title}, ${moment(job.created_at)}` : 'Job'} actions={<Link to="/jobs">All jobs</Link>}>
      <Paper withBorder p="md" maw={760}>
        <JobProgress job_id={job_id} done={(done) => <JobFacts job={done} />} />
      </Paper>
    </Page>
  )
}
