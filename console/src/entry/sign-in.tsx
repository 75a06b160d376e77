// Signing in, with the second factor where it is on: a code, or one of the recovery codes.
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, remembered, type Schemas } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { Door } from './door.tsx'

/** Only a place in this console: an address from elsewhere would lead people astray. */
function wanted(): string {
  const next = new URLSearchParams(location.search).get('next') ?? '/'
  return next.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/'
}

export function SignIn() {
  const router = useRouter()
  const queries = useQueryClient()
  const [challenge, setChallenge] = useState<string | null>(null)
  const [recovers, setRecovers] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '', code: '' } })

  const enter = async (answer: Schemas['SignIn']) => {
    if (answer.two_factor_required) return setChallenge(answer.challenge ?? null)
    remembered.csrf_token = answer.csrf_token ?? null
    queries.clear()
    router.history.push(wanted())
  }
  const submit = form.onSubmit(async ({ email, password, code }) => {
    setBusy(true)
    setError(null)
    try {
      await enter(challenge === null
        ? await dataOf(api.POST('/api/v1/user/sign-in', { body: { email, password } }))
        : await dataOf(api.POST('/api/v1/user/sign-in/two-factor', {
          body: { challenge, ...(recovers ? { recovery_code: code.trim() } : { code: code.trim() }) },
        })))
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  })
  const otherWay = () => {
    setRecovers(!recovers)
    setError(null)
    form.setFieldValue('code', '')
  }
  const again = () => {
    setChallenge(null)
    setRecovers(false)
    setError(null)
    form.setFieldValue('code', '')
  }
  return (
    <Door title="Sign in to Daybook">
      <form onSubmit={submit}>
        <Stack>
          {challenge === null ? (
            <>
              <TextInput key="email" label="E-mail" type="email" required autoComplete="username" autoFocus {...form.getInputProps('email')} />
              <PasswordInput key="password" label="Password" required autoComplete="current-password" {...form.getInputProps('password')} />
            </>
          ) : recovers ? (
            <TextInput
              key="recovery" label="One of your recovery codes" description="Each works once." required autoComplete="off" autoFocus
              {...form.getInputProps('code')}
            />
          ) : (
            <TextInput
              key="code" label="Code of your authenticator" required inputMode="numeric" autoComplete="one-time-code" autoFocus {...form.getInputProps('code')}
            />
          )}
          {error !== null && <Failure error={error} />}
          <Button type="submit" loading={busy}>Sign in</Button>
          {challenge === null ? (
            <>
              <Anchor component={Link} to="/forgot-password" size="sm">Forgot your password?</Anchor>
              <Text size="sm">New here? <Anchor component={Link} to="/sign-up">Make an account</Anchor></Text>
            </>
          ) : (
            <>
              <Anchor component="button" type="button" size="sm" ta="start" onClick={otherWay}>
                {recovers ? 'Use the code of the authenticator' : 'Use a recovery code instead'}
              </Anchor>
              <Anchor component="button" type="button" size="sm" ta="start" onClick={again}>Sign in as somebody else</Anchor>
            </>
          )}
        </Stack>
      </form>
    </Door>
  )
}
