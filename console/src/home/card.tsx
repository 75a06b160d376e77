// A part of the first page: what it shows has its own waiting and its own failure, so that one that fails hides nothing else.
import { Box, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from '../parts/feedback.tsx'

type CardProps<Data> = { title: string; query: UseQueryResult<Data>; height?: number; aside?: ReactNode; children: (data: Data) => ReactNode }

export function Card<Data>({ title, query, height = 96, aside, children }: CardProps<Data>) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap"><Title order={2} size="h5">{title}</Title>{aside}</Group>
        {query.isPending && <Box role="status" aria-label={`Loading ${title}`}><Skeleton height={height} /></Box>}
        {query.isError && query.data === undefined && <Failure error={query.error} again={() => void query.refetch()} />}
        {query.data !== undefined && children(query.data)}
      </Stack>
    </Paper>
  )
}

/** A line of a card: what it is on the left, its figure on the right. */
export function Line({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="md" wrap="nowrap">
      <Text size="sm" truncate>{label}</Text>
      <Text size="sm" component="div" className="figures">{children}</Text>
    </Group>
  )
}
