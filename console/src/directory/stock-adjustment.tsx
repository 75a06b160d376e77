// Putting the stock of a product right, in units: found, broken, used. It is booked at once.
import { api, type Schemas } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useBusiness } from '../session.tsx'
import { choicesOf, useLocationChoices } from './choices.ts'

type Line = { variant_id: string; location_id: string; quantity: number; unit_cost?: number }
type Body = Line & Pick<Schemas['AdjustmentInput'], 'reason' | 'adjusted_on' | 'note'>
const REASONS = ['correction', 'found', 'damage', 'theft', 'expired', 'sample', 'internal_use', 'other']

export function StockAdjustment({ product: { variants } }: { product: Schemas['Product'] }) {
  const { base_currency } = useBusiness()
  const locations = useLocationChoices()
  const usable = variants.filter(({ status }) => status === 'active')
  const fields: Field[] = [
    {
      name: 'variant_id', label: 'Variant', kind: 'choice', required: true,
      choices: usable.map(({ id, sku, name }) => ({ value: id, label: `${sku}, ${name}` })), initial: usable[0]?.id ?? '',
    },
    { name: 'location_id', label: 'Location', kind: 'choice', required: true, choices: locations, initial: locations[0]?.value ?? '' },
    { name: 'quantity', label: 'Units more or less', kind: 'number', required: true, words: 'Such as 12, or -3 for what is gone.' },
    { name: 'unit_cost', label: 'Cost of one', kind: 'money', unit: base_currency, words: 'Of what comes in; empty: as what is there.' },
    { name: 'reason', label: 'Why', kind: 'choice', required: true, choices: choicesOf(REASONS), initial: 'correction' },
    { name: 'adjusted_on', label: 'Date', kind: 'date', words: 'Empty: today.' },
    { name: 'note', label: 'Note', kind: 'text' },
  ]
  return (
    <ActionButton<Body>
      main button="Adjust stock" fields={fields} touched={['inventory', 'journal-entries', 'ledgers', 'reports']} done="The stock was adjusted and booked."
      words="Units come in or go out outside buying and selling. The change is booked against stock adjustments."
      run={({ variant_id, location_id, quantity, unit_cost, ...others }) => api.POST(
        '/api/v1/inventory/adjustments',
        { body: { ...others, post: true, lines: [{ variant_id, location_id, quantity, ...(unit_cost === undefined ? {} : { unit_cost }) }] } },
      )}
    />
  )
}
