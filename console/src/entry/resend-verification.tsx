// Another verification mail. The answer is the same for every address.
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, dataOf } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'

export function ResendVerification() {
  const [email, setEmail] = useState('')
  const send = useMutation({ mutationFn: () => dataOf(api.POST('/api/v1/user/resend-verification', { body: { email } })) })
  if (send.isSuccess) return <Text size="sm" role="status">If {send.data.email} is still to be verified, a new mail is on its way.</Text>
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label="Have the mail sent again to" type="email" required autoComplete="username" value={email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
        />
        {send.isError && <Failure error={send.error} />}
        <Button type="submit" variant="default" loading={send.isPending}>Send it again</Button>
      </Stack>
    </form>
  )
}
