// What a page shows instead of its content: that it is coming, that there is nothing yet and what to do, or what the API said.
import { Alert, Button, Center, Loader, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'

export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <Center p="xl" role="status" aria-label={what}>
      <Loader />
    </Center>
  )
}

export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <Alert color="red" title="This did not work" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {again && <Button size="xs" variant="default" onClick={again}>Try again</Button>}
      </Stack>
    </Alert>
  )
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" p="xl" gap="sm">
      <Title order={2} size="h4">{title}</Title>
      {children && <Text c="dimmed" ta="center" maw={480}>{children}</Text>}
      {action}
    </Stack>
  )
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'Something went wrong.')

export const say = (message: string): void => void notifications.show({ message, color: 'green' })
export const sayFailed = (error: unknown): void =>
  void notifications.show({ title: 'This did not work', message: messageOf(error), color: 'red', autoClose: 12_000 })
