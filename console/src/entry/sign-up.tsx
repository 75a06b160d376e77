// Making an account: then the address is proven by mail, or one signs in at once.
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { Door } from './door.tsx'
import { NewPassword } from './new-password.tsx'

export function SignUp() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', email: '', password: '' } })
  const signUp = useMutation({ mutationFn: (body: { name: string; email: string; password: string }) => dataOf(api.POST('/api/v1/user/sign-up', { body })) })
  if (signUp.isSuccess) {
    return (
      <Door title="Look into your mail">
        <Text>We sent a message to {signUp.data.email}. You can sign in already; the link in it proves that the address is yours.</Text>
        <Button component={Link} to="/sign-in">Sign in</Button>
      </Door>
    )
  }
  return (
    <Door title="Make an account">
      <form onSubmit={form.onSubmit((values) => signUp.mutate(values))}>
        <Stack>
          <TextInput label="Your name" required autoComplete="name" autoFocus {...form.getInputProps('name')} />
          <TextInput label="E-mail" type="email" required autoComplete="username" {...form.getInputProps('email')} />
          <NewPassword label="Password" {...form.getInputProps('password')} />
          {signUp.isError && <Failure error={signUp.error} />}
          <Button type="submit" loading={signUp.isPending}>Make an account</Button>
          <Text size="sm">There already? <Anchor component={Link} to="/sign-in">Sign in</Anchor></Text>
        </Stack>
      </form>
    </Door>
  )
}
