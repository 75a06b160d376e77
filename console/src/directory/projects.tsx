// The list of projects, with what each has brought in and cost.
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import type { Column } from '../parts/data-list.tsx'
import { NameLink, Status } from '../parts/details.tsx'
import { RecordList } from '../parts/record-list.tsx'
import { useBusiness } from '../session.tsx'
import { choicesOf } from './choices.ts'
import { CustomerName } from './customer-name.tsx'

type Project = Schemas['Project']

const columnsIn = (currency: string): Column<Project>[] => [
  { name: 'code', title: 'Code', width: '110px', sort_by: 'code', cell: ({ code }) => code },
  { name: 'name', title: 'Name', width: 'minmax(180px, 2fr)', sort_by: 'name', cell: ({ id, name }) => <NameLink path={`/projects/${id}`}>{name}</NameLink> },
  { name: 'customer', title: 'Customer', width: 'minmax(150px, 2fr)', cell: ({ customer_id }) => <CustomerName customer_id={customer_id} /> },
  { name: 'status', title: 'Status', width: '120px', cell: ({ status }) => <Status status={status} /> },
  { name: 'end', title: 'End', width: '120px', sort_by: 'end_date', cell: ({ end_date }) => day(end_date) },
  { name: 'income', title: 'Income', width: '120px', figures: true, cell: ({ income }) => money(income, currency) },
  { name: 'cost', title: 'Cost', width: '120px', figures: true, cell: ({ cost }) => money(cost, currency) },
  { name: 'margin', title: 'Left', width: '120px', figures: true, cell: ({ margin }) => money(margin, currency) },
]

export function Projects() {
  const { base_currency } = useBusiness()
  return (
    <RecordList<Project>
      title="Projects" path="/projects" group="projects" create="New project" columns={columnsIn(base_currency)} sort={{ sort_by: 'name', descending: false }}
      by_customer
      search={{ name: 'search', label: 'Name or code' }} words="A project gathers income and cost under one code, so that you see what a job leaves."
      filters={[{ name: 'status', label: 'Status', all: 'Any', choices: choicesOf(['planned', 'active', 'on_hold', 'completed', 'archived']) }]}
      read={(query) => dataOf(api.GET('/api/v1/projects', { params: { query: query as never } }))}
    />
  )
}
