// A deck or a board as a file: made by a job, kept among the documents, and downloaded from here.
import { Button, Checkbox, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { download, type Schemas } from '../api.ts'
import { To } from '../parts/details.tsx'
import { Failure, sayFailed } from '../parts/feedback.tsx'
import { JobProgress } from '../parts/job-progress.tsx'

type ExportDialogProps = {
  noun: string
  formats: readonly { value: string; label: string; says: string }[]
  /** What can be in it or not. */
  parts?: readonly { value: string; label: string }[]
  start: (format: string, included: readonly string[]) => Promise<Schemas['DeckExport']>
}

export function ExportDialog(props: ExportDialogProps) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>Export</Button>
      <Modal opened={opened} onClose={close} title={`Export the ${props.noun}`}>{opened && <ExportForm {...props} />}</Modal>
    </>
  )
}

function ExportForm({ noun, formats, parts = [], start }: ExportDialogProps) {
  const queries = useQueryClient()
  const [format, setFormat] = useState(formats[0]?.value ?? 'pdf')
  const [included, setIncluded] = useState<string[]>([])
  const begin = useMutation({ mutationFn: () => start(format, included) })
  const made = begin.data
  if (made) return (
    <Stack>
      <JobProgress
        job_id={made.job_id} on_done={() => void queries.invalidateQueries({ queryKey: ['documents'] })}
        done={() => (
          <Group gap="sm">
            <Button onClick={() => void download(`/api/v1/documents/${made.document_id}/download`).catch(sayFailed)}>Download</Button>
            <To path={`/documents/${made.document_id}`}>See it among the documents</To>
          </Group>
        )}
      />
      <Group><Button variant="default" onClick={() => begin.reset()}>Export another</Button></Group>
    </Stack>
  )
  return (
    <Stack>
      <Radio.Group label="As" value={format} onChange={setFormat}>
        <Stack gap="xs" mt={6}>{formats.map(({ value, label, says }) => <Radio key={value} value={value} label={label} description={says} />)}</Stack>
      </Radio.Group>
      {parts.length > 0 && (
        <Checkbox.Group label="With" value={included} onChange={setIncluded}>
          <Stack gap="xs" mt={6}>{parts.map(({ value, label }) => <Checkbox key={value} value={value} label={label} />)}</Stack>
        </Checkbox.Group>
      )}
      {begin.isError && <Failure error={begin.error} />}
      <Group><Button loading={begin.isPending} onClick={() => begin.mutate()}>Export</Button></Group>
      <Text size="xs" c="dimmed">The file is made as the {noun} is now, and kept among the documents.</Text>
    </Stack>
  )
}
