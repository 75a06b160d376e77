// The people of the business: who is in it, what each may do, and who was invited.
import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded, Section, Status } from '../parts/details.tsx'
import { Rows } from '../parts/rows.tsx'
import { useBusiness, useChooseBusiness, useSession } from '../session.tsx'
import { SettingsPage } from './frame.tsx'
import { useFresh } from './fresh.tsx'
import { InviteButton, Invitations } from './invitations.tsx'
import { ROLE_CHOICES, ROLE_WORDS, useIsAdmin } from './roles.ts'

type Member = Schemas['Member']

export function MembersPage() {
  const { id: business_id } = useBusiness()
  const manages = useIsAdmin()
  const members = useQuery({
    queryKey: ['members', 'list'],
    queryFn: () => dataOf(api.GET('/api/v1/businesses/{business_id}/members', { params: { path: { business_id }, query: { limit: 1000 } } })),
  })
  return (
    <SettingsPage title="People" actions={manages && <InviteButton />}>
      <Loaded query={members}>
        {({ items }: { items: Member[] }) => (
          <Rows
            label="People" rows={items} id={({ id }) => id} width={560}
            columns={[
              { title: 'Name', cell: ({ name, email, last_seen_at }) => <Person name={name} email={email} seen={last_seen_at} /> },
              { title: 'Role', cell: ({ role }) => words(role) },
              { title: 'Status', cell: (member) => <Badges member={member} /> },
              { title: 'What you can do', wraps: true, cell: (member) => <MemberActions member={member} manages={manages} /> },
            ]}
          />
        )}
      </Loaded>
      {manages && <Invitations />}
      <Section title="What the roles may do">
        <Stack component="dl" gap={4} m={0}>
          {ROLE_CHOICES.map(({ value, label }) => (
            <Group key={value} gap="xs" wrap="nowrap" align="flex-start">
              <Text component="dt" size="sm" fw={500} w={100} style={{ flex: 'none' }}>{label}</Text>
              <Text component="dd" m={0} size="sm">{ROLE_WORDS[value]}</Text>
            </Group>
          ))}
        </Stack>
      </Section>
    </SettingsPage>
  )
}

const Person = ({ name, email, seen }: { name: string; email: string; seen: string | null }) => (
  <Stack gap={0}>
    <Text size="sm" fw={500}>{name}</Text>
    <Text size="xs" c="dimmed">{email}</Text>
    {seen && <Text size="xs" c="dimmed">Last seen {moment(seen)}</Text>}
  </Stack>
)

const Badges = ({ member: { status, two_factor_enabled, source } }: { member: Member }) => (
  <Group gap={4}>
    <Status status={status} />
    {two_factor_enabled && <Badge variant="light" color="blue">Two-factor</Badge>}
    {source === 'firm' && <Badge variant="light" color="gray">Through a firm</Badge>}
  </Group>
)

const TOUCHED = ['members', 'session'] as const

function MemberActions({ member: { user_id, name, role, status, source }, manages }: { member: Member; manages: boolean }) {
  const { id: business_id, role: own } = useBusiness()
  const { user, memberships } = useSession()
  const { withFresh, dialog } = useFresh()
  const choose = useChooseBusiness()
  const go = useNavigate()
  const params = { path: { business_id, user_id } }
  const isSelf = user_id === user.id
  if (source === 'firm') return <Text size="xs" c="dimmed">Changed at the firm</Text>
  const leave = async () => {
    const next = memberships.find((one) => one.business_id !== business_id)
    if (next) await choose(next.business_id)
    await go({ to: '/' })
  }
  return (
    <Group gap={4}>
      {manages && (
        <ActionButton<Schemas['MemberUpdate']>
          button="Change role" small words={`${name} is ${role} now. The change counts from their next request.`} touched={TOUCHED}
          done={`The role of ${name} was changed.`}
          fields={[{ name: 'role', label: 'Role', kind: 'choice', required: true, choices: ROLE_CHOICES, initial: role }]}
          run={(body) => api.PATCH('/api/v1/businesses/{business_id}/members/{user_id}', { params, body })}
        />
      )}
      {manages && !isSelf && status === 'active' && (
        <ActionButton
          button="Suspend" small words={`${name} cannot get in any more, until you let them in again.`} touched={TOUCHED}
          done={`${name} was suspended.`} run={() => api.PUT('/api/v1/businesses/{business_id}/members/{user_id}/suspend', { params })}
        />
      )}
      {manages && status === 'suspended' && (
        <ActionButton
          button="Let in again" small words={`${name} may do again what their role allows.`} touched={TOUCHED} done={`${name} is in again.`}
          run={() => api.PUT('/api/v1/businesses/{business_id}/members/{user_id}/reactivate', { params })}
        />
      )}
      {manages && !isSelf && (
        <ActionButton
          button="Remove" small grave words={`The access of ${name} ends now. What they did stays in the books.`} touched={TOUCHED}
          done={`${name} was removed.`} run={() => api.DELETE('/api/v1/businesses/{business_id}/members/{user_id}', { params })}
        />
      )}
      {own === 'owner' && !isSelf && status === 'active' && (
        <ActionButton
          button="Make owner" small grave words={`${name} becomes the owner of the business, and you become an admin.`} touched={TOUCHED}
          done={`${name} is the owner now.`}
          run={() => withFresh(() => api.POST('/api/v1/businesses/{business_id}/transfer-ownership', { params: { path: { business_id } }, body: { user_id } }))}
        />
      )}
      {isSelf && role !== 'owner' && (
        <ActionButton
          button="Leave" small grave words="You can no longer see this business, unless somebody invites you again." touched={TOUCHED}
          done="You left the business." then={() => void leave()}
          run={() => api.DELETE('/api/v1/businesses/{business_id}/members/me', { params: { path: { business_id } } })}
        />
      )}
      {dialog}
    </Group>
  )
}
