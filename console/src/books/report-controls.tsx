// What a report is asked for: its dates, basis, columns, comparisons and modes, as far as the report takes them.
import { Group, MultiSelect, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core'
import { words } from '../format.ts'
import type { Given } from '../parts/address.ts'
import { DayField } from '../parts/fields.tsx'
import { useDimensions } from '../parts/reading.ts'

const PERIODS = [
  'fiscal_ytd', 'this_month', 'last_month', 'this_quarter', 'last_quarter', 'year_to_date', 'this_year', 'last_year', 'this_fiscal_year', 'last_fiscal_year',
  'all_time',
]
const PERIOD_WORDS: Record<string, string> = {
  fiscal_ytd: 'Fiscal year to date', year_to_date: 'Calendar year to date', this_year: 'This calendar year', last_year: 'Last calendar year',
}
const CUSTOM = 'custom'
const COMPARISONS = [{ value: 'previous_period', label: 'The period before' }, { value: 'previous_year', label: 'The year before' }]
const TIMES = [
  { value: 'total', label: 'One column' }, { value: 'month', label: 'By month' }, { value: 'quarter', label: 'By quarter' },
  { value: 'year', label: 'By fiscal year' },
]
const PARTIES = [{ value: 'customer', label: 'By customer' }, { value: 'project', label: 'By project' }]

export type Asked = { given: Given; change: (changed: Record<string, string | null | undefined>) => void; takes: (parameter: string) => boolean }

export function ReportControls({ given, change, takes, basis, day_only = false }: Asked & { basis: string; day_only?: boolean }) {
  return (
    <Group align="flex-end" gap="sm">
      {day_only ? (
        <DayField
          label="As of" value={given['as_of'] ?? null} on_change={(as_of) => change({ as_of })}
        />
      ) : <PeriodPicker given={given} change={change} />}
      {takes('columns') && <Columns given={given} change={change} takes={takes} />}
      {takes('compare') && (
        <MultiSelect
          label="Compare with" w={270} clearable data={COMPARISONS} value={given['compare']?.split(',') ?? []}
          {...(given['compare'] ? {} : { placeholder: 'Nothing' })}
          onChange={(chosen) => change({ compare: chosen.join(',') })}
        />
      )}
      {takes('mode') && (
        <Choice
          label="Mode" name="mode" fallback="adjusted" values={['adjusted', 'unadjusted', 'worksheet', 'post_closing']} given={given} change={change}
        />
      )}
      {takes('method') && <Choice label="Method" name="method" fallback="indirect" values={['indirect', 'direct']} given={given} change={change} />}
      {takes('basis') && (
        <Stack gap={2}>
          <Text size="sm" fw={600} aria-hidden="true">Basis</Text>
          <SegmentedControl
            aria-label="Basis" data={[{ value: 'accrual', label: 'Accrual' }, { value: 'cash', label: 'Cash' }]} value={basis}
            onChange={(chosen) => change({ basis: chosen })}
          />
        </Stack>
      )}
      {takes('show_zero') && (
        <Switch
          label="Also empty ledgers" mb={8} checked={given['show_zero'] === 'true'}
          onChange={({ currentTarget }) => change({ show_zero: currentTarget.checked ? 'true' : null })}
        />
      )}
    </Group>
  )
}

export function PeriodPicker({ given, change, fallback = 'fiscal_ytd' }: Pick<Asked, 'given' | 'change'> & { fallback?: string }) {
  const custom = Boolean(given['start_date'] ?? given['end_date'])
  const choose = (period: string | null) => {
    if (period !== CUSTOM) return change({ period, start_date: null, end_date: null })
    const today = new Date().toISOString().slice(0, 10)
    change({ period: null, start_date: `${today.slice(0, 4)}-01-01`, end_date: today })
  }
  return (
    <>
      <Select
        label="Period" w={190} allowDeselect={false} value={custom ? CUSTOM : given['period'] ?? fallback} onChange={choose}
        data={[...PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] ?? words(value) })), { value: CUSTOM, label: 'Other dates' }]}
      />
      {custom && <DayField label="From" value={given['start_date'] ?? null} on_change={(start_date) => change({ start_date })} />}
      {custom && <DayField label="To" value={given['end_date'] ?? null} on_change={(end_date) => change({ end_date })} />}
    </>
  )
}

/** By time always; by who and what only where the report can be narrowed to them. */
function Columns({ given, change, takes }: Asked) {
  const split = takes('customer_id') && takes('compare')
  const { data: dimensions = [] } = useDimensions(split)
  const data = split ? [...TIMES, ...PARTIES, ...dimensions.map(({ key, name }) => ({ value: `dimension:${key}`, label: `By ${name.toLowerCase()}` }))] : TIMES
  return (
    <Select
      label="Columns" w={160} allowDeselect={false} data={data} value={given['columns'] ?? 'total'}
      onChange={(columns) => change({ columns: columns === 'total' ? null : columns })}
    />
  )
}

type ChoiceProps = Pick<Asked, 'given' | 'change'> & { label: string; name: string; fallback: string; values: string[] }

function Choice({ label, name, fallback, values, given, change }: ChoiceProps) {
  return (
    <Select
      label={label} w={150} allowDeselect={false} data={values.map((value) => ({ value, label: words(value) }))} value={given[name] ?? fallback}
      onChange={(value) => change({ [name]: value === fallback ? null : value })}
    />
  )
}
