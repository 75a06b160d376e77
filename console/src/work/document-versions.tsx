// Every file that a document has been: the older ones stay, and a new one takes its place.
import { Button, FileButton, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, dataOf, download, upload, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { Loaded, Section } from '../parts/details.tsx'
import { Failure, sayFailed } from '../parts/feedback.tsx'
import { useMayDecide } from '../parts/roles.ts'
import { Rows } from '../parts/rows.tsx'
import { useSaved } from '../parts/saved.ts'
import { sizeWords } from './document-words.ts'

export function DocumentVersions({ document: { id, version_number, deleted_at } }: { document: Schemas['Document'] }) {
  const writes = useMayDecide() && deleted_at === null
  const saved = useSaved(['documents'])
  const versions = useQuery({
    queryKey: ['documents', id, 'versions', version_number],
    queryFn: () => dataOf(
      api.GET('/api/v1/documents/{document_id}/versions', { params: { path: { document_id: id }, query: { limit: 200, descending: true } } })
    ),
  })
  const add = useMutation({
    mutationFn(file: File) {
      const form = new FormData()
      form.append('file', file)
      return upload(`/api/v1/documents/${id}/versions`, form, () => undefined)
    },
    onSuccess: () => saved('The document shows the new file.'),
  })
  const take = (number: number) => void download(`/api/v1/documents/${id}/download?version=${number}`).catch(sayFailed)
  return (
    <Section title="Versions" actions={writes && (
      <FileButton onChange={(file) => file && add.mutate(file)}>
        {(props) => <Button {...props} size="xs" variant="default" loading={add.isPending}>Add a version</Button>}
      </FileButton>
    )}>
      {add.isError && <Failure error={add.error} />}
      <Loaded query={versions}>
        {({ items }: { items: Schemas['DocumentVersion'][] }) => (items.length < 2 ? <Text size="sm" c="dimmed">This is the only file it has been.</Text> : (
          <Rows
            label="Versions" rows={items} id={({ id: version_id }) => version_id} width={420}
            columns={[
              { title: 'No.', figures: true, cell: ({ number }) => number }, { title: 'File', wraps: true, cell: ({ file_name }) => file_name },
              { title: 'Came', cell: ({ created_at }) => moment(created_at) }, { title: 'Size', figures: true, cell: ({ size }) => sizeWords(size) },
              {
                title: 'Take', cell: ({ number }) => (
                  <Button size="compact-xs" variant="default" aria-label={`Download version ${number}`} onClick={() => take(number)}>Download</Button>
                ),
              },
            ]}
          />
        ))}
      </Loaded>
    </Section>
  )
}
