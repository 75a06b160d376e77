// Turning the second factor off: with the password and a code.
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { useSaved } from '../parts/saved.ts'
import { secondFactor } from './fresh.tsx'

type TwoFactorOffProps = { withFresh: <Result>(run: () => Promise<Result>) => Promise<Result>; touched: readonly string[] }

export function TwoFactorOff({ withFresh, touched }: TwoFactorOffProps) {
  const [opened, { open, close }] = useDisclosure()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const saved = useSaved(touched)
  const turnOff = useMutation({
    mutationFn: () => withFresh(() => api.DELETE('/api/v1/user/two-factor', { body: { password, ...secondFactor(code) } })),
    onSuccess() {
      close()
      saved('Two-factor sign-in is off.')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    turnOff.mutate()
  }
  return (
    <>
      <Button variant="default" onClick={open}>Turn it off</Button>
      <Modal opened={opened} onClose={close} title="Turn two-factor sign-in off" closeButtonProps={{ 'aria-label': 'Close' }}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">From then on your password alone is enough to sign in.</Text>
            <PasswordInput
              label="Password" required autoComplete="current-password" value={password}
              onChange={({ currentTarget: { value } }) => setPassword(value)}
            />
            <TextInput
              label="Code of your authenticator, or a recovery code" required autoComplete="one-time-code" value={code}
              onChange={({ currentTarget: { value } }) => setCode(value)}
            />
            {turnOff.isError && <Failure error={turnOff.error} />}
            <Group>
              <Button type="submit" color="red" loading={turnOff.isPending}>Turn it off</Button><Button variant="default" onClick={close}>Cancel</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
