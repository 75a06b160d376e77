// The audit trail of the business: who changed what, when and through what.
import { Anchor, Button, Group, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { usePeople } from '../directory/choices.ts'
import { moment, words } from '../format.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Empty, say, sayFailed } from '../parts/feedback.tsx'
import { ACTORS, actionWords } from './audit-words.ts'
import { SettingsPage } from './frame.tsx'

type Entry = Schemas['AuditEntry']
type Filter = { resource_type?: string; resource_id?: string; action?: string; actor_id?: string; actor_kind?: string; from?: string; to?: string }
const NAMES = ['resource_type', 'resource_id', 'action', 'actor_id', 'actor_kind', 'from', 'to'] as const

const columns: Column<Entry>[] = [
  {
    name: 'at', title: 'When', width: '195px',
    cell: ({ id, at }) => (
      <Anchor component={Link} to={`/settings/audit/${id}`} size="sm" tabIndex={-1} onClick={(event) => event.stopPropagation()}>{moment(at)}</Anchor>
    ),
  },
  { name: 'who', title: 'Who', width: 'minmax(105px, 1fr)', cell: ({ actor_name, actor_kind }) => actor_name || ACTORS[actor_kind] },
  { name: 'action', title: 'Did', width: '155px', cell: ({ action }) => actionWords(action) },
  { name: 'type', title: 'To', width: '125px', cell: ({ resource_type }) => words(resource_type) },
  { name: 'label', title: 'Which', width: 'minmax(130px, 1fr)', cell: ({ resource_label }) => resource_label },
]

/** A day begins and ends where the reader is. */
function dayStart(date: string, later = 0): string {
  const start = new Date(`${date}T00:00`)
  start.setDate(start.getDate() + later)
  return start.toISOString()
}

function queryOf({ action, from, to, ...rest }: Filter) {
  return { ...rest, ...(action ? { action: [action] } : {}), ...(from ? { from: dayStart(from) } : {}), ...(to ? { to: dayStart(to, 1) } : {}) }
}

export function AuditPage() {
  const go = useNavigate()
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const filter = Object.fromEntries(NAMES.filter((name) => search[name]).map((name) => [name, String(search[name])])) as Filter
  const show = (change: Partial<Record<keyof Filter, string | null>>) => {
    const wanted = Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value))
    void go({ to: '/settings/audit', search: wanted as never, replace: true })
  }
  const people = usePeople()
  const types = useQuery({ queryKey: ['events', 'types'], queryFn: () => dataOf(api.GET('/api/v1/events/types')), staleTime: Infinity }).data ?? []
  const kinds = [...new Set(types.map(({ resource_type }) => resource_type))].sort().map((value) => ({ value, label: words(value) }))
  const actions = types.filter(({ resource_type }) => !filter.resource_type || resource_type === filter.resource_type).map(({ type }) => ({
    value: type, label: words(type.replace('.', ' ')),
  }))
  const verify = useMutation({
    mutationFn: () => dataOf(api.GET('/api/v1/audit-trail/verify')),
    onSuccess: ({ ok, checked, first_broken_seq }) => (ok
      ? say(`All ${checked} entries are as they were written.`)
      : sayFailed(new Error(`The chain is broken at entry ${first_broken_seq}.`))), onError: sayFailed,
  })
  return (
    <SettingsPage title="Audit trail" words="Every change, in a chain that cannot be rewritten unnoticed." actions={(
      <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>Check the chain</Button>
    )}>
      <Group gap="xs" align="flex-end">
        <Select
          label="Record" size="xs" w={170} placeholder="Any" searchable clearable data={kinds} value={filter.resource_type ?? null}
          onChange={(resource_type) => show({ resource_type, resource_id: null, action: null })}
        />
        <Select
          label="Action" size="xs" w={200} placeholder="Any" searchable clearable limit={100} data={actions} value={filter.action ?? null}
          onChange={(action) => show({ action })}
        />
        <Select
          label="Who" size="xs" w={170} placeholder="Anybody" searchable clearable data={people} value={filter.actor_id ?? null}
          onChange={(actor_id) => show({ actor_id })}
        />
        <Select
          label="Through" size="xs" w={160} placeholder="Anything" clearable data={Object.entries(ACTORS).map(([value, label]) => ({ value, label }))}
          value={filter.actor_kind ?? null} onChange={(actor_kind) => show({ actor_kind })}
        />
        <TextInput label="From" size="xs" type="date" value={filter.from ?? ''} onChange={({ currentTarget: { value } }) => show({ from: value })} />
        <TextInput label="To" size="xs" type="date" value={filter.to ?? ''} onChange={({ currentTarget: { value } }) => show({ to: value })} />
        {Object.keys(filter).length > 0 && <Button size="xs" variant="subtle" onClick={() => void go({ to: '/settings/audit' })}>Show all</Button>}
      </Group>
      <DataList
        label="Audit trail" query_key={['audit-trail', 'list', filter]} columns={columns} open={({ id }) => void go({ to: `/settings/audit/${id}` })}
        height="calc(100dvh - 340px)"
        read={(cursor) => dataOf(
          api.GET('/api/v1/audit-trail', { params: { query: { ...queryOf(filter), limit: 100, ...(cursor ? { cursor } : {}) } as never } })
        )}
        empty={<Empty title="No entry fits">Nothing matches what you have chosen above.</Empty>}
      />
    </SettingsPage>
  )
}
