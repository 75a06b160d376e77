// The security of the own account: the second factor, where one is signed in, and what happened.
import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Loaded, Section } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'
import { SettingsPage } from './frame.tsx'
import { TwoFactor } from './two-factor.tsx'

type Session = Schemas['Session']
type SecurityEvent = Schemas['SecurityEvent']

export function SecurityPage() {
  return (
    <SettingsPage title="Security">
      <Section title="Two-factor sign-in"><TwoFactor /></Section>
      <Sessions />
      <Section title="What happened to your account"><Events /></Section>
    </SettingsPage>
  )
}

/** The browser and the system, as far as they can be told. */
function deviceOf(user_agent: string | null): string {
  if (!user_agent) return 'Unknown'
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(user_agent)?.[1] ?? user_agent.slice(0, 40)
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(user_agent)?.[1]
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser
  return system ? `${name} on ${system}` : name
}

function Sessions() {
  const sessions = useQuery({ queryKey: ['user', 'sessions'], queryFn: () => dataOf(api.GET('/api/v1/user/sessions', { params: { query: { limit: 200 } } })) })
  const others = sessions.data?.items.some(({ current }) => !current)
  return (
    <Section title="Where you are signed in" actions={others && (
      <ActionButton
        button="End all others" small words="Everywhere but here you have to sign in again." run={() => api.DELETE('/api/v1/user/sessions')}
        touched={['user']} done="All other sessions ended."
      />
    )}>
      <Loaded query={sessions}>
        {({ items }: { items: Session[] }) => (
          <Rows
            label="Sessions" rows={items} id={({ id }) => id} width={560}
            columns={[
              {
                title: 'Device', wraps: true,
                cell: ({ user_agent, current }) => (
                  <Group gap="xs">
                    <Text size="sm" title={user_agent ?? ''}>{deviceOf(user_agent)}</Text>
                    {current && <Badge variant="light">This one</Badge>}
                  </Group>
                ),
              },
              { title: 'From', cell: ({ ip }) => ip },
              { title: 'Signed in', cell: ({ created_at }) => moment(created_at) },
              { title: 'Last seen', cell: ({ last_seen_at }) => moment(last_seen_at) },
              {
                title: 'What you can do',
                cell: ({ id: session_id, current }) => !current && (
                  <ActionButton
                    button="End" small words="Whoever uses it has to sign in again."
                    run={() => api.DELETE('/api/v1/user/sessions/{session_id}', { params: { path: { session_id } } })} touched={['user']}
                    done="The session ended."
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** user.sign_in_failed: Sign in failed; api_token.created: API token created. */
const eventWords = (type: string): string =>
  type.replace(/^user\./, '').replace('api_token', 'API token').replace('oauth', 'app').replaceAll(/[._]/g, ' ').replace(/^./, (first) => first.toUpperCase())

const columns: Column<SecurityEvent>[] = [
  { name: 'at', title: 'When', width: '195px', cell: ({ at }) => moment(at) },
  { name: 'type', title: 'What', width: 'minmax(180px, 1fr)', cell: ({ type }) => eventWords(type) },
  { name: 'ip', title: 'From', width: '140px', cell: ({ ip }) => ip },
  { name: 'device', title: 'Device', width: 'minmax(160px, 1fr)', cell: ({ user_agent }) => deviceOf(user_agent) },
]

function Events() {
  return (
    <DataList
      label="Security events" query_key={['user', 'security-events']} columns={columns} height="360px"
      read={(cursor) => dataOf(api.GET('/api/v1/user/security-events', { params: { query: { limit: 100, ...(cursor ? { cursor } : {}) } } }))}
      empty={<Empty title="Nothing yet">Sign-ins and changes of your account stand here.</Empty>}
    />
  )
}
