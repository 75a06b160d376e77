// What can be done with an entry: posted ones are reversed or put on another date, drafts are changed, posted or deleted.
import { Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { Failure, say, sayFailed } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { useSession } from '../session.tsx'
import { isOwn, type Entry } from './entry-reading.ts'
import { postingChanges } from './posting-changes.ts'

type Asking = 'reverse' | 'redate' | 'reject' | 'delete'
type Given = { day: string | null; text: string }

const TITLES: Record<Asking, string> = { reverse: 'Reverse this entry', redate: 'Put it on another date', reject: 'Send it back', delete: 'Delete this draft' }
const BUTTONS: Record<Asking, string> = { reverse: 'Reverse', redate: 'Change the date', reject: 'Reject', delete: 'Delete' }
const SAID: Record<Asking, string> = {
  reverse: 'The entry is reversed.', redate: 'The entry stands on the new date.', reject: 'The entry is a draft again.', delete: 'The draft is gone.',
}

export function EntryActions({ entry }: { entry: Entry }) {
  const queries = useQueryClient()
  const go = useNavigate()
  const { membership } = useSession()
  const [asking, setAsking] = useState<Asking | null>(null)
  const params = { path: { entry_id: entry.id } }
  const step = useMutation({
    mutationFn: (name: 'post' | 'submit' | 'approve') =>
      dataOf(api.PUT(`/api/v1/journal-entries/{entry_id}/${name}` as '/api/v1/journal-entries/{entry_id}/post', { params })),
    onSuccess: (changed) => {
      say(changed.number === null ? 'The entry waits for approval.' : `The entry is posted as number ${changed.number}.`)
      void postingChanges(queries)
    },
    onError: sayFailed,
  })
  const copy = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/journal-entries/{entry_id}/duplicate', { params })),
    onSuccess: async ({ id }) => {
      say('A copy is kept as a draft.')
      void postingChanges(queries)
      await go({ to: `/journal/${id}/edit` })
    },
    onError: sayFailed,
  })
  if (membership?.role === 'viewer') return null
  const own = isOwn(entry)
  return (
    <Group gap="xs">
      {entry.status === 'draft' && <Button loading={step.isPending} onClick={() => step.mutate('post')}>Post</Button>}
      {entry.status === 'draft' && <Button variant="default" component={Link} to={`/journal/${entry.id}/edit`}>Change</Button>}
      {entry.status === 'pending_approval' && <Button loading={step.isPending} onClick={() => step.mutate('approve')}>Approve and post</Button>}
      {entry.status === 'pending_approval' && <Button variant="default" onClick={() => setAsking('reject')}>Send back</Button>}
      {entry.status === 'posted' && own && entry.reversal_of_id === null && <Button variant="default" onClick={() => setAsking('reverse')}>Reverse</Button>}
      {entry.status === 'posted' && own && entry.reversal_of_id === null && (
        <Button variant="default" onClick={() => setAsking('redate')}>
          Change the date
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target><Button variant="default">More</Button></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => copy.mutate()}>Copy into a new draft</Menu.Item>
          {entry.status === 'draft' && <Menu.Item onClick={() => step.mutate('submit')}>Submit for approval</Menu.Item>}
          {entry.status === 'draft' && <Menu.Item color="red" onClick={() => setAsking('delete')}>Delete the draft</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={asking !== null} onClose={() => setAsking(null)} title={asking ? TITLES[asking] : ''}>
        {asking && <Question key={asking} entry={entry} asking={asking} close={() => setAsking(null)} />}
      </Modal>
    </Group>
  )
}

function Question({ entry, asking, close }: { entry: Entry; asking: Asking; close: () => void }) {
  const queries = useQueryClient()
  const go = useNavigate()
  const [given, setGiven] = useState<Given>({ day: entry.date, text: '' })
  const act = useMutation({
    mutationFn: () => call(asking, entry.id, given),
    onSuccess: async (changed) => {
      say(SAID[asking])
      close()
      if (asking === 'delete') await go({ to: '/journal' })
      else if (changed.id !== entry.id) await go({ to: `/journal/${changed.id}` })
      void postingChanges(queries)
    },
  })
  return (
    <form onSubmit={(event) => { event.preventDefault(); act.mutate() }}>
      <Stack>
        {asking === 'reverse' && <Text size="sm">The opposite entry is posted. Both stay in the journal.</Text>}
        {asking === 'redate' && <Text size="sm">It is reversed and posted anew with another number; lists show only the new one.</Text>}
        {asking === 'delete' && <Text size="sm">A draft has booked nothing: nothing else changes.</Text>}
        {(asking === 'reverse' || asking === 'redate') && (
          <DayField
            label="Date" required value={given.day} on_change={(day) => setGiven({ ...given, day })} width="100%"
          />
        )}
        {(asking === 'reverse' || asking === 'reject') && (
          <TextInput
            label={asking === 'reject' ? 'Reason' : 'Memo'} required={asking === 'reject'} value={given.text}
            onChange={({ currentTarget }) => setGiven({ ...given, text: currentTarget.value })}
          />
        )}
        {act.isError && <Failure error={act.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>Leave it</Button>
          <Button type="submit" loading={act.isPending} {...(asking === 'delete' ? { color: 'red' } : {})}>{BUTTONS[asking]}</Button>
        </Group>
      </Stack>
    </form>
  )
}

function call(asking: Asking, entry_id: string, { day, text }: Given): Promise<Entry> {
  const params = { path: { entry_id } }
  if (asking === 'delete') return dataOf(api.DELETE('/api/v1/journal-entries/{entry_id}', { params }))
  if (asking === 'reject') return dataOf(api.PUT('/api/v1/journal-entries/{entry_id}/reject', { params, body: { reason: text } }))
  if (asking === 'redate') return dataOf(api.PUT('/api/v1/journal-entries/{entry_id}/date', { params, body: { date: day ?? '' } }))
  const body = { ...(day ? { reversal_date: day } : {}), ...(text ? { memo: text } : {}) }
  return dataOf(api.PUT('/api/v1/journal-entries/{entry_id}/reverse', { params, body }))
}
