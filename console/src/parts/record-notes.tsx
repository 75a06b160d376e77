// The notes on one record: pinned ones first, each with its answers, and a field for a new one.
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { useSession } from '../session.tsx'
import { ActionButton } from './action-button.tsx'
import { Loaded, Section } from './details.tsx'
import { sayFailed } from './feedback.tsx'
import { NoteEditor } from './note-editor.tsx'
import { useSaved } from './saved.ts'

type Note = Schemas['Note']
type About = { resource_type: string; resource_id: string }

const TOUCHED = ['notes']

export function RecordNotes({ resource_type, resource_id, shown }: About & { shown?: string }) {
  const about = { resource_type, resource_id }
  const saved = useSaved(TOUCHED)
  const notes = useQuery({
    queryKey: ['notes', 'of', resource_type, resource_id],
    queryFn: () => dataOf(api.GET('/api/v1/notes', { params: { query: { ...about, limit: 500, sort_by: 'created_at', descending: true } } })),
  })
  const write = async (body: string) => {
    await api.POST('/api/v1/notes', { body: { ...about, body } })
    saved('The note is written.')
  }
  return (
    <Section title="Notes">
      <NoteEditor label="New note" button="Write it" save={write} />
      <Loaded query={notes}>
        {({ items }: { items: Note[] }) => (
          <Stack gap="sm">
            {items.length === 0 && <Text size="sm" c="dimmed">Nobody has written anything yet.</Text>}
            {items.filter(({ parent_id }) => parent_id === null).toSorted((a, b) => Number(b.pinned) - Number(a.pinned)).map((note) => (
              <Thread key={note.id} note={note} answers={items.filter(({ parent_id }) => parent_id === note.id).toReversed()} shown={shown} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

type ThreadProps = { note: Note; answers: Note[]; shown: string | undefined }

function Thread({ note, answers, shown }: ThreadProps) {
  const { id: parent_id, resource_type, resource_id, deleted } = note
  const saved = useSaved(TOUCHED)
  const [replies, setReplies] = useState(false)
  const reply = async (body: string) => {
    await api.POST('/api/v1/notes', { body: { resource_type, resource_id, parent_id, body } })
    setReplies(false)
    saved('The answer is written.')
  }
  return (
    <Paper withBorder p="sm">
      <Stack gap="sm">
        <OneNote note={note} marked={shown === note.id} />
        {answers.length > 0 && (
          <Stack gap="sm" pl="md" style={{ borderLeft: '2px solid var(--mantine-color-default-border)' }}>
            {answers.map((answer) => <OneNote key={answer.id} note={answer} marked={shown === answer.id} />)}
          </Stack>
        )}
        {!deleted && (replies
          ? <NoteEditor label="Answer" button="Answer" save={reply} cancel={() => setReplies(false)} />
          : <Group><Button size="compact-xs" variant="subtle" onClick={() => setReplies(true)}>Answer</Button></Group>)}
      </Stack>
    </Paper>
  )
}

function OneNote({ note, marked }: { note: Note; marked: boolean }) {
  const { id: note_id, body, pinned, author_id, author_name, created_at, edited_at, deleted, parent_id } = note
  const { user, membership } = useSession()
  const saved = useSaved(TOUCHED)
  const [edits, setEdits] = useState(false)
  const params = { path: { note_id } }
  const mine = author_id === user.id
  const rules = membership?.role === 'owner' || membership?.role === 'admin'
  const change = async (text: string) => {
    await api.PUT('/api/v1/notes/{note_id}', { params, body: { body: text } })
    setEdits(false)
    saved('The note is changed.')
  }
  const pin = () => (pinned ? api.PUT('/api/v1/notes/{note_id}/unpin', { params }) : api.PUT('/api/v1/notes/{note_id}/pin', { params }))
    .then(() => saved(pinned ? 'No longer pinned.' : 'Pinned.'), sayFailed)
  return (
    <Stack gap={4} id={`note-${note_id}`} {...(marked ? { 'aria-current': 'true' } : {})}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text size="sm" fw={600}>{author_name}</Text>
          <Text size="xs" c="dimmed">{moment(created_at)}{edited_at && ', changed later'}</Text>
          {pinned && <Badge size="sm" variant="light">Pinned</Badge>}
          {marked && <Badge size="sm" variant="outline">This one</Badge>}
        </Group>
        {!deleted && (
          <Group gap={4}>
            {parent_id === null && <Button size="compact-xs" variant="subtle" onClick={() => void pin()}>{pinned ? 'Unpin' : 'Pin'}</Button>}
            {mine && <Button size="compact-xs" variant="subtle" onClick={() => setEdits(true)}>Change</Button>}
            {(mine || rules) && (
              <ActionButton
                small grave button="Delete" words="The note is gone. One that was answered stays as an empty one." touched={TOUCHED} done="The note is deleted."
                run={() => api.DELETE('/api/v1/notes/{note_id}', { params })}
              />
            )}
          </Group>
        )}
      </Group>
      {edits
        ? <NoteEditor label="Change the note" button="Save" start={plain(body)} save={change} cancel={() => setEdits(false)} />
        : (
          <Text size="sm" component="div" c={deleted ? 'dimmed' : 'inherit'} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {deleted ? 'This note was deleted.' : plain(body)}
          </Text>
        )}
    </Stack>
  )
}

/** The service writes the beginning of a tag so that no page takes it for one; shown as text it needs that no more. */
const plain = (body: string): string => body.replaceAll('&lt;', '<')
