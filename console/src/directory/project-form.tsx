// Writing down a project with its budget.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { Loaded } from '../parts/details.tsx'
import { say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useProjectChoices } from '../parts/reading.ts'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { useBusiness } from '../session.tsx'
import { choicesOf, useContractChoices, usePeople } from './choices.ts'
import { useProject } from './project.tsx'

type Project = Schemas['Project']
type Body = Schemas['ProjectInput']

export function NewProject() {
  return <ProjectForm />
}

export function EditProject() {
  const { project_id } = useParams({ strict: false }) as { project_id: string }
  return <Loaded query={useProject(project_id)}>{(project) => <ProjectForm project={project} />}</Loaded>
}

function ProjectForm({ project }: { project?: Project }) {
  const go = useNavigate()
  const queries = useQueryClient()
  const { base_currency } = useBusiness()
  const contracts = useContractChoices()
  const people = usePeople()
  const projects = useProjectChoices(true).data ?? []
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    { name: 'code', label: 'Code', kind: 'text', required: true, words: 'Short, and no two are the same, such as KITCHEN.' },
    { name: 'customer_id', label: 'Customer', kind: 'party' },
    { name: 'contract_id', label: 'Contract', kind: 'choice', choices: contracts, words: 'Its customer is that of the project.' },
    {
      name: 'billing_method', label: 'Billing', kind: 'choice', required: true, initial: 'fixed',
      choices: choicesOf(['fixed', 'time_and_materials', 'non_billable']),
    },
    { name: 'default_rate', label: 'Usual rate per hour', kind: 'money', unit: base_currency },
    { name: 'start_date', label: 'Start', kind: 'date' },
    { name: 'end_date', label: 'End', kind: 'date' },
    { name: 'budget.revenue', label: 'Income planned', kind: 'money', unit: base_currency, section: 'Budget' },
    { name: 'budget.cost', label: 'Cost planned', kind: 'money', unit: base_currency },
    { name: 'budget.minutes', label: 'Time planned', kind: 'number', unit: 'minutes' },
    { name: 'percent_complete', label: 'How far it is', kind: 'text', unit: '%' },
    { name: 'manager_id', label: 'Manager', kind: 'choice', choices: people, section: 'More' },
    { name: 'parent_id', label: 'Part of the project', kind: 'choice', choices: projects.filter(({ value }) => value !== project?.id) },
  ]
  const save = async (body: Body) => {
    const saved = project
      ? await dataOf(api.PUT('/api/v1/projects/{project_id}', { params: { path: { project_id: project.id } }, body }))
      : await dataOf(api.POST('/api/v1/projects', { body }))
    void queries.invalidateQueries({ queryKey: ['projects'] })
    say('Saved.')
    await go({ to: `/projects/${saved.id}` })
  }
  return (
    <Page title={project ? `Edit ${project.name}` : 'New project'}>
      <RecordForm<Body>
        fields={fields} record={project} button={project ? 'Save' : 'Create project'} save={save}
        cancel={() => void go({ to: project ? `/projects/${project.id}` : '/projects' })}
      />
    </Page>
  )
}
