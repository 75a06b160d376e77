// Scopes in words: chosen as a table of what may be read and what may be changed, and shown as a list.
import { Badge, Button, Checkbox, Group, Input, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { Failure, Loading } from '../parts/feedback.tsx'

type Scope = Schemas['ApiTokenScope']
type Group = { group: string; words: string; read: string | null; write: string | null }

export const useScopes = () => useQuery({
  queryKey: ['api-tokens', 'scopes'], queryFn: () => dataOf(api.GET('/api/v1/api-tokens/scopes')), staleTime: Infinity,
})

const capital = (text: string) => text.replace(/^./, (first) => first.toUpperCase())

/** Reading and changing the same thing stand in one row; what is neither stands by itself. */
function grouped(scopes: readonly Scope[]): { groups: Group[]; powers: Scope[] } {
  const groups = new Map<string, Group>()
  const powers: Scope[] = []
  for (const one of scopes) {
    const [group = '', action] = one.scope.split(':')
    if (action !== 'read' && action !== 'write') powers.push(one)
    else groups.set(
      group,
      { ...(groups.get(group) ?? { group, words: capital(one.description.replace(/^(Read|Change) /, '')), read: null, write: null }), [action]: one.scope }
    )
  }
  return { groups: [...groups.values()], powers }
}

type ScopePickerProps = { value: readonly string[]; on_change: (scopes: string[]) => void; error?: string | undefined; only?: (scope: string) => boolean }

export function ScopePicker({ value, on_change, error, only = () => true }: ScopePickerProps) {
  const scopes = useScopes()
  const [search, setSearch] = useState('')
  if (scopes.isPending) return <Loading />
  if (scopes.isError) return <Failure error={scopes.error} again={() => void scopes.refetch()} />
  const all = scopes.data.filter(({ scope }) => only(scope))
  const { groups, powers } = grouped(all)
  const chosen = new Set(value)
  const turn = (scope: string, on: boolean) => on_change(on ? [...value, scope] : value.filter((one) => one !== scope))
  const fits = (text: string) => text.toLowerCase().includes(search.trim().toLowerCase())
  const box = (scope: string | null, label: string) =>
    scope && <Checkbox aria-label={label} checked={chosen.has(scope)} onChange={({ currentTarget: { checked } }) => turn(scope, checked)} />
  return (
    <Input.Wrapper label="What it may do" withAsterisk error={error} labelElement="div">
      <Stack gap="xs">
        <Group gap="xs" align="flex-end">
          <TextInput
            aria-label="Find a scope" placeholder="Find, such as invoices" size="xs" value={search}
            onChange={({ currentTarget: { value: text } }) => setSearch(text)}
          />
          <Button size="xs" variant="default" onClick={() => on_change(
            [...new Set([...value, ...all.map(({ scope }) => scope).filter((scope) => scope.endsWith(':read'))])]
          )}>
            Read everything
          </Button>
          <Button size="xs" variant="default" onClick={() => on_change([])}>Nothing</Button>
          <Text size="xs" c="dimmed" role="status">{value.length} chosen</Text>
        </Group>
        <Table maw={640} verticalSpacing={4} aria-label="What it may do">
          <Table.Thead><Table.Tr><Table.Th>What</Table.Th><Table.Th w={70}>Read</Table.Th><Table.Th w={70}>Change</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {groups.filter(({ words, group }) => fits(words) || fits(group)).map(({ group, words, read, write }) => (
              <Table.Tr key={group}>
                <Table.Td>{words}</Table.Td><Table.Td>{box(read, `Read ${words}`)}</Table.Td><Table.Td>{box(write, `Change ${words}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {powers.filter(({ description }) => fits(description)).map(({ scope, description }) => (
          <Checkbox key={scope} label={description} checked={chosen.has(scope)} onChange={({ currentTarget: { checked } }) => turn(scope, checked)} />
        ))}
      </Stack>
    </Input.Wrapper>
  )
}

export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const known = new Map((useScopes().data ?? []).map(({ scope, description }) => [scope, description]))
  return (
    <Group gap={4}>
      {scopes.map((scope) => <Badge key={scope} variant="light" color="gray" tt="none" fw={400} title={scope}>{known.get(scope) ?? scope}</Badge>)}
    </Group>
  )
}
