// One API token: what it may do, when it was used, a new secret, and its end.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Loaded, Section, Status } from '../parts/details.tsx'
import { SecretOnce } from '../parts/secret.tsx'
import { useBusinessNames } from './business-names.tsx'
import { SettingsPage } from './frame.tsx'
import { ScopeList } from './scopes.tsx'

type Token = Schemas['ApiToken']
const TOUCHED = ['api-tokens'] as const

export function TokenPage() {
  const { token_id } = useParams({ strict: false }) as { token_id: string }
  const params = { path: { api_token_id: token_id } }
  const nameOf = useBusinessNames()
  const [secret, setSecret] = useState<string | null>(null)
  const token = useQuery({ queryKey: ['api-tokens', token_id], queryFn: () => dataOf(api.GET('/api/v1/api-tokens/{api_token_id}', { params })) })
  const isActive = token.data?.status === 'active'
  const rotate = async ({ overlap_hours }: { overlap_hours?: number }) => {
    setSecret((await dataOf(api.POST('/api/v1/api-tokens/{api_token_id}/rotate', { params, body: { overlap_hours: overlap_hours ?? 0 } }))).token)
  }
  const actions = isActive && (
    <>
      <ActionButton<{ name: string }>
        button="Rename" words="The name is only for you."
        fields={[{ name: 'name', label: 'Name', kind: 'text', required: true, initial: token.data?.name ?? '' }]}
        run={(body) => api.PUT('/api/v1/api-tokens/{api_token_id}', { params, body })} touched={TOUCHED} done="The token was renamed."
      />
      <ActionButton<{ overlap_hours?: number }>
        button="New secret" words="The program needs the new secret. The old one can go on working for a while, so that nothing stops."
        fields={[
          { name: 'overlap_hours', label: 'The old secret still works for', kind: 'number', unit: 'hours', initial: '24', words: '0 to 72.' },
        ]}
        run={rotate} touched={TOUCHED} done="The token has a new secret."
      />
      <ActionButton
        button="Revoke" grave words="The next request with this token is refused. This cannot be taken back."
        run={() => api.DELETE('/api/v1/api-tokens/{api_token_id}', { params })} touched={TOUCHED} done="The token was revoked."
      />
    </>
  )
  return (
    <SettingsPage title={token.data?.name ?? 'API token'} actions={actions}>
      <Loaded query={token}>
        {({ status, token_prefix, business_ids, last_used_at, last_used_ip, expires_at, created_at, revoked_at, scopes }: Token) => (
          <>
            <Facts facts={[
              ['Status', <Status key="status" status={status} />], ['Begins with', token_prefix], ['Reaches', nameOf(business_ids)],
              ['Last used', moment(last_used_at) || 'Never'],
              ['From', last_used_ip], ['Works until', moment(expires_at) || 'It is revoked'], ['Made', moment(created_at)], ['Revoked', moment(revoked_at)],
            ]} />
            <Section title="What it may do"><ScopeList scopes={scopes} /></Section>
          </>
        )}
      </Loaded>
      {secret !== null && <SecretOnce title="The new secret" secrets={[{ label: 'Token', text: secret }]} close={() => setSecret(null)} />}
    </SettingsPage>
  )
}
