// From a figure to the lines it is made of, and from them to their entries and documents.
import { Anchor, Badge, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { queryText, useAddress, type Given } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty, Failure, Loading } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useLedgerNames } from '../parts/reading.ts'
import { DocumentLink } from './documents.tsx'
import { ExportButtons } from './export-buttons.tsx'

type Line = Schemas['LedgerLine']

const read = (given: Given, paging: { limit: number; cursor?: string }) => {
  const { ledger_id = '', dimension_value_id, ...rest } = given
  const query = { ...rest, ledger_id: ledger_id.split(','), ...(dimension_value_id ? { dimension_value_id: dimension_value_id.split(',') } : {}), ...paging }
  return dataOf(api.GET('/api/v1/reports/explain', { params: { query: query as { ledger_id: string[] } } }))
}

const spanOf = ({ start_date, end_date }: Given): string => (start_date ? `${day(start_date)} to ${day(end_date)}` : `up to ${day(end_date) || 'today'}`)

export function ExplanationPage() {
  const [given] = useAddress()
  const go = useNavigate()
  const nameOf = useLedgerNames()
  const first = useQuery({ queryKey: ['reports', 'explain', given, 'first'], queryFn: () => read(given, { limit: 1 }) })
  if (first.isPending) return <Loading what="Loading the lines of the figure" />
  if (first.isError) return <Page title="What this figure is made of"><Failure error={first.error} again={() => void first.refetch()} /></Page>
  const { amount, currency, line_count, document_count, basis } = first.data
  const ledgers = (given['ledger_id'] ?? '').split(',')
  const columns: Column<Line>[] = [
    { name: 'date', title: 'Date', width: '120px', cell: ({ date }) => day(date) },
    { name: 'entry', title: 'Entry', width: '90px', cell: ({ entry_id, entry_number }) => (
      <Anchor component={Link} to={`/journal/${entry_id}`} size="sm" onClick={(event) => event.stopPropagation()}>
        {entry_number}
      </Anchor>
    ) },
    { name: 'source', title: 'From', width: '150px', cell: ({ source_type, source_id }) => (
      <span onClick={(event) => event.stopPropagation()}>
        <DocumentLink source_type={source_type} source_id={source_id} />
      </span>
    ) },
    { name: 'ledger', title: 'Ledger', width: '200px', cell: ({ ledger_id }) => nameOf(ledger_id) },
    { name: 'memo', title: 'Memo', width: 'minmax(200px, 1fr)', cell: ({ memo, cash_basis }) => <>{cash_basis && (
      <Badge size="xs" variant="light" mr={6}>
        Cash basis
      </Badge>
    )}{memo}</> },
    { name: 'debit', title: 'Debit', width: '120px', figures: true, cell: ({ debit }) => (debit === 0 ? '' : money(debit, currency)) },
    { name: 'credit', title: 'Credit', width: '120px', figures: true, cell: ({ credit }) => (credit === 0 ? '' : money(credit, currency)) },
  ]
  return (
    <Page title="What this figure is made of" actions={(
      <ExportButtons
        what="the lines" formats={['csv', 'xlsx', 'pdf']} path={(format) => `/api/v1/reports/explain/export?${queryText({ ...given, format })}`}
      />
    )}>
      <Stack gap={4}>
        <Text size="xl" fw={600} className="figures" ta="left">{money(Math.abs(amount), currency)} {amount === 0 ? '' : amount > 0 ? 'debit' : 'credit'}</Text>
        <Text size="sm">
          {ledgers.length > 4 ? `${ledgers.length} ledgers` : ledgers.map(nameOf).join(', ')}, {spanOf(given)}, {basis} basis
        </Text>
        <Text size="sm" c="dimmed">
          {line_count} {line_count === 1 ? 'line' : 'lines'} of {document_count} {document_count === 1 ? 'document' : 'documents'}.
        </Text>
      </Stack>
      <DataList
        label="Lines" columns={columns} query_key={['reports', 'explain', given]} height="calc(100dvh - 290px)"
        read={async (cursor) => (await read(given, { limit: 200, ...(cursor ? { cursor } : {}) })).lines}
        open={({ entry_id }) => void go({ to: `/journal/${entry_id}` })}
        empty={<Empty title="No lines">Nothing was booked on these ledgers in this time.</Empty>}
      />
    </Page>
  )
}
