// A statement: profit and loss, balance sheet, trial balance, cash flow and whatever else has their shape.
import { Alert, Anchor, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { day, moment, money, words } from '../format.ts'
import { queryText, useAddress, type Given } from '../parts/address.ts'
import { Empty, Failure, Loading } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { STATEMENTS, useCatalogue } from './catalogue.ts'
import { ControlAccountsPage } from './control-accounts.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { ReportControls } from './report-controls.tsx'
import type { Report } from './report-rows.ts'
import { ReportTable } from './report-table.tsx'

export function StatementPage() {
  const { report = '' } = useParams({ strict: false }) as { report?: string }
  if (report === 'control-accounts') return <ControlAccountsPage />
  if (!STATEMENTS.includes(report)) return <Failure error={new Error('There is no page for such a report.')} />
  return <Statement key={report} name={report} />
}

function Statement({ name }: { name: string }) {
  const [given, change] = useAddress()
  const catalogue = useCatalogue()
  const described = catalogue.data?.find(({ report }) => report === name)
  const takes = (parameter: string) => described?.parameters.some((each) => each.name === parameter) ?? false
  const report = useQuery({ queryKey: ['reports', name, given], queryFn: () => readReport(name, given), placeholderData: keepPreviousData })
  const shown = report.data
  const title = described?.title ?? shown?.title ?? words(name.replaceAll('-', '_'))
  return (
    <Page title={title} actions={(
      <ExportButtons
        what={title} formats={['csv', 'xlsx', 'pdf']} path={(format) => `/api/v1/reports/${name}/export?${queryText({ ...given, format })}`}
      />
    )}>
      <ReportControls given={given} change={change} takes={takes} basis={given['basis'] ?? shown?.basis ?? 'accrual'} day_only={name === 'balance-sheet'} />
      {report.isError && <Failure error={report.error} again={() => void report.refetch()} />}
      {report.isPending && <Loading what={`Loading ${title}`} />}
      {shown && !report.isError && <Answer report={shown} stale={report.isPlaceholderData} />}
    </Page>
  )
}

/** The API checks what the address says; whatever it does not know it refuses in its own words. */
function readReport(name: string, { compare, ...given }: Given): Promise<Report> {
  const query = { ...given, ...(compare ? { compare: compare.split(',') } : {}) }
  return dataOf(api.GET(`/api/v1/reports/${name}` as '/api/v1/reports/profit-and-loss', { params: { query: query as object } }))
}

function Answer({ report, stale }: { report: Report; stale: boolean }) {
  const { parameters, basis, currency, generated_at, journal_version, checks } = report
  const from = parameters['start_date'] as string | undefined
  const to = (parameters['end_date'] ?? parameters['as_of']) as string | undefined
  if (report.rows.length === 0) return (
    <Empty title="Nothing was booked in this time">
      Choose other dates, or write an entry in the <Anchor component={Link} to="/journal/new">journal</Anchor>.
    </Empty>
  )
  return (
    <div style={{ opacity: stale ? 0.6 : 1 }} aria-busy={stale}>
      <Text size="sm" c="dimmed" mb="xs">{from ? `${day(from)} to ${day(to)}` : `As of ${day(to)}`}, {basis} basis. Every figure leads to its lines.</Text>
      {checks.filter(({ ok }) => !ok).map(({ key, difference }) => (
        <Alert key={key} color="red" mb="xs" title="A check fails">
          {words(key)}: the difference is {money(difference, currency)}.
        </Alert>
      ))}
      <ReportTable report={report} />
      <Group justify="space-between" mt="xs">
        <Text size="xs" c="dimmed">
          {checks.length > 0 && checks.every(({ ok }) => ok) ? `Checked: ${checks.map(({ key }) => words(key).toLowerCase()).join(', ')}.` : ''}
        </Text>
        <Text size="xs" c="dimmed">After entry {journal_version}, read {moment(generated_at)}</Text>
      </Group>
    </div>
  )
}
