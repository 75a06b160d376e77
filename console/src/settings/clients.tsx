// Own apps: OAuth clients that other people can connect to their businesses.
import { Anchor, Button, Group, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, words } from '../format.ts'
import { Loaded, Status } from '../parts/details.tsx'
import { Empty, Failure } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'
import { SecretOnce } from '../parts/secret.tsx'
import { SettingsPage } from './frame.tsx'
import { ScopePicker } from './scopes.tsx'

type Client = Schemas['OauthClient']

export function ClientsPage() {
  const [opened, { open, close }] = useDisclosure()
  const clients = useQuery({
    queryKey: ['oauth-clients', 'list'], queryFn: () => dataOf(api.GET('/api/v1/oauth/clients', { params: { query: { limit: 500 } } })),
  })
  const newOne = <Button onClick={open}>Register an app</Button>
  return (
    <SettingsPage
      title="Your own apps" actions={newOne}
      words="If you build a program that others connect to their businesses, register it here. They are asked for consent by its name."
    >
      <Loaded query={clients}>
        {({ items }: { items: Client[] }) => (items.length === 0 ? (
          <Empty title="No apps yet" action={newOne}>For a program that is only yours, an API token is simpler.</Empty>
        ) : (
          <Rows
            label="Your own apps" rows={items} id={({ client_id }) => client_id}
            columns={[
              {
                title: 'Name', wraps: true,
                cell: ({ client_id, name }) => <Anchor component={Link} to={`/settings/clients/${client_id}`} size="sm">{name}</Anchor>,
              },
              { title: 'Kind', cell: ({ type }) => words(type) },
              { title: 'Status', cell: ({ status }) => <Status status={status} /> },
              { title: 'Connected by', cell: ({ grants_active }) => `${grants_active} ${grants_active === 1 ? 'person' : 'people'}` },
              { title: 'Registered', cell: ({ created_at }) => day(created_at) },
            ]}
          />
        ))}
      </Loaded>
      {opened && (
        <Modal opened onClose={close} title="Register an app" size="xl" closeButtonProps={{ 'aria-label': 'Close' }}><ClientForm close={close} /></Modal>
      )}
    </SettingsPage>
  )
}

function ClientForm({ close }: { close: () => void }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const [values, setValues] = useState({
    name: '', description: '', redirect_uris: '', type: 'confidential' as 'confidential' | 'public', homepage_url: '', privacy_url: '',
  })
  const [scopes, setScopes] = useState<string[]>([])
  const change = (name: keyof typeof values) => ({ currentTarget: { value } }: { currentTarget: { value: string } }) => setValues({ ...values, [name]: value })
  const create = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/oauth/clients', {
      body: {
        name: values.name.trim(), type: values.type, description: values.description || null, homepage_url: values.homepage_url || null,
        privacy_url: values.privacy_url || null,
        redirect_uris: values.redirect_uris.split(/\s+/).filter(Boolean), allowed_scopes: scopes as never,
      },
    })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['oauth-clients'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const made = create.data
  if (made) {
    const secrets = [{ label: 'Client id', text: made.client_id }, ...(made.client_secret ? [{ label: 'Secret', text: made.client_secret }] : [])]
    return <SecretOnce title={made.name} secrets={secrets} close={() => void go({ to: `/settings/clients/${made.client_id}` })} />
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput label="Name" description="What people read when they are asked for consent." withAsterisk value={values.name} onChange={change('name')} />
        <TextInput label="What it does" value={values.description} onChange={change('description')} />
        <Select
          label="Kind" allowDeselect={false} value={values.type} onChange={(type) => type && setValues({ ...values, type })}
          data={[{ value: 'confidential', label: 'Runs on a server and keeps a secret' }, { value: 'public', label: 'Runs with the person and has no secret' }]}
        />
        <Textarea
          label="Redirect addresses" description="Where the browser is sent back to, one to a line, with https." withAsterisk autosize minRows={2}
          value={values.redirect_uris} onChange={change('redirect_uris')}
        />
        <TextInput label="Homepage" value={values.homepage_url} onChange={change('homepage_url')} />
        <TextInput
          label="Privacy" description="Where it says what the app does with what it learns." value={values.privacy_url}
          onChange={change('privacy_url')}
        />
        <ScopePicker value={scopes} on_change={setScopes} only={(scope) => !/^(api-tokens|oauth|user|notification)/.test(scope)} />
        {create.isError && <Failure error={create.error} />}
        <Group gap="xs">
          <Button type="submit" loading={create.isPending}>Register</Button>
          <Button variant="default" onClick={close}>Cancel</Button>
        </Group>
      </Stack>
    </form>
  )
}
