// Documents: the files of the business, found by words, kind and date; and the bin, from which they come back for thirty days.
import { Button, Group, SegmentedControl, Select, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, words } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { Empty, say, sayFailed } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { recordName } from '../parts/records.ts'
import { useMayDecide } from '../parts/roles.ts'
import { KINDS, sizeWords } from './document-words.ts'
import { UploadArea } from './upload-area.tsx'

type Row = Schemas['Document']

const SOURCES = { upload: 'Uploaded', email: 'By mail', gmail: 'From Gmail', request: 'Asked for', generated: 'Made here' }

const columns: Column<Row>[] = [
  { name: 'name', title: 'Name', width: 'minmax(220px, 2fr)', sort_by: 'name', cell: ({ id, name }) => <NameLink path={`/documents/${id}`}>{name}</NameLink> },
  { name: 'kind', title: 'Kind', width: '110px', cell: ({ kind }) => words(kind) },
  {
    name: 'attached', title: 'Attached to', width: 'minmax(140px, 1fr)',
    cell: ({ attachments }) => (attachments.length === 0 ? 'Nothing' : attachments.map(({ resource_type }) => recordName(resource_type)).join(', ')),
  },
  { name: 'folder', title: 'Folder', width: '120px', cell: ({ folder }) => folder },
  { name: 'date', title: 'Dated', width: '120px', sort_by: 'document_date', cell: ({ document_date }) => day(document_date) },
  { name: 'created', title: 'Came', width: '120px', sort_by: 'created_at', cell: ({ created_at }) => day(created_at) },
  { name: 'size', title: 'Size', width: '100px', figures: true, sort_by: 'size', cell: ({ size }) => sizeWords(size) },
]

export function DocumentsPage() {
  const [given, change] = useAddress()
  const go = useNavigate()
  const queries = useQueryClient()
  const writes = useMayDecide()
  const { sort_by = 'created_at', descending = 'true', binned, ...chosen } = given
  const sort = { sort_by, descending: descending === 'true' }
  const query = { ...chosen, ...sort, ...(binned ? { binned: true } : {}) }
  const search = useDebouncedCallback((q: string) => change({ q: q.trim() }), 300)
  const restore = useMutation({
    mutationFn: (document_id: string) => dataOf(api.PUT('/api/v1/documents/{document_id}/restore', { params: { path: { document_id } } })),
    onSuccess: ({ name }) => {
      say(`${name} is back.`)
      void queries.invalidateQueries({ queryKey: ['documents'] })
    },
    onError: sayFailed,
  })
  const back: Column<Row> = {
    name: 'restore', title: '', width: '120px',
    cell: ({ id, name }) => (
      <Button
        size="compact-xs" variant="default" aria-label={`Restore ${name}`}
        onClick={(event) => {
          event.stopPropagation()
          restore.mutate(id)
        }}
      >
        Restore
      </Button>
    ),
  }
  const filtered = Object.keys(chosen).length > 0
  return (
    <Page title={binned ? 'Bin of documents' : 'Documents'} actions={(
      <SegmentedControl
        aria-label="Which documents" value={binned ? 'bin' : 'kept'} onChange={(which) => change({ binned: which === 'bin' ? 'true' : null })}
        data={[{ value: 'kept', label: 'Kept' }, { value: 'bin', label: 'In the bin' }]}
      />
    )}>
      {writes && !binned && <UploadArea />}
      <Group gap="sm">
        <TextInput
          aria-label="Search documents" placeholder="Words of the name or the text" w={{ base: '100%', xs: 260 }} defaultValue={given['q'] ?? ''}
          onChange={({ currentTarget: { value } }) => search(value)}
        />
        <Select aria-label="Kind" placeholder="Every kind" clearable w={150} data={KINDS} value={given['kind'] ?? null} onChange={(kind) => change({ kind })} />
        <Select
          aria-label="Came" placeholder="However it came" clearable w={170} value={given['source'] ?? null} onChange={(source) => change({ source })}
          data={Object.entries(SOURCES).map(([value, label]) => ({ value, label }))}
        />
        <DayField hidden_label label="Dated from" width={140} value={given['from'] ?? null} on_change={(from) => change({ from })} />
        <DayField hidden_label label="Dated to" width={140} value={given['to'] ?? null} on_change={(to) => change({ to })} />
        <Switch
          label="Attached to nothing" checked={given['unattached'] === 'true'}
          onChange={({ currentTarget: { checked } }) => change({ unattached: checked ? 'true' : null })}
        />
      </Group>
      <DataList
        label="Documents" columns={binned ? [...columns, back] : columns} query_key={['documents', 'list', query]} sort={sort}
        on_sort={(wanted) => change({ sort_by: wanted.sort_by, descending: String(wanted.descending) })} height="max(320px, calc(100dvh - 380px))"
        read={(cursor) => dataOf(api.GET('/api/v1/documents', { params: { query: { ...query, limit: 100, ...(cursor ? { cursor } : {}) } as object } }))}
        open={({ id }) => void go({ to: `/documents/${id}` })}
        empty={filtered
          ? <Empty title="Nothing fits">No document matches what you have chosen above.</Empty>
          : binned
            ? <Empty title="The bin is empty">What is deleted lies here for thirty days and can be taken back.</Empty>
            : <Empty title="No documents yet">Upload receipts, bills and statements. They can be attached to what they prove.</Empty>}
      />
    </Page>
  )
}
