// The feed: what the caller is told, pinned first, with what can be done about each.
import { Button, Group, MultiSelect, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, dataOf } from '../api.ts'
import { words } from '../format.ts'
import { useAddress, type Given } from '../parts/address.ts'
import { Empty, Failure, Loading, say, sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useBusiness } from '../session.tsx'
import { NotificationItem } from './notification-item.tsx'
import { SEVERITY_WORDS, TOPICS } from './notification-words.ts'

const SHOWN: Record<string, { label: string; query: object }> = {
  open: { label: 'Open', query: {} },
  unread: { label: 'Unread', query: { status: ['unread'] } },
  snoozed: { label: 'Snoozed', query: { status: ['snoozed'] } },
  over: { label: 'Dismissed and resolved', query: { status: ['dismissed', 'resolved'] } },
  all: { label: 'Everything', query: { include_terminal: true, include_snoozed: true } },
}

const several = (text: string | undefined): string[] => (text ? text.split(',') : [])
const scopeOf = (given: Given, business_id: string) => (given['scope'] === 'me' ? { scope: 'me', live_business_id: business_id } : {
  scope: 'business', scope_id: business_id,
})

function feedQuery(given: Given, business_id: string): object {
  const [topic, severity] = [several(given['topic']), several(given['severity'])]
  return {
    ...scopeOf(given, business_id), include_live: true, limit: 20, ...SHOWN[given['show'] ?? 'open']?.query,
    ...(topic.length > 0 ? { topic } : {}), ...(severity.length > 0 ? { severity } : {}),
  }
}

export function NotificationsPage() {
  const { id } = useBusiness()
  const [given, change] = useAddress()
  const queries = useQueryClient()
  const readAll = useMutation({
    mutationFn: () => {
      const { scope, scope_id } = scopeOf(given, id) as { scope: string; scope_id?: string }
      const topic = several(given['topic'])
      return dataOf(api.POST('/api/v1/notifications/mark-all-read', {
        body: { scope, ...(scope_id ? { scope_id } : {}), ...(topic.length > 0 ? { topic } : {}) } as never,
      }))
    },
    onSuccess: async ({ count }) => {
      say(count === 0 ? 'Everything was read already.' : `${count} ${count === 1 ? 'notification is' : 'notifications are'} marked as read.`)
      await queries.invalidateQueries({ queryKey: ['notifications'] })
    },
    onError: sayFailed,
  })
  return (
    <Page title="Notifications" actions={<Button variant="default" loading={readAll.isPending} onClick={() => readAll.mutate()}>Mark all as read</Button>}>
      <Group gap="xs" align="flex-end">
        <SegmentedControl
          aria-label="Whose" value={given['scope'] === 'me' ? 'me' : 'business'}
          data={[{ value: 'business', label: 'This business' }, { value: 'me', label: 'All of mine' }]}
          onChange={(scope) => change({ scope: scope === 'me' ? 'me' : null })}
        />
        <Select
          label="Show" w={{ base: '100%', xs: 200 }} allowDeselect={false} value={given['show'] ?? 'open'}
          data={Object.entries(SHOWN).map(([value, { label }]) => ({ value, label }))} onChange={(show) => change({ show: show === 'open' ? null : show })}
        />
        <MultiSelect
          label="Topic" w={{ base: '47%', xs: 220 }} placeholder={given['topic'] ? '' : 'Every topic'} clearable
          data={TOPICS.map((topic) => ({ value: topic, label: words(topic) }))} value={several(given['topic'])}
          onChange={(topics) => change({ topic: topics.join(',') })}
        />
        <MultiSelect
          label="How urgent" w={{ base: '47%', xs: 220 }} placeholder={given['severity'] ? '' : 'Any'} clearable
          data={Object.entries(SEVERITY_WORDS).map(([value, label]) => ({ value, label }))} value={several(given['severity'])}
          onChange={(severities) => change({ severity: severities.join(',') })}
        />
      </Group>
      <Feed query={feedQuery(given, id)} narrowed={Object.keys(given).length > 0} />
    </Page>
  )
}

function Feed({ query, narrowed }: { query: object; narrowed: boolean }) {
  const feed = useInfiniteQuery({
    queryKey: ['notifications', 'feed', query],
    queryFn: ({ pageParam }) => dataOf(api.GET('/api/v1/notifications', {
      params: { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } as never },
    })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_next ? page.next_cursor ?? undefined : undefined),
  })
  const { ref, entry } = useIntersection({ rootMargin: '400px' })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = feed
  const near = entry?.isIntersecting === true
  useEffect(() => {
    if (near && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [near, hasNextPage, isFetchingNextPage, fetchNextPage])

  if (feed.isPending) return <Loading what="Loading notifications" />
  if (feed.isError && !feed.data) return <Failure error={feed.error} again={() => void feed.refetch()} />
  const items = feed.data.pages.flatMap((page) => page.items)
  if (items.length === 0) return (
    <Empty title={narrowed ? 'Nothing fits' : 'Nothing is new'}>
      {narrowed ? 'Choose something else above to see more.' : 'What happens in the business and concerns you shows up here.'}
    </Empty>
  )
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {items.map((notification) => <NotificationItem key={notification.id} notification={notification} />)}
      {hasNextPage && (
        <li ref={ref}>
          {feed.isFetchNextPageError
            ? <Failure error={feed.error} again={() => void fetchNextPage()} />
            : <Text size="sm" c="dimmed" ta="center" role="status">Loading more</Text>}
        </li>
      )}
    </Stack>
  )
}
