// Accepting an invitation as somebody new: the account and the membership are made together.
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf, remembered } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { NewPassword } from './new-password.tsx'

export function InvitationSignUp({ token }: { token: string }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', password: '' } })
  const join = useMutation({
    mutationFn: (body: { name: string; password: string }) => dataOf(api.POST('/api/v1/invitations/sign-up', { body: { token, ...body } })),
    onSuccess: ({ business_id }) => {
      remembered.business_id = business_id
    },
  })
  if (join.isSuccess) {
    return (
      <Stack gap="xs">
        <Text role="status">Your account is made, and you are part of {join.data.business_name}.</Text>
        <Button component={Link} to="/sign-in">Sign in</Button>
      </Stack>
    )
  }
  return (
    <form onSubmit={form.onSubmit((values) => join.mutate(values))}>
      <Stack>
        <TextInput label="Your name" required autoComplete="name" {...form.getInputProps('name')} />
        <NewPassword label="Password" {...form.getInputProps('password')} />
        {join.isError && <Failure error={join.error} />}
        <Button type="submit" loading={join.isPending}>Make an account and join</Button>
      </Stack>
    </form>
  )
}
