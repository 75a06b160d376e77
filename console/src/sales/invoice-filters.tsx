// Which invoices are listed. The choice stands in the address, so that it can be sent, kept under a name and come back to.
import { Button, Group, MultiSelect, Popover, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { CustomerPicker } from '../parts/customer-picker.tsx'
import { STATUS_WORDS, type Status } from './invoice-status.tsx'

export type InvoiceFilter = {
  status?: Status[]
  customer_id?: string
  invoice_date_from?: string
  invoice_date_to?: string
  due_date_from?: string
  due_date_to?: string
  overdue?: boolean
  search?: string
  sort_by?: string
  descending?: boolean
}

const DATES = [
  ['invoice_date_from', 'Dated from'], ['invoice_date_to', 'Dated to'], ['due_date_from', 'Due from'], ['due_date_to', 'Due to'],
] as const

/** What the address says, as far as it is known here. */
export function filterOf(search: Record<string, unknown>): InvoiceFilter {
  const text = (name: string) => (typeof search[name] === 'string' || typeof search[name] === 'number' ? { [name]: String(search[name]) } : {})
  const statuses = [search['status']].flat().filter((status): status is Status => typeof status === 'string' && status in STATUS_WORDS)
  return {
    ...(statuses.length > 0 ? { status: statuses } : {}),
    ...(search['overdue'] === true ? { overdue: true } : {}),
    ...(typeof search['descending'] === 'boolean' ? { descending: search['descending'] } : {}),
    ...Object.assign({}, ...['customer_id', 'search', 'sort_by', ...DATES.map(([name]) => name)].map(text)),
  }
}

export function InvoiceFilters({ filter, on_change }: { filter: InvoiceFilter; on_change: (filter: InvoiceFilter) => void }) {
  const [typed, setTyped] = useState(filter.search ?? '')
  const change = (name: keyof InvoiceFilter, value: InvoiceFilter[keyof InvoiceFilter]) => {
    const { [name]: _before, ...others } = filter
    on_change(value === undefined || value === '' || value === false ? others : { ...others, [name]: value })
  }
  const dated = DATES.filter(([name]) => filter[name]).length
  const search = useDebouncedCallback((text: string) => change('search', text.trim()), 250)
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        label="Number" placeholder="Begins with" w={130} value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          search(value)
        }}
      />
      <MultiSelect
        label="Status" placeholder={filter.status ? '' : 'Every status'} clearable w={{ base: '100%', xs: 220 }} value={filter.status ?? []}
        data={Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label }))}
        onChange={(status) => change('status', status.length > 0 ? (status as Status[]) : undefined)}
      />
      <CustomerPicker
        label="Customer" width={{ base: '100%', xs: 200 }} value={filter.customer_id ?? null}
        on_change={(customer_id) => change('customer_id', customer_id ?? undefined)}
      />
      <Popover position="bottom-start" withArrow trapFocus>
        <Popover.Target><Button variant="default" fw={dated ? 700 : 400}>{dated ? `Dates: ${dated} set` : 'Dates'}</Button></Popover.Target>
        <Popover.Dropdown aria-label="Dates">
          <SimpleGrid cols={2} spacing="xs">
            {DATES.map(([name, label]) => (
              <TextInput
                key={name} type="date" label={label} w={150} value={filter[name] ?? ''} onChange={({ currentTarget: { value } }) => change(name, value)}
              />
            ))}
          </SimpleGrid>
        </Popover.Dropdown>
      </Popover>
      <Switch label="Overdue only" mb={8} checked={filter.overdue ?? false} onChange={({ currentTarget: { checked } }) => change('overdue', checked)} />
    </Group>
  )
}
