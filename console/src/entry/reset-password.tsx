// A new password, with the token that was mailed.
import { Anchor, Button, Checkbox, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { Door, mailedToken } from './door.tsx'
import { NewPassword } from './new-password.tsx'
import { TokenField } from './token-field.tsx'

export function ResetPassword() {
  const [token, setToken] = useState(mailedToken)
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '', revoke_tokens: false } })
  const reset = useMutation({
    mutationFn: (body: { password: string; revoke_tokens: boolean }) => dataOf(api.POST('/api/v1/user/password/reset', {
      body: { token: token.trim(), ...body },
    })),
  })
  if (reset.isSuccess) {
    return (
      <Door title="The password is changed">
        <Text>Sign in with it as {reset.data.email}. Everybody else who was signed in there no longer is.</Text>
        <Button component={Link} to="/sign-in">Sign in</Button>
      </Door>
    )
  }
  return (
    <Door title="Set a new password">
      <form onSubmit={form.onSubmit((values) => reset.mutate(values))}>
        <Stack>
          <TokenField value={token} on_change={setToken} />
          <NewPassword label="New password" autoFocus {...form.getInputProps('password')} />
          <Checkbox label="Also revoke my API tokens" {...form.getInputProps('revoke_tokens', { type: 'checkbox' })} />
          {reset.isError && <Failure error={reset.error} />}
          <Button type="submit" loading={reset.isPending}>Set the password</Button>
          <Anchor component={Link} to="/forgot-password" size="sm">Send me a new link</Anchor>
        </Stack>
      </form>
    </Door>
  )
}
