// What a kit is put together from when it is sold.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { Loaded } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { SubRecords } from '../parts/sub-records.tsx'
import { NO_VARIANTS, useVariants } from './choices.ts'

type Component = Schemas['KitComponent'] & { id: string }
type Body = { variant_id: string; quantity: number }

export function KitComponents({ product_id }: { product_id: string }) {
  const writes = useMayWrite()
  const path = { product_id }
  const kit = useQuery({
    queryKey: ['inventory', 'kit', product_id], queryFn: () => dataOf(api.GET('/api/v1/inventory/products/{product_id}/kit-components', { params: { path } })),
  })
  const usable = [...(useVariants(writes).data ?? NO_VARIANTS).values()].filter(({ stocked, active }) => stocked && active)
  const choices = usable.map(({ id, sku, name }) => ({ value: id, label: `${sku}, ${name}` }))
  const fields: Field[] = [
    { name: 'variant_id', label: 'Component', kind: 'choice', required: true, choices },
    { name: 'quantity', label: 'Units in one kit', kind: 'number', required: true, initial: '1' },
  ]
  const replace = (components: Body[]) => api.PUT('/api/v1/inventory/products/{product_id}/kit-components', { params: { path }, body: { components } })
  return (
    <Loaded query={kit}>
      {({ components }) => {
        const given = components.map(({ variant_id, quantity }): Body => ({ variant_id, quantity }))
        return (
          <SubRecords<Component, Body>
            title="Components" noun="component" rows={components.map((component) => ({ ...component, id: component.variant_id }))} name_of={({ sku }) => sku}
            fields={fields} touched={['inventory']}
            empty="Nothing is in it yet: it cannot be sold."
            columns={[
              { title: 'SKU', cell: ({ sku }) => sku }, { title: 'Name', cell: ({ name }) => name },
              { title: 'Units in one kit', figures: true, cell: ({ quantity }) => quantity },
            ]}
            {...(writes ? {
              add: (body: Body) => replace([...given, body]),
              change: (row: Component, body: Partial<Body>) => replace(given.map((one) => (one.variant_id === row.variant_id ? { ...one, ...body } : one))),
              remove: (row: Component) => replace(given.filter(({ variant_id }) => variant_id !== row.variant_id)),
            } : {})}
          />
        )
      }}
    </Loaded>
  )
}
