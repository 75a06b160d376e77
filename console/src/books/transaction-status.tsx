// A bank transaction as the API gives it, and how far it is accounted for.
import { Badge } from '@mantine/core'
import { api, dataOf } from '../api.ts'
import { words } from '../format.ts'

export const readTransaction = (transaction_id: string) => dataOf(api.GET('/api/v1/transactions/{transaction_id}', { params: { path: { transaction_id } } }))
export type Transaction = Awaited<ReturnType<typeof readTransaction>>

export const STATUSES = ['unreviewed', 'partially_allocated', 'categorized', 'matched', 'excluded'] as const
const COLORS: Record<(typeof STATUSES)[number], string> = {
  unreviewed: 'blue', partially_allocated: 'yellow', categorized: 'green', matched: 'green', excluded: 'gray',
}

export function TransactionStatus({ status }: { status: Transaction['status'] }) {
  return <Badge color={COLORS[status]} variant="light">{words(status)}</Badge>
}
