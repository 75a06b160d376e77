// The catalogue of reports: those with a page lead there, the others come as a file.
import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api.ts'
import { Failure, Loading } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { hasPage, useCatalogue } from './catalogue.ts'
import { ExportButtons, type Format } from './export-buttons.tsx'

export function Reports() {
  const catalogue = useCatalogue()
  if (catalogue.isPending) return <Loading what="Loading reports" />
  if (catalogue.isError) return <Failure error={catalogue.error} again={() => void catalogue.refetch()} />
  const shown = catalogue.data.filter(({ report }) => hasPage(report))
  const files = catalogue.data.filter(({ report, parameters }) => !hasPage(report) && !parameters.some(({ required }) => required))
  return (
    <Page title="Reports">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{shown.map((report) => <Card key={report.report} report={report} />)}</SimpleGrid>
      {files.length > 0 && <Title order={2} size="h4">As a file</Title>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{files.map((report) => <Card key={report.report} report={report} />)}</SimpleGrid>
    </Page>
  )
}

const WORDS: Record<string, string> = {
  'profit-and-loss': 'What was earned and spent in a period.',
  'balance-sheet': 'What the business owns and owes on a day.',
  'trial-balance': 'Opening, movement and closing of every ledger.',
  'general-ledger': 'Every line of every ledger, with the balance after it.',
  'cash-flow': 'Where the money of a period came from and where it went.',
  'changes-in-equity': 'What the owners had, put in, took out and earned.',
  'control-accounts': 'Whether receivables, payables and the like equal their documents.',
  'journal': 'Every entry with its lines, in the order of the journal.',
  'by-dimension': 'What moved in a period, by ledger and whatever lines are tagged with.',
  'key-figures': 'Ratios and totals of a period in short.',
}

function Card({ report: { report, title, description, formats } }: { report: Schemas['ReportDescription'] }) {
  const files = (formats as readonly string[]).filter((format): format is Format => format !== 'json')
  return (
    <Paper withBorder p="md">
      <Stack gap={6} h="100%" justify="space-between">
        <div>
          {hasPage(report) ? <Anchor component={Link} to={`/reports/${report}`} fw={600}>{title}</Anchor> : <Text fw={600}>{title}</Text>}
          <Text size="sm" c="dimmed">{WORDS[report] ?? description}</Text>
        </div>
        <Group justify="flex-end"><ExportButtons what={title} formats={files} path={(format) => `/api/v1/reports/${report}/export?format=${format}`} /></Group>
      </Stack>
    </Paper>
  )
}
