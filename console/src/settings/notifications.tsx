// How you are told: by topic and channel, in a digest, and not at night.
import { Button, Checkbox, Group, Select, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded, Section } from '../parts/details.tsx'
import { say, sayFailed } from '../parts/feedback.tsx'
import { useSession } from '../session.tsx'
import { DigestForm } from './digest-form.tsx'
import { SettingsPage } from './frame.tsx'
import styles from '../parts/rows.module.css'

type Preferences = Schemas['NotificationPreferences']
type Preference = Schemas['NotificationPreference']
type Channel = 'in_app' | 'email' | 'digest'

const CHANNELS: { name: Channel; title: string }[] = [
  { name: 'in_app', title: 'Here' }, { name: 'email', title: 'By mail' }, { name: 'digest', title: 'In the digest' },
]
const SEVERITIES = [{ value: 'info', label: 'Everything' }, { value: 'warning', label: 'Warnings' }, { value: 'critical', label: 'Only critical' }]

export function NotificationsPage() {
  const { memberships } = useSession()
  const [business_id, setBusiness] = useState<string | null>(null)
  const query = business_id ? { business_id } : {}
  const preferences = useQuery({
    queryKey: ['notification-preferences', business_id], queryFn: () => dataOf(api.GET('/api/v1/notification-preferences', { params: { query } })),
  })
  const test = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/notification-preferences/test')), onSuccess: ({ email }) => say(`A sample was sent to ${email}.`),
    onError: sayFailed,
  })
  return (
    <SettingsPage title="Notifications" actions={<Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>Send me a sample</Button>}>
      <Group align="flex-end">
        <Select
          label="These choices count" w={280} value={business_id ?? ''} allowDeselect={false} onChange={(value) => setBusiness(value || null)}
          data={[{ value: '', label: 'In every business' }, ...memberships.map((one) => ({ value: one.business_id, label: `Only in ${one.business_name}` }))]}
        />
        <ActionButton
          button="Go back to the defaults"
          words={business_id
            ? 'What you chose for this business alone is forgotten.'
            : 'Everything that you chose is forgotten, also the digest and quiet hours.'}
          grave
          run={() => api.DELETE('/api/v1/notification-preferences', { params: { query } })} touched={['notification-preferences']}
          done="The defaults count again."
        />
      </Group>
      <Loaded query={preferences}>
        {(data: Preferences) => (
          <>
            <Matrix preferences={data.preferences.filter((one) => one.business_id === business_id)} business_id={business_id} />
            {business_id === null && <Section title="Digest and quiet hours"><DigestForm key={data.version} preferences={data} /></Section>}
          </>
        )}
      </Loaded>
    </SettingsPage>
  )
}

function Matrix({ preferences, business_id }: { preferences: Preference[]; business_id: string | null }) {
  const queries = useQueryClient()
  const key = ['notification-preferences', business_id]
  const save = useMutation({
    mutationFn: (change: Schemas['NotificationPreferenceInput']) => api.PUT('/api/v1/notification-preferences', { body: { preferences: [change] } }),
    // Shown at once; put back where the API refuses it.
    onMutate(change) {
      const before = queries.getQueryData<Preferences>(key)
      queries.setQueryData<Preferences>(key, (data) => data && {
        ...data, preferences: data.preferences.map((one) => (one.topic === change.topic && one.business_id === business_id
          ? { ...one, ...change } as Preference
          : one)),
      })
      return before
    },
    onError(error, _, before) {
      queries.setQueryData(key, before)
      sayFailed(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['notification-preferences'] }),
  })
  return (
    <Table.ScrollContainer minWidth={560} type="native" tabIndex={0} role="region" aria-label="What you are told of">
      <Table verticalSpacing={4} className={styles.rows ?? ''} aria-label="What you are told of">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Topic</Table.Th>{CHANNELS.map(({ name, title }) => <Table.Th key={name}>{title}</Table.Th>)}<Table.Th>Mailed from</Table.Th>
            <Table.Th>Why</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preferences.map((one) => (
            <Table.Tr key={one.topic}>
              <Table.Td>{words(one.topic)}</Table.Td>
              {CHANNELS.map(({ name, title }) => (
                <Table.Td key={name}>
                  <Checkbox
                    aria-label={`${words(one.topic)}: ${title}`} checked={one[name]} disabled={one.sources[name] === 'fixed'}
                    onChange={({ currentTarget: { checked } }) => save.mutate({ topic: one.topic, business_id, [name]: checked })}
                  />
                </Table.Td>
              ))}
              <Table.Td>
                <Select
                  aria-label={`${words(one.topic)}: mailed from`} size="xs" w={140} allowDeselect={false} data={SEVERITIES} value={one.min_severity}
                  disabled={one.sources.min_severity === 'fixed' || !one.email}
                  onChange={(min_severity) => min_severity && save.mutate({
                    topic: one.topic, business_id, min_severity: min_severity as Preference['min_severity'],
                  })}
                />
              </Table.Td>
              <Table.Td><Text size="xs" c="dimmed">{noteOf(one, business_id)}</Text></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function noteOf({ sources }: Preference, business_id: string | null): string {
  const all = Object.values(sources)
  if (all.includes('fixed')) return 'Mail about this stays on'
  if (all.includes('business')) return 'Chosen for this business'
  return business_id === null && all.includes('topic') ? 'Chosen by you' : ''
}
