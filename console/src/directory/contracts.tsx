// The list of contracts: what was agreed, and how much of it is billed.
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import type { Column } from '../parts/data-list.tsx'
import { NameLink, Status } from '../parts/details.tsx'
import { RecordList } from '../parts/record-list.tsx'
import { choicesOf } from './choices.ts'
import { CustomerName } from './customer-name.tsx'

type Contract = Schemas['Contract']

const columns: Column<Contract>[] = [
  { name: 'number', title: 'Number', width: '100px', cell: ({ id, number }) => <NameLink path={`/contracts/${id}`}>{number}</NameLink> },
  { name: 'title', title: 'Title', width: 'minmax(180px, 2fr)', cell: ({ title }) => title },
  { name: 'customer', title: 'Customer', width: 'minmax(160px, 2fr)', cell: ({ customer_id }) => <CustomerName customer_id={customer_id} /> },
  { name: 'start', title: 'Start', width: '120px', sort_by: 'start_date', cell: ({ start_date }) => day(start_date) },
  { name: 'end', title: 'End', width: '120px', sort_by: 'end_date', cell: ({ end_date }) => day(end_date) },
  { name: 'status', title: 'Status', width: '120px', cell: ({ status }) => <Status status={status} /> },
  {
    name: 'billed', title: 'Billed', width: '120px', figures: true, sort_by: 'billed_amount',
    cell: ({ billed_amount, currency }) => money(billed_amount, currency),
  },
  { name: 'value', title: 'Value', width: '120px', figures: true, sort_by: 'value', cell: ({ value, currency }) => money(value, currency) },
]

export function Contracts() {
  return (
    <RecordList<Contract>
      title="Contracts" path="/contracts" group="contracts" create="New contract" columns={columns} sort={{ sort_by: 'created_at', descending: true }}
      by_customer
      search={{ name: 'search', label: 'Number or title' }}
      words="A contract says what a customer agreed to buy. Invoices that name it count against its value."
      filters={[
        { name: 'status', label: 'Status', all: 'Any', choices: choicesOf(['draft', 'active', 'expired', 'completed', 'terminated']) },
        { name: 'billing_status', label: 'Billing', all: 'Any', choices: choicesOf(['not_started', 'active', 'complete']) },
      ]}
      read={(query) => dataOf(api.GET('/api/v1/contracts', { params: { query: query as never } }))}
    />
  )
}
