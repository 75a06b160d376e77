// The list of imports: files that were brought in, or are about to be.
import { Button, Group, Select } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { moment, words } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { ImportStatus } from './import-status.tsx'
import { KIND_WORDS, type Import } from './use-import.ts'

const STATUSES: Import['status'][] = ['uploaded', 'mapped', 'running', 'completed', 'completed_with_errors', 'failed', 'canceled', 'rolled_back']

const columns: Column<Import>[] = [
  { name: 'file', title: 'File', width: 'minmax(180px, 2fr)', cell: ({ id, file_name }) => <NameLink path={`/imports/${id}`}>{file_name}</NameLink> },
  { name: 'kind', title: 'What', width: '110px', cell: ({ kind }) => KIND_WORDS[kind] },
  { name: 'status', title: 'State', width: '190px', cell: ({ status }) => <ImportStatus status={status} /> },
  { name: 'rows', title: 'Rows', width: '90px', figures: true, cell: ({ counts }) => counts.rows.toLocaleString() },
  { name: 'created', title: 'Made', width: '90px', figures: true, cell: ({ counts }) => counts.created.toLocaleString() },
  { name: 'updated', title: 'Changed', width: '90px', figures: true, cell: ({ counts }) => counts.updated.toLocaleString() },
  { name: 'invalid', title: 'Refused', width: '90px', figures: true, cell: ({ counts }) => counts.invalid.toLocaleString() },
  { name: 'at', title: 'Begun', width: '180px', sort_by: 'created_at', cell: ({ created_at }) => moment(created_at) },
]

export function ImportsPage() {
  const go = useNavigate()
  const writes = useMayWrite()
  const [given, change] = useAddress()
  const descending = given['descending'] !== 'false'
  const { kind, status } = given
  const filter = { ...(kind ? { kind } : {}), ...(status ? { status } : {}), descending }
  const begin = writes ? <Button component={Link} to="/imports/new">Import a file</Button> : null
  return (
    <Page title="Imports" actions={begin}>
      <Group gap="xs" align="flex-end">
        <Select
          label="What" placeholder="Anything" clearable w={{ base: 'calc(50% - 5px)', xs: 170 }} value={kind ?? null}
          data={Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label }))} onChange={(value) => change({ kind: value })}
        />
        <Select
          label="State" placeholder="Any" clearable w={{ base: 'calc(50% - 5px)', xs: 200 }} value={status ?? null}
          data={STATUSES.map((value) => ({ value, label: words(value) }))} onChange={(value) => change({ status: value })}
        />
      </Group>
      <DataList<Import>
        label="Imports" columns={columns} query_key={['imports', 'list', filter]} sort={{ sort_by: 'created_at', descending }}
        on_sort={(wanted) => change({ descending: String(wanted.descending) })} open={({ id }) => void go({ to: `/imports/${id}` })}
        read={(cursor) => dataOf(api.GET('/api/v1/imports', { params: { query: { limit: 100, ...filter, ...(cursor ? { cursor } : {}) } as never } }))}
        empty={kind || status
          ? <Empty title="Nothing fits">No import matches what you have chosen above.</Empty>
          : <Empty title="No imports yet" action={begin}>Bring customers, services, products, projects and invoices in from a CSV or Excel file.</Empty>}
      />
    </Page>
  )
}
