// The own account: name, language, address and password.
import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf, remembered, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Section } from '../parts/details.tsx'
import { say, sayFailed } from '../parts/feedback.tsx'
import type { Field } from '../parts/record-form.tsx'
import { StandingForm } from '../parts/standing-form.tsx'
import { useSession } from '../session.tsx'
import { SettingsPage } from './frame.tsx'
import { useFresh } from './fresh.tsx'
import { PasswordForm } from './password-form.tsx'

export function AccountPage() {
  const { user, memberships } = useSession()
  const { withFresh, dialog } = useFresh()
  const go = useNavigate()
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    {
      name: 'default_business_id', label: 'Business to begin with', kind: 'choice',
      choices: memberships.map(({ business_id, business_name }) => ({ value: business_id, label: business_name })),
    },
    { name: 'locale', label: 'Language', kind: 'text', words: 'A tag such as en-US.' },
    { name: 'timezone', label: 'Time zone', kind: 'text', words: 'Such as Europe/Berlin.' },
    {
      name: 'date_format', label: 'Dates in mail and documents', kind: 'choice',
      choices: ['YYYY-MM-DD', 'MM/DD/YYYY', 'DD/MM/YYYY', 'DD.MM.YYYY'].map((value) => ({ value, label: value })),
    },
  ]
  const verify = useMutation({
    mutationFn: () => api.POST('/api/v1/user/resend-verification', { body: { email: user.email } }),
    onSuccess: () => say(`A link was sent to ${user.email}.`), onError: sayFailed,
  })
  const leave = () => {
    remembered.csrf_token = null
    void go({ to: '/sign-in' }).then(() => location.reload())
  }
  return (
    <SettingsPage title="Your account">
      {user.status === 'unverified' && (
        <Alert color="yellow" title="Your address is not verified">
          <Group gap="xs">
            <Text size="sm">Some things, such as inviting people, need a verified address.</Text>
            <Button size="xs" variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>Send the link again</Button>
          </Group>
        </Alert>
      )}
      <StandingForm
        fields={fields} record={user} save={(body: Schemas['UserUpdate']) => dataOf(api.PUT('/api/v1/user', { body }))} touched={['session']}
        done="Your profile was saved."
      />
      <Section title="E-mail">
        <Text size="sm">You sign in with {user.email}.</Text>
        <Group>
          <ActionButton<{ email: string }>
            button="Change the address"
            words="The new address gets a link that is good for one hour; nothing changes before it is used. The old one can undo it for seven days."
            fields={[{ name: 'email', label: 'New address', kind: 'text', required: true }]}
            run={(body) => withFresh(() => api.POST('/api/v1/user/email', { body }))} touched={['session']} done="A link was sent to the new address."
          />
        </Group>
      </Section>
      <Section title="Password">
        <Text size="sm" c="dimmed">Last changed {moment(user.password_changed_at)}.</Text>
        <PasswordForm />
      </Section>
      <Section title="Close the account">
        <Text size="sm" c="dimmed" maw={720}>
          Every session and token ends, and you leave all businesses. What you did stays in their books under your name.
        </Text>
        <Group>
          <ActionButton
            button="Close the account" grave words="This is for good and cannot be taken back."
            run={() => withFresh(() => api.DELETE('/api/v1/user'))} touched={[]} done="Your account was closed." then={leave}
          />
        </Group>
      </Section>
      {dialog}
    </SettingsPage>
  )
}
