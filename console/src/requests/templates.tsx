// Templates of requests: what is asked for again and again.
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { day } from '../format.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useMayWrite } from '../parts/roles.ts'
import type { Template } from './request-status.tsx'

const columns: Column<Template>[] = [
  {
    name: 'name', title: 'Name', width: 'minmax(160px, 1fr)', sort_by: 'name',
    cell: ({ id, name }) => <NameLink path={`/papers/templates/${id}`}>{name}</NameLink>,
  },
  { name: 'title', title: 'Title', width: 'minmax(160px, 1fr)', cell: ({ title }) => title },
  { name: 'items', title: 'Papers', width: 'minmax(200px, 1.5fr)', cell: ({ items }) => items.map(({ label }) => label).join(', ') },
  { name: 'due', title: 'Due after', width: '110px', figures: true, cell: ({ due_in_days }) => (due_in_days === null ? '' : `${due_in_days} days`) },
  { name: 'created', title: 'Made', width: '125px', sort_by: 'created_at', cell: ({ created_at }) => day(created_at) },
]

export function Templates() {
  const go = useNavigate()
  const writes = useMayWrite()
  const [sort, setSort] = useState({ sort_by: 'name', descending: false })
  const newOne = writes ? <Button component={Link} to="/papers/templates/new">New template</Button> : null
  return (
    <Page title="Templates of requests" actions={newOne}>
      <DataList<Template>
        label="Templates" columns={columns} query_key={['document-requests', 'templates', sort]} sort={sort} on_sort={setSort}
        read={(cursor) => dataOf(api.GET('/api/v1/document-requests/templates', {
          params: { query: { ...sort, limit: 100, ...(cursor ? { cursor } : {}) } as never },
        }))}
        open={({ id }) => void go({ to: `/papers/templates/${id}` })}
        empty={<Empty title="No templates yet" action={newOne}>Write down once what you ask for every month or of every new client.</Empty>}
      />
    </Page>
  )
}
