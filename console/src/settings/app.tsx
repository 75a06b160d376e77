// One connected app: what it may do, where, what it did, and its end.
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { usePeople } from '../directory/choices.ts'
import { day, moment, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Facts, Loaded, Section, Status } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Rows } from '../parts/rows.tsx'
import { useSession } from '../session.tsx'
import { useBusinessNames } from './business-names.tsx'
import { SettingsPage } from './frame.tsx'
import { ScopeList } from './scopes.tsx'

type Grant = Schemas['OauthGrant']
type Activity = Schemas['OauthActivity'] & { id: string }
const TOUCHED = ['oauth-grants'] as const

export function AppPage() {
  const { grant_id } = useParams({ strict: false }) as { grant_id: string }
  const params = { path: { grant_id } }
  const grant = useQuery({ queryKey: ['oauth-grants', grant_id], queryFn: () => dataOf(api.GET('/api/v1/oauth/grants/{grant_id}', { params })) })
  const revoke = grant.data?.status === 'active' && (
    <ActionButton<{ reason?: string }>
      button="Revoke" grave words={`${grant.data.client_name} can do nothing more from now on. To connect it again, consent has to be given anew.`}
      fields={[{ name: 'reason', label: 'Reason', kind: 'text', words: 'Kept in the history.' }]}
      run={(body) => api.POST('/api/v1/oauth/grants/{grant_id}/revoke', { params, body })} touched={TOUCHED} done="The app was cut off."
    />
  )
  return (
    <SettingsPage title={grant.data?.client_name ?? 'Connected app'} actions={revoke}>
      <Loaded query={grant}>{(data: Grant) => <GrantContent grant={data} />}</Loaded>
    </SettingsPage>
  )
}

function GrantContent({
  grant: { id, client_name, user_id, business_ids, scopes, status, last_used_at, created_at, revoked_at, revoked_by, revoke_reason },
}: { grant: Grant }) {
  const { user } = useSession()
  const people = usePeople()
  const nameOf = useBusinessNames()
  const personOf = (person: string | null) =>
    (person === null ? null : person === user.id ? 'You' : people.find(({ value }) => value === person)?.label ?? 'Somebody else')
  return (
    <Stack gap="lg">
      <Facts facts={[
        ['Status', <Status key="status" status={status} />], ['Allowed by', personOf(user_id)], ['Since', moment(created_at)],
        ['Last used', moment(last_used_at) || 'Never'],
        ['Revoked', moment(revoked_at)], ['By', personOf(revoked_by)], ['Reason', revoke_reason],
      ]} />
      <Section title="What it may do"><ScopeList scopes={scopes} /></Section>
      <Section title="Where">
        <Rows
          label="Businesses" rows={business_ids} id={(business_id) => business_id} width={320}
          columns={[
            { title: 'Business', wraps: true, cell: (business_id: string) => nameOf([business_id]) },
            ...(status === 'active' ? [{
              title: 'What you can do',
              cell: (business_id: string) => (
                <ActionButton
                  button="Take out" small grave
                  words={`${client_name} no longer reaches ${nameOf([business_id])}. Without its last business it is revoked.`} touched={TOUCHED}
                  done="The business was taken out."
                  run={() => api.DELETE('/api/v1/oauth/grants/{grant_id}/businesses/{business_id}', { params: { path: { grant_id: id, business_id } } })}
                />
              ),
            }] : []),
          ]}
        />
      </Section>
      <Section title="What it did in the last 90 days"><ActivityList grant_id={id} /></Section>
    </Stack>
  )
}

function ActivityList({ grant_id }: { grant_id: string }) {
  const nameOf = useBusinessNames()
  const columns: Column<Activity>[] = [
    { name: 'day', title: 'Day', width: '120px', cell: ({ day: on }) => day(on) },
    { name: 'operation', title: 'Operation', width: 'minmax(200px, 1fr)', cell: ({ operation }) => words(operation) },
    { name: 'business', title: 'Business', width: 'minmax(140px, 1fr)', cell: ({ business_id }) => (business_id === null ? 'None' : nameOf([business_id])) },
    { name: 'requests', title: 'Requests', width: '100px', figures: true, cell: ({ requests }) => requests },
    { name: 'writes', title: 'Changes', width: '100px', figures: true, cell: ({ writes }) => writes },
    { name: 'refusals', title: 'Refused', width: '100px', figures: true, cell: ({ refusals }) => refusals },
  ]
  const read = async (cursor: string | undefined) => {
    const page = await dataOf(
      api.GET('/api/v1/oauth/grants/{grant_id}/activity', { params: { path: { grant_id }, query: { limit: 200, ...(cursor ? { cursor } : {}) } } })
    )
    return { ...page, items: page.items.map((one) => ({ ...one, id: `${one.day} ${one.operation} ${one.business_id}` })) }
  }
  return (
    <DataList
      label="Activity" query_key={['oauth-grants', grant_id, 'activity']} read={read} columns={columns} height="320px"
      empty={<Empty title="It did nothing yet">Requests of the app are counted here by day and operation.</Empty>}
    />
  )
}
