// What an import would do: every row tried, nothing kept.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'
import { money } from '../format.ts'
import { Figures, Section } from '../parts/details.tsx'
import { Failure, Loading } from '../parts/feedback.tsx'
import { ProblemRows } from './import-problems.tsx'
import { KIND_WORDS, useKnownImport, type Import } from './use-import.ts'

export function ImportPreview({ about, on_back }: { about: Import; on_back: () => void }) {
  const known = useKnownImport()
  const params = { path: { import_id: about.id } }
  const tried = useQuery({
    queryKey: ['imports', 'preview', about.id, about.version], staleTime: 60_000, retry: false,
    queryFn: () => dataOf(api.GET('/api/v1/imports/{import_id}/preview', { params })),
  })
  const run = useMutation({ mutationFn: () => dataOf(api.PUT('/api/v1/imports/{import_id}/run', { params })), onSuccess: known })
  const back = <Button variant="default" onClick={on_back}>Change the columns</Button>
  if (tried.isPending) return <Stack><Text role="status">Every row is being tried. Nothing is kept.</Text><Loading what="Trying the rows" /></Stack>
  if (tried.isError) return <Stack align="flex-start"><Failure error={tried.error} again={() => void tried.refetch()} />{back}</Stack>
  const { counts, problems, more_problems, totals } = tried.data
  const made = counts.created + counts.updated
  const stopped = counts.invalid > 0 && about.options.on_error === 'abort'
  return (
    <Stack>
      <Section title="What would happen">
        <Figures
          figures={[
            { label: 'Rows of the file', value: counts.rows.toLocaleString() },
            { label: `${KIND_WORDS[about.kind]} made`, value: counts.created.toLocaleString() },
            { label: 'Changed', value: counts.updated.toLocaleString() }, { label: 'Left as they are', value: counts.skipped.toLocaleString() },
            { label: 'Rows refused', value: counts.invalid.toLocaleString() },
          ]}
        />
        {totals.map(({ currency, amount }) => (
          <Text key={currency} size="sm">The drafts add up to {money(amount, currency)} in {currency}. Nothing is posted until you finalize them.</Text>
        ))}
      </Section>
      {problems.length > 0 && (
        <Section title="Rows that would be refused">
          <ProblemRows problems={problems} />
          {more_problems && <Text size="sm" c="dimmed">There are more. These are the first {problems.length}.</Text>}
        </Section>
      )}
      {stopped && (
        <Alert color="orange" title="Nothing would be brought in">
          Some rows are wrong, and you chose to bring in all rows or none. Mend the file and begin again, or choose to leave wrong rows out.
        </Alert>
      )}
      {run.isError && <Failure error={run.error} />}
      <Group>
        <Button disabled={stopped || counts.valid === 0} loading={run.isPending} onClick={() => run.mutate()}>
          {made > 0 ? `Import ${made.toLocaleString()} ${KIND_WORDS[about.kind].toLowerCase()}` : 'Import'}
        </Button>
        {back}
      </Group>
    </Stack>
  )
}
