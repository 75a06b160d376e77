// The frame of every list of records: search and filters that stand in the address, the rows, and the way to a new one.
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useAddress } from './address.ts'
import { CustomerPicker } from './customer-picker.tsx'
import { DataList, type Column, type ListPage } from './data-list.tsx'
import { Empty } from './feedback.tsx'
import { Page } from './page.tsx'
import type { Choice } from './record-values.ts'
import { useMayWrite } from './roles.ts'

type Filter = { name: string; label: string; choices: readonly Choice[]; all: string }
type RecordListProps<Row extends { id: string }> = {
  title: string
  /** Where the list is, and each of its records below. */
  path: string
  /** What the cache calls it. */
  group: string
  /** The button to a new one. */
  create: string
  columns: readonly Column<Row>[]
  filters: readonly Filter[]
  by_customer?: boolean
  search: { name: string; label: string }
  sort: { sort_by: string; descending: boolean }
  read: (query: Record<string, unknown>) => Promise<ListPage<Row>>
  /** What these are, for somebody who has none yet. */
  words: string
  actions?: ReactNode
}

export function RecordList<Row extends { id: string }>({
  title, path, group, create, columns, filters, by_customer = false, search, sort, read, words, actions,
}: RecordListProps<Row>) {
  const go = useNavigate()
  const writes = useMayWrite()
  const [given, change] = useAddress()
  const [typed, setTyped] = useState(given['search'] ?? '')
  const look = useDebouncedCallback((text: string) => change({ search: text.trim() }), 250)
  const { search: looked_for, sort_by = sort.sort_by, descending = String(sort.descending), ...chosen } = given
  const sorted = { sort_by, descending: descending === 'true' }
  const query = { ...chosen, ...sorted, ...(looked_for ? { [search.name]: looked_for } : {}) }
  const showAll = () => {
    setTyped('')
    void go({ to: path, replace: true })
  }
  const all = <Button variant="default" onClick={showAll}>Show all</Button>
  const newOne = writes ? <Button component={Link} to={`${path}/new`}>{create}</Button> : null
  return (
    <Page title={title} actions={<>{actions}{newOne}</>}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Search" placeholder={search.label} w={{ base: '100%', xs: 260 }} value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value)
            look(value)
          }}
        />
        {filters.map(({ name, label, choices, all }) => (
          <Select
            key={name} label={label} placeholder={all} clearable w={{ base: 'calc(50% - 5px)', xs: 170 }} data={choices.map((choice) => ({ ...choice }))}
            value={given[name] ?? null} onChange={(value) => change({ [name]: value })}
          />
        ))}
        {by_customer && (
          <CustomerPicker
            label="Customer" width={{ base: '100%', xs: 200 }} value={given['customer_id'] ?? null} on_change={(customer_id) => change({ customer_id })}
          />
        )}
      </Group>
      <DataList
        label={title} columns={columns} query_key={[group, 'list', path, query]} sort={sorted}
        on_sort={(wanted) => change({ sort_by: wanted.sort_by, descending: String(wanted.descending) })}
        read={(cursor) => read({ ...query, limit: 100, ...(cursor ? { cursor } : {}) })} open={({ id }) => void go({ to: `${path}/${id}` })}
        empty={Object.keys(given).length > 0
          ? <Empty title="Nothing fits" action={all}>Nothing matches what you have chosen above.</Empty>
          : <Empty title={`No ${title.toLowerCase()} yet`} action={newOne}>{words}</Empty>}
      />
    </Page>
  )
}
