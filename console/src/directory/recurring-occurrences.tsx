// What became of the dates of a recurring template, each with its invoice.
import { Text } from '@mantine/core'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DataList, type Column } from '../parts/data-list.tsx'
import { NameLink, Section, Status } from '../parts/details.tsx'
import { useMayWrite } from '../parts/roles.ts'

type Occurrence = Schemas['RecurringOccurrence']

const columns: Column<Occurrence>[] = [
  { name: 'number', title: 'No.', width: '60px', cell: ({ number }) => number },
  { name: 'date', title: 'Date', width: '130px', cell: ({ scheduled_date }) => day(scheduled_date) },
  { name: 'status', title: 'What became of it', width: '150px', cell: ({ status }) => <Status status={status} /> },
  {
    name: 'invoice', title: 'Invoice', width: '120px',
    cell: ({ document_id }) => document_id && <NameLink path={`/invoices/${document_id}`}>Open invoice</NameLink>,
  },
  {
    name: 'words', title: 'Remarks', width: 'minmax(220px, 1fr)',
    cell: ({ error, warning, retry_at }) => [error, warning, retry_at && `Tried again ${moment(retry_at)}.`].filter(Boolean).join(' '),
  },
]

export function RecurringOccurrences({ template_id }: { template_id: string }) {
  const writes = useMayWrite()
  const retry: Column<Occurrence> = {
    name: 'retry', title: 'Failed', width: '110px',
    cell: ({ number, status }) => status === 'failed' && (
      <ActionButton
        small button="Try again" words="The invoice of this date is made once more." touched={['recurring', 'invoices']} done="The invoice was made."
        run={() => api.POST('/api/v1/recurring/{template_id}/occurrences/{number}/retry', { params: { path: { template_id, number } } })}
      />
    ),
  }
  return (
    <Section title="What was made">
      <DataList<Occurrence>
        label="What was made" query_key={['recurring', template_id, 'occurrences']} columns={writes ? [...columns, retry] : columns} height="320px"
        empty={<Text size="sm" c="dimmed">No date has come yet.</Text>}
        read={(cursor) => dataOf(api.GET(
          '/api/v1/recurring/{template_id}/occurrences', { params: { path: { template_id }, query: { limit: 100, ...(cursor ? { cursor } : {}) } } },
        ))}
      />
    </Section>
  )
}
