// Numbering: how each kind of document gets its number.
import { Button, Code, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { words } from '../format.ts'
import { Loaded } from '../parts/details.tsx'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { Rows } from '../parts/rows.tsx'
import { useSaved } from '../parts/saved.ts'
import { useBusiness } from '../session.tsx'
import { SettingsPage } from './frame.tsx'

type Numbering = Schemas['Numbering']

const FIELDS: Field[] = [
  { name: 'prefix', label: 'In front', kind: 'text', words: 'May hold {YYYY}, {YY} and {MM} of the document’s date.' },
  { name: 'suffix', label: 'Behind', kind: 'text' },
  { name: 'padding', label: 'At least', kind: 'number', unit: 'digits', required: true },
  { name: 'next_number', label: 'Next number', kind: 'number', required: true },
  {
    name: 'reset', label: 'Starts again at 1', kind: 'choice', required: true,
    choices: ['never', 'yearly', 'monthly'].map((value) => ({ value, label: words(value) })),
  },
]

export function NumberingPage() {
  const { id: business_id } = useBusiness()
  const [open, setOpen] = useState<Numbering | null>(null)
  const saved = useSaved(['numbering'])
  const numbering = useQuery({
    queryKey: ['numbering'], queryFn: () => dataOf(api.GET('/api/v1/businesses/{business_id}/numbering', { params: { path: { business_id } } })),
  })
  const save = async ({ prefix, suffix, ...rest }: Schemas['NumberingUpdate'], { kind }: Numbering) => {
    // An empty text is one that is wanted: there is nothing in front or behind.
    const affixes = { ...(prefix === undefined ? {} : { prefix: prefix ?? '' }), ...(suffix === undefined ? {} : { suffix: suffix ?? '' }) }
    await api.PUT('/api/v1/businesses/{business_id}/numbering/{kind}', { params: { path: { business_id, kind } }, body: { ...affixes, ...rest } })
    setOpen(null)
    saved('The numbering was saved.')
  }
  return (
    <SettingsPage title="Numbering" words="Counts for documents that get their number from now on. Numbers that were given stay as they are.">
      <Loaded query={numbering}>
        {(rows: Numbering[]) => (
          <Rows
            label="Numbering" rows={rows} id={({ kind }) => kind}
            columns={[
              { title: 'Kind', cell: ({ kind }) => words(kind) },
              { title: 'The next one', cell: ({ preview }) => <Code>{preview}</Code> },
              { title: 'The last one', cell: ({ last_assigned }) => last_assigned ?? 'None yet' },
              { title: 'Starts again', cell: ({ reset }) => words(reset) },
              {
                title: 'Change',
                cell: (one) => (
                  <Button size="compact-xs" variant="default" aria-label={`Change the numbering of ${words(one.kind)}`} onClick={() => setOpen(one)}>
                    Change
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {open && (
        <Modal opened onClose={() => setOpen(null)} title={`Numbering: ${words(open.kind)}`} closeButtonProps={{ 'aria-label': 'Close' }}>
          <RecordForm<Schemas['NumberingUpdate']>
            fields={FIELDS} record={open} button="Save" save={(body) => save(body, open)} cancel={() => setOpen(null)} columns={1}
          />
        </Modal>
      )}
    </SettingsPage>
  )
}
