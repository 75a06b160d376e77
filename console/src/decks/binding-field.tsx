// Where the figures of a block come from: a metric or a report of the catalogue, and how it is asked. The figures themselves are never typed.
import { Group, MultiSelect, NumberInput, Select, Stack, Text } from '@mantine/core'
import { words } from '../format.ts'
import { useMetrics, useReports, useRows } from './catalogue.ts'
import type { Binding, Deck } from './reading.ts'

type BindingFieldProps = {
  label: string
  value: Binding | null
  on_change: (binding: Binding) => void
  period: Pick<Deck, 'period_start' | 'period_end'>
  /** Only single figures. */
  metrics_only?: boolean
  error?: string | undefined
}

const keyOf = (binding: Binding | null): string | null => (binding?.metric ? `metric ${binding.metric}` : binding?.report ? `report ${binding.report}` : null)

const COMPARED: Record<string, string> = {
  none: 'Nothing', prior_period: 'The period before', prior_year: 'The year before', previous_period: 'The period before', previous_year: 'The year before',
}
const AS_DECK = 'as_deck'

export function BindingField({ label, value, on_change, period, metrics_only = false, error }: BindingFieldProps) {
  const metrics = useMetrics()
  const reports = useReports()
  const rows = useRows(value?.report ?? null, period.period_start, period.period_end)
  const metric = metrics.data?.find((each) => each.metric === value?.metric)
  const report = reports.data?.find((each) => each.report === value?.report)
  const params = value?.params ?? {}
  const setParam = (changed: Record<string, unknown>) => {
    const next = Object.fromEntries(Object.entries({ ...params, ...changed }).filter(([, each]) => each !== undefined && each !== null))
    on_change({ ...value, params: next })
  }
  const choose = (key: string | null) => {
    const [kind, name] = (key ?? '').split(' ')
    if (name && key !== keyOf(value)) on_change(kind === 'metric' ? { metric: name } : { report: name })
  }
  const data = [
    { group: 'Metrics', items: (metrics.data ?? []).map((each) => ({ value: `metric ${each.metric}`, label: each.title })) },
    ...(metrics_only ? [] : [{ group: 'Reports', items: (reports.data ?? []).map((each) => ({ value: `report ${each.report}`, label: each.title })) }]),
  ]
  const columns = report?.parameters.find(({ name }) => name === 'columns')?.values?.filter((each) => ['total', 'month', 'quarter', 'year'].includes(each))
  const takesCompare = metric !== undefined || (report?.parameters.some(({ name }) => name === 'compare') ?? false)
  const compared = Array.isArray(params['compare']) ? params['compare'][0] ?? 'none' : params['compare']
  const group_by = (params['group_by'] as string | undefined) ?? metric?.group_by[0]
  return (
    <Stack gap="xs">
      <Select
        label={label} searchable allowDeselect={false} data={data} value={keyOf(value)} onChange={choose} error={error}
        placeholder="Choose a metric or a report" maxDropdownHeight={320}
      />
      {(metric?.description ?? report?.description) && <Text size="xs" c="dimmed">{metric?.description ?? report?.description}</Text>}
      {value && (
        <Group gap="xs" align="flex-end">
          {metric && metric.group_by.length > 1 && (
            <Select
              label="Told apart by" w={160} allowDeselect={false}
              data={metric.group_by.map((each) => ({ value: each, label: each === 'none' ? 'Nothing' : words(each) }))}
              value={group_by ?? null} onChange={(chosen) => setParam({ group_by: chosen })}
            />
          )}
          {metric && ['customer', 'vendor', 'ledger'].includes(group_by ?? '') && (
            <NumberInput
              label="How many" w={110} min={1} max={50} value={(params['top'] as number | undefined) ?? 10}
              onChange={(top) => setParam({ top: Number(top) || undefined })}
            />
          )}
          {columns && columns.length > 0 && (
            <Select
              label="Columns" w={150} allowDeselect={false}
              data={columns.map((each) => ({ value: each, label: each === 'total' ? 'One column' : `By ${each}` }))}
              value={(params['columns'] as string | undefined) ?? 'total'} onChange={(chosen) => setParam({ columns: chosen === 'total' ? null : chosen })}
            />
          )}
          {takesCompare && (
            <Select
              label="Compared with" w={170} allowDeselect={false} value={(compared as string | undefined) ?? AS_DECK}
              data={[AS_DECK, 'none', ...(metric ? ['prior_period', 'prior_year'] : ['previous_period', 'previous_year'])]
                .map((each) => ({ value: each, label: each === AS_DECK ? 'As the whole' : COMPARED[each] ?? words(each) }))}
              onChange={(chosen) => setParam({ compare: chosen === AS_DECK ? null : metric ? chosen : chosen === 'none' ? [] : [chosen] })}
            />
          )}
        </Group>
      )}
      {report && (rows.data?.length ?? 0) > 0 && (
        <MultiSelect
          label="Rows" placeholder={(value?.rows?.length ?? 0) > 0 ? '' : 'All rows'} searchable clearable maxDropdownHeight={260}
          data={withChosen(rows.data ?? [], value?.rows ?? [])}
          value={value?.rows ?? []} onChange={(chosen) => on_change({ ...value, rows: chosen })}
        />
      )}
    </Stack>
  )
}

/** Rows that are empty in these days are not in the report, but may be chosen all the same. */
const withChosen = (rows: readonly { value: string; label: string }[], chosen: readonly string[]) => [
  ...rows, ...chosen.filter((key) => !rows.some(({ value }) => value === key)).map((key) => ({ value: key, label: words(key) })),
]
