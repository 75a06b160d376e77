// What came of a job: where its result is, or the result itself in words.
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { moment, words } from '../format.ts'
import type { Job } from '../parts/use-job.ts'

export function JobFacts({ job: { result, finished_at } }: { job: Job }) {
  const plain = Object.entries(result ?? {}).filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')
  return (
    <>
      <Text size="sm">Finished {moment(finished_at)}.</Text>
      {plain.map(([name, value]) => <Text key={name} size="sm">{words(name)}: {String(value)}</Text>)}
      {result && 'export_id' in result && <Anchor component={Link} to="/exports" size="sm">Go to the exports to download the file</Anchor>}
    </>
  )
}
