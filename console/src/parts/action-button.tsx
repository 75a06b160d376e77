// A button that says what it is about to do, asks for what it needs, and does it.
import { Button, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { RecordForm, type Field } from './record-form.tsx'
import { useSaved } from './saved.ts'

type ActionButtonProps<Body extends object> = {
  button: string
  words: ReactNode
  run: (body: Body) => Promise<unknown>
  /** What is read anew afterwards. */
  touched: readonly string[]
  done: string
  then?: () => void
  fields?: readonly Field[]
  /** Cannot be taken back. */
  grave?: boolean
  main?: boolean
  small?: boolean
}

const NONE: readonly Field[] = []

export function ActionButton<Body extends object>({
  button, words, run, touched, done, then, fields = NONE, grave = false, main = false, small = false,
}: ActionButtonProps<Body>) {
  const [opened, { open, close }] = useDisclosure()
  const saved = useSaved(touched)
  const act = async (body: Body) => {
    await run(body)
    close()
    saved(done)
    then?.()
  }
  return (
    <>
      <Button variant={main ? 'filled' : 'default'} size={small ? 'xs' : 'sm'} onClick={open}>{button}</Button>
      <Modal opened={opened} onClose={close} title={button} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack>
          <Text size="sm">{words}</Text>
          <RecordForm<Body> fields={fields} button={button} save={act} cancel={close} columns={1} grave={grave} />
        </Stack>
      </Modal>
    </>
  )
}
