// The beginning of an import: what the file holds, and the file itself.
import { Anchor, Button, Checkbox, FileInput, Group, Progress, Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, download, upload, type Schemas } from '../api.ts'
import { Loaded } from '../parts/details.tsx'
import { Failure, sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { ImportSteps } from './import-steps.tsx'
import { useImportKinds, useKnownImport, type Import, type ImportKind } from './use-import.ts'

export function NewImportPage() {
  const kinds = useImportKinds()
  return (
    <Page title="Import a file">
      <ImportSteps active={0} />
      <Loaded query={kinds}>{(items) => (items.length === 0 ? <Text>Your role cannot import anything here.</Text> : <Begin kinds={items} />)}</Loaded>
    </Page>
  )
}

function Begin({ kinds }: { kinds: readonly ImportKind[] }) {
  const go = useNavigate()
  const known = useKnownImport()
  const [kind, setKind] = useState<Import['kind'] | null>(kinds[0]?.kind ?? null)
  const [file, setFile] = useState<File | null>(null)
  const [again, setAgain] = useState(false)
  const [part, setPart] = useState(0)
  const begin = useMutation({
    async mutationFn({ chosen, given }: { chosen: Import['kind']; given: File }) {
      const form = new FormData()
      form.append('files', given, given.name)
      const [document] = await upload<Schemas['Document'][]>('/api/v1/documents', form, setPart)
      return dataOf(api.POST('/api/v1/imports', { body: { kind: chosen, document_id: document?.id ?? '', confirm_duplicate: again } }))
    },
    onSuccess(made) {
      known(made)
      void go({ to: `/imports/${made.id}` })
    },
  })
  return (
    <Stack maw={720}>
      <Radio.Group label="What does the file hold?" value={kind} onChange={(value) => setKind(value as Import['kind'])}>
        <Stack gap="xs" mt="xs">
          {kinds.map((one) => (
            <Group key={one.kind} gap="xs" align="flex-start" wrap="nowrap" justify="space-between">
              <Radio value={one.kind} label={one.title} description={one.description} />
              <Template kind={one} />
            </Group>
          ))}
        </Stack>
      </Radio.Group>
      <FileInput
        label="File" description="CSV or Excel (XLSX), up to 100,000 rows. The first row names the columns." placeholder="Choose a file"
        accept=".csv,.xlsx,text/csv" value={file} onChange={setFile} clearable clearButtonProps={{ 'aria-label': 'Take the file away' }}
      />
      <Checkbox label="Bring it in even if the same file came in before" checked={again} onChange={({ currentTarget }) => setAgain(currentTarget.checked)} />
      {begin.isPending && <Progress value={part * 100} animated aria-label="Sending the file" />}
      {begin.isError && <Failure error={begin.error} />}
      <Group>
        <Button disabled={!file || !kind} loading={begin.isPending} onClick={() => file && kind && begin.mutate({ chosen: kind, given: file })}>
          Read the file
        </Button>
      </Group>
    </Stack>
  )
}

function Template({ kind: { kind, title } }: { kind: ImportKind }) {
  return (
    <Anchor
      component="button" type="button" size="sm" aria-label={`Download a template for ${title.toLowerCase()}`} style={{ whiteSpace: 'nowrap' }}
      onClick={() => void download(`/api/v1/imports/kinds/${kind}/template`).catch(sayFailed)}
    >
      Template
    </Anchor>
  )
}
