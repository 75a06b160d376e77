// Files dropped here, or chosen by the button, become documents; each shows how far it is and what came of it.
import { Anchor, Button, FileButton, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type DragEvent } from 'react'
import { useUploads, type Upload } from './use-uploads.ts'

export function UploadArea({ about }: { about?: { resource_type: string; resource_id: string } }) {
  const { uploads, add, again, clear } = useUploads(about)
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add([...event.dataTransfer.files])
  }
  const drag = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const ended = uploads.some(({ document, problem }) => document !== null || problem !== null)
  return (
    <Paper
      withBorder p="md" component="section" aria-label="Upload" onDrop={drop} onDragOver={drag} onDragLeave={() => setOver(false)}
      style={{ borderStyle: 'dashed', ...(over ? { borderColor: 'var(--mantine-color-anchor)', background: 'var(--mantine-color-default-hover)' } : {}) }}
    >
      <Stack gap="sm">
        <Group gap="sm">
          <FileButton multiple onChange={add}>{(props) => <Button {...props}>Upload files</Button>}</FileButton>
          <Text size="sm" c="dimmed">Or drop them here. PDF, pictures, sheets, text, mail, bank files or ZIP, of at most 25 MiB each.</Text>
        </Group>
        {uploads.length > 0 && (
          <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {uploads.map((one) => <li key={one.key}><OneUpload upload={one} again={() => again(one)} /></li>)}
          </Stack>
        )}
        {ended && <Group><Button size="xs" variant="subtle" onClick={clear}>Clear the list</Button></Group>}
      </Stack>
    </Paper>
  )
}

function OneUpload({ upload: { file, part, problem, document }, again }: { upload: Upload; again: () => void }) {
  const percent = Math.round(part * 100)
  if (document) {
    return (
      <Text size="sm">
        <Anchor component={Link} to={`/documents/${document.id}`} size="sm">{document.name}</Anchor> is here.
        {document.duplicate_of && (
          <> The same bytes were here already: <Anchor component={Link} to={`/documents/${document.duplicate_of}`} size="sm">look</Anchor>.</>
        )}
      </Text>
    )
  }
  if (problem !== null) {
    return (
      <Group gap="xs" role="alert">
        <Text size="sm" c="var(--mantine-color-error)">{file.name}: {problem}</Text>
        <Button size="compact-xs" variant="default" onClick={again} aria-label={`Send again: ${file.name}`}>Send again</Button>
      </Group>
    )
  }
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" truncate miw={120} maw={260}>{file.name}</Text>
      <Progress value={percent} flex={1} aria-label={`${file.name}, ${percent} percent sent`} />
      <Text size="xs" c="dimmed" w={64} ta="right">{percent === 100 ? 'Reading' : `${percent} %`}</Text>
    </Group>
  )
}
