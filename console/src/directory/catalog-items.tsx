// The list of services and fees: what is sold without stock.
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import type { Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { RecordList } from '../parts/record-list.tsx'
import { choicesOf } from './choices.ts'

type Item = Schemas['CatalogItem']

function pricesOf({ prices, unit }: Item): string {
  const amounts = prices.map(({ unit_price, currency }) => money(unit_price, currency)).join(', ')
  return amounts && unit ? `${amounts} per ${unit}` : amounts
}

const columns: Column<Item>[] = [
  {
    name: 'name', title: 'Name', width: 'minmax(200px, 2fr)', sort_by: 'name',
    cell: ({ id, name }) => <NameLink path={`/catalog-items/${id}`}>{name}</NameLink>,
  },
  { name: 'code', title: 'Code', width: '120px', sort_by: 'code', cell: ({ code }) => code },
  { name: 'kind', title: 'Kind', width: '100px', cell: ({ kind }) => words(kind) },
  { name: 'sold', title: 'Last sold', width: '130px', sort_by: 'last_sold_on', cell: ({ last_sold_on }) => day(last_sold_on) },
  { name: 'prices', title: 'Price', width: 'minmax(170px, 1fr)', figures: true, cell: (item) => pricesOf(item) },
]

export function CatalogItems() {
  return (
    <RecordList<Item>
      title="Services and fees" path="/catalog-items" group="catalog-items" create="New service or fee" columns={columns}
      sort={{ sort_by: 'name', descending: false }}
      search={{ name: 'search', label: 'Name, code, description' }} words="Write down what you sell once, with its price, and pick it on every invoice."
      filters={[
        { name: 'kind', label: 'Kind', all: 'Any', choices: choicesOf(['service', 'fee', 'time']) },
        { name: 'archived', label: 'Status', all: 'Active', choices: [{ value: 'true', label: 'Archived' }, { value: 'all', label: 'All' }] },
      ]}
      read={(query) => dataOf(api.GET('/api/v1/catalog-items', { params: { query: query as never } }))}
    />
  )
}
