// Public links to a document: whoever has one may look at it for a time, without an account.
import { Button, Checkbox, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded, Section, Status } from '../parts/details.tsx'
import { Failure } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { useMayDecide } from '../parts/roles.ts'
import { Rows } from '../parts/rows.tsx'
import { SecretOnce } from '../parts/secret.tsx'

type PublicLink = Schemas['DocumentLink']

const stateOf = ({ revoked_at, expires_at }: PublicLink): string => (revoked_at ? 'revoked' : Date.parse(expires_at) < Date.now() ? 'expired' : 'active')

export function DocumentLinks({ document: { id: document_id, deleted_at } }: { document: Schemas['Document'] }) {
  const writes = useMayDecide() && deleted_at === null
  const [opened, { open, close }] = useDisclosure()
  const [made, setMade] = useState<Schemas['NewDocumentLink'] | null>(null)
  const path = { document_id }
  const links = useQuery({
    queryKey: ['documents', document_id, 'links'],
    queryFn: () => dataOf(api.GET('/api/v1/documents/{document_id}/links', { params: { path, query: { limit: 200 } } })),
  })
  return (
    <Section title="Public links" actions={writes && <Button size="xs" variant="default" onClick={open}>Make a link</Button>}>
      <Loaded query={links}>
        {({ items }: { items: PublicLink[] }) => (items.length === 0 ? <Text size="sm" c="dimmed">There is no link. Only members can see it.</Text> : (
          <Rows
            label="Public links" rows={items} id={({ id }) => id} width={420}
            columns={[
              { title: 'Until', cell: ({ expires_at }) => day(expires_at) },
              { title: 'Status', cell: (link) => <Status status={stateOf(link)} /> },
              {
                title: 'With',
                cell: ({ has_password, allow_download }) => [has_password && 'password', allow_download ? 'download' : 'pages only'].filter(Boolean).join(', '),
              },
              {
                title: 'End it', cell: (link) => writes && stateOf(link) === 'active' && (
                  <ActionButton
                    small grave button="End" words="Whoever has the link sees nothing any more." touched={['documents']} done="The link ended."
                    run={() => api.DELETE('/api/v1/documents/links/{link_id}', { params: { path: { link_id: link.id } } })}
                  />
                ),
              },
            ]}
          />
        ))}
      </Loaded>
      <Modal opened={opened} onClose={close} title="Make a public link">
        <NewLink
          document_id={document_id} cancel={close}
          on_made={(link) => {
            close()
            setMade(link)
          }}
        />
      </Modal>
      {made && <SecretOnce title="The public link" secrets={[{ label: 'Link', text: made.url }]} close={() => setMade(null)} />}
    </Section>
  )
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

function NewLink({ document_id, on_made, cancel }: { document_id: string; on_made: (link: Schemas['NewDocumentLink']) => void; cancel: () => void }) {
  const queries = useQueryClient()
  const [until, setUntil] = useState<string | null>(() => inDays(30))
  const [password, setPassword] = useState('')
  const [allow_download, setDownload] = useState(true)
  const make = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/documents/{document_id}/links', {
      params: { path: { document_id } },
      body: { expires_at: new Date(`${until ?? inDays(30)}T23:59:59`).toISOString(), password: password || null, allow_download },
    })),
    onSuccess: (link) => {
      void queries.invalidateQueries({ queryKey: ['documents', document_id, 'links'] })
      on_made(link)
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <Stack>
        <Text size="sm">Whoever has the link can look at this document until that day, without an account.</Text>
        <DayField label="Until" required value={until} on_change={setUntil} width="100%" />
        <PasswordInput
          label="Password" description="Asked for before anything is shown; at least 8 characters. Empty: none." autoComplete="new-password" value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
        />
        <Checkbox label="The file can be downloaded" checked={allow_download} onChange={({ currentTarget: { checked } }) => setDownload(checked)} />
        {make.isError && <Failure error={make.error} />}
        <Group gap="xs"><Button type="submit" loading={make.isPending}>Make the link</Button><Button variant="default" onClick={cancel}>Cancel</Button></Group>
      </Stack>
    </form>
  )
}
