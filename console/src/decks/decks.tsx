// Every deck, as cards: what it is about, whether it is ready, and whether the books have changed since.
import { Anchor, Badge, Button, Card, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { moment } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { Loaded } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { periodWords, statusName, STATUSES, templateName, TEMPLATES } from './deck-words.ts'
import { usePeople, type DeckSummary } from './reading.ts'

const SORTS = [
  { value: 'created_at', label: 'Newest first' }, { value: 'period_end', label: 'Latest period first' }, { value: 'title', label: 'By title' },
] as const
type Sort = (typeof SORTS)[number]['value']

export function DecksPage() {
  const writes = useMayWrite()
  const [{ q, status, template, sort_by = 'created_at' }, change] = useAddress()
  const [typed, setTyped] = useState(q ?? '')
  const look = useDebouncedCallback((text: string) => change({ q: text.trim() }), 250)
  const query = {
    sort_by: sort_by as Sort, descending: sort_by !== 'title', limit: 24, ...(q ? { q } : {}), ...(status ? { status: status as DeckSummary['status'] } : {}),
    ...(template ? { template: template as DeckSummary['template'] } : {}),
  }
  const decks = useInfiniteQuery({
    queryKey: ['decks', 'list', query], initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => dataOf(api.GET('/api/v1/ai-reporting/decks', { params: { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    getNextPageParam: ({ has_next, next_cursor }) => (has_next ? next_cursor ?? undefined : undefined),
    refetchInterval: ({ state: { data } }) => (data?.pages.some(({ items }) => items.some((deck) => deck.status === 'generating')) ? 4000 : false),
  })
  const newDeck = writes && <Button component={Link} to="/decks/new">New deck</Button>
  const filtered = Boolean(q ?? status ?? template)
  return (
    <Page title="Decks" actions={newDeck}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Search" placeholder="Words of the title" w={{ base: '100%', xs: 240 }} value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value)
            look(value)
          }}
        />
        <Select
          label="Kind" placeholder="Every kind" clearable w={{ base: 'calc(50% - 5px)', xs: 170 }}
          data={TEMPLATES.map(({ value, label }) => ({ value, label }))}
          value={template ?? null} onChange={(value) => change({ template: value })}
        />
        <Select
          label="Status" placeholder="Every status" clearable w={{ base: 'calc(50% - 5px)', xs: 150 }} data={STATUSES} value={status ?? null}
          onChange={(value) => change({ status: value })}
        />
        <Select
          label="Order" allowDeselect={false} w={{ base: '100%', xs: 180 }} data={SORTS} value={sort_by}
          onChange={(value) => change({ sort_by: value === 'created_at' ? null : value })}
        />
      </Group>
      <Loaded query={decks}>
        {({ pages }) => {
          const items: DeckSummary[] = pages.flatMap((page) => page.items)
          if (items.length === 0) return filtered ? <Empty title="Nothing fits">No deck matches what you have chosen above.</Empty> : (
            <Empty title="No decks yet" action={newDeck}>
              A deck is a set of slides made from the figures of a period, to present, to export and to share.
            </Empty>
          )
          return (
            <Stack>
              <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>{items.map((deck) => <DeckCard key={deck.id} deck={deck} />)}</SimpleGrid>
              {decks.hasNextPage && (
                <Group><Button variant="default" loading={decks.isFetchingNextPage} onClick={() => void decks.fetchNextPage()}>Show more decks</Button></Group>
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Page>
  )
}

const COLORS: Record<DeckSummary['status'], string> = { ready: 'green', generating: 'blue', failed: 'red' }

function DeckCard({ deck }: { deck: DeckSummary }) {
  const { id, title, template, status, stale, created_by, created_at, data_as_of, error } = deck
  const person = usePeople()(created_by)
  return (
    <Card withBorder component="article" aria-label={title}>
      <Stack gap="xs" h="100%" justify="space-between">
        <Stack gap={4}>
          <Text size="xs" c="dimmed">{templateName(template)}</Text>
          <Anchor component={Link} to={`/decks/${id}`} fw={600} style={{ overflowWrap: 'anywhere' }}>{title}</Anchor>
          <Text size="sm">{periodWords(deck)}</Text>
          {error && <Text size="sm" c="red">{error}</Text>}
        </Stack>
        <Stack gap={6}>
          <Group gap={6}>
            <Badge variant="light" color={COLORS[status]}>{statusName(status)}</Badge>
            {stale && <Badge variant="light" color="yellow">Books have changed</Badge>}
          </Group>
          <Text size="xs" c="dimmed">{person ? `Made by ${person}, ` : 'Made '}{moment(created_at)}{data_as_of && ` · figures of ${moment(data_as_of)}`}</Text>
        </Stack>
      </Stack>
    </Card>
  )
}
