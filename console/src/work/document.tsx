// One document: to look at, to take away, to describe, to attach and to share; and what it says, where that can be read.
import { Alert, Button, Drawer, Grid, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, download, type Schemas } from '../api.ts'
import { day, moment, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Loaded } from '../parts/details.tsx'
import { sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { RecordNotes } from '../parts/record-notes.tsx'
import { useMayDecide } from '../parts/roles.ts'
import { useSaved } from '../parts/saved.ts'
import { DocumentAttachments } from './document-attachments.tsx'
import { DocumentLinks } from './document-links.tsx'
import { DocumentPreview } from './document-preview.tsx'
import { DocumentReading } from './document-reading.tsx'
import { DocumentVersions } from './document-versions.tsx'
import { KINDS, sizeWords } from './document-words.ts'

type Document = Schemas['Document']

const TOUCHED = ['documents', 'record-titles']
const FIELDS: Field[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true },
  { name: 'kind', label: 'Kind', kind: 'choice', required: true, choices: KINDS },
  { name: 'document_date', label: 'Date on the paper', kind: 'date', words: 'From this day on it is kept for as long as the settings say.' },
  { name: 'folder', label: 'Folder', kind: 'text' },
  { name: 'tags', label: 'Tags', kind: 'text', words: 'Separated by commas.' },
  { name: 'description', label: 'Description', kind: 'long_text' },
]

export function DocumentPage() {
  const { document_id } = useParams({ strict: false }) as { document_id: string }
  const document = useQuery({
    queryKey: ['documents', document_id],
    queryFn: () => dataOf(api.GET('/api/v1/documents/{document_id}', { params: { path: { document_id } } })),
    refetchInterval: ({ state: { data } }) => (data?.text_status === 'pending' ? 3000 : false),
  })
  return <Loaded query={document}>{(found) => <Content document={found} />}</Loaded>
}

function Content({ document }: { document: Document }) {
  const {
    id, name, kind, description, tags, folder, document_date, content_type, size, pages, source, created_at, retained_until, deleted_at,
    duplicate_of,
  } = document
  const go = useNavigate()
  const writes = useMayDecide()
  const saved = useSaved(TOUCHED)
  const [edits, { open, close }] = useDisclosure()
  const [busy, setBusy] = useState(false)
  const params = { path: { document_id: id } }
  const save = async ({ tags: typed, ...body }: Omit<Schemas['DocumentUpdate'], 'tags'> & { tags?: string | null }) => {
    const changed = typed === undefined ? {} : { tags: (typed ?? '').split(',').map((tag) => tag.trim()).filter(Boolean) }
    await api.PUT('/api/v1/documents/{document_id}', { params, body: { ...body, ...changed } })
    close()
    saved('Saved.')
  }
  const restore = useMutation({
    mutationFn: () => api.PUT('/api/v1/documents/{document_id}/restore', { params }), onSuccess: () => saved(`${name} is back.`), onError: sayFailed,
  })
  const take = async () => {
    setBusy(true)
    await download(`/api/v1/documents/${id}/download`).catch(sayFailed)
    setBusy(false)
  }
  const actions = (
    <>
      <Button variant="default" loading={busy} onClick={() => void take()}>Download</Button>
      {writes && deleted_at === null && (
        <>
          <Button variant="default" onClick={open}>Change</Button>
          <ActionButton
            grave button="Delete" words="It lies in the bin for thirty days and can be taken back. Its public links open nothing meanwhile." touched={TOUCHED}
            done={`${name} is in the bin.`} run={() => api.DELETE('/api/v1/documents/{document_id}', { params })} then={() => void go({ to: '/documents' })}
          />
        </>
      )}
    </>
  )
  return (
    <Page title={name} actions={actions}>
      {deleted_at && (
        <Alert color="yellow" title={`In the bin since ${moment(deleted_at)}`}>
          <Group><Button size="xs" loading={restore.isPending} onClick={() => restore.mutate()}>Restore</Button></Group>
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}><DocumentPreview key={document.version_number} document={document} /></Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <Facts facts={[
              ['Kind', words(kind)], ['Date on the paper', day(document_date)], ['Folder', folder], ['Tags', tags.join(', ')], ['Came', moment(created_at)],
              ['From', words(source)], ['File', `${content_type}, ${sizeWords(size)}${pages ? `, ${pages} ${pages === 1 ? 'page' : 'pages'}` : ''}`],
              ['Kept until', day(retained_until)], ['Description', description],
              [
                'Same bytes as',
                duplicate_of && (
                  <Button key="same" size="compact-xs" variant="default" onClick={() => void go({ to: `/documents/${duplicate_of}` })}>The first one</Button>
                ),
              ],
            ]} />
            <DocumentAttachments document={document} />
            <DocumentLinks document={document} />
            <DocumentVersions document={document} />
            <DocumentReading document={document} />
            <RecordNotes resource_type="document" resource_id={id} />
          </Stack>
        </Grid.Col>
      </Grid>
      <Drawer opened={edits} onClose={close} position="right" title="Change the document">
        <RecordForm fields={FIELDS} record={{ ...document, tags: tags.join(', ') }} button="Save" save={save} cancel={close} columns={1} />
      </Drawer>
    </Page>
  )
}
