// The documents behind a figure of aging: those of a customer, of a column, or of both.
import { Anchor, Button, Group, Paper, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { Failure, Loading } from '../parts/feedback.tsx'
import { bucketOf, titlesOf, type AgingSearch } from './aging-buckets.ts'

type Item = Schemas['AgingItem'] & { customer_name: string | null }
type AgingItemsProps = { search: AgingSearch; aging: Schemas['ReceivableAging']; on_close: () => void }

export function AgingItems({ search: { as_of, known_at, aging_by, customer_id, bucket }, aging, on_close }: AgingItemsProps) {
  const query = {
    detail: true, limit: 200, ...(as_of ? { as_of } : {}), ...(known_at ? { known_at } : {}), ...(aging_by ? { aging_by } : {}),
    ...(customer_id ? { customer_id } : {}),
  }
  const read = useQuery({ queryKey: ['invoices', 'aging', 'items', query], queryFn: () => dataOf(api.GET('/api/v1/invoices/aging', { params: { query } })) })
  const items = (read.data?.items ?? []).flatMap(
    ({ customer_name, items: own }: Schemas['AgingRow']): Item[] => (own ?? []).map((item) => ({ ...item, customer_name }))
  )
  const shown = bucket ? items.filter((item) => bucketOf(item, aging.buckets) === bucket) : items
  const who = customer_id ? read.data?.items[0]?.customer_name ?? 'Customer' : 'All customers'
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="aging-items">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="aging-items">{[who, bucket && titlesOf(aging.buckets)[bucket]].filter(Boolean).join(', ')}</Title>
        <Group gap="xs">
          {customer_id && (
            <Button size="xs" variant="default" component={Link} to="/invoices" search={{ customer_id, status: ['open', 'partially_paid'] } as never}>
              Open invoices of the customer
            </Button>
          )}
          <Button size="xs" variant="default" onClick={on_close}>Close</Button>
        </Group>
      </Group>
      {read.isPending && <Loading />}
      {read.isError && <Failure error={read.error} again={() => void read.refetch()} />}
      {read.data?.has_next && <Text size="sm" c="dimmed">Only those of the first 200 customers are shown. Choose a customer to see all of theirs.</Text>}
      {read.isSuccess && (
        <Table.ScrollContainer minWidth={560} type="native" tabIndex={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Document</Table.Th>{!customer_id && <Table.Th>Customer</Table.Th>}<Table.Th>Date</Table.Th><Table.Th>Due</Table.Th>
                <Table.Th className="figures">Days late</Table.Th><Table.Th className="figures">Open</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((item, place) => (
                <Table.Tr key={item.invoice_id ?? item.credit_memo_id ?? item.journal_entry_id ?? place}>
                  <Table.Td><Document item={item} /></Table.Td>
                  {!customer_id && <Table.Td>{item.customer_name}</Table.Td>}
                  <Table.Td>{day(item.date)}</Table.Td><Table.Td>{day(item.due_date)}</Table.Td>
                  <Table.Td className="figures">{item.days || ''}</Table.Td><Table.Td className="figures">{money(item.amount, aging.base_currency)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  )
}

function Document({ item: { invoice_id, credit_memo_id, journal_entry_id, number } }: { item: Item }) {
  const document = invoice_id ? `/invoices/${invoice_id}` : credit_memo_id ? `/credit-memos/${credit_memo_id}` : null
  const to = document ?? (journal_entry_id && `/journal/${journal_entry_id}`)
  if (!to) return <>Exchange differences</>
  return <Anchor component={Link} to={to} size="sm">{number ?? (document ? 'Document' : 'Journal entry')}</Anchor>
}
