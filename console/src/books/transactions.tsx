// Bank transactions: what the bank says happened on each cash ledger, and what the books say.
import { Anchor, Button, Group, MultiSelect, Paper, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { day, money, words } from '../format.ts'
import { queryText, useAddress, type Given } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { useLedgerNames } from '../parts/reading.ts'
import { ExportButtons } from './export-buttons.tsx'
import { STATUSES, TransactionStatus, type Transaction } from './transaction-status.tsx'

const VIEWS = [
  { value: 'register', label: 'Bank, and unproven books' }, { value: 'bank', label: 'What the bank says' }, { value: 'book', label: 'What the books say' },
  { value: 'all', label: 'Every row' },
]

const columnsOf = (nameOf: (id: string) => string): Column<Transaction>[] => [
  { name: 'date', title: 'Date', width: '130px', sort_by: 'datetime', cell: ({ datetime }) => day(datetime) },
  {
    name: 'counterparty', title: 'Who', width: 'minmax(160px, 1fr)', sort_by: 'counterparty',
    cell: ({ counterparty, counterparty_raw }) => counterparty ?? counterparty_raw,
  },
  { name: 'description', title: 'What for', width: 'minmax(180px, 1.3fr)', cell: ({ description }) => description },
  { name: 'ledger', title: 'Ledger', width: '180px', cell: ({ ledger_id }) => nameOf(ledger_id) },
  { name: 'status', title: 'Status', width: '180px', cell: ({ status }) => <TransactionStatus status={status} /> },
  { name: 'amount', title: 'Amount', width: '140px', figures: true, sort_by: 'amount', cell: ({ amount, currency }) => money(amount, currency) },
]

const read = ({ status, ...given }: Given, sort: object, cursor: string | undefined) => {
  const query = { ...given, ...(status ? { status: status.split(',') } : {}), ...sort, limit: 100, ...(cursor ? { cursor } : {}) }
  return dataOf(api.GET('/api/v1/transactions', { params: { query: query as object } }))
}

export function Transactions() {
  const [given, change] = useAddress()
  const go = useNavigate()
  const nameOf = useLedgerNames()
  const [sort, setSort] = useState({ sort_by: 'datetime', descending: true })
  const summary = useQuery({ queryKey: ['transactions', 'summary'], queryFn: () => dataOf(api.GET('/api/v1/transactions/summary')) })
  const search = useDebouncedCallback((q: string) => change({ q }), 300)
  const used = summary.data?.filter(({ statuses, book_balance }) => statuses.length > 0 || book_balance !== 0) ?? []
  return (
    <Page title="Bank transactions" actions={(
      <>
        <Button component={Link} to="/transactions/inbox">To categorize</Button>
        <ExportButtons
          what="these transactions" formats={['csv', 'xlsx']} path={(format) => `/api/v1/transactions/export?${queryText({ ...given, format })}`}
        />
      </>
    )}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="xs">
        {used.map(({ ledger_id, ledger_name, currency, book_balance, unreviewed_count, oldest_unreviewed }) => (
          <Paper key={ledger_id} withBorder p="xs">
            <Text size="sm">{ledger_name}</Text>
            <Anchor
              component={Link} to="/reports/general-ledger" search={{ ledger_id, period: 'all_time' } as never} c="inherit" fw={600}
              className="figures"
            >
              {money(book_balance, currency)}
            </Anchor>
            {unreviewed_count === 0 ? <Text size="xs" c="dimmed">Everything is reviewed.</Text> : (
              <Anchor component={Link} to="/transactions/inbox" search={{ ledger_id } as never} size="xs" display="block">
                {unreviewed_count} to review, since {day(oldest_unreviewed)}
              </Anchor>
            )}
          </Paper>
        ))}
      </SimpleGrid>
      <Group gap="sm">
        <TextInput
          aria-label="Search transactions" placeholder="Who, what for or reference" w={220} defaultValue={given['q'] ?? ''}
          onChange={(event) => search(event.currentTarget.value)}
        />
        <Select
          aria-label="Ledger" placeholder="Every cash ledger" clearable w={190}
          data={summary.data?.map(({ ledger_id, ledger_name }) => ({ value: ledger_id, label: ledger_name })) ?? []}
          value={given['ledger_id'] ?? null} onChange={(ledger_id) => change({ ledger_id })}
        />
        <MultiSelect
          aria-label="Status" {...(given['status'] ? {} : { placeholder: 'Every status' })} clearable w={200}
          data={STATUSES.map((value) => ({ value, label: words(value) }))}
          value={given['status']?.split(',') ?? []} onChange={(status) => change({ status: status.join(',') })}
        />
        <Select
          aria-label="In or out" placeholder="In and out" clearable w={140}
          data={[{ value: 'in', label: 'Money in' }, { value: 'out', label: 'Money out' }]} value={given['flow'] ?? null}
          onChange={(flow) => change({ flow })}
        />
        <Select
          aria-label="Rows" w={230} allowDeselect={false} data={VIEWS} value={given['view'] ?? 'register'}
          onChange={(view) => change({ view: view === 'register' ? null : view })}
        />
        <DayField hidden_label label="From" value={given['start_date'] ?? null} on_change={(start_date) => change({ start_date })} width={140} />
        <DayField hidden_label label="To" value={given['end_date'] ?? null} on_change={(end_date) => change({ end_date })} width={140} />
      </Group>
      <DataList
        label="Bank transactions" columns={columnsOf(nameOf)} query_key={['transactions', 'list', given, sort]} sort={sort} on_sort={setSort}
        height="calc(100dvh - 340px)"
        read={(cursor) => read(given, sort, cursor)} open={({ id }) => void go({ to: `/transactions/${id}` })}
        empty={(
          <Empty title="No transactions here">
            Payments that you record show up here by themselves, and so do lines of bank statements once they are brought in.
          </Empty>
        )}
      />
    </Page>
  )
}
