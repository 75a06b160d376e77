// Changing an entry that is not posted yet.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { Failure, Loading, say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useBusiness } from '../session.tsx'
import { draftOf, inputOf } from './entry-draft.ts'
import { EntryForm, type Save } from './entry-form.tsx'
import { useEntry } from './entry-reading.ts'
import { postingChanges } from './posting-changes.ts'

export function EditDraft() {
  const { entry_id = '' } = useParams({ strict: false }) as { entry_id?: string }
  const { base_currency } = useBusiness()
  const entry = useEntry(entry_id)
  const queries = useQueryClient()
  const go = useNavigate()
  const save: Save = async (draft, { post, override_reason }) => {
    const params = { path: { entry_id } }
    const headers = override_reason.trim() ? { 'x-override-reason': override_reason.trim() } : {}
    await dataOf(api.PUT('/api/v1/journal-entries/{entry_id}', { params, body: inputOf(draft, base_currency) }))
    const posted = post ? await dataOf(api.PUT('/api/v1/journal-entries/{entry_id}/post', { params, headers })) : null
    say(posted ? `Posted as entry ${posted.number}.` : 'The draft is saved.')
    void postingChanges(queries)
    await go({ to: `/journal/${entry_id}` })
  }
  if (entry.isPending) return <Loading what="Loading the draft" />
  if (entry.isError) return <Failure error={entry.error} again={() => void entry.refetch()} />
  return <Page title="Change the draft"><EntryForm key={entry_id} start={draftOf(entry.data, base_currency)} save={save} /></Page>
}
