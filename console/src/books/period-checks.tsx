// The checklist before a month is closed: what the API has looked at, what it found, and where to mend it.
import { Anchor, Badge, Paper, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { linkTo } from '../parts/address.ts'
import { Failure, Loading } from '../parts/feedback.tsx'
import type { Period } from './period-status.tsx'

export const useChecks = (period_id: string) => useQuery({
  queryKey: ['accounting-periods', period_id, 'checks'],
  queryFn: () => dataOf(api.GET('/api/v1/accounting-periods/{period_id}/checks', { params: { path: { period_id } } })),
})

/** The page of the console for an address of the API; null where there is none. */
function pageFor(href: string | null, { end_date }: Period): string | null {
  if (href === null) return null
  const register = /^\/ledgers\/([^/]+)\/lines$/.exec(href)?.[1]
  if (register) return `/reports/general-ledger?ledger_id=${register}&end_date=${end_date}`
  if (href.startsWith('/journal-entries')) return href.replace('/journal-entries', '/journal')
  return /^\/(reports|transactions|invoices)\b/.test(href) ? href : null
}

export function PeriodChecks({ period }: { period: Period }) {
  const checks = useChecks(period.id)
  if (checks.isPending) return <Loading what="Looking at the books" />
  if (checks.isError) return <Failure error={checks.error} again={() => void checks.refetch()} />
  return (
    <Paper withBorder>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {checks.data.map(({ key, ok, severity, detail, href }) => {
            const page = pageFor(href, period)
            return (
              <Table.Tr key={key}>
                <Table.Td w={110}>
                  <Badge color={ok ? 'green' : severity === 'blocker' ? 'red' : 'yellow'} variant="light">
                    {ok ? 'In order' : severity === 'blocker' ? 'Blocks' : 'Warning'}
                  </Badge>
                </Table.Td>
                <Table.Td>
                  <Text span size="sm">{detail}</Text> {page && !ok && (
                    <Anchor component={Link} {...linkTo(page) as object} size="sm" underline="always">See it</Anchor>
                  )}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}
