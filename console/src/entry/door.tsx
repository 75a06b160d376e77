// The frame of the pages for people who are not signed in, and what stands in a link that was mailed.
import { Center, Paper, Stack, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

export function Door({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Daybook`)
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p={{ base: 'md', xs: 'xl' }} w="100%" maw={420}>
        <Stack>
          <Title order={1} size="h3">{title}</Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}

export const mailedToken = (): string => new URLSearchParams(location.search).get('token')?.trim() ?? ''
