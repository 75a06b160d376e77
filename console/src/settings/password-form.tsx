// Another password, with the present one.
import { Button, Checkbox, Group, PasswordInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, ApiError, dataOf } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { useSaved } from '../parts/saved.ts'
import { useFresh } from './fresh.tsx'

const EMPTY = { current_password: '', new_password: '', again: '' }

export function PasswordForm() {
  const saved = useSaved(['session', 'user'])
  const { withFresh, dialog } = useFresh()
  const [values, setValues] = useState(EMPTY)
  const [revoke_tokens, setRevoke] = useState(false)
  const change = useMutation({
    mutationFn: () => withFresh(() => dataOf(
      api.PUT('/api/v1/user/password', { body: { current_password: values.current_password, new_password: values.new_password, revoke_tokens } })
    )),
    onSuccess() {
      setValues(EMPTY)
      saved('Your password was changed. All other sessions ended.')
    },
  })
  const differs = values.again !== '' && values.again !== values.new_password
  const problem = change.error instanceof ApiError ? change.error.problems.find(({ loc }) => loc[1] === 'new_password')?.msg : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (values.again === values.new_password) change.mutate()
  }
  const type = (name: keyof typeof EMPTY) => ({ currentTarget: { value } }: { currentTarget: { value: string } }) => setValues({ ...values, [name]: value })
  return (
    <>
      <form onSubmit={submit}>
        <Stack maw={420}>
          <PasswordInput
            label="Present password" required autoComplete="current-password" value={values.current_password} onChange={type('current_password')}
          />
          <PasswordInput
            label="New password" description="At least 12 characters." required minLength={12} autoComplete="new-password" value={values.new_password}
            error={problem} onChange={type('new_password')}
          />
          <PasswordInput
            label="New password once more" required autoComplete="new-password" value={values.again} error={differs && 'The two are not the same.'}
            onChange={type('again')}
          />
          <Checkbox label="Revoke all my API tokens too" checked={revoke_tokens} onChange={({ currentTarget: { checked } }) => setRevoke(checked)} />
          {change.isError && <Failure error={change.error} />}
          <Group><Button type="submit" loading={change.isPending} disabled={differs}>Change the password</Button></Group>
        </Stack>
      </form>
      {dialog}
    </>
  )
}
