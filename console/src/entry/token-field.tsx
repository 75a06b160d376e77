// The token of a mail, for those whose link did not carry it: every mail also has it by itself.
import { TextInput } from '@mantine/core'
import { mailedToken } from './door.tsx'

export function TokenField({ value, on_change }: { value: string; on_change: (token: string) => void }) {
  if (mailedToken()) return null
  return (
    <TextInput
      label="Token from the mail" description="The link had none. The mail has it by itself, too." required autoComplete="off" value={value}
      onChange={({ currentTarget: { value: typed } }) => on_change(typed)}
    />
  )
}
