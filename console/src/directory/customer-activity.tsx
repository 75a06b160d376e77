// How the balance of a customer came about: every line of the receivable, each with the balance after it.
import { Text } from '@mantine/core'
import { api, dataOf, type Schemas } from '../api.ts'
import { DocumentLink } from '../books/documents.tsx'
import { day, money } from '../format.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { NameLink, Section } from '../parts/details.tsx'
import { useBusiness } from '../session.tsx'

type Line = Schemas['CustomerLine']

const columnsIn = (base_currency: string): Column<Line>[] => [
  { name: 'date', title: 'Date', width: '120px', cell: ({ date }) => day(date) },
  { name: 'document', title: 'From', width: '150px', cell: ({ source_type, source_id }) => <DocumentLink source_type={source_type} source_id={source_id} /> },
  { name: 'memo', title: 'Memo', width: 'minmax(200px, 1fr)', cell: ({ memo }) => memo },
  { name: 'entry', title: 'Entry', width: '80px', cell: ({ entry_id, entry_number }) => <NameLink path={`/journal/${entry_id}`}>{entry_number}</NameLink> },
  { name: 'amount', title: 'Amount', width: '130px', figures: true, cell: ({ amount, currency }) => money(amount, currency) },
  { name: 'balance', title: 'Owes after it', width: '130px', figures: true, cell: ({ balance }) => money(balance, base_currency) },
]

export function CustomerActivity({ customer_id }: { customer_id: string }) {
  const { base_currency } = useBusiness()
  return (
    <Section title="Activity">
      <DataList<Line>
        label="Activity" query_key={['customers', customer_id, 'activity']} columns={columnsIn(base_currency)} height="320px"
        read={(cursor) => dataOf(api.GET(
          '/api/v1/customers/{customer_id}/activity', { params: { path: { customer_id }, query: { limit: 100, ...(cursor ? { cursor } : {}) } } },
        ))}
        empty={<Text size="sm" c="dimmed">Nothing was charged or paid yet.</Text>}
      />
    </Section>
  )
}
