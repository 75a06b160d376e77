// The journal: every entry, posted or not, with what it can be narrowed to.
import { Button, Group, MultiSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { queryText, useAddress, type Given } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty } from '../parts/feedback.tsx'
import { DayField, LedgerPicker } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { useBusiness } from '../session.tsx'
import { DocumentLink } from './documents.tsx'
import { ENTRY_STATUSES, StatusBadge } from './entry-status.tsx'
import { ExportButtons } from './export-buttons.tsx'

type Entry = Schemas['JournalEntryHeader']
const SOURCES = [
  'manual', 'opening', 'invoice', 'invoice_payment', 'invoice_write_off', 'credit_memo', 'credit_refund', 'processor_charge', 'processor_payout',
  'fx_revaluation', 'reclassification',
]

const columnsOf = (currency: string): Column<Entry>[] => [
  { name: 'number', title: 'Number', width: '100px', sort_by: 'number', cell: ({ number }) => number ?? '' },
  { name: 'date', title: 'Date', width: '130px', sort_by: 'date', cell: ({ date }) => day(date) },
  { name: 'memo', title: 'Memo', width: 'minmax(220px, 1fr)', cell: ({ memo }) => memo },
  { name: 'source', title: 'From', width: '160px', cell: ({ source_type, source_id }) => (
    <span onClick={(event) => event.stopPropagation()}>
      <DocumentLink source_type={source_type} source_id={source_id} />
    </span>
  ) },
  { name: 'status', title: 'Status', width: '170px', cell: ({ status }) => <StatusBadge status={status} /> },
  { name: 'total', title: 'Total', width: '140px', figures: true, sort_by: 'total', cell: ({ total }) => money(total, currency) },
]

const read = ({ status, ...given }: Given, sort: object, cursor: string | undefined) => {
  const query = { ...given, ...(status ? { status: status.split(',') } : {}), ...sort, limit: 100, ...(cursor ? { cursor } : {}) }
  return dataOf(api.GET('/api/v1/journal-entries', { params: { query: query as object } }))
}

export function Journal() {
  const [given, change] = useAddress()
  const go = useNavigate()
  const { base_currency } = useBusiness()
  const [sort, setSort] = useState({ sort_by: 'date', descending: true })
  const search = useDebouncedCallback((q: string) => change({ q }), 300)
  const source = given['source_type'] ?? null
  return (
    <Page
      title="Journal"
      actions={(
        <>
          <ExportButtons
            what="these entries" formats={['csv', 'xlsx']} path={(format) => `/api/v1/journal-entries/export?${queryText({ ...given, format })}`}
          />
          <Button component={Link} to="/journal/new">New entry</Button>
        </>
      )}
    >
      <Group gap="sm">
        <TextInput
          aria-label="Search entries" placeholder="Memo or number" w={160} defaultValue={given['q'] ?? ''}
          onChange={(event) => search(event.currentTarget.value)}
        />
        <MultiSelect
          aria-label="Status" {...(given['status'] ? {} : { placeholder: 'Every status' })} clearable w={160}
          data={ENTRY_STATUSES.map((value) => ({ value, label: words(value) }))}
          value={given['status']?.split(',') ?? []} onChange={(status) => change({ status: status.join(',') })}
        />
        <Select
          aria-label="Where it comes from" placeholder="Every source" clearable w={150} value={source} onChange={(source_type) => change({ source_type })}
          data={[...SOURCES, ...(source && !SOURCES.includes(source) ? [source] : [])].map((value) => ({ value, label: words(value) }))}
        />
        <LedgerPicker
          aria-label="Ledger" placeholder="Every ledger" clearable w={190} value={given['ledger_id'] ?? null}
          on_change={(ledger) => change({ ledger_id: ledger?.id })}
        />
        <DayField hidden_label label="From" value={given['start_date'] ?? null} on_change={(start_date) => change({ start_date })} width={125} />
        <DayField hidden_label label="To" value={given['end_date'] ?? null} on_change={(end_date) => change({ end_date })} width={125} />
      </Group>
      <DataList
        label="Journal entries" columns={columnsOf(base_currency)} query_key={['journal-entries', 'list', given, sort]} sort={sort} on_sort={setSort}
        read={(cursor) => read(given, sort, cursor)} open={({ id }) => void go({ to: `/journal/${id}` })}
        empty={(
          <Empty title="No entries here" action={<Button component={Link} to="/journal/new">Write an entry</Button>}>
            Invoices and payments book themselves. What they do not cover is written by hand.
          </Empty>
        )}
      />
    </Page>
  )
}
