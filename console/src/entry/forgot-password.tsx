// A forgotten password: a link to set a new one is mailed. The answer is the same for every address.
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { Door } from './door.tsx'

export function ForgotPassword() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } })
  const ask = useMutation({ mutationFn: (body: { email: string }) => dataOf(api.POST('/api/v1/user/password/forgot', { body })) })
  if (ask.isSuccess) {
    return (
      <Door title="Look into your mail">
        <Text>If {ask.data.email} has an account, a link to set a new password is on its way. It is good for 30 minutes.</Text>
        <Anchor component={Link} to="/sign-in" size="sm">Back to sign in</Anchor>
      </Door>
    )
  }
  return (
    <Door title="Forgot your password?">
      <form onSubmit={form.onSubmit((values) => ask.mutate(values))}>
        <Stack>
          <Text size="sm">We send you a link with which you set a new one.</Text>
          <TextInput label="E-mail" type="email" required autoComplete="username" autoFocus {...form.getInputProps('email')} />
          {ask.isError && <Failure error={ask.error} />}
          <Button type="submit" loading={ask.isPending}>Send the link</Button>
          <Anchor component={Link} to="/sign-in" size="sm">Back to sign in</Anchor>
        </Stack>
      </form>
    </Door>
  )
}
