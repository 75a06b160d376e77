// Writing down a product. Its first variant comes with it; more are added on its page.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { Loaded } from '../parts/details.tsx'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { useBusiness } from '../session.tsx'
import { COSTING, PRODUCT_TYPES, useLedgerChoices, useTaxChoices } from './choices.ts'
import { useProduct } from './product.tsx'

type Product = Schemas['Product']
type Body = Schemas['ProductInput']

export function NewProduct() {
  return <ProductForm />
}

export function EditProduct() {
  const { product_id } = useParams({ strict: false }) as { product_id: string }
  return <Loaded query={useProduct(product_id)}>{(product) => <ProductForm product={product} />}</Loaded>
}

function ProductForm({ product }: { product?: Product }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const { base_currency } = useBusiness()
  const income = useLedgerChoices(['income'])
  const cost = useLedgerChoices(['expense'])
  const stock = useLedgerChoices(['asset'])
  const taxes = useTaxChoices()
  const first: Field[] = [
    { name: 'sku', label: 'SKU', kind: 'text', words: 'Of its first variant. Empty: one is made from the name.' },
    { name: 'price', label: 'Price', kind: 'money', unit: base_currency },
  ]
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    {
      name: 'type', label: 'Type', kind: 'choice', required: true, choices: PRODUCT_TYPES, initial: 'stocked',
      words: 'Stocked: counted and costed. Kit: put together when it is sold. It stays once stock has moved.',
    },
    ...(product ? [] : first),
    { name: 'unit', label: 'Counted in', kind: 'text', words: 'Such as piece or gram. Quantities are whole numbers.' },
    { name: 'category', label: 'Category', kind: 'text' },
    { name: 'description', label: 'Description', kind: 'long_text' },
    { name: 'external_id', label: 'Name in another system', kind: 'text' },
    {
      name: 'costing_method', label: 'What a sale costs', kind: 'choice',
      choices: COSTING,
      words: 'It stays once stock has moved.', section: 'Books',
    },
    { name: 'tax_code_id', label: 'Tax code', kind: 'choice', choices: taxes },
    { name: 'income_ledger_id', label: 'Income account', kind: 'choice', choices: income, words: 'Empty: the usual one for sales.' },
    { name: 'cogs_ledger_id', label: 'Cost account', kind: 'choice', choices: cost, words: 'Empty: the usual one for cost of goods sold.' },
    { name: 'inventory_ledger_id', label: 'Stock account', kind: 'choice', choices: stock, words: 'Empty: the usual one for stock.' },
  ]
  const save = async (body: Body) => {
    const saved = product
      ? await dataOf(api.PUT('/api/v1/inventory/products/{product_id}', { params: { path: { product_id: product.id } }, body }))
      : await dataOf(api.POST('/api/v1/inventory/products', { body }))
    void queries.invalidateQueries({ queryKey: ['inventory'] })
    say('Saved.')
    await go({ to: `/products/${saved.id}` })
  }
  return (
    <Page title={product ? `Edit ${product.name}` : 'New product'}>
      <RecordForm<Body>
        fields={fields} record={product} button={product ? 'Save' : 'Create product'} save={save}
        cancel={() => void go({ to: product ? `/products/${product.id}` : '/products' })}
      />
    </Page>
  )
}
