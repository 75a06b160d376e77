// The input of a password that is chosen anew.
import { PasswordInput, type PasswordInputProps } from '@mantine/core'

export function NewPassword(given: PasswordInputProps) {
  return (
    <PasswordInput
      description="At least 12 characters. A few words are better than a few letters." required minLength={12} autoComplete="new-password" {...given}
    />
  )
}
