// One import: its columns are chosen, its rows are tried, and then it runs; afterwards it says what came of it.
import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Loaded } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'
import { ImportMapping } from './import-mapping.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportResult } from './import-result.tsx'
import { ImportStatus } from './import-status.tsx'
import { ImportSteps } from './import-steps.tsx'
import { KIND_WORDS, useImport, useImportKinds, type Import, type ImportKind } from './use-import.ts'

export function ImportPage() {
  const { import_id } = useParams({ strict: false }) as { import_id: string }
  const found = useImport(import_id)
  return <Loaded query={found}>{(about) => <One about={about} />}</Loaded>
}

function One({ about }: { about: Import }) {
  return (
    <Page title={`${KIND_WORDS[about.kind]} from ${about.file_name}`} actions={<ImportStatus status={about.status} />}>
      {about.status === 'uploaded' || about.status === 'mapped' ? <Waiting about={about} /> : <ImportResult about={about} />}
    </Page>
  )
}

function Waiting({ about }: { about: Import }) {
  const kinds = useImportKinds()
  const [mapping, setMapping] = useState(about.status === 'uploaded')
  return (
    <Loaded query={kinds}>
      {(items) => {
        const kind = items.find((one) => one.kind === about.kind)
        if (!kind) return <p>Your role cannot import {KIND_WORDS[about.kind].toLowerCase()} here.</p>
        return <Steps about={about} kind={kind} mapping={mapping} on_mapping={setMapping} />
      }}
    </Loaded>
  )
}

function Steps({ about, kind, mapping, on_mapping }: { about: Import; kind: ImportKind; mapping: boolean; on_mapping: (mapping: boolean) => void }) {
  return (
    <Stack>
      <ImportSteps active={mapping ? 1 : 2} />
      {mapping
        ? <ImportMapping about={about} kind={kind} on_mapped={() => on_mapping(false)} />
        : <ImportPreview about={about} on_back={() => on_mapping(true)} />}
    </Stack>
  )
}
