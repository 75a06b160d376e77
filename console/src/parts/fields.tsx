// Fields that pages share: a day, a ledger.
import { Select, type SelectProps } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { words } from '../format.ts'
import { ledgerName, useLedgers, type Ledger } from './reading.ts'

type DayFieldProps = {
  label: string
  value: string | null
  on_change: (day: string | null) => void
  required?: boolean
  /** Named by its placeholder, in a row of filters. */
  hidden_label?: boolean
  width?: number | string
}

/** A day that is typed or picked. */
export function DayField({ label, value, on_change, required = false, hidden_label = false, width = 150 }: DayFieldProps) {
  return (
    <DateInput
      {...(hidden_label ? { 'aria-label': label, placeholder: label } : { label, placeholder: 'YYYY-MM-DD' })}
      w={width} valueFormat="YYYY-MM-DD" value={value} required={required} clearable={!required} onChange={(day) => on_change(day)}
    />
  )
}

const TYPES = ['asset', 'liability', 'equity', 'income', 'expense'] as const

type LedgerPickerProps = {
  value: string | null
  on_change: (ledger: Ledger | null) => void
  /** Only those that new lines may stand on. */
  postable?: boolean
  /** Where a dialog begins. */
  'data-autofocus'?: boolean
} & Pick<SelectProps, 'label' | 'aria-label' | 'placeholder' | 'error' | 'w' | 'clearable' | 'required' | 'autoFocus'>

/** One ledger of the chart, found by its number or its name. */
export function LedgerPicker({ value, on_change, postable = false, ...rest }: LedgerPickerProps) {
  const { data: ledgers = [] } = useLedgers()
  const offered = ledgers.filter(({ id, archived, posting }) => id === value || (!archived && (posting || !postable)))
  const data = TYPES.map((type) => ({
    group: words(type),
    items: offered.filter((ledger) => ledger.type === type).map((ledger) => ({ value: ledger.id, label: ledgerName(ledger) })),
  })).filter(({ items }) => items.length > 0)
  return (
    <Select
      searchable selectFirstOptionOnChange data={data} value={value} nothingFoundMessage="No ledger has this number or name" maxDropdownHeight={300}
      onChange={(id) => on_change(ledgers.find((ledger) => ledger.id === id) ?? null)} {...rest}
    />
  )
}
