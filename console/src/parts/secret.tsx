// A secret that is shown this one time, with a button that copies it.
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>{label}</Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => <Group><Button size="xs" variant="default" onClick={copy}>{copied ? 'Copied' : `Copy ${label.toLowerCase()}`}</Button></Group>}
      </CopyButton>
    </Stack>
  )
}

type SecretOnceProps = {
  title: string
  secrets: readonly { label: string; text: string }[]
  close: () => void
  /** Where to put it. */
  words?: string
  children?: ReactNode
}

export function SecretOnce({ title, secrets, close, words = 'Put it where only your program can read it.', children }: SecretOnceProps) {
  return (
    <Modal opened onClose={close} title={title} size="lg" closeOnClickOutside={false} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Alert color="yellow" title="Keep it now">This is shown once and cannot be read again. {words}</Alert>
        {secrets.map(({ label, text }) => <Copyable key={label} label={label} text={text} />)}
        {children}
        <Group justify="flex-end"><Button onClick={close}>I have kept it</Button></Group>
      </Stack>
    </Modal>
  )
}
