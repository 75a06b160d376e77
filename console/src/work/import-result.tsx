// An import that runs or has run: how far it is, what came of it, the rows that were refused, and the way back.
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { api, dataOf, download } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Figures, Section } from '../parts/details.tsx'
import { Failure, sayFailed } from '../parts/feedback.tsx'
import { JobProgress } from '../parts/job-progress.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { ProblemRows } from './import-problems.tsx'
import { ImportSteps } from './import-steps.tsx'
import { KIND_GROUPS, KIND_PATHS, KIND_WORDS, type Import } from './use-import.ts'

export function ImportResult({ about }: { about: Import }) {
  const { counts, status, kind } = about
  const queries = useQueryClient()
  const refresh = useCallback(() => {
    void queries.invalidateQueries({ queryKey: ['imports'] })
    void queries.invalidateQueries({ queryKey: [KIND_GROUPS[kind]] })
  }, [queries, kind])
  const where = KIND_PATHS[kind]
  return (
    <Stack>
      {status === 'running' && <ImportSteps active={3} />}
      {about.job_id && (status === 'running' || status === 'failed') && <JobProgress job_id={about.job_id} on_done={refresh} />}
      {status === 'rolled_back' && <Alert color="gray" title="This import was undone">What it made was taken away on {moment(about.rolled_back_at)}.</Alert>}
      {status === 'canceled' && <Alert color="gray" title="This import was canceled">What came in before that is still there. Undo it to take it away.</Alert>}
      <Section title="What came of it">
        <Figures
          figures={[
            { label: 'Rows of the file', value: counts.rows.toLocaleString() },
            { label: `${KIND_WORDS[kind]} made`, value: counts.created.toLocaleString(), to: where },
            { label: 'Changed', value: counts.updated.toLocaleString(), to: where },
            { label: 'Left as they were', value: counts.skipped.toLocaleString(), to: where },
            { label: 'Rows refused', value: counts.invalid.toLocaleString() },
          ]}
        />
        <Facts
          facts={[['Begun', moment(about.started_at)], ['Over', moment(about.finished_at)],
            ['How it went', about.job_id ? <Anchor key="job" component={Link} to={`/jobs/${about.job_id}`} size="sm">The job</Anchor> : null]]}
        />
      </Section>
      {counts.invalid > 0 && status !== 'running' && <Refused import_id={about.id} />}
      <Actions about={about} refresh={refresh} />
    </Stack>
  )
}

function Refused({ import_id }: { import_id: string }) {
  const refused = useQuery({
    queryKey: ['imports', 'errors', import_id],
    queryFn: () => dataOf(api.GET('/api/v1/imports/{import_id}/errors', { params: { path: { import_id }, query: { limit: 100, descending: false } } })),
  })
  const save = () => void download(`/api/v1/imports/${import_id}/errors/download`).catch(sayFailed)
  return (
    <Section title="Rows that were refused" actions={<Button size="xs" variant="default" onClick={save}>Download these rows</Button>}>
      <Text size="sm" c="dimmed">Mend them in the downloaded file, and import that file.</Text>
      {refused.isError && <Failure error={refused.error} />}
      {refused.data && <ProblemRows problems={refused.data.items.flatMap(({ problems }) => problems)} />}
      {refused.data?.has_next && <Text size="sm" c="dimmed">There are more: the download has all of them.</Text>}
    </Section>
  )
}

const UNDOABLE: readonly Import['status'][] = ['completed', 'completed_with_errors', 'canceled', 'failed']

function Actions({ about, refresh }: { about: Import; refresh: () => void }) {
  const writes = useMayWrite()
  const params = { path: { import_id: about.id } }
  const undo = UNDOABLE.includes(about.status) && about.counts.created > 0
  // A large one is taken back by a job, which then is the last that worked on it.
  const undoing = useQuery({
    queryKey: ['imports', 'job', about.job_id], enabled: undo && about.job_id !== null,
    queryFn: () => dataOf(api.GET('/api/v1/jobs/{job_id}', { params: { path: { job_id: about.job_id ?? '' } } })),
  })
  if (!writes) return null
  if (undoing.data?.kind === 'imports.rollback' && undoing.data.status !== 'failed') return <JobProgress job_id={undoing.data.id} on_done={refresh} />
  return (
    <Stack>
      {undoing.data?.kind === 'imports.rollback' && <Alert color="red" title="This import could not be undone">{undoing.data.error}</Alert>}
      <Group>
        <Button component={Link} to="/imports/new" variant="default">Import another file</Button>
        {about.status === 'failed' && (
          <ActionButton
            button="Run it again" words="It goes on with the rows that are left." touched={['imports']} done="The import runs again."
            run={() => dataOf(api.PUT('/api/v1/imports/{import_id}/run', { params }))}
          />
        )}
        {undo && (
          <ActionButton
            button="Undo this import" grave touched={['imports', KIND_GROUPS[about.kind]]} done="The import is being undone."
            words={`This takes away the ${about.counts.created.toLocaleString()} ${KIND_WORDS[about.kind].toLowerCase()} that it made. `
              + 'Records that it changed stay as they are now. Where one of them is used since, nothing is taken away.'}
            run={() => dataOf(api.PUT('/api/v1/imports/{import_id}/rollback', { params }))}
          />
        )}
      </Group>
    </Stack>
  )
}
