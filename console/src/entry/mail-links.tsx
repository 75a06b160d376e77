// What the links in mails lead to. Each asks before it acts, because programs that check mail open links, too.
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactNode } from 'react'
import { api, dataOf } from '../api.ts'
import { words } from '../format.ts'
import { Failure } from '../parts/feedback.tsx'
import { Door, mailedToken } from './door.tsx'
import { ResendVerification } from './resend-verification.tsx'
import { TokenField } from './token-field.tsx'

type MailLinkProps<Answer> = {
  title: string
  explained: string
  button: string
  act: (token: string) => Promise<Answer>
  done_title: string
  done: (answer: Answer) => ReactNode
  /** What helps where the link is dead. */
  help?: ReactNode
}

function MailLink<Answer>({ title, explained, button, act, done_title, done, help }: MailLinkProps<Answer>) {
  const queries = useQueryClient()
  const [token, setToken] = useState(mailedToken)
  const acting = useMutation({ mutationFn: () => act(token.trim()), onSuccess: () => queries.invalidateQueries() })
  if (acting.isSuccess) {
    return (
      <Door title={done_title}>
        <Text>{done(acting.data)}</Text>
        <Button component={Link} to="/">Go to Daybook</Button>
      </Door>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    acting.mutate()
  }
  return (
    <Door title={title}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{explained}</Text>
          <TokenField value={token} on_change={setToken} />
          {acting.isError && <Failure error={acting.error} />}
          <Button type="submit" loading={acting.isPending}>{button}</Button>
        </Stack>
      </form>
      {acting.isError && help}
    </Door>
  )
}

export const VerifyEmail = () => (
  <MailLink
    title="Is this address yours?" explained="With this you show that you read what is sent to it." button="Verify my address" done_title="The address is yours"
    act={(token) => dataOf(api.POST('/api/v1/user/verify-email', { body: { token } }))} done={({ email }) => `${email} is verified.`} help={ (
      <ResendVerification />
    )}
  />
)

export const ConfirmEmail = () => (
  <MailLink
    title="Move to this address?" explained="Your account gets the address that this mail was sent to. You sign in with it from then on."
    button="Use the new address" done_title="The address is changed"
    act={(token) => dataOf(api.POST('/api/v1/user/email/confirm', { body: { token } }))} done={({ email }) => `You sign in as ${email} now.`}
  />
)

export const UndoEmail = () => (
  <MailLink
    title="Keep your old address?" button="Take the change back" done_title="The change is taken back"
    explained="The change of address is taken back, everybody who is signed in is signed out, and you get a mail to set a new password."
    act={(token) => dataOf(api.POST('/api/v1/user/email/undo', { body: { token } }))}
    done={({ email }) => `The account belongs to ${email} again. Look into your mail to set a new password.`}
  />
)

export const Unsubscribe = () => (
  <MailLink
    title="Stop these mails?" explained="Nothing else changes: you still see everything in the console." button="Stop them" done_title="They are stopped"
    act={(token) => dataOf(api.POST('/api/v1/notification-preferences/unsubscribe', { params: { query: { token } } }))}
    done={({ unsubscribed, topic }) => (unsubscribed === 'digest' ? 'You get no digest any more.' : `You get no mail about “${words(topic)}” any more.`)}
    help={<Anchor component={Link} to="/" size="sm">Sign in instead</Anchor>}
  />
)
