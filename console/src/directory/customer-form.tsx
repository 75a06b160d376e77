// Writing down a customer, and changing what is written.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { useCustomer } from '../parts/customer-picker.tsx'
import { Loaded } from '../parts/details.tsx'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { useBusiness } from '../session.tsx'
import { CURRENCY_CHOICES, useTaxChoices, useTermChoices } from './choices.ts'

type Customer = Schemas['Customer']
type Body = Schemas['CustomerInput']

const addressFields = (name: string, section: string): Field[] => [
  { name: `${name}.line1`, label: 'Street', kind: 'text', section },
  { name: `${name}.line2`, label: 'Second line', kind: 'text' },
  { name: `${name}.city`, label: 'City', kind: 'text' },
  { name: `${name}.region`, label: 'State or region', kind: 'text' },
  { name: `${name}.postal_code`, label: 'Postal code', kind: 'text' },
  { name: `${name}.country`, label: 'Country', kind: 'text', words: 'Two letters, such as US.' },
]

/** An address of which nothing is left is none. */
function addressOf(address: Schemas['Address'] | null): Schemas['Address'] | null {
  return address && Object.values(address).some((line) => line !== null) ? address : null
}

export function NewCustomer() {
  return <CustomerForm />
}

export function EditCustomer() {
  const { customer_id } = useParams({ strict: false }) as { customer_id: string }
  return <Loaded query={useCustomer(customer_id)}>{(customer) => <CustomerForm customer={customer} />}</Loaded>
}

function CustomerForm({ customer }: { customer?: Customer }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const { base_currency } = useBusiness()
  const terms = useTermChoices()
  const taxes = useTaxChoices()
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    { name: 'email', label: 'E-mail', kind: 'text', words: 'Invoices and reminders go here, unless a contact receives them.' },
    { name: 'phone', label: 'Phone', kind: 'text' },
    { name: 'website', label: 'Website', kind: 'text' },
    {
      name: 'currency', label: 'Currency', kind: 'choice', required: true, choices: CURRENCY_CHOICES, initial: base_currency,
      words: 'Of new invoices. It stays once something is posted.', section: 'Invoicing',
    },
    { name: 'payment_terms_id', label: 'Payment terms', kind: 'choice', choices: terms, words: 'Empty: the usual terms of the business.' },
    { name: 'default_tax_code_id', label: 'Tax code', kind: 'choice', choices: taxes, words: 'For lines whose item has none.' },
    { name: 'tax_number', label: 'Tax number', kind: 'text' },
    { name: 'credit_limit', label: 'Credit limit', kind: 'money', unit: base_currency },
    { name: 'reminders_paused', label: 'Send no reminders', kind: 'switch' },
    { name: 'language', label: 'Language', kind: 'text', words: 'Such as en or pt-BR; English unless said.' },
    ...addressFields('billing_address', 'Billing address'),
    ...addressFields('shipping_address', 'Shipping address, where it differs'),
    { name: 'parent_id', label: 'Belongs to', kind: 'party', section: 'More' },
    { name: 'external_id', label: 'Name in another system', kind: 'text' },
    { name: 'notes', label: 'Notes', kind: 'long_text' },
  ]
  const save = async (given: Body) => {
    const { billing_address, shipping_address, ...others } = given
    const body: Body = {
      ...others, ...(billing_address === undefined ? {} : { billing_address: addressOf(billing_address) }),
      ...(shipping_address === undefined ? {} : { shipping_address: addressOf(shipping_address) }),
    }
    const saved = customer
      ? await dataOf(api.PUT('/api/v1/customers/{customer_id}', { params: { path: { customer_id: customer.id } }, body }))
      : await dataOf(api.POST('/api/v1/customers', { body }))
    void queries.invalidateQueries({ queryKey: ['customers'] })
    say(saved.warnings.length > 0 ? `Saved. ${saved.warnings.map(({ detail }) => detail).join(' ')}` : 'Saved.')
    await go({ to: `/customers/${saved.id}` })
  }
  const cancel = () => void go({ to: customer ? `/customers/${customer.id}` : '/customers' })
  return (
    <Page title={customer ? `Edit ${customer.name}` : 'New customer'}>
      <RecordForm<Body> fields={fields} record={customer} button={customer ? 'Save' : 'Create customer'} save={save} cancel={cancel} />
    </Page>
  )
}
