// Profit of the last twelve months: a chart whose months lead to their report, and the same figures as a table.
import { Button, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { Chart } from '../parts/chart.tsx'
import { useBusiness } from '../session.tsx'
import { linkOf } from '../parts/addresses.ts'
import { AmountLink } from './amount-link.tsx'
import { Card } from './card.tsx'
import { monthsBefore, todayIn } from './dates.ts'

type Month = { label: string; href: string; revenue: number; profit: number }

function monthsOf({ columns, rows }: Schemas['Report']): Month[] {
  const amount = (key: string, place: number) => rows.find((row) => row.key === key)?.cells[place]?.amount ?? 0
  return columns.map(({ label, start_date, end_date }, place) => ({
    label, revenue: amount('net_revenue', place), profit: amount('net_income', place),
    href: `/reports/profit-and-loss?${new URLSearchParams({ ...(start_date === null ? {} : { start_date }), end_date }).toString()}`,
  }))
}

export function Profit() {
  const { timezone } = useBusiness()
  const today = todayIn(timezone)
  const query = { start_date: monthsBefore(today, 11), end_date: today, columns: 'month', depth: 1 }
  const report = useQuery({
    queryKey: ['reports', 'profit-and-loss', 'home', query], queryFn: () => dataOf(api.GET('/api/v1/reports/profit-and-loss', { params: { query } })),
  })
  const [asTable, { toggle }] = useDisclosure()
  const switcher = (
    <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={asTable}>{asTable ? 'Show the chart' : 'Show the figures'}</Button>
  )
  return (
    <Card title="Profit by month" query={report} height={260} aside={switcher}>
      {(answer) => (asTable ? <Figures report={answer} /> : <Drawing report={answer} />)}
    </Card>
  )
}

function Drawing({ report }: { report: Schemas['Report'] }) {
  const go = useNavigate()
  const months = useMemo(() => monthsOf(report), [report])
  const labels = useMemo(() => months.map(({ label }) => label), [months])
  const series = useMemo(() => [
    { name: 'Revenue', values: months.map(({ revenue }) => revenue) },
    { name: 'Profit', values: months.map(({ profit }) => profit) },
  ], [months])
  const pick = useCallback((place: number) => void go(linkOf(months[place]?.href ?? '/reports/profit-and-loss') as never), [go, months])
  if (months.every(({ revenue, profit }) => revenue === 0 && profit === 0)) return (
    <Text size="sm" c="dimmed" py="xl" ta="center">
      Nothing was earned or spent in the last twelve months. Finalized invoices and booked transactions show up here.
    </Text>
  )
  return (
    <>
      <Chart title="Revenue and profit by month" labels={labels} series={series} currency={report.currency} on_pick={pick} />
      <Text size="xs" c="dimmed">On {report.basis} basis. Choose a month to open its report.</Text>
    </>
  )
}

function Figures({ report }: { report: Schemas['Report'] }) {
  return (
    <Table.ScrollContainer minWidth={300} type="native">
      <Table>
        <Table.Thead>
          <Table.Tr><Table.Th>Month</Table.Th><Table.Th className="figures">Revenue</Table.Th><Table.Th className="figures">Profit</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {monthsOf(report).map(({ label, href, revenue, profit }) => (
            <Table.Tr key={label}>
              <Table.Td>{label}</Table.Td>
              <Table.Td className="figures"><AmountLink cents={revenue} currency={report.currency} href={href} label={`Revenue of ${label}`} /></Table.Td>
              <Table.Td className="figures"><AmountLink cents={profit} currency={report.currency} href={href} label={`Profit of ${label}`} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
