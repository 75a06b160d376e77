// What needs a fresh sign-in: the password is asked for when the API wants it, and then what was begun goes on.
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import { api, ApiError } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { useSession } from '../session.tsx'

type Waiting = { resume: () => void; stop: () => void }
type Fresh = { withFresh: <Result>(run: () => Promise<Result>) => Promise<Result>; dialog: ReactNode }

const wantsFresh = (error: unknown): boolean => error instanceof ApiError && error.status === 403 && error.message.includes('Reauthenticate')

export function useFresh(): Fresh {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const withFresh = async <Result,>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run()
    } catch (error) {
      if (!wantsFresh(error)) throw error
      await new Promise<void>((resume, refuse) => setWaiting({
        resume, stop: () => refuse(new Error('Your password was not confirmed, so nothing was changed.')),
      }))
      return await run()
    }
  }
  const end = (how: keyof Waiting) => {
    waiting?.[how]()
    setWaiting(null)
  }
  return { withFresh, dialog: waiting && <Confirm on_done={() => end('resume')} on_cancel={() => end('stop')} /> }
}

function Confirm({ on_done, on_cancel }: { on_done: () => void; on_cancel: () => void }) {
  const { user } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setBusy(true)
    setError(null)
    try {
      await api.POST('/api/v1/user/reauthenticate', { body: { password, ...secondFactor(code) } })
      on_done()
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={on_cancel} title="Is it still you?" zIndex={300} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={(event) => void confirm(event)}>
        <Stack>
          <Text size="sm">This needs a sign-in that is less than ten minutes old. Confirm your password and it goes on.</Text>
          <PasswordInput
            label="Password" required data-autofocus autoComplete="current-password" value={password}
            onChange={({ currentTarget: { value } }) => setPassword(value)}
          />
          {user.two_factor_enabled && (
            <TextInput
              label="Code of your authenticator, or a recovery code" required autoComplete="one-time-code" value={code}
              onChange={({ currentTarget: { value } }) => setCode(value)}
            />
          )}
          {error !== null && <Failure error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={on_cancel}>Cancel</Button>
            <Button type="submit" loading={busy}>Confirm</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Six digits come from the authenticator; anything longer is a recovery code. */
export function secondFactor(typed: string): { code?: string; recovery_code?: string } {
  const plain = typed.trim()
  if (plain === '') return {}
  return /^\d{3}\s?\d{3}$/.test(plain) ? { code: plain.replace(' ', '') } : { recovery_code: plain }
}
