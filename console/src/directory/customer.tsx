// A customer: what they owe, who works there, their invoices, and how the balance came about.
import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { useCustomer } from '../parts/customer-picker.tsx'
import { Facts, Figures, Loaded, Section, Status, To } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'
import { useMayCorrect, useMayWrite } from '../parts/roles.ts'
import { useTaxCodes, useTerms } from '../sales/choices.ts'
import { useBusiness } from '../session.tsx'
import { CustomerActivity } from './customer-activity.tsx'
import { CustomerAgreements } from './customer-agreements.tsx'
import { CustomerContacts } from './customer-contacts.tsx'
import { MergeButton } from './customer-merge.tsx'
import { LatestInvoices } from './latest-invoices.tsx'

type Customer = Schemas['Customer']
const TOUCHED = ['customers', 'invoices']
const OPEN = ['open', 'partially_paid']

const lines = (address: Schemas['Address'] | null): string | null =>
  address && [
    address.line1, address.line2, [address.postal_code, address.city].filter(Boolean).join(' '), address.region, address.country,
  ].filter(Boolean).join('\n')

export function CustomerPage() {
  const { customer_id } = useParams({ strict: false }) as { customer_id: string }
  return <Loaded query={useCustomer(customer_id)}>{(customer) => <Shown customer={customer} />}</Loaded>
}

function Shown({ customer }: { customer: Customer }) {
  const { base_currency } = useBusiness()
  const { id, name, status, merged_into } = customer
  const marked = status === 'archived' || customer.tax_exempt || customer.reminders_paused
  return (
    <Page title={name} actions={<CustomerActions customer={customer} />}>
      {marked && (
        <Group gap="xs">
          {status === 'archived' && <Status status={status} />}
          {customer.tax_exempt && <Badge variant="light" color="gray">Tax exempt</Badge>}
          {customer.reminders_paused && <Badge variant="light" color="gray">No reminders</Badge>}
        </Group>
      )}
      {merged_into && (
        <Alert color="gray">
          <Text size="sm">This customer became part of <To path={`/customers/${merged_into}`}>another one</To>. What they owe counts there.</Text>
        </Alert>
      )}
      <Figures
        figures={[
          { label: 'Open balance', value: money(customer.open_balance, base_currency), to: '/invoices', search: { customer_id: id, status: OPEN } },
          { label: 'Overdue', value: money(customer.overdue_balance, base_currency), to: '/invoices', search: { customer_id: id, overdue: true } },
          { label: 'Credit not applied yet', value: money(customer.unapplied_credit, base_currency), to: '/credit-memos', search: { customer_id: id } },
          { label: 'Deposits not used yet', value: money(customer.deposit_balance, base_currency) },
          { label: 'Last payment', value: day(customer.last_payment_on) || 'None yet' },
        ]}
      />
      <CustomerFacts customer={customer} />
      <LatestInvoices customer_id={id} />
      <CustomerContacts customer_id={id} />
      <CustomerAgreements customer_id={id} />
      <CustomerActivity customer_id={id} />
    </Page>
  )
}

function CustomerFacts({ customer }: { customer: Customer }) {
  const { base_currency } = useBusiness()
  const terms = useTerms().find(({ id }) => id === customer.payment_terms_id)
  const tax = useTaxCodes().find(({ id }) => id === customer.default_tax_code_id)
  return (
    <Section title="Details">
      <Facts
        facts={[
          ['E-mail', customer.email], ['Phone', customer.phone], ['Website', customer.website], ['Currency', customer.currency],
          ['Payment terms', terms?.name ?? 'As usual'],
          ['Tax code', tax?.name], ['Tax number', customer.tax_number],
          ['Credit limit', customer.credit_limit === null ? null : money(customer.credit_limit, base_currency)],
          ['Belongs to', customer.parent_id && <ParentLink parent_id={customer.parent_id} />], ['Name in another system', customer.external_id],
          ['Billing address', lines(customer.billing_address)], ['Shipping address', lines(customer.shipping_address)], ['Notes', customer.notes],
        ]}
      />
    </Section>
  )
}

function ParentLink({ parent_id }: { parent_id: string }) {
  return <To path={`/customers/${parent_id}`}>{useCustomer(parent_id).data?.name ?? 'The customer above'}</To>
}

function CustomerActions({ customer: { id, name, status, merged_into } }: { customer: Customer }) {
  const go = useNavigate()
  const writes = useMayWrite()
  const corrects = useMayCorrect()
  const of_this = { params: { path: { customer_id: id } } }
  if (!writes || merged_into) return null
  if (status === 'archived') {
    const restore = () => api.PUT('/api/v1/customers/{customer_id}/restore', of_this)
    return <ActionButton main button="Restore" words="New documents can be made for them." run={restore} touched={TOUCHED} done={`${name} is active again.`} />
  }
  return (
    <>
      <Button component={Link} to="/invoices/new" search={{ customer_id: id } as never}>New invoice</Button>
      <Button variant="default" component={Link} to={`/customers/${id}/edit`}>Edit</Button>
      {corrects && <MergeButton customer_id={id} name={name} />}
      <ActionButton
        button="Archive" words="No new documents can be made for them. What is open stays to be paid."
        run={() => api.PUT('/api/v1/customers/{customer_id}/archive', of_this)}
        touched={TOUCHED} done={`${name} is archived.`}
      />
      <ActionButton
        button="Delete" grave words="The customer and their contacts are deleted for good. Where a document names them, archive them instead."
        run={() => api.DELETE('/api/v1/customers/{customer_id}', of_this)} touched={['customers']} done={`${name} was deleted.`}
        then={() => void go({ to: '/customers' })}
      />
    </>
  )
}
