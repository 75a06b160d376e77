// The list of recurring templates: what makes invoices by itself, and when it does so next.
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import type { Column } from '../parts/data-list.tsx'
import { NameLink, Status } from '../parts/details.tsx'
import { RecordList } from '../parts/record-list.tsx'
import { choicesOf } from './choices.ts'
import { CustomerName } from './customer-name.tsx'

type Template = Schemas['RecurringTemplate']

const columns: Column<Template>[] = [
  { name: 'name', title: 'Name', width: 'minmax(190px, 2fr)', sort_by: 'name', cell: ({ id, name }) => <NameLink path={`/recurring/${id}`}>{name}</NameLink> },
  { name: 'customer', title: 'Customer', width: 'minmax(170px, 2fr)', cell: ({ customer_id }) => <CustomerName customer_id={customer_id} /> },
  { name: 'frequency', title: 'How often', width: '110px', cell: ({ frequency }) => words(frequency) },
  { name: 'next', title: 'Next', width: '130px', sort_by: 'next_date', cell: ({ next_date }) => day(next_date) },
  { name: 'status', title: 'Status', width: '110px', cell: ({ status, last_error }) => <Status status={last_error ? 'failed' : status} /> },
  { name: 'amount', title: 'Each', width: '125px', figures: true, cell: ({ amount, currency }) => money(amount, currency) },
]

export function Recurring() {
  return (
    <RecordList<Template>
      title="Recurring invoices" path="/recurring" group="recurring" create="New recurring invoice" columns={columns}
      sort={{ sort_by: 'next_date', descending: false }} by_customer
      search={{ name: 'search', label: 'Part of the name' }}
      words="A recurring invoice is written once and made again on its dates: as a draft, finalized, or sent."
      filters={[{ name: 'status', label: 'Status', all: 'Any', choices: choicesOf(['active', 'paused', 'ended']) }]}
      read={(query) => dataOf(api.GET('/api/v1/recurring', { params: { query: query as never } }))}
    />
  )
}
