// Writing down an invoice that is made again and again: the schedule, and the lines as in the editor of invoices.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { typed } from '../format.ts'
import { Loaded } from '../parts/details.tsx'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { useCalculation } from '../sales/calculation.ts'
import { completeLines, emptyDraft, isBlank, newLine, problemsOf, type DraftLine } from '../sales/draft.ts'
import { EditorLines } from '../sales/editor-lines.tsx'
import { useBusiness } from '../session.tsx'
import { choicesOf, NO_VARIANTS, useVariants, type NamedVariant } from './choices.ts'
import { useTemplate } from './recurring-template.tsx'

type Template = Schemas['RecurringTemplateWithDates']
type Body = Omit<Schemas['RecurringInput'], 'template' | 'kind'> & { customer_id?: string; description?: string | null; customer_message?: string | null }

const SCHEDULE: Field[] = [
  {
    name: 'frequency', label: 'How often', kind: 'choice', required: true,
    choices: choicesOf(['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually']), initial: 'monthly', section: 'When',
  },
  {
    name: 'start_date', label: 'First date', kind: 'date', required: true, initial: new Date().toISOString().slice(0, 10),
    words: 'Dates that are over already are made up for at once.',
  },
  { name: 'end_date', label: 'Last date', kind: 'date', words: 'Empty: it goes on.' },
  { name: 'max_occurrences', label: 'At most how many', kind: 'number', words: 'Empty: without limit.' },
  { name: 'day_of_month', label: 'Day of the month', kind: 'number', words: 'Empty: that of the first date. In a shorter month its last day.' },
  { name: 'days_until_due', label: 'Due after', kind: 'number', required: true, unit: 'days', initial: '30' },
]
const HANDLING: Field[] = [
  {
    name: 'on_generate', label: 'What becomes of each', kind: 'choice', required: true, initial: 'draft',
    choices: [
      { value: 'draft', label: 'It stays a draft' }, { value: 'finalize', label: 'It is finalized' }, { value: 'send', label: 'It is finalized and sent' },
    ],
    section: 'What',
  },
  {
    name: 'price_mode', label: 'Lines without a price of their own', kind: 'choice', required: true, initial: 'frozen',
    choices: [{ value: 'frozen', label: 'Cost what they cost now' }, { value: 'catalog', label: 'Cost what they cost on the day' }],
  },
  { name: 'description', label: 'Description on the invoice', kind: 'text' },
  { name: 'customer_message', label: 'Message to the customer', kind: 'text' },
]

export function NewRecurring() {
  return <RecurringForm />
}

export function EditRecurring() {
  const { template_id } = useParams({ strict: false }) as { template_id: string }
  const template = useTemplate(template_id)
  const variants = useVariants(true)
  return <Loaded query={variants}>{(named) => <Loaded query={template}>{(read) => <RecurringForm template={read} named={named} />}</Loaded>}</Loaded>
}

/** A line of a template as the editor has it; what it does not show is kept. */
function lineOf(line: Schemas['LineItemInput'], price: number | null | undefined, named: ReadonlyMap<string, NamedVariant>): DraftLine {
  const { variant_id, catalog_item_id, description, quantity, unit_price, discount_percent, discount_amount, tax_code_id = null, ...kept } = line
  const name = description ?? named.get(variant_id ?? '')?.name ?? ''
  const sold = { name, price: price ?? null }
  const variant = variant_id && variant_id !== 'custom' ? { ...sold, kind: 'variant' as const, id: variant_id } : null
  const offer = catalog_item_id ? { ...sold, kind: 'catalog' as const, id: catalog_item_id } : variant
  const discount = discount_percent ? `${discount_percent}%` : typed(discount_amount)
  return { ...newLine(), offer, description: name, quantity: String(quantity ?? 1), price: typed(unit_price), discount, tax_code_id, kept }
}

function RecurringForm({ template, named = NO_VARIANTS }: { template?: Template; named?: ReadonlyMap<string, NamedVariant> }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const { base_currency } = useBusiness()
  const given = template?.template as Schemas['InvoiceTemplate'] | undefined
  const [customer_id, setCustomer] = useState(given?.customer_id ?? null)
  const [lines, setLines] = useState(() => {
    const known = given?.line_items?.map((line, place) => lineOf(line, template?.prices[place], named)) ?? []
    return known.length > 0 ? known : [newLine()]
  })
  const [checked, setChecked] = useState(false)
  const draft = useMemo(() => ({ ...emptyDraft(customer_id), lines }), [customer_id, lines])
  const calculation = useCalculation(draft, null)
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true, words: 'For you; the customer does not see it.' },
    { name: 'customer_id', label: 'Customer', kind: 'party', required: true },
    ...SCHEDULE, ...HANDLING,
  ]
  const record = template && { ...template, customer_id: given?.customer_id, description: given?.description, customer_message: given?.customer_message }
  const save = async ({ customer_id: customer, description, customer_message, ...others }: Body) => {
    setChecked(true)
    const { line_items } = completeLines(draft)
    const incomplete = lines.some((line) => !isBlank(line) && Object.keys(problemsOf(line)).length > 0)
    if (line_items.length === 0 || incomplete) throw new Error('A line is not complete yet: see above.')
    const made: Schemas['InvoiceTemplate'] = {
      ...given, customer_id: customer ?? given?.customer_id ?? '', line_items,
      ...(description === undefined ? {} : { description }), ...(customer_message === undefined ? {} : { customer_message }),
    }
    const changed = JSON.stringify(made) !== JSON.stringify(given)
    const saved = template
      ? await dataOf(api.PUT(
        '/api/v1/recurring/{template_id}',
        { params: { path: { template_id: template.id } }, body: { ...(others as Schemas['RecurringUpdate']), ...(changed ? { template: made } : {}) } },
      ))
      : await dataOf(api.POST('/api/v1/recurring', { body: { ...others, kind: 'invoice', template: made } }))
    for (const group of ['recurring', 'invoices', 'customers']) void queries.invalidateQueries({ queryKey: [group] })
    say('Saved.')
    await go({ to: `/recurring/${saved.id}` })
  }
  return (
    <Page title={template ? `Edit ${template.name}` : 'New recurring invoice'}>
      <RecordForm<Body>
        fields={fields} record={record} button={template ? 'Save' : 'Create'} save={save}
        cancel={() => void go({ to: template ? `/recurring/${template.id}` : '/recurring' })}
        on_type={(name, value) => name === 'customer_id' && setCustomer(typeof value === 'string' && value ? value : null)}
      >
        <EditorLines
          lines={lines} on_change={setLines} currency={calculation.result?.currency ?? template?.currency ?? base_currency} calculation={calculation}
          checked={checked}
        />
      </RecordForm>
    </Page>
  )
}
