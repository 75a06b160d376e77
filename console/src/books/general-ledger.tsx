// The general ledger: per ledger its opening balance, every line with the balance after it, and where it ends.
import { Anchor, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { queryText, useAddress, type Given } from '../parts/address.ts'
import { DataList, type Column, type ListPage } from '../parts/data-list.tsx'
import { Empty } from '../parts/feedback.tsx'
import { LedgerPicker } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { ledgerName, useLedgerNames } from '../parts/reading.ts'
import { useBusiness } from '../session.tsx'
import { DocumentLink } from './documents.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { PeriodPicker } from './report-controls.tsx'

type Line = Schemas['GeneralLedgerLine']
type Section = Schemas['GeneralLedgerSection']
/** A ledger's heading, the balance before its first line on the page, or a line. */
type Row = { id: string } & ({ kind: 'ledger' | 'before'; section: Section } | { kind: 'line'; line: Line })

async function read({ ledger_id, ...given }: Given, cursor: string | undefined): Promise<ListPage<Row>> {
  const query = { ...given, ...(ledger_id ? { ledger_id: ledger_id.split(',') } : {}), limit: 200, ...(cursor ? { cursor } : {}) }
  const { ledgers, items, next_cursor, has_next, total } = await dataOf(api.GET('/api/v1/reports/general-ledger', { params: { query: query as object } }))
  const lines = Map.groupBy(items, (line) => line.ledger_id)
  const rows = ledgers.flatMap((section): Row[] => {
    const own = lines.get(section.ledger_id) ?? []
    const id = `${section.ledger_id}:${own[0]?.id ?? 'none'}`
    const goes_on = cursor !== undefined && section === ledgers[0] && own.length > 0
    const heading: Row[] = goes_on ? [] : [{ id, kind: 'ledger', section }, { id: `${id}:before`, kind: 'before', section }]
    return [...heading, ...own.map((line): Row => ({ id: line.id, kind: 'line', line }))]
  })
  return { items: rows, next_cursor, has_next, total }
}

const columnsOf = (currency: string): Column<Row>[] => {
  const bold = (text: string) => <Text span inherit fw={600}>{text}</Text>
  const amount = (row: Row, side: 'debit' | 'credit') => {
    if (row.kind === 'ledger') return bold(money(row.section[side], currency))
    return row.kind === 'line' && row.line[side] !== 0 ? money(row.line[side], currency) : ''
  }
  const balance = (row: Row) => {
    if (row.kind === 'ledger') return bold(money(row.section.closing, currency))
    return money(row.kind === 'line' ? row.line.balance : row.section.balance_before, currency)
  }
  return [
    { name: 'date', title: 'Date', width: '120px', cell: (row) => (row.kind === 'line' ? day(row.line.date) : '') },
    { name: 'entry', title: 'Entry', width: '80px', cell: (row) => row.kind === 'line' && (
      <Anchor component={Link} to={`/journal/${row.line.entry_id}`} size="sm" onClick={(event) => event.stopPropagation()}>
        {row.line.entry_number}
      </Anchor>
    ) },
    { name: 'source', title: 'From', width: '140px', cell: (row) => row.kind === 'line' && (
      <DocumentLink
        source_type={row.line.source_type} source_id={row.line.source_id}
      />
    ) },
    {
      name: 'memo', title: 'Memo', width: 'minmax(220px, 1fr)',
      cell: (row) => (row.kind === 'line' ? row.line.memo : row.kind === 'ledger' ? bold(ledgerName(row.section)) : 'Balance before'),
    },
    { name: 'debit', title: 'Debit', width: '130px', figures: true, cell: (row) => amount(row, 'debit') },
    { name: 'credit', title: 'Credit', width: '130px', figures: true, cell: (row) => amount(row, 'credit') },
    { name: 'balance', title: 'Balance', width: '140px', figures: true, cell: balance },
  ]
}

export function GeneralLedgerPage() {
  const [given, change] = useAddress()
  const go = useNavigate()
  const nameOf = useLedgerNames()
  const { base_currency, default_basis } = useBusiness()
  const one = given['ledger_id'] && !given['ledger_id'].includes(',') ? given['ledger_id'] : null
  return (
    <Page
      title={one ? nameOf(one) : 'General ledger'}
      actions={(
        <ExportButtons
          what="the general ledger" formats={['csv', 'xlsx', 'pdf']}
          path={(format) => `/api/v1/reports/general-ledger/export?${queryText({ ...given, format })}`}
        />
      )}
    >
      <Group align="flex-end" gap="sm">
        <LedgerPicker label="Ledger" placeholder="Every ledger" clearable w={260} value={one} on_change={(ledger) => change({ ledger_id: ledger?.id })} />
        <PeriodPicker given={given} change={change} />
        <Stack gap={2}>
          <Text size="sm" fw={600} aria-hidden="true">Basis</Text>
          <SegmentedControl
            aria-label="Basis" data={[{ value: 'accrual', label: 'Accrual' }, { value: 'cash', label: 'Cash' }]}
            value={given['basis'] ?? default_basis} onChange={(basis) => change({ basis })}
          />
        </Stack>
      </Group>
      <DataList
        label="General ledger" columns={columnsOf(base_currency)} query_key={['reports', 'general-ledger', given]}
        read={(cursor) => read(given, cursor)} height="calc(100dvh - 240px)"
        open={(row) => row.kind === 'line' && void go({ to: `/journal/${row.line.entry_id}` })}
        empty={<Empty title="No lines here">Nothing was booked in this time, and nothing was there before.</Empty>}
      />
    </Page>
  )
}
