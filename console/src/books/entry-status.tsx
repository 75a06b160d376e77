// How far an entry is, in a word and a colour.
import { Badge } from '@mantine/core'
import { words } from '../format.ts'

export const ENTRY_STATUSES = ['draft', 'pending_approval', 'posted', 'reversed'] as const
export type EntryStatus = (typeof ENTRY_STATUSES)[number]
const COLORS: Record<EntryStatus, string> = { draft: 'gray', pending_approval: 'yellow', posted: 'green', reversed: 'red' }

export function StatusBadge({ status }: { status: EntryStatus }) {
  return <Badge color={COLORS[status]} variant="light">{words(status)}</Badge>
}
