// One input of a form, by the kind of its field.
import { MultiSelect, Select, Switch, Text, Textarea, TextInput, type InputWrapperProps } from '@mantine/core'
import { CustomerPicker } from './customer-picker.tsx'
import type { Field, Typed } from './record-values.ts'

/** `beside`: other inputs stand in the same row, and a switch stands level with them. */
type FieldInputProps = { field: Field; value: Typed | undefined; error: string | undefined; beside: boolean; on_change: (value: Typed) => void }

const ORDER: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error']

export function FieldInput({ field, value, error, beside, on_change }: FieldInputProps) {
  const { kind, label, words, required = false, choices = [], unit } = field
  const common = { label, description: words, error, withAsterisk: required, inputWrapperOrder: ORDER }
  const text = typeof value === 'string' ? value : ''
  const data = choices.map((choice) => ({ ...choice }))
  switch (kind) {
    case 'switch':
      return (
        <Switch
          label={label} description={words} error={error} mt={{ base: 0, sm: beside ? 28 : 0 }} checked={value === true}
          onChange={({ currentTarget: { checked } }) => on_change(checked)}
        />
      )
    case 'choices':
      return <MultiSelect {...common} data={data} value={Array.isArray(value) ? value : []} onChange={on_change} />
    case 'choice':
      return (
        <Select
          {...common} data={data} value={text || null} searchable={choices.length > 8} clearable={!required} allowDeselect={!required}
          onChange={(picked) => on_change(picked ?? '')}
        />
      )
    case 'party':
      return (
        <CustomerPicker
          label={label} value={text || null} creates={required} placeholder="Type a name to search" error={error}
          on_change={(customer_id) => on_change(customer_id ?? '')}
        />
      )
    case 'long_text':
      return <Textarea {...common} autosize minRows={3} value={text} onChange={({ currentTarget }) => on_change(currentTarget.value)} />
    default:
      return (
        <TextInput
          {...common} {...INPUTS[kind]} {...(unit ? unitOf(unit) : {})} value={text} onChange={({ currentTarget }) => on_change(currentTarget.value)}
        />
      )
  }
}

const INPUTS = { text: {}, date: { type: 'date' }, money: { inputMode: 'decimal' }, number: { inputMode: 'numeric' } } as const

const unitOf = (unit: string) => ({ rightSection: <Text size="xs" c="dimmed" pr="xs">{unit}</Text>, rightSectionWidth: unit.length * 8 + 16 })
