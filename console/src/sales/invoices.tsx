// The list of invoices: filtered, kept as views, and worked on many at a time.
import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, dataOf } from '../api.ts'
import { day, money } from '../format.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty } from '../parts/feedback.tsx'
import { loadedRows } from '../parts/list-pages.ts'
import { Page } from '../parts/page.tsx'
import { mayWrite } from '../parts/roles.ts'
import { useSession } from '../session.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { filterOf, InvoiceFilters, type InvoiceFilter } from './invoice-filters.tsx'
import { InvoiceStatus, nameOf, type Invoice } from './invoice-status.tsx'
import { SavedViews } from './saved-views.tsx'

type Chosen = ReadonlyMap<string, Invoice>

const columns: Column<Invoice>[] = [
  {
    name: 'number', title: 'Number', width: '120px', sort_by: 'number',
    cell: ({ id, number }) => (
      <Anchor component={Link} to={`/invoices/${id}`} size="sm" tabIndex={-1} onClick={(event) => event.stopPropagation()}>{number ?? 'Draft'}</Anchor>
    ),
  },
  { name: 'customer', title: 'Customer', width: 'minmax(160px, 1fr)', sort_by: 'customer_name', cell: ({ customer_name }) => customer_name },
  { name: 'date', title: 'Date', width: '125px', sort_by: 'invoice_date', cell: ({ invoice_date }) => day(invoice_date) },
  { name: 'due', title: 'Due', width: '125px', sort_by: 'due_date', cell: ({ due_date }) => day(due_date) },
  { name: 'status', title: 'Status', width: '130px', cell: (invoice) => <InvoiceStatus invoice={invoice} /> },
  { name: 'total', title: 'Total', width: '125px', figures: true, sort_by: 'total', cell: ({ total, currency }) => money(total, currency) },
  {
    name: 'balance', title: 'To pay', width: '125px', figures: true, sort_by: 'balance_due',
    cell: ({ status, balance_due, currency }) => (status === 'void' ? '' : money(balance_due, currency)),
  },
]

const pick = (chosen: Chosen, change: (chosen: Chosen) => void): Column<Invoice> => ({
  name: 'pick', title: '', width: '44px',
  cell: (invoice) => (
    // Choosing a row does not open it.
    <div onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()} role="presentation">
      <Checkbox
        size="xs" aria-label={`Choose ${nameOf(invoice)}`} checked={chosen.has(invoice.id)}
        onChange={({ currentTarget: { checked } }) => {
          const others = [...chosen].filter(([id]) => id !== invoice.id)
          change(new Map(checked ? [...others, [invoice.id, invoice]] : others))
        }}
      />
    </div>
  ),
})

export function Invoices() {
  const go = useNavigate()
  const queries = useQueryClient()
  const { membership } = useSession()
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const filter = useMemo(() => filterOf(search), [search])
  const [chosen, choose] = useState<Chosen>(new Map())
  const [view, setView] = useState(0)
  const writes = mayWrite(membership?.role)
  const sort = { sort_by: filter.sort_by ?? 'created_at', descending: filter.descending ?? true }
  const query = { ...filter, ...sort }
  const query_key = ['invoices', 'list', query]
  const show = (wanted: InvoiceFilter) => {
    choose(new Map())
    void go({ to: '/invoices', search: wanted as never, replace: true })
  }
  const chooseShown = () => {
    choose(new Map(loadedRows<Invoice>(queries, query_key).map((invoice) => [invoice.id, invoice])))
  }
  const open = (wanted: InvoiceFilter) => {
    show(wanted)
    setView(view + 1)
  }
  const newOne = <Button component={Link} to="/invoices/new">New invoice</Button>
  return (
    <Page title="Invoices" actions={<><SavedViews filter={filter} on_open={open} />{writes && newOne}</>}>
      <InvoiceFilters key={view} filter={filter} on_change={show} />
      {writes && (
        <Group gap="xs" mih={36}>
          {chosen.size === 0 ? <Button size="xs" variant="subtle" onClick={chooseShown}>Choose all that are loaded</Button> : (
            <>
              <Text size="sm" role="status">{chosen.size} chosen</Text>
              <BulkActions invoices={[...chosen.values()]} on_done={() => choose(new Map())} />
              <Button size="xs" variant="subtle" onClick={() => choose(new Map())}>Choose none</Button>
            </>
          )}
        </Group>
      )}
      <DataList
        label="Invoices" columns={writes ? [pick(chosen, choose), ...columns] : columns} query_key={query_key} sort={sort}
        on_sort={(wanted) => show({ ...filter, ...wanted })}
        read={(cursor) => dataOf(api.GET('/api/v1/invoices', { params: { query: { ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never } }))}
        open={({ id }) => void go({ to: `/invoices/${id}` })} height="max(360px, calc(100dvh - 282px))"
        empty={Object.keys(filter).length > 0
          ? (
            <Empty title="No invoice fits" action={<Button variant="default" onClick={() => open({})}>Show all invoices</Button>}>
              Nothing matches what you have chosen above.
            </Empty>
          ) : <Empty title="No invoices yet" action={newOne}>An invoice starts as a draft; nothing is booked until you finalize it.</Empty>}
      />
    </Page>
  )
}
