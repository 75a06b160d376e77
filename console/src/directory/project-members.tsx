// Who works on a project, at which rates from which day on. The API takes the whole list each time.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money } from '../format.ts'
import { Loaded } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useMayCorrect, useMayWrite } from '../parts/roles.ts'
import { SubRecords, type SubColumn } from '../parts/sub-records.tsx'
import { useBusiness } from '../session.tsx'
import { usePeople } from './choices.ts'

type Member = Schemas['ProjectMember']
type Body = Schemas['ProjectMemberInput']

export function ProjectMembers({ project: { id: project_id, status } }: { project: Schemas['Project'] }) {
  const { base_currency } = useBusiness()
  const sees_cost = useMayCorrect()
  const writes = useMayWrite() && status !== 'archived'
  const people = usePeople()
  const path = { project_id }
  const members = useQuery({
    queryKey: ['projects', project_id, 'members'], queryFn: () => dataOf(api.GET(
      '/api/v1/projects/{project_id}/members', { params: { path, query: { limit: 200 } } },
    )),
  })
  const cost: Field = { name: 'cost_rate', label: 'What an hour costs you', kind: 'money', unit: base_currency }
  const fields: Field[] = [
    { name: 'user_id', label: 'Person', kind: 'choice', required: true, choices: people },
    { name: 'from', label: 'From', kind: 'date', words: 'The rates hold from this day on. Empty: today.' },
    { name: 'rate', label: 'Rate per hour', kind: 'money', unit: base_currency, words: 'Empty: that of the project.' },
    ...(sees_cost ? [cost] : []),
  ]
  const columns: SubColumn<Member>[] = [
    { title: 'Name', cell: ({ user_name }) => user_name },
    { title: 'From', cell: ({ from }) => day(from) },
    { title: 'Rate per hour', figures: true, cell: ({ rate }) => (rate === null ? 'As usual' : money(rate, base_currency)) },
    ...(sees_cost ? [{ title: 'Cost per hour', figures: true, cell: ({ cost_rate }: Member) => money(cost_rate, base_currency) }] : []),
  ]
  // Whoever does not see what people cost does not send it: it stays as it is.
  const given = ({ user_id, from, rate, cost_rate }: Member): Body => ({ user_id, from, rate, ...(sees_cost ? { cost_rate } : {}) })
  const replace = (list: Body[]) => api.PUT('/api/v1/projects/{project_id}/members', { params: { path }, body: { members: list } })
  return (
    <Loaded query={members}>
      {({ items }) => (
        <SubRecords<Member, Body>
          title="People" noun="person" rows={items} name_of={({ user_name }) => user_name} columns={columns} fields={fields} touched={['projects']}
          empty="Nobody is on this project yet."
          {...(writes ? {
            add: (body: Body) => replace([...items.map(given), body]),
            change: (row: Member, body: Partial<Body>) => replace(items.map((one) => (one.id === row.id ? { ...given(one), ...body } : given(one)))),
            remove: (row: Member) => replace(items.filter(({ id }) => id !== row.id).map(given)),
          } : {})}
        />
      )}
    </Loaded>
  )
}
