// Choosing any record by typing part of its name or number.
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { POINTED_AT, recordName } from './records.ts'

export type Picked = { resource_type: string; resource_id: string; text: string }
type RecordPickerProps = { label: string; value: Picked | null; on_change: (picked: Picked | null) => void; error?: string | undefined; required?: boolean }

const keyOf = (type: string, id: string) => `${type} ${id}`

export function RecordPicker({ label, value, on_change, error, required = false }: RecordPickerProps) {
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 200)
  const asks = q.length > 1 && q !== value?.text
  const found = useQuery({
    queryKey: ['search', 'pick', q], enabled: asks, placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/api/v1/search/suggest', { params: { query: { q, type: POINTED_AT } } })),
  })
  const hits = (asks ? found.data ?? [] : []).map(({ type, id, text }) => ({
    resource_type: type as string, resource_id: id, text: `${recordName(type)} ${text}`,
  }))
  const chosen = value ? keyOf(value.resource_type, value.resource_id) : null
  const offered = value && !hits.some((hit) => keyOf(hit.resource_type, hit.resource_id) === chosen) ? [value, ...hits] : hits
  return (
    <Select
      label={label} placeholder="Type part of a name or number" searchable clearable required={required} value={chosen} error={error} onSearchChange={setTyped}
      filter={({ options }) => options} selectFirstOptionOnChange
      data={offered.map(({ resource_type, resource_id, text }) => ({ value: keyOf(resource_type, resource_id), label: text }))}
      nothingFoundMessage={asks ? (found.isFetching ? 'Searching' : 'Nothing is called this') : 'Type at least two letters'}
      onChange={(key) => on_change(offered.find(({ resource_type, resource_id }) => keyOf(resource_type, resource_id) === key) ?? null)}
    />
  )
}
