// What pages of single records are made of: facts, figures that lead somewhere, parts under a heading, and the wait for the record.
import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { words } from '../format.ts'
import { linkTo } from './address.ts'
import { Failure, Loading } from './feedback.tsx'

export function Loaded<Data>({ query, children }: { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }) {
  if (query.isPending) return <Loading />
  if (query.isError && query.data === undefined) return <Failure error={query.error} again={() => void query.refetch()} />
  return <>{children(query.data as Data)}</>
}

export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">{title}</Title>
        {actions}
      </Group>
      {children}
    </Stack>
  )
}

/** Facts without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
  if (known.length === 0) return null
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, md: 3 }} spacing="md" verticalSpacing="xs">
      {known.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">{label}</Text>
          <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{value}</Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

export type Figure = { label: string; value: string; to?: string; search?: Record<string, unknown>; note?: string }

const LARGE = { size: 'lg', fw: 600, style: { fontVariantNumeric: 'tabular-nums' } } as const

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: Math.min(figures.length, 5) }} spacing="sm">
      {figures.map(({ label, value, to, search, note }) => (
        <Card key={label} withBorder p="sm">
          <Text size="xs" c="dimmed">{label}</Text>
          {to === undefined
            ? <Text {...LARGE}>{value}</Text>
            : <Anchor component={Link} to={to} {...(search ? { search: search as never } : {})} {...LARGE}>{value}</Anchor>}
          {note && <Text size="xs" c="dimmed">{note}</Text>}
        </Card>
      ))}
    </SimpleGrid>
  )
}

const COLORS: Record<string, string> = {
  active: 'green', generated: 'green', planned: 'blue', open: 'blue', paused: 'yellow', on_hold: 'yellow', expired: 'orange', failed: 'red',
  terminated: 'red', completed: 'teal',
}

/** The word carries the meaning; the colour only repeats it. */
export function Status({ status }: { status: string }) {
  return <Badge color={COLORS[status] ?? 'gray'} variant="light">{words(status)}</Badge>
}

export function To({ path, children }: { path: string; children: ReactNode }) {
  const { to, search } = linkTo(path)
  return <Anchor component={Link} to={to} search={search as never} size="sm">{children}</Anchor>
}

/** The name in a list: a real link, for those who open it in another tab. */
export function NameLink({ path, children }: { path: string; children: ReactNode }) {
  return <Anchor component={Link} to={path} size="sm" tabIndex={-1} onClick={(event) => event.stopPropagation()}>{children}</Anchor>
}
