// Connected apps: what people have allowed other programs to do for them.
import { Anchor, SegmentedControl } from '@mantine/core'
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

type Grant = Schemas['OauthGrant']

export function AppsPage() {
  const { id: business_id, name } = useBusiness()
  const manages = useIsAdmin()
  const nameOf = useBusinessNames()
  const [whose, setWhose] = useState('own')
  const grants = useQuery({
    queryKey: ['oauth-grants', 'list', whose === 'own' ? null : business_id],
    queryFn: () => dataOf(api.GET('/api/v1/oauth/grants', { params: { query: { limit: 500, ...(whose === 'own' ? {} : { business_id }) } } })),
  })
  return (
    <SettingsPage title="Connected apps" words="Apps that may act for somebody here. Each shows what it may do and what it did, and can be cut off at once.">
      {manages && (
        <SegmentedControl
          aria-label="Whose apps" value={whose} onChange={setWhose}
          data={[{ value: 'own', label: 'Your apps' }, { value: 'business', label: `All that reach ${name}` }]} w="fit-content" maw="100%"
        />
      )}
      <Loaded query={grants}>
        {({ items }: { items: Grant[] }) => (items.length === 0 ? (
          <Empty title="No app is connected">An app asks you for consent when you connect it from its own page. What you allow then stands here.</Empty>
        ) : (
          <Rows
            label="Connected apps" rows={items} id={({ id }) => id}
            columns={[
              {
                title: 'App', wraps: true,
                cell: ({ id, client_name }) => <Anchor component={Link} to={`/settings/apps/${id}`} size="sm">{client_name}</Anchor>,
              },
              { title: 'In', wraps: true, cell: ({ business_ids }) => nameOf(business_ids) },
              { title: 'May do', cell: ({ scopes }) => `${scopes.length} ${scopes.length === 1 ? 'thing' : 'things'}` },
              { title: 'Status', cell: ({ status }) => <Status status={status} /> },
              { title: 'Last used', cell: ({ last_used_at }) => moment(last_used_at) || 'Never' },
              { title: 'Since', cell: ({ created_at }) => day(created_at) },
            ]}
          />
        ))}
      </Loaded>
    </SettingsPage>
  )
}
