// Everything that happened to an invoice, newest first: who, when and what came of it.
import { Button, Paper, Text, Timeline, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, moment, money, words } from '../format.ts'
import { Failure, Loading } from '../parts/feedback.tsx'
import type { Invoice } from './invoice-status.tsx'

/** What the event says of itself, where a figure or a date tells more than its name. */
function detailOf({ type, data }: Schemas['Event'], currency: string): string | null {
  const cents = (name: string) => (typeof data[name] === 'number' ? money(data[name], currency) : null)
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : null)
  switch (type.replace('invoice.', '')) {
    case 'finalized': return [text('number'), cents('total'), text('due_date') && `due ${day(text('due_date'))}`].filter(Boolean).join(', ')
    case 'created': return [
      cents('total'), text('origin') && text('origin') !== 'manual' && `from ${words(text('origin')).toLowerCase()}`,
    ].filter(Boolean).join(', ')
    case 'updated': return cents('total')
    case 'paid': case 'partially_paid': case 'payment_recorded': case 'recovered': case 'credited': return cents('amount') ?? (
      cents('total_paid') && `${cents('total_paid')} paid and credited in all`
    )
    case 'written_off': return cents('written_off')
    case 'redated': return day(text('invoice_date'))
    default: return null
  }
}

export function InvoiceTimeline({ invoice: { id, currency } }: { invoice: Invoice }) {
  const list = useInfiniteQuery({
    queryKey: ['events', 'invoice', id],
    queryFn: ({ pageParam }) => dataOf(api.GET('/api/v1/events', {
      params: {
        query: { resource_type: 'invoice', resource_id: id, sort_by: 'seq', descending: true, limit: 25, ...(pageParam ? { cursor: pageParam } : {}) },
      },
    })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_next, next_cursor }) => (has_next ? next_cursor ?? undefined : undefined),
  })
  const events = list.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="happened">
      <Title order={2} size="h4" id="happened" mb="md">What happened</Title>
      {list.isPending && <Loading />}
      {list.isError && <Failure error={list.error} again={() => void list.refetch()} />}
      {!list.isPending && events.length === 0 && <Text size="sm" c="dimmed">Nothing is known.</Text>}
      <Timeline bulletSize={14} lineWidth={2}>
        {events.map((event) => (
          <Timeline.Item key={event.id} title={<Text size="sm" fw={600}>{words(event.type.replace('invoice.', ''))}</Text>}>
            {detailOf(event, currency) && <Text size="sm">{detailOf(event, currency)}</Text>}
            <Text size="xs" c="dimmed">{moment(event.occurred_at)} · {event.actor.name}</Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {list.hasNextPage && (
        <Button mt="md" size="xs" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>Show more</Button>
      )}
    </Paper>
  )
}
