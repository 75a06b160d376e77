// The list of requests for papers, with what waits in figures above it.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'
import { day } from '../format.ts'
import type { Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { RecordList } from '../parts/record-list.tsx'
import { RequestStatus, STATE_CHOICES, type Request } from './request-status.tsx'

const columns: Column<Request>[] = [
  { name: 'title', title: 'What is asked', width: 'minmax(200px, 1.4fr)', cell: ({ id, title }) => <NameLink path={`/papers/${id}`}>{title}</NameLink> },
  {
    name: 'recipients', title: 'Of whom', width: 'minmax(160px, 1fr)',
    cell: ({ recipients }) => (recipients.length > 0 ? recipients.map(({ name }) => name).join(', ') : 'Nobody yet'),
  },
  { name: 'status', title: 'State', width: '150px', cell: (request) => <RequestStatus request={request} /> },
  {
    name: 'received', title: 'Received', width: '100px', figures: true, cell: ({ received_count, required_count }) => `${received_count} of ${required_count}`,
  },
  { name: 'due', title: 'Due', width: '125px', sort_by: 'due_date', cell: ({ due_date }) => day(due_date) },
  { name: 'created', title: 'Made', width: '125px', sort_by: 'created_at', cell: ({ created_at }) => day(created_at) },
]

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** What waits, in one sentence. */
function useSummary(): string | null {
  const { data } = useQuery({ queryKey: ['document-requests', 'summary'], queryFn: () => dataOf(api.GET('/api/v1/document-requests/summary')) })
  if (!data || data.open === 0) return null
  const parts = [plural(data.open, 'open request', 'open requests'), data.overdue > 0 && `${data.overdue} overdue`]
  return [...parts, data.waiting_for_review > 0 && plural(data.waiting_for_review, 'paper to review', 'papers to review')].filter(Boolean).join(', ')
}

export function Requests() {
  const summary = useSummary()
  return (
    <RecordList<Request>
      title="Requests" path="/papers" group="document-requests" create="Ask for papers" columns={columns}
      filters={[
        { name: 'status', label: 'State', choices: STATE_CHOICES, all: 'Every state' },
        { name: 'overdue', label: 'Late', choices: [{ value: 'true', label: 'Overdue only' }], all: 'All' },
      ]}
      search={{ name: 'recipient', label: 'E-mail address of who was asked' }} sort={{ sort_by: 'created_at', descending: true }}
      read={({ status, overdue, ...query }) => dataOf(api.GET('/api/v1/document-requests', {
        params: { query: { ...query, ...(status ? { status: [status] } : {}), ...(overdue ? { overdue: true } : {}) } as never },
      }))}
      words="Ask a client, an employee or a supplier for papers. They get a link, need no account, and what they send lands here." actions={summary}
    />
  )
}
