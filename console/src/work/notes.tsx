// Notes: what people wrote on records of every kind, and a way to write one on any record.
import { Badge, Button, Drawer, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty } from '../parts/feedback.tsx'
import { NoteEditor } from '../parts/note-editor.tsx'
import { Page } from '../parts/page.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { RecordPicker, type Picked } from '../parts/record-picker.tsx'
import { useSaved } from '../parts/saved.ts'
import { useSession } from '../session.tsx'

type Note = Schemas['Note']

const columns: Column<Note>[] = [
  { name: 'body', title: 'Note', width: 'minmax(240px, 2fr)', cell: ({ body, deleted }) => (deleted ? 'Deleted' : body.replaceAll('&lt;', '<')) },
  { name: 'about', title: 'On', width: 'minmax(180px, 1fr)', cell: ({ resource_type, resource_id }) => <RecordLink type={resource_type} id={resource_id} /> },
  { name: 'author', title: 'By', width: '160px', cell: ({ author_name }) => author_name },
  { name: 'created', title: 'Written', width: '190px', sort_by: 'created_at', cell: ({ created_at }) => moment(created_at) },
  { name: 'pinned', title: '', width: '100px', cell: ({ pinned }) => pinned && <Badge size="sm" variant="light">Pinned</Badge> },
]

export function NotesPage() {
  const [given, change] = useAddress()
  const go = useNavigate()
  const { user } = useSession()
  const [opened, { open, close }] = useDisclosure()
  const { which = 'all', q, descending = 'true' } = given
  const sort = { sort_by: 'created_at', descending: descending === 'true' }
  const query = { ...(q ? { q } : {}), ...(which === 'me' ? { mentions_me: true } : which === 'mine' ? { author_id: user.id } : {}), ...sort }
  const search = useDebouncedCallback((text: string) => change({ q: text.trim() }), 300)
  const newOne = <Button onClick={open}>New note</Button>
  return (
    <Page title="Notes" actions={newOne}>
      <Group gap="sm">
        <SegmentedControl
          aria-label="Which notes" value={which} onChange={(value) => change({ which: value === 'all' ? null : value })}
          data={[{ value: 'all', label: 'All' }, { value: 'mine', label: 'Mine' }, { value: 'me', label: 'That name me' }]}
        />
        <TextInput
          aria-label="Search notes" placeholder="Words of the text" w={{ base: '100%', xs: 260 }} defaultValue={q ?? ''}
          onChange={({ currentTarget: { value } }) => search(value)}
        />
      </Group>
      <DataList
        label="Notes" columns={columns} query_key={['notes', 'list', query]} sort={sort} on_sort={(wanted) => change({ descending: String(wanted.descending) })}
        read={(cursor) => dataOf(api.GET('/api/v1/notes', { params: { query: { ...query, limit: 100, ...(cursor ? { cursor } : {}) } as object } }))}
        open={({ id }) => void go({ to: `/notes/${id}` })}
        empty={Object.keys(given).length > 0
          ? <Empty title="Nothing fits">No note matches what you have chosen above.</Empty>
          : <Empty title="No notes yet" action={newOne}>A note stands on a record, such as a customer or a transaction, for whoever looks at it next.</Empty>}
      />
      <Drawer opened={opened} onClose={close} position="right" title="New note"><NewNote close={close} /></Drawer>
    </Page>
  )
}

function NewNote({ close }: { close: () => void }) {
  const saved = useSaved(['notes'])
  const [picked, pick] = useState<Picked | null>(null)
  const write = async (body: string) => {
    if (!picked) return
    await api.POST('/api/v1/notes', { body: { resource_type: picked.resource_type, resource_id: picked.resource_id, body } })
    close()
    saved('The note is written.')
  }
  return (
    <Stack>
      <RecordPicker label="On which record" value={picked} on_change={pick} required />
      <NoteEditor label="Note" button="Write it" save={write} disabled={picked === null} cancel={close} />
    </Stack>
  )
}
