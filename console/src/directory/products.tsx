// The list of products, with how much there is of each and what it is worth.
import { Button } from '@mantine/core'
import { api, dataOf, download, type Schemas } from '../api.ts'
import { money } from '../format.ts'
import type { Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { sayFailed } from '../parts/feedback.tsx'
import { RecordList } from '../parts/record-list.tsx'
import { useBusiness } from '../session.tsx'
import { choicesOf, labelOf, PRODUCT_TYPES } from './choices.ts'

type Product = Schemas['Product']

const skus = ({ variants }: Product) => (variants.length === 1 ? variants[0]?.sku : `${variants.length} variants`)
const counted = ({ type }: Product) => type === 'stocked'

const columnsIn = (currency: string): Column<Product>[] => [
  { name: 'name', title: 'Name', width: 'minmax(200px, 2fr)', sort_by: 'name', cell: ({ id, name }) => <NameLink path={`/products/${id}`}>{name}</NameLink> },
  { name: 'sku', title: 'SKU', width: '130px', sort_by: 'sku', cell: skus },
  { name: 'type', title: 'Type', width: '120px', cell: ({ type }) => labelOf(PRODUCT_TYPES, type) },
  { name: 'category', title: 'Category', width: 'minmax(120px, 1fr)', cell: ({ category }) => category },
  {
    name: 'on_hand', title: 'On hand', width: '120px', figures: true, sort_by: 'on_hand',
    cell: (product) => (counted(product) ? `${product.on_hand.toLocaleString()} ${product.unit}` : ''),
  },
  {
    name: 'value', title: 'Worth', width: '130px', figures: true, sort_by: 'value', cell: (product) => (counted(product) ? money(product.value, currency) : ''),
  },
]

export function Products() {
  const { base_currency } = useBusiness()
  return (
    <RecordList<Product>
      title="Products" path="/products" group="inventory" create="New product" columns={columnsIn(base_currency)} sort={{ sort_by: 'name', descending: false }}
      search={{ name: 'q', label: 'Name, SKU, barcode' }}
      words="A product is something you keep in stock or buy to sell. What needs no stock can be a service or fee as well."
      actions={<Button variant="default" onClick={() => void download('/api/v1/inventory/products/export.csv').catch(sayFailed)}>Export CSV</Button>}
      filters={[
        { name: 'type', label: 'Type', all: 'Any', choices: PRODUCT_TYPES },
        { name: 'has_stock', label: 'Stock', all: 'Any', choices: [{ value: 'true', label: 'On hand' }, { value: 'false', label: 'None on hand' }] },
        { name: 'status', label: 'Status', all: 'All', choices: choicesOf(['active', 'archived']) },
      ]}
      read={(query) => dataOf(api.GET('/api/v1/inventory/products', { params: { query: query as never } }))}
    />
  )
}
