// Writing down a service or fee with its prices.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { Loaded } from '../parts/details.tsx'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { useBusiness } from '../session.tsx'
import { useCatalogItem } from './catalog-item.tsx'
import { choicesOf, CURRENCIES, useLedgerChoices, useTaxChoices } from './choices.ts'

type Item = Schemas['CatalogItem']
type Currency = (typeof CURRENCIES)[number]
/** Prices as the form has them: one input for each currency. */
type Body = Omit<Schemas['CatalogItemInput'], 'prices'> & { price?: Partial<Record<Currency, number | null>> }

export function NewCatalogItem() {
  return <CatalogItemForm />
}

export function EditCatalogItem() {
  const { item_id } = useParams({ strict: false }) as { item_id: string }
  return <Loaded query={useCatalogItem(item_id)}>{(item) => <CatalogItemForm item={item} />}</Loaded>
}

const bodyOf = ({ price, recognition, ...others }: Body): Schemas['CatalogItemInput'] => ({
  ...others,
  ...(recognition === undefined ? {} : { recognition: recognition?.method ? recognition : null }),
  ...(price ? { prices: CURRENCIES.flatMap((currency) => (typeof price[currency] === 'number' ? [{ currency, unit_price: price[currency] }] : [])) } : {}),
})

function CatalogItemForm({ item }: { item?: Item }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const { base_currency } = useBusiness()
  const income = useLedgerChoices(['income'])
  const expense = useLedgerChoices(['expense'])
  const taxes = useTaxChoices()
  const currencies = [base_currency as Currency, ...CURRENCIES.filter((currency) => currency !== base_currency)]
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    { name: 'kind', label: 'Kind', kind: 'choice', required: true, choices: choicesOf(['service', 'fee', 'time']), initial: 'service' },
    { name: 'code', label: 'Code', kind: 'text', words: 'Your own short name for it; no two have the same.' },
    { name: 'unit', label: 'Counted in', kind: 'text', words: 'Such as hour or piece.' },
    { name: 'description', label: 'Description', kind: 'long_text' },
    ...currencies.map((currency, place): Field => ({
      name: `price.${currency}`, label: `Price in ${currency}`, kind: 'money', unit: currency, ...(place === 0 ? { section: 'Prices' } : {}),
    })),
    { name: 'income_ledger_id', label: 'Income account', kind: 'choice', choices: income, words: 'Empty: the usual one for sales.', section: 'Books' },
    { name: 'expense_ledger_id', label: 'Expense account', kind: 'choice', choices: expense, words: 'Where it is bought.' },
    { name: 'tax_code_id', label: 'Tax code', kind: 'choice', choices: taxes },
    { name: 'deferred', label: 'Its income is deferred', kind: 'switch', words: 'Unless the line says otherwise.' },
    {
      name: 'recognition.method', label: 'Income is recognized', kind: 'choice',
      choices: choicesOf(['daily', 'monthly', 'monthly_half', 'milestone', 'percent_complete', 'manual']),
    },
    { name: 'recognition.months', label: 'Over how many months', kind: 'number' },
  ]
  const record = item && { ...item, price: Object.fromEntries(item.prices.map(({ currency, unit_price }) => [currency, unit_price])) }
  const save = async (given: Body) => {
    const body = bodyOf(given)
    const saved = item
      ? await dataOf(api.PUT('/api/v1/catalog-items/{item_id}', { params: { path: { item_id: item.id } }, body }))
      : await dataOf(api.POST('/api/v1/catalog-items', { body }))
    void queries.invalidateQueries({ queryKey: ['catalog-items'] })
    say('Saved.')
    await go({ to: `/catalog-items/${saved.id}` })
  }
  return (
    <Page title={item ? `Edit ${item.name}` : 'New service or fee'}>
      <RecordForm<Body>
        fields={fields} record={record} button={item ? 'Save' : 'Create'} save={save}
        cancel={() => void go({ to: item ? `/catalog-items/${item.id}` : '/catalog-items' })}
      />
    </Page>
  )
}
