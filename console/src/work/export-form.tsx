// Asking for an export: what, in which format, and how much of it.
import { Button, Group, MultiSelect, Paper, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ApiError, api, dataOf, type Schemas } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { ExportFilterInput, isOffered, typedValue } from './export-filter.tsx'

type Kind = Schemas['ExportKind']
type Export = Schemas['Export']
type Format = Export['format']

const NAMES: Record<Format, string> = {
  csv: 'CSV, for any spreadsheet', xlsx: 'XLSX, for Excel', pdf: 'PDF, to print', json: 'JSON', jsonl: 'JSON lines',
  hledger: 'hledger journal', beancount: 'Beancount',
}

export function ExportForm({ kinds, on_made }: { kinds: Kind[]; on_made: (made: Export) => void }) {
  const [name, setName] = useState<string | null>(null)
  const [format, setFormat] = useState<Format>('csv')
  const [values, setValues] = useState<Record<string, string>>({})
  const [columns, setColumns] = useState<string[]>([])
  const kind = kinds.find((one) => one.kind === name)
  const make = useMutation({ mutationFn: (body: Schemas['ExportInput']) => dataOf(api.POST('/api/v1/exports', { body })), onSuccess: on_made })
  const choose = (value: string | null) => {
    const next = kinds.find((one) => one.kind === value)
    setName(value)
    setValues({})
    setColumns([])
    make.reset()
    if (next && !next.formats.includes(format)) setFormat(next.formats[0] ?? 'csv')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!kind) return
    const filters = Object.fromEntries(kind.filters.flatMap((filter) => {
      const value = typedValue(filter, values[filter.name] ?? '')
      return value === null ? [] : [[filter.name, value]]
    }))
    make.mutate({ kind: kind.kind, format, filters, columns: columns.length > 0 ? columns : null })
  }
  const mistakes = make.error instanceof ApiError ? make.error.problems : []
  const mistakeAt = (filter: string) => mistakes.find(({ loc }) => loc[1] === 'filters' && loc[2] === filter)?.msg
  const offered = kind?.filters.filter(isOffered) ?? []
  return (
    <Paper withBorder p="md" component="section" aria-label="New export">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Title order={2} size="h4">New export</Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label="What" placeholder="Choose a list or a report" searchable allowDeselect={false} value={name} data={choicesOf(kinds)} onChange={choose}
            />
            <Select
              label="Format" allowDeselect={false} value={format} data={(kind?.formats ?? ['csv']).map((value) => ({ value, label: NAMES[value] }))}
              onChange={(value) => value && setFormat(value)}
            />
          </SimpleGrid>
          {offered.length > 0 && (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} role="group" aria-label="Filters">
              {offered.map((filter) => (
                <ExportFilterInput
                  key={filter.name} filter={filter} value={values[filter.name] ?? ''} error={mistakeAt(filter.name)}
                  on_change={(value) => setValues((before) => ({ ...before, [filter.name]: value }))}
                />
              ))}
            </SimpleGrid>
          )}
          {kind?.columns && (
            <MultiSelect
              label="Columns" placeholder={columns.length === 0 ? 'All columns' : ''} searchable clearable value={columns} onChange={setColumns}
              data={kind.columns.map(({ key, label }) => ({ value: key, label }))}
            />
          )}
          {make.isError && mistakes.length === 0 && <Failure error={make.error} />}
          <Group>
            <Button type="submit" loading={make.isPending} disabled={!kind}>Export</Button>
            <Text size="sm" c="dimmed">The file shows one moment and is kept for seven days.</Text>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

function choicesOf(kinds: Kind[]) {
  const of = (wanted: boolean) => kinds.filter(({ columns }) => (columns === null) === wanted).map(({ kind, title }) => ({ value: kind, label: title }))
  return [{ group: 'Lists', items: of(false) }, { group: 'Reports and books', items: of(true) }].filter(({ items }) => items.length > 0)
}
