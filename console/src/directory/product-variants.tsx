// The variants of a product, with their prices and how much there is of each.
import { Badge, Group } from '@mantine/core'
import { api, type Schemas } from '../api.ts'
import { money } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { SubRecords, type SubColumn } from '../parts/sub-records.tsx'
import { useBusiness } from '../session.tsx'

type Variant = Schemas['Variant']
type Body = Schemas['VariantInput']
const TOUCHED = ['inventory']

function columnsIn(currency: string, stocked: boolean): SubColumn<Variant>[] {
  const stock: SubColumn<Variant>[] = [
    { title: 'On hand', figures: true, cell: ({ on_hand }) => on_hand.toLocaleString() },
    { title: 'Available', figures: true, cell: ({ available }) => available.toLocaleString() },
    { title: 'Worth', figures: true, cell: ({ value }) => money(value, currency) },
  ]
  return [
    { title: 'SKU', cell: (variant) => <Sku variant={variant} /> },
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Price', figures: true, cell: ({ price }) => money(price, currency) },
    ...(stocked ? stock : []),
  ]
}

function Sku({ variant: { sku, status, is_default } }: { variant: Variant }) {
  return (
    <Group gap={6} wrap="nowrap">
      {sku}
      {is_default && <Badge size="xs" variant="light">Default</Badge>}
      {status === 'archived' && <Badge size="xs" color="gray" variant="light">Archived</Badge>}
    </Group>
  )
}

const optionsOf = ({ options }: Schemas['Product']): Field[] =>
  options.map(({ name, values }, place) => ({
    name: `option_values.${name}`, label: name, kind: 'choice', choices: values.map((value) => ({ value, label: value })),
    ...(place === 0 ? { section: 'What makes it different' } : {}),
  }))

/** Options that were not chosen are left out. */
function bodyOf({ option_values, ...others }: Body): Body {
  return { ...others, ...(option_values ? { option_values: Object.fromEntries(Object.entries(option_values).filter(([, value]) => value !== null)) } : {}) }
}

export function ProductVariants({ product }: { product: Schemas['Product'] }) {
  const { base_currency } = useBusiness()
  const writes = useMayWrite() && product.status === 'active'
  const path = { product_id: product.id }
  const at = ({ id: variant_id }: Variant) => ({ params: { path: { ...path, variant_id } } })
  const fields: Field[] = [
    { name: 'sku', label: 'SKU', kind: 'text', required: true },
    { name: 'name', label: 'Name', kind: 'text' },
    { name: 'price', label: 'Price', kind: 'money', unit: base_currency },
    { name: 'barcode', label: 'Barcode', kind: 'text' },
    { name: 'standard_cost', label: 'Standard cost', kind: 'money', unit: base_currency, words: 'What one is taken to cost while nothing better is known.' },
    { name: 'pack_quantity', label: 'Bought how many at once', kind: 'number' },
    { name: 'weight_grams', label: 'Weight', kind: 'number', unit: 'g' },
    { name: 'is_default', label: 'It stands for the product', kind: 'switch' },
    ...optionsOf(product),
  ]
  const archive = (row: Variant) => api.PUT('/api/v1/inventory/products/{product_id}/variants/{variant_id}/archive', at(row))
  const restore = (row: Variant) => api.PUT('/api/v1/inventory/products/{product_id}/variants/{variant_id}/unarchive', at(row))
  const move = (row: Variant) => {
    if (row.is_default) return null
    return row.status === 'active'
      ? <ActionButton small button="Archive" words={`${row.sku} cannot be sold any more.`} run={() => archive(row)} touched={TOUCHED} done="Archived." />
      : <ActionButton small button="Restore" words={`${row.sku} can be sold again.`} run={() => restore(row)} touched={TOUCHED} done="Restored." />
  }
  return (
    <SubRecords<Variant, Body>
      title="Variants" noun="variant" rows={product.variants} name_of={({ sku }) => sku} columns={columnsIn(base_currency, product.type === 'stocked')}
      fields={fields} touched={TOUCHED}
      empty="There is no variant yet."
      {...(writes ? {
        add: (body: Body) => api.POST('/api/v1/inventory/products/{product_id}/variants', { params: { path }, body: bodyOf(body) }),
        change: (row: Variant, body: Body) => api.PATCH('/api/v1/inventory/products/{product_id}/variants/{variant_id}', { ...at(row), body: bodyOf(body) }),
        remove: (row: Variant) => api.DELETE('/api/v1/inventory/products/{product_id}/variants/{variant_id}', at(row)),
        more: move,
      } : {})}
    />
  )
}
