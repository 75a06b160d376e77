// A new API token: its name, what it may do, where, and how long.
import { Button, Group, MultiSelect, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ApiError, dataOf, type Schemas } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { SecretOnce } from '../parts/secret.tsx'
import { useBusiness, useSession } from '../session.tsx'
import { SettingsPage } from './frame.tsx'
import { ScopePicker } from './scopes.tsx'

const problemAt = (error: unknown, field: string): string | undefined =>
  (error instanceof ApiError ? error.problems.find(({ loc }) => loc[1] === field)?.msg : undefined)

export function NewTokenPage() {
  const go = useNavigate()
  const queries = useQueryClient()
  const { memberships } = useSession()
  const business = useBusiness()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>([])
  const [everywhere, setEverywhere] = useState('some')
  const [business_ids, setBusinesses] = useState([business.id])
  const [until, setUntil] = useState('')
  const create = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/api-tokens', {
      body: {
        name: name.trim(), scopes: scopes as never, business_ids: everywhere === 'all' ? null : business_ids,
        expires_at: until ? new Date(`${until}T23:59:59`).toISOString() : null,
      } satisfies Schemas['ApiTokenInput'],
    })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['api-tokens', 'list'] }),
  })
  const error = create.error
  return (
    <SettingsPage title="New token">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Stack maw={720}>
          <TextInput
            label="Name" description="What it is for, such as Nightly export." withAsterisk value={name} error={problemAt(error, 'name')}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Radio.Group label="Where" value={everywhere} onChange={setEverywhere}>
            <Group mt={4}><Radio value="some" label="In these businesses" /><Radio value="all" label="In all your businesses, also later ones" /></Group>
          </Radio.Group>
          {everywhere === 'some' && (
            <MultiSelect
              label="Businesses" value={business_ids} onChange={setBusinesses} error={problemAt(error, 'business_ids')}
              data={memberships.map(({ business_id, business_name }) => ({ value: business_id, label: business_name }))}
            />
          )}
          <TextInput
            type="date" label="Works until" description="Empty: until it is revoked." value={until} error={problemAt(error, 'expires_at')}
            onChange={({ currentTarget: { value } }) => setUntil(value)}
          />
          <ScopePicker value={scopes} on_change={setScopes} error={problemAt(error, 'scopes')} />
          {error && <Failure error={error} />}
          <Group gap="xs">
            <Button type="submit" loading={create.isPending}>Make the token</Button>
            <Button variant="default" component={Link} to="/settings/tokens">Cancel</Button>
          </Group>
        </Stack>
      </form>
      {create.data && (
        <SecretOnce
          title={`The token ${create.data.name}`} secrets={[{ label: 'Token', text: create.data.token }]}
          close={() => void go({ to: `/settings/tokens/${create.data.id}` })}
        />
      )}
    </SettingsPage>
  )
}
