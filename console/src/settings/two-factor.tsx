// The second factor: turned on with an authenticator app, turned off with the password, and recovery codes for when it is lost.
import { Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded } from '../parts/details.tsx'
import { Failure } from '../parts/feedback.tsx'
import { Copyable, SecretOnce } from '../parts/secret.tsx'
import { sessionQuery } from '../session.tsx'
import { useFresh } from './fresh.tsx'
import { TwoFactorOff } from './two-factor-off.tsx'

const TOUCHED = ['two-factor', 'session', 'user'] as const

export function TwoFactor() {
  const queries = useQueryClient()
  const { withFresh, dialog } = useFresh()
  const [codes, setCodes] = useState<string[] | null>(null)
  const state = useQuery({ queryKey: ['two-factor'], queryFn: () => dataOf(api.GET('/api/v1/user/two-factor')) })
  const enroll = useMutation({ mutationFn: () => withFresh(() => dataOf(api.POST('/api/v1/user/two-factor/enroll'))) })
  const turnedOn = (recovery_codes: string[]) => {
    setCodes(recovery_codes)
    enroll.reset()
    for (const key of ['two-factor', sessionQuery.queryKey[0], 'user']) void queries.invalidateQueries({ queryKey: [key] })
  }
  const renew = async () => setCodes((await withFresh(() => dataOf(api.POST('/api/v1/user/two-factor/recovery-codes')))).recovery_codes)
  return (
    <Loaded query={state}>
      {({ enabled, recovery_codes_left }: Schemas['TwoFactorState']) => (
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            {enabled ? `It is on. ${recovery_codes_left} recovery codes are left.` : 'It is off. With it, a stolen password alone opens nothing.'}
          </Text>
          {!enabled && !enroll.data && <Button loading={enroll.isPending} onClick={() => enroll.mutate()}>Turn it on</Button>}
          {enroll.isError && <Failure error={enroll.error} />}
          {!enabled && enroll.data && <Enrollment enrollment={enroll.data} on_done={turnedOn} />}
          {enabled && (
            <Group gap="xs">
              <ActionButton
                button="New recovery codes" words="Ten new ones are made; the old ones stop working." run={renew} touched={['two-factor']}
                done="There are ten new recovery codes."
              />
              <TwoFactorOff withFresh={withFresh} touched={TOUCHED} />
            </Group>
          )}
          {codes && (
            <SecretOnce title="Recovery codes" secrets={[{ label: 'Recovery codes', text: codes.join('\n') }]} close={() => setCodes(null)}>
              <Text size="sm">Each lets you in once when your authenticator is lost. Print them, or keep them apart from your phone.</Text>
            </SecretOnce>
          )}
          {dialog}
        </Stack>
      )}
    </Loaded>
  )
}

function Enrollment({
  enrollment: { otpauth_uri, secret, expires_at }, on_done,
}: { enrollment: Schemas['TwoFactorEnrollment']; on_done: (codes: string[]) => void }) {
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/user/two-factor/confirm', { body: { code: code.replaceAll(' ', '') } })),
    onSuccess: ({ recovery_codes }) => on_done(recovery_codes),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate()
  }
  return (
    <Paper withBorder p="md" maw={560} w="100%">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Add this key to your authenticator app, or{' '}
            <Anchor href={otpauth_uri} size="sm">open it in the app on this device</Anchor>. Then write the code that it shows, before {moment(expires_at)}.
          </Text>
          <Copyable label="Key" text={secret} />
          <Copyable label="Link" text={otpauth_uri} />
          <TextInput
            label="Code" required inputMode="numeric" autoComplete="one-time-code" maw={160} value={code}
            onChange={({ currentTarget: { value } }) => setCode(value)}
          />
          {confirm.isError && <Failure error={confirm.error} />}
          <Group><Button type="submit" loading={confirm.isPending}>Turn it on</Button></Group>
        </Stack>
      </form>
    </Paper>
  )
}
