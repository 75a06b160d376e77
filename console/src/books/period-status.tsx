// How far a period is closed, in a word and a colour.
import { Badge, Group } from '@mantine/core'
import type { Schemas } from '../api.ts'
import { words } from '../format.ts'

export type Period = Schemas['AccountingPeriod']
const COLORS: Record<Period['status'], string> = { open: 'blue', soft_closed: 'yellow', closed: 'green' }
const LABELS: Record<Period['status'], string> = { open: 'Open', soft_closed: 'Softly closed', closed: 'Closed' }

export function PeriodStatus({ period: { status, locks } }: { period: Period }) {
  return (
    <Group gap={4} component="span" display="inline-flex">
      <Badge color={COLORS[status]} variant="light">{LABELS[status]}</Badge>
      {(locks as unknown as string[]).map((area) => <Badge key={area} color="gray" variant="light">{words(area)} locked</Badge>)}
    </Group>
  )
}

const months = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

export const monthOf = ({ start_date }: Pick<Period, 'start_date'>): string => months.format(new Date(`${start_date}T00:00:00Z`))
