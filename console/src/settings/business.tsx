// The business itself: what stands on its documents, how its books are kept, its logo, and its end.
import { Alert } from '@mantine/core'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, words } from '../format.ts'
import { Section } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { StandingForm } from '../parts/standing-form.tsx'
import { useBusiness } from '../session.tsx'
import { BusinessEnd } from './business-end.tsx'
import { SettingsPage } from './frame.tsx'
import { Logo } from './logo.tsx'

const MONTHS = Array.from({ length: 12 }, (_, month) => ({
  value: String(month + 1), label: new Intl.DateTimeFormat(undefined, { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, month, 1))),
}))
const named = (names: readonly string[]) => names.map((value) => ({ value, label: words(value) }))

const FIELDS: Field[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true, section: 'Who you are' },
  { name: 'legal_name', label: 'Legal name', kind: 'text', words: 'As it stands on documents, where it differs.' },
  { name: 'entity_type', label: 'Form', kind: 'choice', required: true, choices: [
    ...named(['sole_proprietor', 'partnership']), { value: 'llc', label: 'LLC' }, ...named(['corporation', 'nonprofit', 'other']),
  ] },
  { name: 'industry', label: 'Industry', kind: 'text' },
  { name: 'tax_id', label: 'Tax number', kind: 'text', words: 'Kept encrypted.' },
  { name: 'email', label: 'E-mail', kind: 'text', section: 'How people reach you' },
  { name: 'phone', label: 'Phone', kind: 'text' },
  { name: 'website', label: 'Website', kind: 'text', words: 'With https:// in front.' },
  { name: 'address.line1', label: 'Street', kind: 'text' },
  { name: 'address.line2', label: 'Second line', kind: 'text' },
  { name: 'address.postal_code', label: 'Postal code', kind: 'text' },
  { name: 'address.city', label: 'City', kind: 'text' },
  { name: 'address.region', label: 'State or region', kind: 'text' },
  { name: 'address.country', label: 'Country of the address', kind: 'text', words: 'Two capital letters, such as US.' },
  {
    name: 'base_currency', label: 'Currency of the books', kind: 'choice', required: true,
    choices: ['USD', 'CAD', 'AUD', 'EUR', 'GBP'].map((value) => ({ value, label: value })), section: 'How the books are kept',
    words: 'Fixed once something is posted.',
  },
  { name: 'default_basis', label: 'Basis of reports', kind: 'choice', required: true, choices: named(['accrual', 'cash']) },
  {
    name: 'fiscal_year_start_month', label: 'The fiscal year begins in', kind: 'choice', required: true,
    choices: MONTHS, words: 'Fixed once a period is closed.',
  },
  { name: 'books_start_date', label: 'First day of the books', kind: 'date', required: true },
  { name: 'country', label: 'Country', kind: 'text', required: true, words: 'Two capital letters.' },
  { name: 'timezone', label: 'Time zone', kind: 'text', required: true, words: 'Such as America/New_York.' },
]

export function BusinessPage() {
  const business = useBusiness()
  const { id: business_id } = business
  const save = ({ fiscal_year_start_month: month, ...body }: Record<string, unknown>) => dataOf(api.PUT('/api/v1/businesses/{business_id}', {
    params: { path: { business_id } },
    body: { ...body, ...(month === undefined ? {} : { fiscal_year_start_month: Number(month) }) } as Schemas['BusinessUpdate'],
  }))
  return (
    <SettingsPage title="Business">
      {business.status === 'archived' && <Alert color="yellow" title="This business is archived">It can be read, not changed.</Alert>}
      {business.status === 'pending_deletion' && (
        <Alert color="red" title="This business is about to be deleted">
          It goes with all its data on {day(business.deletion_at)}, unless you cancel that below.
        </Alert>
      )}
      <StandingForm fields={FIELDS} record={business} save={save} touched={['session', 'businesses']} done="The business was saved." />
      <Section title="Logo"><Logo business_id={business_id} /></Section>
      <BusinessEnd business={business} />
    </SettingsPage>
  )
}
