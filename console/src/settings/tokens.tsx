// API tokens: the credentials of programs.
import { Anchor, Button, Code, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, moment } from '../format.ts'
import { Loaded, Status } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'
import { useBusiness } from '../session.tsx'
import { useBusinessNames } from './business-names.tsx'
import { SettingsPage } from './frame.tsx'
import { useIsAdmin } from './roles.ts'

type Token = Schemas['ApiToken']

export function TokensPage() {
  const { id: business_id, name } = useBusiness()
  const manages = useIsAdmin()
  const nameOf = useBusinessNames()
  const [whose, setWhose] = useState('own')
  const tokens = useQuery({
    queryKey: ['api-tokens', 'list', whose === 'own' ? null : business_id],
    queryFn: () => dataOf(api.GET('/api/v1/api-tokens', { params: { query: { limit: 500, ...(whose === 'own' ? {} : { business_id }) } } })),
  })
  const newOne = <Button component={Link} to="/settings/tokens/new">New token</Button>
  return (
    <SettingsPage title="API tokens" words="A token lets a program act for you, never wider than you may act yourself." actions={newOne}>
      {manages && (
        <SegmentedControl
          aria-label="Whose tokens" value={whose} onChange={setWhose}
          data={[{ value: 'own', label: 'Your tokens' }, { value: 'business', label: `All that reach ${name}` }]} w="fit-content" maw="100%"
        />
      )}
      <Loaded query={tokens}>
        {({ items }: { items: Token[] }) => (items.length === 0 ? (
          <Empty title="No tokens yet" action={newOne}>Make one for each program, with only what that program needs.</Empty>
        ) : (
          <Rows
            label="API tokens" rows={items} id={({ id }) => id} width={720}
            columns={[
              { title: 'Name', wraps: true, cell: ({ id, name: token }) => <Anchor component={Link} to={`/settings/tokens/${id}`} size="sm">{token}</Anchor> },
              { title: 'Begins with', cell: ({ token_prefix }) => <Code>{token_prefix}</Code> },
              { title: 'Reaches', wraps: true, cell: ({ business_ids }) => nameOf(business_ids) },
              { title: 'Status', cell: ({ status }) => <Status status={status} /> },
              { title: 'Last used', cell: ({ last_used_at }) => moment(last_used_at) || 'Never' },
              { title: 'Until', cell: ({ expires_at }) => day(expires_at) || 'No end' },
            ]}
          />
        ))}
      </Loaded>
    </SettingsPage>
  )
}
