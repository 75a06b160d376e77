// How the state of an invoice is shown, in one word and one colour.
import { Badge, Group } from '@mantine/core'
import type { Schemas } from '../api.ts'

export type Invoice = Schemas['Invoice']
export type Status = Invoice['status']

export const STATUS_WORDS: Record<Status, string> = {
  draft: 'Draft', open: 'Open', partially_paid: 'Partly paid', manual_paid: 'Paid', processor_paid: 'Paid by card', void: 'Void',
}
const colors: Record<Status, string> = { draft: 'gray', open: 'blue', partially_paid: 'yellow', manual_paid: 'green', processor_paid: 'green', void: 'red' }

/** Words carry the meaning; the colour only repeats it. */
export function InvoiceStatus({ invoice: { status, is_overdue, uncollectible, days_overdue }, full = false }: { invoice: Invoice; full?: boolean }) {
  return (
    <Group gap={4} wrap="nowrap">
      {(full || !(uncollectible || is_overdue)) && <Badge color={colors[status]} variant="light" autoContrast>{STATUS_WORDS[status]}</Badge>}
      {uncollectible && <Badge color="gray" variant="outline">Written off</Badge>}
      {is_overdue && !uncollectible && (
        <Badge color="red" variant="light">{full ? `Overdue by ${days_overdue} ${days_overdue === 1 ? 'day' : 'days'}` : `Late ${days_overdue} d`}</Badge>
      )}
    </Group>
  )
}

export const nameOf = ({ number, customer_name }: Invoice): string => number ?? `Draft for ${customer_name ?? 'a customer'}`
