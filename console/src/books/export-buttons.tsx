// Taking what a page shows away as a file.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { download } from '../api.ts'
import { sayFailed } from '../parts/feedback.tsx'

export type Format = 'csv' | 'xlsx' | 'pdf'

/** `path` gives the address of the file in a format. */
export function ExportButtons({ formats, path, what }: { formats: readonly Format[]; path: (format: Format) => string; what: string }) {
  const [busy, setBusy] = useState<Format | null>(null)
  const take = async (format: Format) => {
    setBusy(format)
    await download(path(format)).catch(sayFailed)
    setBusy(null)
  }
  return (
    <Group gap={4} role="group" aria-label={`Download ${what}`}>
      {formats.map((format) => (
        <Button
          key={format} size="xs" variant="default" loading={busy === format} onClick={() => void take(format)}
          aria-label={`Download ${what} as ${format.toUpperCase()}`}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </Group>
  )
}
