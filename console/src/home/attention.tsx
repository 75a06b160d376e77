// What needs somebody: each matter is asked for by itself, and none is shown where there is nothing to do.
import { Anchor, Badge, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { day, money } from '../format.ts'
import { messageOf } from '../parts/feedback.tsx'
import { useBusiness } from '../session.tsx'
import { linkOf, pageFor } from '../parts/addresses.ts'
import { SEVERITY_COLOURS } from './notification-words.ts'

type Matter = { key: string; title: string; detail: string | null; href: string | null; colour: string; urgency: string }
type Source = { queryKey: unknown[]; queryFn: () => Promise<Matter[]> }

const count = (number: number, one: string, many: string): string => `${number.toLocaleString()} ${number === 1 ? one : many}`
const matter = (key: string, title: string, detail: string | null, href: string | null, severity: 'critical' | 'warning' | 'info' = 'info'): Matter =>
  ({ key, title, detail, href, colour: SEVERITY_COLOURS[severity], urgency: severity === 'info' ? 'To do' : severity === 'warning' ? 'Soon' : 'Now' })

async function overdue(): Promise<Matter[]> {
  const { overdue: late, base_currency } = await dataOf(api.GET('/api/v1/invoices/metrics'))
  if (late.count === 0) return []
  const title = count(late.count, 'invoice is overdue', 'invoices are overdue')
  return [matter('overdue', title, `${money(late.total, base_currency)} is past its date.`, '/invoices?overdue=true', 'warning')]
}

async function invoiceDrafts(): Promise<Matter[]> {
  const { total } = await dataOf(api.GET('/api/v1/invoices', { params: { query: { status: ['draft'], limit: 1, include_total_count: true } as never } }))
  if (!total) return []
  return [matter('drafts', count(total, 'invoice is a draft', 'invoices are drafts'), 'A draft is not booked until it is finalized.', '/invoices?status=draft')]
}

async function entryDrafts(): Promise<Matter[]> {
  const { total } = await dataOf(api.GET('/api/v1/journal-entries', { params: { query: { status: 'draft', limit: 1, include_total_count: true } as never } }))
  if (!total) return []
  const title = count(total, 'journal entry is a draft', 'journal entries are drafts')
  return [matter('entries', title, 'A draft counts once it is posted.', '/journal?status=draft')]
}

async function unreviewed(): Promise<Matter[]> {
  const ledgers = (await dataOf(api.GET('/api/v1/transactions/summary'))).filter(({ unreviewed_count }) => unreviewed_count > 0)
  const oldest = ledgers.flatMap(({ oldest_unreviewed }) => oldest_unreviewed ?? []).toSorted()[0]
  const total = ledgers.reduce((sum, { unreviewed_count }) => sum + unreviewed_count, 0)
  if (total === 0) return []
  const detail = oldest ? `The oldest is of ${day(oldest)}.` : null
  return [matter('transactions', count(total, 'bank transaction waits', 'bank transactions wait'), detail, '/transactions?status=unreviewed')]
}

/** The overdue invoices are among them, but stand above already. */
async function alerts(business_id: string): Promise<Matter[]> {
  const { items } = await dataOf(api.GET('/api/v1/notifications', {
    params: { query: { scope: 'business', scope_id: business_id, include_live: true, limit: 100 } },
  }))
  return items.filter(({ live, action_url }) => live && action_url !== '/invoices/collections')
    .map(({ id, title, body, action_url, severity }) => matter(id, title, body, pageFor(action_url), severity))
}

export function Attention() {
  const { id } = useBusiness()
  const sources: Source[] = [
    { queryKey: ['invoices', 'attention', 'overdue'], queryFn: overdue },
    { queryKey: ['notifications', 'attention', id], queryFn: () => alerts(id) },
    { queryKey: ['transactions', 'attention'], queryFn: unreviewed },
    { queryKey: ['invoices', 'attention', 'drafts'], queryFn: invoiceDrafts },
    { queryKey: ['journal-entries', 'attention'], queryFn: entryDrafts },
  ]
  const asked = useQueries({ queries: sources })
  const idle = asked.every(({ data }) => data?.length === 0)
  return (
    <Paper withBorder p="md" component="section" aria-label="What needs attention">
      <Title order={2} size="h5" mb="xs">What needs attention</Title>
      {idle && <Text size="sm" c="dimmed">Nothing waits for you.</Text>}
      {!idle && <Stack gap="sm">{asked.map((query, place) => <Matters key={place} query={query} />)}</Stack>}
    </Paper>
  )
}

function Matters({ query }: { query: UseQueryResult<Matter[]> }) {
  if (query.isPending) return <Skeleton height={22} role="status" aria-label="Loading" />
  if (query.data === undefined) return <Text size="sm" c="red" role="alert">{messageOf(query.error)}</Text>
  return query.data.map(({ key, title, detail, href, colour, urgency }) => (
    <Group key={key} gap="sm" wrap="nowrap" align="flex-start">
      <Badge color={colour} variant="light" miw={62} mt={1} style={{ flexShrink: 0 }}>{urgency}</Badge>
      <div>
        {href ? <Anchor component={Link} {...linkOf(href)} size="sm" fw={500}>{title}</Anchor> : <Text size="sm" fw={500}>{title}</Text>}
        {detail && <Text size="xs" c="dimmed">{detail}</Text>}
      </div>
    </Group>
  ))
}
