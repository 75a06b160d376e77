// A product: its variants, where they lie, and every movement of them.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { money } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Figures, Loaded, Section, Status } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { useTaxCodes } from '../sales/choices.ts'
import { useBusiness } from '../session.tsx'
import { COSTING, labelOf, PRODUCT_TYPES } from './choices.ts'
import { KitComponents } from './kit-components.tsx'
import { ProductMovements, ProductStock } from './product-stock.tsx'
import { ProductVariants } from './product-variants.tsx'
import { StockAdjustment } from './stock-adjustment.tsx'

type Product = Schemas['Product']
const TOUCHED = ['inventory']

export const useProduct = (product_id: string) =>
  useQuery({
    queryKey: ['inventory', 'products', product_id],
    queryFn: () => dataOf(api.GET('/api/v1/inventory/products/{product_id}', { params: { path: { product_id } } })),
  })

export function ProductPage() {
  const { product_id } = useParams({ strict: false }) as { product_id: string }
  return <Loaded query={useProduct(product_id)}>{(product) => <Shown product={product} />}</Loaded>
}

function Shown({ product }: { product: Product }) {
  const { base_currency } = useBusiness()
  const tax = useTaxCodes().find(({ id }) => id === product.tax_code_id)
  const total = (name: 'available' | 'reserved') => product.variants.reduce((sum, variant) => sum + variant[name], 0).toLocaleString()
  const stocked = product.type === 'stocked'
  return (
    <Page title={product.name} actions={<Actions product={product} />}>
      {product.status === 'archived' && <div><Status status="archived" /></div>}
      {stocked && (
        <Figures
          figures={[
            { label: 'On hand', value: `${product.on_hand.toLocaleString()} ${product.unit}` }, { label: 'Available', value: total('available') },
            { label: 'Reserved', value: total('reserved') },
            { label: 'Worth', value: money(product.value, base_currency) },
          ]}
        />
      )}
      <Section title="Details">
        <Facts
          facts={[
            ['Type', labelOf(PRODUCT_TYPES, product.type)], ['Counted in', product.unit], ['Category', product.category],
            ['What a sale costs', stocked && labelOf(COSTING, product.costing_method)], ['Tax code', tax?.name],
            ['Name in another system', product.external_id], ['Tags', product.tags.join(', ')], ['Description', product.description],
            ['Variants differ in', product.options.map(({ name, values }) => `${name}: ${values.join(', ')}`).join('\n')],
          ]}
        />
      </Section>
      <ProductVariants product={product} />
      {product.type === 'kit' && <KitComponents product_id={product.id} />}
      {stocked && <ProductStock product_id={product.id} />}
      {stocked && <ProductMovements product={product} />}
    </Page>
  )
}

function Actions({ product }: { product: Product }) {
  const go = useNavigate()
  const { id, name, status, type } = product
  const of_this = { params: { path: { product_id: id } } }
  if (!useMayWrite()) return null
  if (status === 'archived') {
    const restore = () => api.PUT('/api/v1/inventory/products/{product_id}/unarchive', of_this)
    return <ActionButton main button="Restore" words="It can be sold again." run={restore} touched={TOUCHED} done={`${name} is back.`} />
  }
  return (
    <>
      {type === 'stocked' && <StockAdjustment product={product} />}
      <Button variant="default" component={Link} to={`/products/${id}/edit`}>Edit</Button>
      <ActionButton
        button="Archive" words="It stays on the documents that name it, and new ones cannot take it."
        run={() => api.PUT('/api/v1/inventory/products/{product_id}/archive', of_this)} touched={TOUCHED} done={`${name} is archived.`}
      />
      <ActionButton
        button="Delete" grave words="It is deleted for good with its variants. Where one has moved or was used, archive it instead."
        run={() => api.DELETE('/api/v1/inventory/products/{product_id}', of_this)} touched={TOUCHED} done={`${name} was deleted.`}
        then={() => void go({ to: '/products' })}
      />
    </>
  )
}
