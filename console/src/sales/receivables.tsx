// What customers owe by how long it has been due; each figure leads to the documents behind it.
import { Alert, Anchor, Button, Group, Paper, Select, Table, Text, TextInput, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { Chart } from '../parts/chart.tsx'
import { Empty, Failure, Loading } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { AgingItems } from './aging-items.tsx'
import { BUCKETS, titlesOf, type Bucket, type AgingSearch } from './aging-buckets.ts'

type Aging = Schemas['ReceivableAging']

export function Receivables() {
  const router = useRouter()
  const search = useSearch({ strict: false }) as AgingSearch
  const { as_of, known_at, aging_by } = search
  const query = { ...(as_of ? { as_of } : {}), ...(known_at ? { known_at } : {}), ...(aging_by ? { aging_by } : {}) }
  const aging = useInfiniteQuery({
    queryKey: ['invoices', 'aging', query],
    queryFn: ({ pageParam }) => dataOf(
      api.GET('/api/v1/invoices/aging', { params: { query: { ...query, limit: 200, ...(pageParam ? { cursor: pageParam } : {}) } } })
    ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_next, next_cursor }) => (has_next ? next_cursor ?? undefined : undefined),
  })
  const show = useCallback((changed: AgingSearch) => void router.navigate({
    to: '/receivables', search: ((before: AgingSearch) => Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value))) as never,
  }), [router])
  const pick = useCallback((bucket: Bucket) => show({ bucket, customer_id: undefined }), [show])
  const first: Aging | undefined = aging.data?.pages[0]
  const rows = aging.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Page title="Receivables">
      <Group align="flex-end" gap="xs">
        <TextInput
          type="date" label="As of" w={160} value={search.as_of ?? first?.as_of ?? ''} onChange={({ currentTarget: { value } }) => show({ as_of: value })}
        />
        <Select
          label="Counted from" w={180} allowDeselect={false}
          data={[{ value: 'due_date', label: 'The due date' }, { value: 'invoice_date', label: 'The invoice date' }]} value={search.aging_by ?? 'due_date'}
          onChange={(value) => show({ aging_by: value as 'due_date' | 'invoice_date' })}
        />
      </Group>
      {aging.isPending && <Loading />}
      {aging.isError && <Failure error={aging.error} again={() => void aging.refetch()} />}
      {first && (rows.length === 0 ? <Empty title="Nobody owes anything">On {day(first.as_of)} no invoice was open.</Empty> : (
        <>
          <AgingChart aging={first} on_pick={pick} />
          {(search.bucket ?? search.customer_id) && (
            <AgingItems search={search} aging={first} on_close={() => show({ bucket: undefined, customer_id: undefined })} />
          )}
          <AgingTable aging={first} rows={rows} search={search} />
          {aging.hasNextPage && (
            <Button variant="default" loading={aging.isFetchingNextPage} onClick={() => void aging.fetchNextPage()}>Show more customers</Button>
          )}
          <Agreement aging={first} />
        </>
      ))}
    </Page>
  )
}

function Agreement({ aging: { difference, control_balance, base_currency, as_of } }: { aging: Aging }) {
  const booked = money(control_balance, base_currency)
  if (difference === 0) return <Text size="sm" c="dimmed">This agrees with the books: {booked} is receivable on {day(as_of)}.</Text>
  return (
    <Alert color="orange" title="This does not agree with the books">
      The books say {booked}: that differs by {money(difference, base_currency)} from the documents.
    </Alert>
  )
}

function AgingChart({ aging, on_pick }: { aging: Aging; on_pick: (bucket: Bucket) => void }) {
  const { labels, series } = useMemo(() => {
    const titles = titlesOf(aging.buckets)
    const shown = BUCKETS.filter((bucket) => bucket !== 'unapplied_credits' || aging.totals[bucket] !== 0)
    return { labels: shown.map((bucket) => titles[bucket]), series: [{ name: 'Owed', values: shown.map((bucket) => aging.totals[bucket]) }] }
  }, [aging])
  const pick = useCallback((index: number) => on_pick(BUCKETS[index] as Bucket), [on_pick])
  return (
    <Paper withBorder p="md" component="section" aria-label="By age">
      <Title order={2} size="h4" mb="xs">By age</Title>
      <Chart title="What is owed by age" labels={labels} series={series} currency={aging.base_currency} height={220} on_pick={pick} />
    </Paper>
  )
}

function AgingTable({ aging, rows, search }: { aging: Aging; rows: Schemas['AgingRow'][]; search: AgingSearch }) {
  const titles = titlesOf(aging.buckets)
  const { base_currency } = aging
  const figure = (cents: number, to: AgingSearch) => (cents === 0 ? '' : (
    <Anchor
      component={Link} to="/receivables" search={{ ...search, customer_id: undefined, bucket: undefined, ...to } as never} size="sm" c="inherit"
      underline="always"
    >
      {money(cents, base_currency)}
    </Anchor>
  ))
  return (
    <Paper withBorder p="md" component="section" aria-label="By customer">
      <Title order={2} size="h4" mb="xs">By customer</Title>
      <Table.ScrollContainer minWidth={820} type="native" tabIndex={0}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Customer</Table.Th>
              {BUCKETS.map((bucket) => <Table.Th key={bucket} className="figures">{titles[bucket]}</Table.Th>)}
              <Table.Th className="figures">Total</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.customer_id ?? 'nobody'}>
                <Table.Td>
                  {row.customer_id
                    ? <Anchor component={Link} to={`/customers/${row.customer_id}`} size="sm">{row.customer_name}</Anchor>
                    : 'Without a customer'}
                </Table.Td>
                {BUCKETS.map((bucket) => (
                  <Table.Td key={bucket} className="figures">
                    {row.customer_id ? figure(row[bucket], { customer_id: row.customer_id, bucket }) : money(row[bucket], base_currency)}
                  </Table.Td>
                ))}
                <Table.Td className="figures">
                  {row.customer_id ? figure(row.total, { customer_id: row.customer_id }) : money(row.total, base_currency)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th>Together</Table.Th>
              {BUCKETS.map((bucket) => <Table.Th key={bucket} className="figures">{figure(aging.totals[bucket], { bucket })}</Table.Th>)}
              <Table.Th className="figures">{money(aging.totals.total, base_currency)}</Table.Th>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}
