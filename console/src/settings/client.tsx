// One own app: its secrets, where it may send people back to, and whether it works.
import { Code, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Loaded, Section, Status } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { Rows } from '../parts/rows.tsx'
import { SecretOnce } from '../parts/secret.tsx'
import { SettingsPage } from './frame.tsx'
import { ScopeList } from './scopes.tsx'

type Client = Schemas['OauthClient']
const TOUCHED = ['oauth-clients', 'oauth-grants'] as const

const fieldsOf = ({ name, description, redirect_uris, homepage_url, privacy_url }: Client): Field[] => [
  { name: 'name', label: 'Name', kind: 'text', required: true, initial: name },
  { name: 'description', label: 'What it does', kind: 'long_text', initial: description ?? '' },
  { name: 'redirect_uris', label: 'Redirect addresses', kind: 'long_text', required: true, words: 'One to a line.', initial: redirect_uris.join('\n') },
  { name: 'homepage_url', label: 'Homepage', kind: 'text', initial: homepage_url ?? '' },
  { name: 'privacy_url', label: 'Privacy', kind: 'text', initial: privacy_url ?? '' },
]

export function ClientPage() {
  const { client_id } = useParams({ strict: false }) as { client_id: string }
  const go = useNavigate()
  const queries = useQueryClient()
  const left = async () => {
    void queries.invalidateQueries({ queryKey: ['oauth-clients', 'list'] })
    await go({ to: '/settings/clients' })
  }
  const params = { path: { client_id } }
  const [secret, setSecret] = useState<string | null>(null)
  const client = useQuery({ queryKey: ['oauth-clients', client_id], queryFn: () => dataOf(api.GET('/api/v1/oauth/clients/{client_id}', { params })) })
  const change = ({ redirect_uris, description, homepage_url, privacy_url, name }: Record<string, string>) => api.PUT('/api/v1/oauth/clients/{client_id}', {
    params, body: {
      name: name ?? '', redirect_uris: (redirect_uris ?? '').split(/\s+/).filter(Boolean), description: description ?? null,
      homepage_url: homepage_url ?? null, privacy_url: privacy_url ?? null,
    },
  })
  const addSecret = async () => setSecret((await dataOf(api.POST('/api/v1/oauth/clients/{client_id}/secrets', { params }))).client_secret)
  const actions = client.data && (
    <>
      <ActionButton<Record<string, string>>
        button="Change" words="Codes for a redirect address that is no longer listed do not work." fields={fieldsOf(client.data)} run={change}
        touched={TOUCHED} done="The app was changed."
      />
      {client.data.status === 'active'
        ? (
          <ActionButton
            button="Disable" words="Nobody can connect it, and its tokens are refused. What people allowed stays and works again when it is enabled."
            run={() => api.PUT('/api/v1/oauth/clients/{client_id}/disable', { params })} touched={TOUCHED} done="The app was disabled."
          />
        )
        : (
          <ActionButton
            button="Enable" main words="It works again for everybody who has connected it."
            run={() => api.PUT('/api/v1/oauth/clients/{client_id}/enable', { params })} touched={TOUCHED} done="The app was enabled."
          />
        )}
      <ActionButton
        button="Delete" grave words="For good: whatever people have allowed it is revoked."
        run={() => api.DELETE('/api/v1/oauth/clients/{client_id}', { params })} touched={['oauth-grants']} done="The app was deleted."
        then={() => void left()}
      />
    </>
  )
  return (
    <SettingsPage title={client.data?.name ?? 'App'} actions={actions}>
      <Loaded query={client}>
        {({ type, status, grants_active, redirect_uris, allowed_scopes, secrets, description, homepage_url, privacy_url, created_at }: Client) => (
          <Stack gap="lg">
            <Facts facts={[
              ['Client id', client_id], ['Kind', words(type)], ['Status', <Status key="status" status={status} />],
              ['Connected by', `${grants_active} ${grants_active === 1 ? 'person' : 'people'}`],
              ['What it does', description], ['Homepage', homepage_url], ['Privacy', privacy_url], ['Registered', moment(created_at)],
              ['Redirect addresses', redirect_uris.join('\n')],
            ]} />
            <Section title="What it may ask for"><ScopeList scopes={allowed_scopes} /></Section>
            <Section title="Secrets" actions={type === 'confidential' && (
              <ActionButton
                button="Add a secret" small words="A second one, so that the first can be replaced and then deleted." run={addSecret}
                touched={TOUCHED} done="The secret was made."
              />
            )}>
              {type === 'public' ? <Text size="sm" c="dimmed">A public app has no secret.</Text> : (
                <Rows
                  label="Secrets" rows={secrets} id={({ id }) => id} width={480}
                  columns={[
                    { title: 'Ends with', cell: ({ last4 }) => <Code>{last4}</Code> },
                    { title: 'Made', cell: ({ created_at: at }) => moment(at) },
                    { title: 'Last used', cell: ({ last_used_at }) => moment(last_used_at) || 'Never' },
                    {
                      title: 'What you can do',
                      cell: ({ id: secret_id }) => (
                        <ActionButton
                          button="Delete" small grave words="Programs that use this secret stop working."
                          run={() => api.DELETE('/api/v1/oauth/clients/{client_id}/secrets/{secret_id}', { params: { path: { client_id, secret_id } } })}
                          touched={TOUCHED} done="The secret was deleted."
                        />
                      ),
                    },
                  ]}
                />
              )}
            </Section>
          </Stack>
        )}
      </Loaded>
      {secret !== null && <SecretOnce title="The new secret" secrets={[{ label: 'Secret', text: secret }]} close={() => setSecret(null)} />}
    </SettingsPage>
  )
}
