// Who did what to an entry, newest first.
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'
import { moment, words } from '../format.ts'
import { Failure } from '../parts/feedback.tsx'

export function EntryHistory({ entry_id }: { entry_id: string }) {
  const history = useQuery({
    queryKey: ['journal-entries', entry_id, 'history'],
    queryFn: () => dataOf(api.GET('/api/v1/journal-entries/{entry_id}/history', { params: { path: { entry_id }, query: { limit: 50 } } })),
  })
  if (history.isError) return <Failure error={history.error} again={() => void history.refetch()} />
  const items = history.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Stack gap={4}>
      <Title order={2} size="h4">History</Title>
      {items.map(({ id, at, actor_name, action, reason }) => (
        <Text key={id} size="sm">
          {words(action.split('.').at(-1))} by {actor_name} <Text span inherit c="dimmed">{moment(at)}{reason ? `: ${reason}` : ''}</Text>
        </Text>
      ))}
    </Stack>
  )
}
