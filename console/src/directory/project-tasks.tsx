// The tasks of a project: what time is written on.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { money } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded, Status } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { SubRecords, type SubColumn } from '../parts/sub-records.tsx'
import { useBusiness } from '../session.tsx'

type Task = Schemas['ProjectTask']
type Body = Schemas['ProjectTaskInput']

const columnsIn = (currency: string): SubColumn<Task>[] => [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Status', cell: ({ closed }) => <Status status={closed ? 'closed' : 'open'} /> },
  { title: 'Billable', cell: ({ billable }) => (billable ? 'Yes' : 'No') },
  { title: 'Rate per hour', figures: true, cell: ({ rate }) => (rate === null ? 'As usual' : money(rate, currency)) },
  { title: 'Time planned', figures: true, cell: ({ budget_minutes }) => (budget_minutes === null ? '' : `${Math.round(budget_minutes / 6) / 10} h`) },
]

export function ProjectTasks({ project: { id: project_id, status } }: { project: Schemas['Project'] }) {
  const { base_currency } = useBusiness()
  const writes = useMayWrite() && status !== 'archived'
  const path = { project_id }
  const at = ({ id: task_id }: Task) => ({ params: { path: { project_id, task_id } } })
  const tasks = useQuery({
    queryKey: ['projects', project_id, 'tasks'],
    queryFn: () => dataOf(api.GET(
      '/api/v1/projects/{project_id}/tasks', { params: { path, query: { limit: 1000, sort_by: 'created_at', descending: false } } },
    )),
  })
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    { name: 'billable', label: 'Billable', kind: 'switch', initial: true },
    { name: 'rate', label: 'Rate per hour', kind: 'money', unit: base_currency, words: 'Empty: that of the person, else of the project.' },
    { name: 'budget_minutes', label: 'Time planned', kind: 'number', unit: 'minutes' },
  ]
  const move = (row: Task) => (
    <ActionButton
      small button={row.closed ? 'Reopen' : 'Close'} touched={['projects']} done="Saved."
      words={row.closed ? `Time can be written on ${row.name} again.` : `${row.name} takes no more time.`}
      run={() => api.PUT('/api/v1/projects/{project_id}/tasks/{task_id}', { ...at(row), body: { closed: !row.closed } })}
    />
  )
  return (
    <Loaded query={tasks}>
      {({ items }) => (
        <SubRecords<Task, Body>
          title="Tasks" noun="task" rows={items} name_of={({ name }) => name} columns={columnsIn(base_currency)} fields={fields} touched={['projects']}
          empty="There are no tasks yet. Time is written on tasks."
          {...(writes ? {
            add: (body: Body) => api.POST('/api/v1/projects/{project_id}/tasks', { params: { path }, body }),
            change: (row: Task, body: Body) => api.PUT('/api/v1/projects/{project_id}/tasks/{task_id}', { ...at(row), body }),
            more: move,
            remove: (row: Task) => api.DELETE('/api/v1/projects/{project_id}/tasks/{task_id}', at(row)),
          } : {})}
        />
      )}
    </Loaded>
  )
}
