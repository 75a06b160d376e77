// One filter of an export, by what it takes.
import { MultiSelect, Select, TextInput } from '@mantine/core'
import { CustomerPicker } from '../parts/customer-picker.tsx'
import type { Schemas } from '../api.ts'
import { cents, words } from '../format.ts'

export type Filter = Schemas['ExportFilter']
type FilterInputProps = { filter: Filter; value: string; error: string | undefined; on_change: (value: string) => void }

/** Nobody types ids: of those only customers can be picked here, and the rest is for programs. */
export const isOffered = ({ type, name, many }: Filter): boolean => type !== 'timestamp' && (type !== 'id' || (name === 'customer_id' && !many))

const YES_OR_NO = [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]

const isMoney = ({ type, name }: Filter): boolean => type === 'integer' && /amount|total/.test(name)

/** As the API takes it; null where nothing was said. What cannot be read goes as it is, and the API says what is wrong. */
export function typedValue(filter: Filter, text: string): unknown {
  const plain = text.trim()
  if (plain === '') return null
  if (filter.many) return plain.split(',')
  return isMoney(filter) ? cents(plain) ?? plain : plain
}

export function ExportFilterInput({ filter, value, error, on_change }: FilterInputProps) {
  const label = filter.name === 'q' ? 'Search' : words(filter.name.replace(/_id$/, ''))
  const common = { label, error, withAsterisk: filter.required }
  if (filter.type === 'id') return <CustomerPicker label={label} value={value || null} creates={false} error={error} on_change={(id) => on_change(id ?? '')} />
  const choices = filter.type === 'boolean' ? YES_OR_NO : filter.values?.map((one) => ({ value: one, label: words(one) }))
  if (choices && filter.many) {
    return <MultiSelect {...common} data={choices} value={value === '' ? [] : value.split(',')} clearable onChange={(picked) => on_change(picked.join(','))} />
  }
  if (choices) {
    return <Select {...common} data={choices} value={value || null} clearable searchable={choices.length > 8} onChange={(picked) => on_change(picked ?? '')} />
  }
  return (
    <TextInput
      {...common} type={filter.type === 'date' ? 'date' : 'text'} inputMode={filter.type === 'integer' ? 'decimal' : undefined} value={value}
      onChange={({ currentTarget }) => on_change(currentTarget.value)}
    />
  )
}
