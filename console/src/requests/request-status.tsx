// Requests and their items in words: which state they are in, and what is still missing.
import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'

export type Request = Schemas['DocumentRequest']
export type Item = Schemas['DocumentRequestItem']
export type Template = Schemas['DocumentRequestTemplate']

/** What the cache calls what a change of a request touches. */
export const TOUCHED = ['document-requests', 'documents', 'notifications'] as const

const STATES: Record<Request['status'], { label: string; color: string }> = {
  draft: { label: 'Draft', color: 'gray' },
  sent: { label: 'Sent', color: 'blue' },
  partially_received: { label: 'Partly received', color: 'yellow' },
  received: { label: 'Received', color: 'green' },
  completed: { label: 'Completed', color: 'teal' },
  canceled: { label: 'Canceled', color: 'gray' },
}
export const STATE_CHOICES = Object.entries(STATES).map(([value, { label }]) => ({ value, label }))

/** The word carries the meaning; the colour only repeats it. */
export function RequestStatus({ request: { status, overdue } }: { request: Pick<Request, 'status' | 'overdue'> }) {
  const { label, color } = STATES[status]
  return <Badge variant="light" color={overdue ? 'red' : color}>{overdue ? 'Overdue' : label}</Badge>
}

const ITEM_STATES: Record<Item['status'], { label: string; color: string }> = {
  open: { label: 'Waiting', color: 'blue' },
  received: { label: 'To review', color: 'yellow' },
  accepted: { label: 'Accepted', color: 'green' },
  rejected: { label: 'Rejected', color: 'red' },
  waived: { label: 'Waived', color: 'gray' },
}

export function ItemStatus({ status }: { status: Item['status'] }) {
  const { label, color } = ITEM_STATES[status]
  return <Badge variant="light" color={color}>{label}</Badge>
}

export const isOpen = ({ status }: Pick<Request, 'status'>): boolean => status === 'sent' || status === 'partially_received' || status === 'received'

export function useRequest(request_id: string) {
  return useQuery({
    queryKey: ['document-requests', request_id],
    queryFn: () => dataOf(api.GET('/api/v1/document-requests/{request_id}', { params: { path: { request_id } } })),
  })
}

export function useTemplates(enabled = true) {
  return useQuery({
    queryKey: ['document-requests', 'templates', 'all'], enabled,
    queryFn: () => dataOf(api.GET('/api/v1/document-requests/templates', { params: { query: { limit: 200, sort_by: 'name', descending: false } } })),
  })
}
