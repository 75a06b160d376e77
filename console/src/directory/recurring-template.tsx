// A recurring template: what it makes, its next dates, and what became of those that have come.
import { Alert, Badge, Group, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { Facts, Figures, Loaded, Section, Status, To } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'
import { SmallTable } from '../parts/sub-records.tsx'
import { NO_VARIANTS, useVariants, type NamedVariant } from './choices.ts'
import { CustomerName } from './customer-name.tsx'
import { RecurringActions } from './recurring-actions.tsx'
import { RecurringOccurrences } from './recurring-occurrences.tsx'

type Template = Schemas['RecurringTemplateWithDates']

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MADE: Record<Template['on_generate'], string> = { draft: 'Each stays a draft', finalize: 'Each is finalized', send: 'Each is finalized and sent' }
const LINE_COLUMNS = ['What', 'Quantity', 'Price'].map((heading, place) => ({ heading, figures: place > 0 }))

export const useTemplate = (template_id: string) =>
  useQuery({ queryKey: ['recurring', template_id], queryFn: () => dataOf(api.GET('/api/v1/recurring/{template_id}', { params: { path: { template_id } } })) })

function rhythm({ frequency, day_of_month, day_of_week }: Template): string {
  if (frequency.includes('weekly')) return `${words(frequency)}${day_of_week === null ? '' : ` on ${WEEKDAYS[day_of_week]}`}`
  return `${words(frequency)}${day_of_month === null || frequency === 'daily' ? '' : ` on day ${day_of_month}`}`
}

export function RecurringTemplatePage() {
  const { template_id } = useParams({ strict: false }) as { template_id: string }
  return <Loaded query={useTemplate(template_id)}>{(template) => <Shown template={template} />}</Loaded>
}

function Shown({ template }: { template: Template }) {
  const { id, name, status, last_error, upcoming_dates } = template
  return (
    <Page title={name} actions={<RecurringActions template={template} />}>
      <Group gap="xs"><Status status={status} />{template.paused_until && <Text size="sm">until {day(template.paused_until)}</Text>}</Group>
      {last_error && <Alert color="red" title="The last attempt failed">{last_error}</Alert>}
      <Figures
        figures={[
          { label: 'Next invoice', value: day(template.next_date) || 'None' }, { label: 'Each comes to', value: money(template.amount, template.currency) },
          { label: 'Invoices made', value: String(template.occurrences_generated) },
          { label: 'Failed, to be tried again', value: String(template.occurrences_retrying) },
        ]}
      />
      <Section title="Details">
        <Facts
          facts={[
            ['Customer', <CustomerName customer_id={template.customer_id} />], ['How often', rhythm(template)], ['From', day(template.start_date)],
            ['Until', day(template.end_date) || 'No end'],
            ['At most', template.max_occurrences === null ? null : `${template.max_occurrences} invoices`], ['Due after', `${template.days_until_due} days`],
            ['What becomes of them', MADE[template.on_generate]],
            ['Prices', template.price_mode === 'frozen' ? 'As when it was written' : 'As in the catalog on the day'],
            ['Made from', template.source_invoice_id && <To path={`/invoices/${template.source_invoice_id}`}>An invoice</To>],
          ]}
        />
      </Section>
      <TemplateLines template={template} />
      <Section title="Next dates">
        {upcoming_dates.length === 0 ? <Text size="sm" c="dimmed">No further invoice will be made.</Text>
          : <Group gap="xs">{upcoming_dates.map((date) => <Badge key={date} variant="default" tt="none" fw={400}>{day(date)}</Badge>)}</Group>}
      </Section>
      <RecurringOccurrences template_id={id} />
    </Page>
  )
}

function TemplateLines({ template: { template, prices, currency } }: { template: Template }) {
  const lines = (template as Schemas['InvoiceTemplate']).line_items ?? []
  const named = useVariants(lines.some(({ variant_id }) => variant_id)).data ?? NO_VARIANTS
  return (
    <Section title="Lines">
      <SmallTable label="Lines" columns={LINE_COLUMNS}>
        {lines.map((line, place) => (
          <Table.Tr key={place}>
            <Table.Td><Sold line={line} variant={named.get(line.variant_id ?? '')} /></Table.Td>
            <Table.Td className="figures">{line.quantity ?? 1}</Table.Td>
            <Table.Td className="figures">{money(line.unit_price ?? line.amount ?? prices[place], currency) || 'On the day'}</Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
    </Section>
  )
}

/** What a line sells, leading to it where it has a page. */
function Sold({ line: { catalog_item_id, description }, variant }: { line: Schemas['LineItemInput']; variant: NamedVariant | undefined }) {
  if (catalog_item_id) return <To path={`/catalog-items/${catalog_item_id}`}>{description ?? 'A service or fee'}</To>
  return variant ? <To path={`/products/${variant.product_id}`}>{description ?? variant.name}</To> : description
}
