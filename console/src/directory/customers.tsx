// The list of customers, with what each of them owes.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import type { Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { RecordList } from '../parts/record-list.tsx'
import { useBusiness } from '../session.tsx'

type Customer = Schemas['Customer']

const columnsIn = (currency: string): Column<Customer>[] => [
  { name: 'name', title: 'Name', width: 'minmax(190px, 2fr)', sort_by: 'name', cell: ({ id, name }) => <NameLink path={`/customers/${id}`}>{name}</NameLink> },
  { name: 'open', title: 'Owes', width: '130px', figures: true, sort_by: 'open_balance', cell: ({ open_balance }) => money(open_balance, currency) },
  {
    name: 'overdue', title: 'Overdue', width: '130px', figures: true, cell: ({ overdue_balance }) => (overdue_balance ? money(overdue_balance, currency) : ''),
  },
  { name: 'last_payment', title: 'Last payment', width: '130px', sort_by: 'last_payment_on', cell: ({ last_payment_on }) => day(last_payment_on) },
  { name: 'email', title: 'E-mail', width: 'minmax(180px, 2fr)', cell: ({ email }) => email },
]

export function Customers() {
  const { base_currency } = useBusiness()
  return (
    <RecordList<Customer>
      title="Customers" path="/customers" group="customers" create="New customer" columns={columnsIn(base_currency)}
      sort={{ sort_by: 'name', descending: false }}
      search={{ name: 'search', label: 'Name, e-mail, tax number' }} words="A customer is who your invoices go to. A name is enough to begin with."
      actions={<Button variant="default" component={Link} to="/customers/duplicates">Find duplicates</Button>}
      filters={[
        { name: 'has_balance', label: 'Balance', all: 'Any', choices: [{ value: 'true', label: 'Owes something' }, { value: 'false', label: 'Owes nothing' }] },
        {
          name: 'overdue', label: 'Overdue', all: 'Any', choices: [{ value: 'true', label: 'Something is late' }, { value: 'false', label: 'Nothing is late' }],
        },
        { name: 'status', label: 'Status', all: 'Active', choices: [{ value: 'archived', label: 'Archived' }, { value: 'all', label: 'All' }] },
      ]}
      read={(query) => dataOf(api.GET('/api/v1/customers', { params: { query: query as never } }))}
    />
  )
}
