// Invitations that wait for whoever is signed in: instead of making a business, one can join another.
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, words } from '../format.ts'
import { sayFailed } from '../parts/feedback.tsx'
import { useChooseBusiness } from '../session.tsx'

export function OwnInvitations() {
  const { data } = useQuery({ queryKey: ['invitations', 'mine'], queryFn: () => dataOf(api.GET('/api/v1/invitations/mine')) })
  if (!data || data.items.length === 0) return null
  return (
    <Paper withBorder p="lg" maw={480} component="section" aria-label="Invitations">
      <Title order={2} size="h4" mb="xs">You are invited</Title>
      <Stack>{data.items.map((invitation) => <Invitation key={invitation.id} invitation={invitation} />)}</Stack>
    </Paper>
  )
}

function Invitation({ invitation: { id, business_name, inviter_name, role, message, expires_at } }: { invitation: Schemas['OwnInvitation'] }) {
  const choose = useChooseBusiness()
  const queries = useQueryClient()
  const go = useNavigate()
  const accept = useMutation({
    mutationFn: async () => {
      const { business_id } = await dataOf(api.POST('/api/v1/invitations/accept', { body: { invitation_id: id } }))
      await choose(business_id)
      await go({ to: '/' })
    },
    onError: sayFailed,
  })
  const decline = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/invitations/decline', { body: { invitation_id: id } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }), onError: sayFailed,
  })
  return (
    <div>
      <Text size="sm">{inviter_name} invites you to {business_name} as {words(role).toLowerCase()}, until {day(expires_at)}.</Text>
      {message && <Text size="sm" c="dimmed">“{message}”</Text>}
      <Group gap="xs" mt="xs">
        <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate()}>Join {business_name}</Button>
        <Button size="xs" variant="subtle" color="gray" loading={decline.isPending} onClick={() => decline.mutate()}>Decline</Button>
      </Group>
    </div>
  )
}
