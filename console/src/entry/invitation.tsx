// An invitation into a business: seen by whoever has the mail, accepted by whom it was sent to.
import { Anchor, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment, words } from '../format.ts'
import { Failure, Loading } from '../parts/feedback.tsx'
import { Door, mailedToken } from './door.tsx'
import { AcceptInvitation } from './invitation-accept.tsx'
import { InvitationSignUp } from './invitation-sign-up.tsx'
import { TokenField } from './token-field.tsx'

export function InvitationPage() {
  const [token, setToken] = useState(mailedToken)
  const [typed, setTyped] = useState('')
  const preview = useQuery({
    queryKey: ['invitations', 'lookup', token], queryFn: () => dataOf(api.POST('/api/v1/invitations/lookup', { body: { token } })), enabled: token !== '',
    staleTime: Infinity, retry: false,
  })
  if (token === '') {
    const submit = (event: FormEvent) => {
      event.preventDefault()
      setToken(typed.trim())
    }
    return (
      <Door title="An invitation">
        <form onSubmit={submit}><TokenField value={typed} on_change={setTyped} /><Button type="submit" mt="md">Show the invitation</Button></form>
      </Door>
    )
  }
  if (preview.isPending) return <Door title="An invitation"><Loading what="Loading the invitation" /></Door>
  if (preview.isError) {
    return (
      <Door title="An invitation">
        <Failure error={preview.error} />
        <Text size="sm">It may have been taken back, be used already or have expired. Ask whoever invited you for a new one.</Text>
        <Anchor component={Link} to="/" size="sm">Go to Daybook</Anchor>
      </Door>
    )
  }
  return <Invited token={token} preview={preview.data} />
}

function Invited({ token, preview }: { token: string; preview: Schemas['InvitationPreview'] }) {
  const { business_name, inviter_name, email, role, expires_at, needs_sign_up } = preview
  const decline = useMutation({ mutationFn: () => dataOf(api.POST('/api/v1/invitations/decline-by-token', { body: { token } })) })
  if (decline.isSuccess) return <Door title="The invitation is declined"><Text>{inviter_name} sees that you declined. You can close this page.</Text></Door>
  return (
    <Door title={`Join ${business_name}`}>
      <Text>{inviter_name} invites {email} as {words(role).toLowerCase()}. The invitation is good until {moment(expires_at)}.</Text>
      {needs_sign_up ? <InvitationSignUp token={token} /> : <AcceptInvitation token={token} />}
      {decline.isError && <Failure error={decline.error} />}
      <Group><Button variant="subtle" color="gray" loading={decline.isPending} onClick={() => decline.mutate()}>Decline</Button></Group>
    </Door>
  )
}
