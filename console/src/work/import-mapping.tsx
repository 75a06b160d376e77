// Which column is what: a row for each column with an example of what it holds, and how the file is written.
import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Section } from '../parts/details.tsx'
import { Failure } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'
import { useNavigate } from '@tanstack/react-router'
import { useKnownImport, type Import, type ImportKind, type ImportOptions } from './use-import.ts'

type Mapping = Record<string, string>

export function ImportMapping({ about, kind, on_mapped }: { about: Import; kind: ImportKind; on_mapped: () => void }) {
  const known = useKnownImport()
  const go = useNavigate()
  const [mapping, setMapping] = useState<Mapping>(about.status === 'mapped' ? about.mapping as Mapping : about.suggested_mapping as Mapping)
  const [options, setOptions] = useState<ImportOptions>(about.options)
  const save = useMutation({
    mutationFn: () => dataOf(api.PUT('/api/v1/imports/{import_id}/mapping', { params: { path: { import_id: about.id } }, body: { mapping, options } })),
    onSuccess(after) {
      known(after)
      on_mapped()
    },
  })
  return (
    <Stack>
      <Section title="Which column is what?">
        <Text size="sm" c="dimmed">{kind.description} {keyWords(kind)}</Text>
        <Columns about={about} kind={kind} mapping={mapping} on_change={setMapping} />
        <Missing kind={kind} mapping={mapping} />
      </Section>
      <Section title="How the file is written">
        <Options about={about} kind={kind} options={options} on_change={setOptions} />
      </Section>
      {save.isError && <Failure error={save.error} />}
      <Group>
        <Button loading={save.isPending} onClick={() => save.mutate()}>Check the rows</Button>
        <ActionButton
          button="Throw this import away" words="Nothing was brought in yet. The file stays among the documents." touched={['imports']} grave
          done="The import is gone."
          run={() => dataOf(api.DELETE('/api/v1/imports/{import_id}', { params: { path: { import_id: about.id } } }))} then={() => void go({ to: '/imports' })}
        />
      </Group>
    </Stack>
  )
}

function keyWords({ key, fields }: ImportKind): string {
  const labels = key.map((name) => fields.find((field) => field.name === name)?.label ?? name)
  return labels.length > 0 ? `Records are known again by: ${labels.join(', or else ')}.` : ''
}

function Columns({ about, kind, mapping, on_change }: { about: Import; kind: ImportKind; mapping: Mapping; on_change: (mapping: Mapping) => void }) {
  const used = new Set(Object.values(mapping))
  const choose = (column: string, field: string | null) => {
    const { [column]: _before, ...others } = mapping
    on_change(field === null ? others : { ...others, [column]: field })
  }
  const choices = (column: string) => kind.fields.filter(({ name }) => !used.has(name) || mapping[column] === name)
    .map(({ name, label, required }) => ({ value: name, label: required ? `${label} (needed)` : label }))
  return (
    <Rows
      label="Columns of the file" rows={about.columns} id={({ name }) => name} width={520}
      columns={[
        { title: 'Column', cell: ({ name }) => name, wraps: true },
        {
          title: 'Example', wraps: true,
          cell: ({ example }) => <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>{example ?? 'Always empty'}</Text>,
        },
        {
          title: 'Is',
          cell: ({ name }) => (
            <Select
              aria-label={`What “${name}” is`} placeholder="Not read" clearable searchable miw={180} data={choices(name)} value={mapping[name] ?? null}
              onChange={(field) => choose(name, field)}
            />
          ),
        },
      ]}
    />
  )
}

/** What a mapping lacks, before anybody asks. */
function Missing({ kind, mapping }: { kind: ImportKind; mapping: Mapping }) {
  const used = new Set(Object.values(mapping))
  const label = (name: string) => kind.fields.find((field) => field.name === name)?.label ?? name
  const needed = kind.fields.filter(({ name, required }) => required && !used.has(name)).map(({ name }) => label(name))
  const one = kind.one_of.length > 0 && !kind.one_of.some((name) => used.has(name)) ? [kind.one_of.map(label).join(' or ')] : []
  const all = [...needed, ...one]
  return all.length === 0 ? null : <Text size="sm" role="status">Still needed: {all.join(', ')}.</Text>
}

const DATES = [
  { value: 'YYYY-MM-DD', label: '2026-03-31' }, { value: 'DD/MM/YYYY', label: '31/03/2026, the day first' },
  { value: 'MM/DD/YYYY', label: '03/31/2026, the month first' },
]
const DUPLICATE_WORDS: Record<ImportOptions['duplicate'], string> = {
  skip: 'Leave them as they are', update: 'Change them to what the file says', error: 'Refuse the row',
}

type OptionsProps = { about: Import; kind: ImportKind; options: ImportOptions; on_change: (options: ImportOptions) => void }

function Options({ about, kind, options, on_change }: OptionsProps) {
  const set = (changed: Partial<ImportOptions>) => on_change({ ...options, ...changed })
  const dated = kind.fields.some(({ type }) => type === 'date')
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {dated && (
        <Select
          label="Dates" placeholder="Only dates that can be one day" clearable data={DATES} value={options.date_format}
          onChange={(value) => set({ date_format: value as ImportOptions['date_format'] })}
        />
      )}
      <Select
        label="Amounts" allowDeselect={false} data={[{ value: '.', label: '1,234.56' }, { value: ',', label: '1.234,56' }]} value={options.decimal_separator}
        onChange={(value) => value && set({ decimal_separator: value as '.' | ',' })}
      />
      <Select
        label="Currency where a row says none" placeholder="As usual" clearable data={['USD', 'CAD', 'AUD', 'EUR', 'GBP']} value={options.currency}
        onChange={(value) => set({ currency: value as ImportOptions['currency'] })}
      />
      <Select
        label="Records that are there already" allowDeselect={false} value={options.duplicate}
        data={kind.duplicates.map((value) => ({ value, label: DUPLICATE_WORDS[value] }))}
        onChange={(value) => value && set({ duplicate: value as ImportOptions['duplicate'] })}
      />
      <Select
        label="Where a row is wrong" allowDeselect={false} value={options.on_error}
        data={[{ value: 'abort', label: 'Bring nothing in', disabled: about.counts.rows > 10_000 }, { value: 'skip', label: 'Leave that row out' }]}
        onChange={(value) => value && set({ on_error: value as ImportOptions['on_error'] })}
      />
    </SimpleGrid>
  )
}
