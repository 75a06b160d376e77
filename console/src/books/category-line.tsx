// One line of a category: the ledger, its part of the amount where there are several, and what else is known of it.
import { CloseButton, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { CustomerPicker } from '../parts/customer-picker.tsx'
import { LedgerPicker } from '../parts/fields.tsx'
import { ruleFor, useDimensions, useLedgers, useProjectChoices } from '../parts/reading.ts'
import { useTaxCodes } from '../sales/choices.ts'
import type { CategoryLine as Line } from './category-draft.ts'

type CategoryLineProps = {
  line: Line
  place: number
  /** One of several: it has an amount and can be taken out. */
  several: boolean
  problem: string | undefined
  change: (changed: Partial<Line>) => void
  remove: () => void
}

export function CategoryLine({ line, place, several, problem, change, remove }: CategoryLineProps) {
  const codes = useTaxCodes()
  const projects = useProjectChoices(true).data ?? []
  const ledger = useLedgers().data?.find(({ id }) => id === line.ledger_id)
  const dimensions = useDimensions(ledger !== undefined).data ?? []
  const asked = ledger ? dimensions.filter((dimension) => ruleFor(dimension, ledger)?.mode !== 'forbidden') : []
  const content = (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <LedgerPicker
          label="What it was for" placeholder="Ledger" postable required value={line.ledger_id} w="100%" data-autofocus={place === 0}
          error={problem && !line.ledger_id ? problem : undefined} on_change={(picked) => change({ ledger_id: picked?.id ?? null })}
        />
        {several && (
          <TextInput
            label="Amount" inputMode="decimal" w={140} required value={line.amount} error={problem && line.ledger_id ? problem : undefined}
            onChange={({ currentTarget: { value } }) => change({ amount: value })}
          />
        )}
        {several && <CloseButton mb={4} aria-label={`Take line ${place + 1} out`} onClick={remove} />}
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs">
        <CustomerPicker label="Customer" placeholder="Nobody" value={line.customer_id} on_change={(customer_id) => change({ customer_id })} />
        <Select
          label="Tax within it" placeholder="None" clearable searchable data={codes.map(({ id, code, name }) => ({ value: id, label: `${code}, ${name}` }))}
          value={line.tax_code_id} onChange={(tax_code_id) => change({ tax_code_id })}
        />
        {projects.length > 0 && (
          <Select
            label="Project" placeholder="None" clearable searchable data={projects} value={line.project_id}
            onChange={(project_id) => change({ project_id })}
          />
        )}
        {asked.map(({ id, name, values }) => (
          <Select
            key={id} label={name} placeholder="None" clearable searchable data={values.filter(({ archived }) => !archived)}
            value={line.dimension_value_ids.find((chosen) => values.some(({ value }) => value === chosen)) ?? null}
            onChange={(picked) => change({
              dimension_value_ids: [...line.dimension_value_ids.filter((chosen) => !values.some(({ value }) => value === chosen)), ...(picked ? [picked] : [])],
            })}
          />
        ))}
        <TextInput label="Memo" maxLength={500} value={line.memo} onChange={({ currentTarget: { value } }) => change({ memo: value })} />
      </SimpleGrid>
    </Stack>
  )
  return several
    ? <Paper withBorder p="sm" role="group" aria-label={`Line ${place + 1}`}><Text size="xs" c="dimmed">Line {place + 1}</Text>{content}</Paper>
    : content
}
