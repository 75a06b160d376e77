// Merging: one customer becomes part of another, for good.
import { api } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import type { Field } from '../parts/record-form.tsx'

const fields: Field[] = [{ name: 'source', label: 'The one that goes', kind: 'party', required: true }]

export function MergeButton({ customer_id, name }: { customer_id: string; name: string }) {
  return (
    <ActionButton<{ source: string }>
      button="Merge another in" grave fields={fields} touched={['customers', 'invoices']} done={`Merged into ${name}.`}
      words={`Another customer becomes part of ${name}: what they owe counts here, and their contacts come along. They are archived. This cannot be undone.`}
      run={({ source }) => mergeInto(customer_id, [source])}
    />
  )
}

export const mergeInto = (customer_id: string, source_ids: string[]): Promise<unknown> =>
  api.POST('/api/v1/customers/{customer_id}/merge', { params: { path: { customer_id } }, body: { source_ids } })
