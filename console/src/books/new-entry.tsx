// Writing a new entry.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useBusiness } from '../session.tsx'
import { emptyDraft, inputOf } from './entry-draft.ts'
import { EntryForm, type Save } from './entry-form.tsx'
import { postingChanges } from './posting-changes.ts'

export function NewEntry() {
  const { base_currency } = useBusiness()
  const [start] = useState(() => emptyDraft(base_currency))
  const queries = useQueryClient()
  const go = useNavigate()
  const save: Save = async (draft, { post, override_reason }) => {
    const headers = override_reason.trim() ? { 'x-override-reason': override_reason.trim() } : {}
    const entry = await dataOf(api.POST('/api/v1/journal-entries', { body: { ...inputOf(draft, base_currency), post }, headers }))
    say(entry.number === null ? 'The entry is kept as a draft.' : `Posted as entry ${entry.number}.`)
    void postingChanges(queries)
    await go({ to: `/journal/${entry.id}` })
  }
  return <Page title="New entry"><EntryForm start={start} save={save} /></Page>
}
