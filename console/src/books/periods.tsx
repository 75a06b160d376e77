// The months of the books by fiscal year, and how far each is closed.
import { Anchor, Button, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { moment } from '../format.ts'
import { Empty, Failure, Loading, say, sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { monthOf, PeriodStatus, type Period } from './period-status.tsx'

export function Periods() {
  const queries = useQueryClient()
  const periods = useQuery({
    queryKey: ['accounting-periods', 'list'],
    queryFn: () => dataOf(api.GET('/api/v1/accounting-periods', { params: { query: { limit: 1000 } } })),
  })
  const generate = useMutation({
    mutationFn: (fiscal_year: number) => dataOf(api.POST('/api/v1/accounting-periods/generate', { body: { fiscal_year } })),
    onSuccess: (_, fiscal_year) => {
      say(`The periods of ${fiscal_year} are there.`)
      void queries.invalidateQueries({ queryKey: ['accounting-periods'] })
    },
    onError: sayFailed,
  })
  if (periods.isPending) return <Loading what="Loading periods" />
  if (periods.isError) return <Failure error={periods.error} again={() => void periods.refetch()} />
  const years = [...Map.groupBy(periods.data.items, ({ fiscal_year }) => fiscal_year)].sort(([a], [b]) => b - a)
  const next = (years[0]?.[0] ?? new Date().getFullYear() - 1) + 1
  const first = years.at(-1)?.[0]
  return (
    <Page title="Periods" actions={(
      <Button variant="default" loading={generate.isPending} onClick={() => generate.mutate(next)}>
        Make fiscal year {next}
      </Button>
    )}>
      {years.length === 0 && <Empty title="No periods yet">Make the first fiscal year: nothing can be booked before.</Empty>}
      {years.map(([year, months]) => <Year key={year} year={year} months={months} />)}
      {first && (
        <Button variant="subtle" w="fit-content" loading={generate.isPending} onClick={() => generate.mutate(first - 1)}>
          Make fiscal year {first - 1}, for older books
        </Button>
      )}
    </Page>
  )
}

function Year({ year, months }: { year: number; months: Period[] }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">Fiscal year {year}</Title>
      <Paper withBorder>
        <Table verticalSpacing={6} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" w="35%">Month</Table.Th>
              <Table.Th scope="col" w="30%">Status</Table.Th>
              <Table.Th scope="col" visibleFrom="sm">Closed</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {months.map((period) => (
              <Table.Tr key={period.id}>
                <Table.Td><Anchor component={Link} to={`/periods/${period.id}`} size="sm">{monthOf(period)}</Anchor></Table.Td>
                <Table.Td><PeriodStatus period={period} /></Table.Td>
                <Table.Td visibleFrom="sm">
                  <Text span size="sm" c="dimmed">
                    {period.closed_at ? moment(period.closed_at) : period.reopen_reason ? `Reopened: ${period.reopen_reason}` : ''}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Stack>
  )
}
