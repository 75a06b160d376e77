// Where the stock of a product lies, and every movement that led to it.
import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { DocumentLink } from '../books/documents.tsx'
import { day, money, words } from '../format.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Loaded, NameLink, Section } from '../parts/details.tsx'
import { SmallTable } from '../parts/sub-records.tsx'
import { useBusiness } from '../session.tsx'

type Movement = Schemas['ProductMovement']
const columns = ['Location', 'SKU', 'On hand', 'Reserved', 'Available', 'Worth'].map((heading, place) => ({ heading, figures: place > 1 }))

export function ProductStock({ product_id }: { product_id: string }) {
  const { base_currency } = useBusiness()
  const stock = useQuery({
    queryKey: ['inventory', 'stock', product_id],
    queryFn: () => dataOf(api.GET('/api/v1/inventory/products/{product_id}/stock', { params: { path: { product_id } } })),
  })
  return (
    <Section title="Stock by location">
      <Loaded query={stock}>
        {(levels) => (levels.length === 0 ? <Text size="sm" c="dimmed">Nothing is on hand. Stock comes in by a delivery or by an adjustment.</Text> : (
          <SmallTable label="Stock by location" columns={columns}>
            {levels.map(({ variant_id, location_id, location_name, sku, on_hand, reserved, available, value }) => (
              <Table.Tr key={`${variant_id} ${location_id}`}>
                <Table.Td>{location_name}</Table.Td>
                <Table.Td>{sku}</Table.Td>
                <Table.Td className="figures">{on_hand.toLocaleString()}</Table.Td>
                <Table.Td className="figures">{reserved.toLocaleString()}</Table.Td>
                <Table.Td className="figures">{available.toLocaleString()}</Table.Td>
                <Table.Td className="figures">{money(value, base_currency)}</Table.Td>
              </Table.Tr>
            ))}
          </SmallTable>
        ))}
      </Loaded>
    </Section>
  )
}

export function ProductMovements({ product: { id: product_id, variants } }: { product: Schemas['Product'] }) {
  const { base_currency } = useBusiness()
  const movements: Column<Movement>[] = [
    { name: 'date', title: 'Date', width: '120px', cell: ({ effective_date }) => day(effective_date) },
    { name: 'type', title: 'What', width: '150px', cell: ({ type }) => words(type) },
    { name: 'sku', title: 'SKU', width: '130px', cell: ({ variant_id }) => variants.find(({ id }) => id === variant_id)?.sku },
    {
      name: 'from', title: 'From', width: 'minmax(130px, 1fr)',
      cell: ({ source_type, source_id }) => <DocumentLink source_type={source_type} source_id={source_id} />,
    },
    { name: 'entry', title: 'Entry', width: '80px', cell: ({ entry_id }) => entry_id && <NameLink path={`/journal/${entry_id}`}>Open</NameLink> },
    {
      name: 'quantity', title: 'Units', width: '90px', figures: true, cell: ({ quantity }) => quantity.toLocaleString(undefined, { signDisplay: 'exceptZero' }),
    },
    { name: 'value', title: 'Worth', width: '120px', figures: true, cell: ({ value }) => money(value, base_currency) },
    { name: 'after', title: 'Units after', width: '100px', figures: true, cell: ({ running_quantity }) => running_quantity.toLocaleString() },
  ]
  return (
    <Section title="Movements">
      <DataList<Movement>
        label="Movements" query_key={['inventory', 'movements', product_id]} columns={movements} height="300px"
        empty={<Text size="sm" c="dimmed">Nothing has moved yet.</Text>}
        read={(cursor) => dataOf(api.GET(
          '/api/v1/inventory/products/{product_id}/movements', { params: { path: { product_id }, query: { limit: 100, ...(cursor ? { cursor } : {}) } } },
        ))}
      />
    </Section>
  )
}
