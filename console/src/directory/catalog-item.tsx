// A service or fee: its prices, and where its income goes.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Figures, Loaded, Section, Status, To } from '../parts/details.tsx'
import { say, sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useLedgers, ledgerName } from '../parts/reading.ts'
import { useMayWrite } from '../parts/roles.ts'
import { useTaxCodes } from '../sales/choices.ts'

type Item = Schemas['CatalogItem']

export const useCatalogItem = (item_id: string) =>
  useQuery({ queryKey: ['catalog-items', item_id], queryFn: () => dataOf(api.GET('/api/v1/catalog-items/{item_id}', { params: { path: { item_id } } })) })

export function CatalogItemPage() {
  const { item_id } = useParams({ strict: false }) as { item_id: string }
  return <Loaded query={useCatalogItem(item_id)}>{(item) => <Shown item={item} />}</Loaded>
}

function Shown({ item }: { item: Item }) {
  const ledgers = useLedgers().data ?? []
  const tax = useTaxCodes().find(({ id }) => id === item.tax_code_id)
  const ledger = (ledger_id: string | null) => {
    const found = ledgers.find(({ id }) => id === ledger_id)
    return found && <To path={`/reports/general-ledger?ledger_id=${found.id}`}>{ledgerName(found)}</To>
  }
  const { recognition } = item
  return (
    <Page title={item.name} actions={<Actions item={item} />}>
      {item.archived && <div><Status status="archived" /></div>}
      {item.prices.length > 0 && <Figures figures={item.prices.map(({ currency, unit_price }) => ({
        label: `Price in ${currency}${item.unit ? ` per ${item.unit}` : ''}`, value: money(unit_price, currency),
      }))} />}
      <Section title="Details">
        <Facts
          facts={[
            ['Kind', words(item.kind)], ['Code', item.code], ['Counted in', item.unit], ['Description', item.description],
            ['Income account', ledger(item.income_ledger_id) ?? 'The usual one for sales'], ['Expense account', ledger(item.expense_ledger_id)],
            ['Tax code', tax?.name],
            ['Last sold', day(item.last_sold_on) || 'Not yet'], ['Income is deferred', item.deferred && 'Yes, unless the line says otherwise'],
            ['Recognized', recognition && `${words(recognition.method)}${recognition.months ? ` over ${recognition.months} months` : ''}`],
          ]}
        />
      </Section>
    </Page>
  )
}

function Actions({ item: { id, name, archived } }: { item: Item }) {
  const go = useNavigate()
  const of_this = { params: { path: { item_id: id } } }
  const touched = ['catalog-items']
  const copy = async () => {
    try {
      const made = await dataOf(api.POST('/api/v1/catalog-items/{item_id}/duplicate', of_this))
      say('Copied.')
      await go({ to: `/catalog-items/${made.id}/edit` })
    } catch (error) {
      sayFailed(error)
    }
  }
  if (!useMayWrite()) return null
  if (archived) {
    const restore = () => api.PUT('/api/v1/catalog-items/{item_id}/restore', of_this)
    return <ActionButton main button="Restore" words="New lines can take it again." run={restore} touched={touched} done={`${name} is back.`} />
  }
  return (
    <>
      <Button component={Link} to={`/catalog-items/${id}/edit`}>Edit</Button>
      <Button variant="default" onClick={() => void copy()}>Copy</Button>
      <ActionButton
        button="Archive" words="New lines cannot take it. Drafts and recurring invoices that have it keep working."
        run={() => api.PUT('/api/v1/catalog-items/{item_id}/archive', of_this)} touched={touched} done={`${name} is archived.`}
      />
      <ActionButton
        button="Delete" grave words="It is deleted for good. Where it was used, archive it instead."
        run={() => api.DELETE('/api/v1/catalog-items/{item_id}', of_this)} touched={touched} done={`${name} was deleted.`}
        then={() => void go({ to: '/catalog-items' })}
      />
    </>
  )
}
