// The list of credit memos: what customers have to their credit.
import { Anchor, Button, Group, MultiSelect, Switch } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { CustomerPicker } from '../parts/customer-picker.tsx'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { MemoStatus } from './credit-status.tsx'

type Memo = Schemas['CreditMemo']
type Status = Memo['status']
type Filter = { status?: Status[] | undefined; customer_id?: string | undefined; has_remaining?: boolean | undefined; sort_by?: string; descending?: boolean }
const STATUSES: Status[] = ['draft', 'open', 'closed', 'void']

const columns: Column<Memo>[] = [
  {
    name: 'number', title: 'Number', width: '120px', sort_by: 'number',
    cell: ({ id, number }) => (
      <Anchor component={Link} to={`/credit-memos/${id}`} size="sm" tabIndex={-1} onClick={(event) => event.stopPropagation()}>{number ?? 'Draft'}</Anchor>
    ),
  },
  { name: 'customer', title: 'Customer', width: 'minmax(160px, 1fr)', cell: ({ customer_name }) => customer_name },
  { name: 'date', title: 'Date', width: '125px', sort_by: 'credit_date', cell: ({ credit_date }) => day(credit_date) },
  { name: 'kind', title: 'Kind', width: '125px', cell: ({ kind }) => words(kind) },
  { name: 'status', title: 'Status', width: '110px', cell: (memo) => <MemoStatus memo={memo} /> },
  { name: 'total', title: 'Total', width: '125px', figures: true, sort_by: 'total', cell: ({ total, currency }) => money(total, currency) },
  { name: 'remaining', title: 'Remaining', width: '125px', figures: true, sort_by: 'remaining', cell: ({ remaining, currency }) => money(remaining, currency) },
]

export function CreditMemos() {
  const go = useNavigate()
  const filter = useSearch({ strict: false }) as Filter
  const sort = { sort_by: filter.sort_by ?? 'created_at', descending: filter.descending ?? true }
  const query = { ...filter, ...sort }
  const show = (changed: Filter) => void go({
    to: '/credit-memos', search: Object.fromEntries(Object.entries({ ...filter, ...changed }).filter(([, value]) => value !== undefined)) as never,
    replace: true,
  })
  const isFiltered = Boolean(filter.status ?? filter.customer_id ?? filter.has_remaining)
  return (
    <Page title="Credit memos">
      <Group align="flex-end" gap="xs">
        <MultiSelect
          label="Status" placeholder={filter.status ? '' : 'Every status'} clearable w={{ base: '100%', xs: 220 }}
          data={STATUSES.map((value) => ({ value, label: words(value) }))} value={filter.status ?? []}
          onChange={(status) => show({ status: status.length > 0 ? (status as Status[]) : undefined })}
        />
        <CustomerPicker
          label="Customer" width={{ base: '100%', xs: 200 }} value={filter.customer_id ?? null}
          on_change={(customer_id) => show({ customer_id: customer_id ?? undefined })}
        />
        <Switch
          mb={8} label="With something remaining" checked={filter.has_remaining ?? false}
          onChange={({ currentTarget: { checked } }) => show({ has_remaining: checked || undefined })}
        />
      </Group>
      <DataList
        label="Credit memos" columns={columns} query_key={['credit-memos', 'list', query]} sort={sort} on_sort={show}
        read={(cursor) => dataOf(api.GET('/api/v1/credit-memos', { params: { query: { ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never } }))}
        open={({ id }) => void go({ to: `/credit-memos/${id}` })}
        empty={isFiltered
          ? (
            <Empty title="No credit memo fits" action={<Button variant="default" component={Link} to="/credit-memos">Show all</Button>}>
              Nothing matches what you have chosen above.
            </Empty>
          ) : (
            <Empty title="No credit memos yet" action={<Button component={Link} to="/invoices">Go to the invoices</Button>}>
              To take back an invoice, open it and choose Credit under More.
            </Empty>
          )}
      />
    </Page>
  )
}
