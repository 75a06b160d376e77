// Invitations: the one way into a business.
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, moment, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded, Section, Status } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { Rows } from '../parts/rows.tsx'
import { ROLE_CHOICES } from './roles.ts'

type Invitation = Schemas['Invitation']

const FIELDS: Field[] = [
  { name: 'email', label: 'E-mail', kind: 'text', required: true },
  { name: 'role', label: 'Role', kind: 'choice', required: true, choices: ROLE_CHOICES, initial: 'bookkeeper' },
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'message', label: 'A word from you', kind: 'long_text', words: 'Stands in the mail.' },
  { name: 'expires_in_days', label: 'Can be accepted for', kind: 'number', unit: 'days', initial: '7', required: true },
]
const TOUCHED = ['invitations'] as const

export const InviteButton = () => (
  <ActionButton<Schemas['InvitationInput']>
    button="Invite a person" main words="They get a mail with a link that only their address can use." fields={FIELDS}
    run={(body) => api.POST('/api/v1/invitations', { body })} touched={TOUCHED} done="The invitation was sent."
  />
)

export function Invitations() {
  const invitations = useQuery({
    queryKey: ['invitations', 'list'], queryFn: () => dataOf(api.GET('/api/v1/invitations', { params: { query: { limit: 200 } } })),
  })
  return (
    <Section title="Invitations">
      <Loaded query={invitations}>
        {({ items }: { items: Invitation[] }) => (items.length === 0 ? (
          <Text size="sm" c="dimmed">Nobody was invited yet. People come in by invitation only.</Text>
        ) : (
          <Rows
            label="Invitations" rows={items} id={({ id }) => id} width={600}
            columns={[
              { title: 'Invited', wraps: true, cell: (one) => <Invited invitation={one} /> },
              {
                title: 'Status',
                cell: ({ status, bounced }) => <Group gap={4}><Status status={status} />{bounced && <Text size="xs" c="red">The mail came back</Text>}</Group>,
              },
              { title: 'What you can do', cell: (one) => <InvitationActions invitation={one} /> },
            ]}
          />
        ))}
      </Loaded>
    </Section>
  )
}

function Invited({ invitation: { email, name, role, status, sent_at, send_count, expires_at } }: { invitation: Invitation }) {
  const sent = `Sent ${moment(sent_at)}${send_count > 1 ? `, ${send_count} times by now` : ''}`
  return (
    <Stack gap={0}>
      <Text size="sm">{name ? `${name}, ${email}` : email}</Text>
      <Text size="xs" c="dimmed">{words(role)}. {sent}{status === 'pending' && `, good until ${day(expires_at)}`}.</Text>
    </Stack>
  )
}

function InvitationActions({ invitation: { id: invitation_id, email, role, status } }: { invitation: Invitation }) {
  if (status !== 'pending') return null
  const params = { path: { invitation_id } }
  return (
    <Group gap={4} wrap="nowrap">
      <ActionButton
        button="Send again" small words={`${email} gets a new link; the one before stops working.`} touched={TOUCHED}
        done="The invitation was sent again." run={() => api.POST('/api/v1/invitations/{invitation_id}/resend', { params })}
      />
      <ActionButton<Schemas['InvitationUpdate']>
        button="Change" small words={`What ${email} may do once they accept.`} touched={TOUCHED} done="The invitation was changed."
        fields={[{ name: 'role', label: 'Role', kind: 'choice', required: true, choices: ROLE_CHOICES, initial: role }]}
        run={(body) => api.PATCH('/api/v1/invitations/{invitation_id}', { params, body })}
      />
      <ActionButton
        button="Take back" small grave words={`The link that ${email} has stops working.`} touched={TOUCHED} done="The invitation was taken back."
        run={() => api.PUT('/api/v1/invitations/{invitation_id}/revoke', { params })}
      />
    </Group>
  )
}
