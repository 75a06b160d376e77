// Everything that was found, by kind: with where it was found, so that one sees why.
import { Anchor, Badge, Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { Empty, Failure, Loading } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { linkOf, pageFor } from '../parts/addresses.ts'
import { useRemember } from './open-record.ts'
import { shownTypes, typeName, type SearchType } from './search-types.ts'

export function SearchPage() {
  const [{ q = '', type, archived }, change] = useAddress()
  const [typed, setTyped] = useState(q)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change({ q: typed.trim(), type: null })
  }
  return (
    <Page title="Search">
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end">
          <TextInput
            key={q} label="Search for" defaultValue={q} onChange={({ currentTarget: { value } }) => setTyped(value)} style={{ flexGrow: 1 }} maw={480}
          />
          <Button type="submit">Search</Button>
          <Switch
            mb={8} label="Archived too" checked={archived === 'true'}
            onChange={({ currentTarget: { checked } }) => change({ archived: checked ? 'true' : null })}
          />
        </Group>
      </form>
      {q.trim().length > 1
        ? <Found q={q} type={type as SearchType | undefined} archived={archived === 'true'} on_type={(wanted) => change({ type: wanted })} />
        : <Empty title="What are you looking for?">Write a name, a number, an amount, a date or an e-mail address: at least two letters.</Empty>}
    </Page>
  )
}

type FoundProps = { q: string; type: SearchType | undefined; archived: boolean; on_type: (type: string | null) => void }

function Found({ q, type, archived, on_type }: FoundProps) {
  const query = { q, include_archived: archived, ...(type ? { type: [type], limit: 100 } : { type: shownTypes(), group_by: 'type' }) }
  const found = useQuery({
    queryKey: ['search', 'all', query], queryFn: () => dataOf(api.GET('/api/v1/search', { params: { query: query as never } })),
    placeholderData: keepPreviousData,
  })
  if (found.isPending) return <Loading what="Searching" />
  if (found.isError) return <Failure error={found.error} again={() => void found.refetch()} />
  const { hits, groups, has_more, building } = found.data
  const parts = type ? [{ type, label: typeName(type), hits, has_more }] : groups
  return (
    <Stack gap="md" aria-busy={found.isPlaceholderData}>
      {building && <Text size="sm" c="dimmed" role="status">The index is still being built: older records may be missing.</Text>}
      {type && <Button size="xs" variant="default" onClick={() => on_type(null)} style={{ alignSelf: 'flex-start' }}>Show every kind</Button>}
      {parts.every((part) => part.hits.length === 0) && (
        <Empty title="Nothing was found">All words must be in the same record. Try fewer of them, or only their beginnings.</Empty>
      )}
      {parts.filter((part) => part.hits.length > 0).map((part) => (
        <Paper key={part.type} withBorder p="md" component="section" aria-label={part.label}>
          <Group justify="space-between" mb="xs">
            <Title order={2} size="h5">{part.label}</Title>
            {part.has_more && !type && <Button size="compact-xs" variant="subtle" onClick={() => on_type(part.type)}>Show more</Button>}
          </Group>
          <Stack gap="sm">{part.hits.map((hit) => <Hit key={hit.id} hit={hit} />)}</Stack>
          {part.has_more && type && <Text size="sm" c="dimmed" mt="xs">There are more. Add a word to narrow the search.</Text>}
        </Paper>
      ))}
    </Stack>
  )
}

function Hit({ hit }: { hit: Schemas['SearchHit'] }) {
  const { title, number, path, amount, currency, date, status, archived, matched } = hit
  const remember = useRemember()
  const page = pageFor(path)
  const name = number && number !== title ? `${number} ${title}` : title
  const where = matched.filter(({ field }) => field !== 'title' && field !== 'number')
  return (
    <Group justify="space-between" align="flex-start" gap={4}>
      <div style={{ minWidth: 0, flex: '1 1 220px' }}>
        <Group gap="xs">
          {page
            ? <Anchor component={Link} {...linkOf(page)} size="sm" fw={500} onClick={() => remember(hit)}>{name}</Anchor>
            : <Text size="sm" fw={500}>{name}</Text>}
          {archived && <Badge variant="outline" color="gray" size="sm">Archived</Badge>}
        </Group>
        {where.map(({ field, snippet }) => <Text key={field} size="xs" c="dimmed" lineClamp={2}>{words(field)}: {snippet}</Text>)}
      </div>
      <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {[amount !== null && currency !== null ? money(amount, currency) : null, day(date), archived ? null : words(status)].filter(Boolean).join(' · ')}
      </Text>
    </Group>
  )
}
