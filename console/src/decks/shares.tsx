// Public links of a deck or a board: made here, shown once, counted and revoked. Whoever has one sees that one thing, without an account.
import { Badge, Button, Checkbox, Drawer, Group, PasswordInput, Radio, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { Schemas } from '../api.ts'
import { day, moment, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded, Section } from '../parts/details.tsx'
import { Failure } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { SecretOnce } from '../parts/secret.tsx'
import type { Shareable } from './shareable.ts'

type Share = Schemas['Share']

export function Shares({ shared }: { shared: Shareable }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>Share</Button>
      <Drawer opened={opened} onClose={close} position="right" size="lg" title={`Share this ${shared.noun}`}>{opened && <Links shared={shared} />}</Drawer>
    </>
  )
}

function Links({ shared }: { shared: Shareable }) {
  const [made, setMade] = useState<Schemas['NewShare'] | null>(null)
  const links = useQuery({ queryKey: shared.key, queryFn: shared.list })
  return (
    <Stack gap="lg">
      <NewLink shared={shared} on_made={setMade} />
      <Section title="Links there are">
        <Loaded query={links}>
          {({ items }) => (items.length === 0 ? <Text size="sm" c="dimmed">There is none. Only members can see this {shared.noun}.</Text> : (
            <Stack gap="sm">{items.map((share) => <OneLink key={share.id} share={share} shared={shared} />)}</Stack>
          ))}
        </Loaded>
      </Section>
      {made && (
        <SecretOnce
          title="The public link" secrets={[{ label: 'Link', text: made.url }]} close={() => setMade(null)}
          words={`Send it to those who should see it${made.has_password ? ', and the password by another way' : ''}.`}
        />
      )}
    </Stack>
  )
}

const COLORS: Record<Share['status'], string> = { active: 'green', expired: 'gray', revoked: 'gray' }

function OneLink({ share, shared }: { share: Share; shared: Shareable }) {
  const { id, mode, status, created_at, expires_at, has_password, allow_download, view_count, last_viewed_at } = share
  const with_what = [has_password && 'with a password', allow_download ? 'with download' : 'without download'].filter(Boolean).join(', ')
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Group gap={6}>
          <Text size="sm" fw={500}>Made {moment(created_at)}</Text>
          <Badge variant="light" color={COLORS[status]}>{words(status)}</Badge>
        </Group>
        <Text size="sm">{mode === 'live' ? 'As last refreshed' : 'As it was when the link was made'}, {with_what}, until {day(expires_at)}.</Text>
        <Text size="xs" c="dimmed">
          {view_count === 0 ? 'Nobody has opened it yet.' : `Opened ${view_count.toLocaleString()} times, last ${moment(last_viewed_at)}.`}
        </Text>
      </div>
      {status === 'active' && (
        <ActionButton
          small grave button="Revoke" words="Whoever has this link sees nothing any more." touched={shared.touched} done="The link was revoked."
          run={() => shared.revoke(id)}
        />
      )}
    </Group>
  )
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

function NewLink({ shared, on_made }: { shared: Shareable; on_made: (share: Schemas['NewShare']) => void }) {
  const queries = useQueryClient()
  const [mode, setMode] = useState('snapshot')
  const [until, setUntil] = useState<string | null>(() => inDays(30))
  const [password, setPassword] = useState('')
  const [allow_download, setDownload] = useState(true)
  const make = useMutation({
    mutationFn: () => shared.make({
      mode: mode as 'live' | 'snapshot', allow_download, password: password || null,
      expires_at: until ? new Date(`${until}T23:59:59`).toISOString() : null,
    }),
    onSuccess: (share) => {
      setPassword('')
      void queries.invalidateQueries({ queryKey: shared.key })
      on_made(share)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">Whoever has the link can look at this {shared.noun} without an account. Nothing leads from there into the books.</Text>
        <Radio.Group label="It shows" value={mode} onChange={setMode}>
          <Stack gap={6} mt={6}>
            <Radio value="snapshot" label="What is there now" description="Frozen when the link is made, whatever happens later." />
            <Radio value="live" label="What is there when it is opened" description={shared.live_words} />
          </Stack>
        </Radio.Group>
        <DayField label="Until" required value={until} on_change={setUntil} width="100%" />
        <PasswordInput
          label="Password" description="Asked for before anything is shown; at least 8 characters. Empty: none." autoComplete="new-password" value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
        />
        <Checkbox label="It can be downloaded as a file" checked={allow_download} onChange={({ currentTarget: { checked } }) => setDownload(checked)} />
        {make.isError && <Failure error={make.error} />}
        <Group><Button type="submit" loading={make.isPending}>Make a link</Button></Group>
      </Stack>
    </form>
  )
}
