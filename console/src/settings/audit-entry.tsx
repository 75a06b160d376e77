// One entry of the audit trail: what was before and what came of it.
import { Anchor, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment, words } from '../format.ts'
import { Facts, Loaded, Section } from '../parts/details.tsx'
import { Rows } from '../parts/rows.tsx'
import { ACTORS, actionWords, placeOf } from './audit-words.ts'
import { SettingsPage } from './frame.tsx'

type Entry = Schemas['AuditEntry']

const shown = (value: unknown) => {
  if (value === undefined || value === null) return <Text size="sm" c="dimmed">Nothing</Text>
  return (
    <Text size="sm" component="div" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {typeof value === 'object' ? <Code block>{JSON.stringify(value, null, 2)}</Code> : String(value)}
    </Text>
  )
}

export function AuditEntryPage() {
  const { entry_id } = useParams({ strict: false }) as { entry_id: string }
  const entry = useQuery({
    queryKey: ['audit-trail', entry_id], queryFn: () => dataOf(api.GET('/api/v1/audit-trail/{entry_id}', { params: { path: { entry_id } } })),
  })
  const title = entry.data ? `${words(entry.data.resource_type)}: ${actionWords(entry.data.action).toLowerCase()}` : 'Entry of the audit trail'
  return <SettingsPage title={title}><Loaded query={entry}>{(data: Entry) => <Content entry={data} />}</Loaded></SettingsPage>
}

function Content({
  entry: { seq, at, actor_kind, actor_name, resource_type, resource_id, resource_label, before, after, reason, request_id, ip, hash },
}: { entry: Entry }) {
  const place = placeOf(resource_type, resource_id)
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const label = resource_label ?? words(resource_type)
  return (
    <Stack gap="lg">
      <Facts facts={[
        ['When', moment(at)], ['Who', actor_name || ACTORS[actor_kind]], ['Through', ACTORS[actor_kind]],
        ['Which', place ? <Anchor key="which" component={Link} to={place} size="sm">{label}</Anchor> : label],
        ['Reason', reason], ['From', ip], ['Request', request_id], ['Place in the chain', seq], ['Hash', hash],
      ]} />
      <Section title="What changed">
        {members.length === 0 ? (
          <Text size="sm" c="dimmed">Nothing of it can be shown: your role may not read this record, or no member of it changed.</Text>
        ) : (
          <Rows
            label="What changed" rows={members} id={(name) => name}
            columns={[
              { title: 'What', wraps: true, cell: (name) => words(name) }, { title: 'Before', wraps: true, cell: (name) => shown(before?.[name]) },
              { title: 'After', wraps: true, cell: (name) => shown(after?.[name]) },
            ]}
          />
        )}
      </Section>
      <Group gap="md">
        <Anchor component={Link} to="/settings/audit" search={{ resource_type, resource_id } as never} size="sm">
          Everything that happened to this record
        </Anchor>
        <Anchor component={Link} to="/settings/audit" size="sm">The whole audit trail</Anchor>
      </Group>
    </Stack>
  )
}
