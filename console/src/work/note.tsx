// One note, among the others on the same record.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { Loaded } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { RecordNotes } from '../parts/record-notes.tsx'

export function NotePage() {
  const { note_id } = useParams({ strict: false }) as { note_id: string }
  const note = useQuery({
    queryKey: ['notes', note_id], queryFn: () => dataOf(api.GET('/api/v1/notes/{note_id}', { params: { path: { note_id } } })),
  })
  return (
    <Page title="Note">
      <Loaded query={note}>
        {({ resource_type, resource_id }) => (
          <>
            <div>On <RecordLink type={resource_type} id={resource_id} /></div>
            <RecordNotes resource_type={resource_type} resource_id={resource_id} shown={note_id} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
