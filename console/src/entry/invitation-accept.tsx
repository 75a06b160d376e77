// Accepting an invitation with an account that one has.
import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, ApiError, dataOf } from '../api.ts'
import { Failure, Loading } from '../parts/feedback.tsx'
import { useChooseBusiness, useSessionQuery } from '../session.tsx'
import { ResendVerification } from './resend-verification.tsx'

export function AcceptInvitation({ token }: { token: string }) {
  const session = useSessionQuery()
  const choose = useChooseBusiness()
  const go = useNavigate()
  const accept = useMutation({
    mutationFn: async () => {
      const { business_id } = await dataOf(api.POST('/api/v1/invitations/accept', { body: { token } }))
      await choose(business_id)
      await go({ to: '/' })
    },
  })
  if (session.isPending) return <Loading what="Looking who is signed in" />
  if (session.isError && !(session.error instanceof ApiError && session.error.status === 401)) return (
    <Failure error={session.error} again={() => void session.refetch()} />
  )
  if (session.isError) {
    return (
      <Stack gap="xs">
        <Text size="sm">The address has an account: sign in with it, then accept.</Text>
        <Button component={Link} to="/sign-in" search={{ next: `/invitation?token=${encodeURIComponent(token)}` } as never}>Sign in to accept</Button>
      </Stack>
    )
  }
  return (
    <Stack gap="xs">
      <Text size="sm">You are signed in as {session.data.user.email}.</Text>
      {accept.isError && <Failure error={accept.error} />}
      {accept.isError && session.data.user.email_verified_at === null && <ResendVerification />}
      <Button loading={accept.isPending} onClick={() => accept.mutate()}>Accept</Button>
    </Stack>
  )
}
