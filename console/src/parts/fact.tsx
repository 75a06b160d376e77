// A fact about what a page shows: its name in small, and what it is.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed">{name}</Text>
      <Text size="sm" component="div">{children}</Text>
    </Stack>
  )
}
