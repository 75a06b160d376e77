// How webhooks and their deliveries stand; the word carries the meaning, the colour only repeats it.
import { Badge } from '@mantine/core'
import { words } from '../format.ts'

const COLORS: Record<string, string> = {
  healthy: 'green', delivered: 'green', failing: 'red', failed: 'orange', dead: 'red', disabled: 'gray', dropped: 'gray', pending: 'blue',
}
const NAMES: Record<string, string> = { healthy: 'Works', failing: 'Fails', disabled: 'Off', dead: 'Given up', failed: 'Tried, again soon', pending: 'Waits' }

export const statusName = (status: string): string => NAMES[status] ?? words(status)

export function WebhookStatus({ status }: { status: string }) {
  return <Badge color={COLORS[status] ?? 'gray'} variant="light">{statusName(status)}</Badge>
}
