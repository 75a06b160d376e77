// Every board: those that come with the service first, then one's own and those of the business.
import { Anchor, Badge, Button, Card, Drawer, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { Loaded } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { BOARD_FIELDS, BUILT_IN_WORDS } from './board-words.ts'
import { usePeople } from './reading.ts'

type Board = Schemas['DashboardSummary']

export function DashboardsPage() {
  const [{ q }, change] = useAddress()
  const [typed, setTyped] = useState(q ?? '')
  const look = useDebouncedCallback((text: string) => change({ q: text.trim() }), 250)
  const query = { limit: 50, sort_by: 'name', descending: false, ...(q ? { q } : {}) } as const
  const boards = useInfiniteQuery({
    queryKey: ['dashboards', 'list', query], initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => dataOf(api.GET('/api/v1/dashboards', { params: { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    getNextPageParam: ({ has_next, next_cursor }) => (has_next ? next_cursor ?? undefined : undefined),
  })
  return (
    <Page title="Boards" actions={<NewBoard />}>
      <TextInput
        label="Search" placeholder="Words of the name" w={{ base: '100%', xs: 260 }} value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          look(value)
        }}
      />
      <Loaded query={boards}>
        {({ pages }) => {
          const items: Board[] = pages.flatMap((page) => page.items)
          if (items.length === 0) return <Empty title="Nothing fits">No board has this name.</Empty>
          return (
            <Stack>
              <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>{items.map((board) => <BoardCard key={board.id} board={board} />)}</SimpleGrid>
              {boards.hasNextPage && (
                <Group>
                  <Button variant="default" loading={boards.isFetchingNextPage} onClick={() => void boards.fetchNextPage()}>Show more boards</Button>
                </Group>
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Page>
  )
}

function BoardCard({ board: { id, name, built_in, is_default, visibility, owner_id, updated_at } }: { board: Board }) {
  const person = usePeople()(owner_id)
  return (
    <Card withBorder component="article" aria-label={name}>
      <Stack gap={6}>
        <Anchor component={Link} to={`/dashboards/${id}`} fw={600} style={{ overflowWrap: 'anywhere' }}>{name}</Anchor>
        {built_in && <Text size="sm">{BUILT_IN_WORDS[built_in]}</Text>}
        <Group gap={6}>
          {is_default && <Badge variant="light" color="blue">Your default</Badge>}
          <Badge variant="light" color="gray">{built_in ? 'Built in' : visibility === 'private' ? 'Private' : 'For everybody'}</Badge>
        </Group>
        {!built_in && <Text size="xs" c="dimmed">{person ? `Of ${person}, changed ` : 'Changed '}{moment(updated_at)}</Text>}
      </Stack>
    </Card>
  )
}

function NewBoard() {
  const go = useNavigate()
  const queries = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const save = async (body: Schemas['DashboardInput']) => {
    const { id } = await dataOf(api.POST('/api/v1/dashboards', { body }))
    void queries.invalidateQueries({ queryKey: ['dashboards'] })
    await go({ to: `/dashboards/${id}`, search: { edit: 'true' } as never })
  }
  return (
    <>
      <Button onClick={open}>New board</Button>
      <Drawer opened={opened} onClose={close} position="right" title="New board">
        {opened && <RecordForm<Schemas['DashboardInput']> fields={BOARD_FIELDS} button="Make the board" save={save} cancel={close} columns={1} />}
      </Drawer>
    </>
  )
}
