// A project: what it brought in and cost against its budget, its tasks and its people.
import { Button, Group, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, money, words } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Facts, Figures, Loaded, Section, Status, To } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'
import { ledgerName } from '../parts/reading.ts'
import { useMayWrite } from '../parts/roles.ts'
import { SmallTable } from '../parts/sub-records.tsx'
import { useBusiness } from '../session.tsx'
import { usePeople } from './choices.ts'
import { CustomerName } from './customer-name.tsx'
import { LatestInvoices } from './latest-invoices.tsx'
import { ProjectMembers } from './project-members.tsx'
import { ProjectTasks } from './project-tasks.tsx'

type Project = Schemas['Project']
type ProjectStatus = Project['status']

const TOUCHED = ['projects']
/** Where a project can go from each status, in the words of the button. */
const MOVES: Record<ProjectStatus, [ProjectStatus, string][]> = {
  planned: [['active', 'Start'], ['archived', 'Archive']], active: [['on_hold', 'Put on hold'], ['completed', 'Complete']], on_hold: [
    ['active', 'Go on'], ['completed', 'Complete'], ['archived', 'Archive'],
  ],
  completed: [['active', 'Reopen'], ['archived', 'Archive']], archived: [],
}
const COLUMNS = ['Account', 'Kind', 'Amount'].map((heading, place) => ({ heading, figures: place === 2 }))

export const useProject = (project_id: string) =>
  useQuery({ queryKey: ['projects', project_id], queryFn: () => dataOf(api.GET('/api/v1/projects/{project_id}', { params: { path: { project_id } } })) })

export function ProjectPage() {
  const { project_id } = useParams({ strict: false }) as { project_id: string }
  return <Loaded query={useProject(project_id)}>{(project) => <Shown project={project} />}</Loaded>
}

function Shown({ project }: { project: Project }) {
  const { base_currency } = useBusiness()
  const people = usePeople()
  const { id, budget } = project
  const planned = (amount: number | null) => (amount === null ? {} : { note: `of ${money(amount, base_currency)} planned` })
  const lines = { to: '/reports/general-ledger', search: { project_id: id } }
  return (
    <Page title={`${project.code} ${project.name}`} actions={<Actions project={project} />}>
      <Group gap="xs"><Status status={project.status} />{project.percent_complete && <Text size="sm">{project.percent_complete} % done</Text>}</Group>
      <Figures
        figures={[
          { label: 'Income', value: money(project.income, base_currency), ...planned(budget.revenue), ...lines },
          { label: 'Cost', value: money(project.cost, base_currency), ...planned(budget.cost), ...lines },
          { label: 'Left', value: money(project.margin, base_currency), ...lines },
        ]}
      />
      <Section title="Details">
        <Facts
          facts={[
            ['Customer', project.customer_id && <CustomerName customer_id={project.customer_id} />],
            ['Contract', project.contract_id && <To path={`/contracts/${project.contract_id}`}>Open the contract</To>],
            ['Billing', words(project.billing_method)], ['Start', day(project.start_date)], ['End', day(project.end_date)],
            ['Manager', people.find(({ value }) => value === project.manager_id)?.label],
            ['Usual rate', project.default_rate === null ? null : `${money(project.default_rate, base_currency)} per hour`],
            ['Time planned', budget.minutes === null ? null : `${Math.round(budget.minutes / 6) / 10} hours`],
            ['Part of', project.parent_id && <To path={`/projects/${project.parent_id}`}>Open the project above</To>],
          ]}
        />
      </Section>
      <Profitability project_id={id} />
      <ProjectTasks project={project} />
      <ProjectMembers project={project} />
      <LatestInvoices project_id={id} />
    </Page>
  )
}

function Profitability({ project_id }: { project_id: string }) {
  const { base_currency } = useBusiness()
  const report = useQuery({
    queryKey: ['projects', project_id, 'profitability'],
    queryFn: () => dataOf(api.GET('/api/v1/projects/{project_id}/profitability', { params: { path: { project_id } } })),
  })
  return (
    <Section title="Income and cost by account">
      <Loaded query={report}>
        {({ ledgers }) => (ledgers.length === 0 ? <Text size="sm" c="dimmed">Nothing is booked under this project yet.</Text> : (
          <SmallTable label="Income and cost by account" columns={COLUMNS}>
            {ledgers.map((ledger) => (
              <Table.Tr key={ledger.ledger_id}>
                <Table.Td><To path={`/reports/general-ledger?ledger_id=${ledger.ledger_id}&project_id=${project_id}`}>{ledgerName(ledger)}</To></Table.Td>
                <Table.Td>{words(ledger.type)}</Table.Td>
                <Table.Td className="figures">{money(ledger.total, base_currency)}</Table.Td>
              </Table.Tr>
            ))}
          </SmallTable>
        ))}
      </Loaded>
    </Section>
  )
}

function Actions({ project: { id, name, status } }: { project: Project }) {
  const go = useNavigate()
  const of_this = { params: { path: { project_id: id } } }
  if (!useMayWrite()) return null
  return (
    <>
      {status !== 'archived' && <Button component={Link} to={`/projects/${id}/edit`}>Edit</Button>}
      {MOVES[status].map(([to, button]) => (
        <ActionButton
          key={to} button={button} words={`${name} will be ${words(to).toLowerCase()}.`}
          run={() => api.PUT('/api/v1/projects/{project_id}/status', { ...of_this, body: { status: to } })} touched={TOUCHED}
          done={`${name} is ${words(to).toLowerCase()}.`}
        />
      ))}
      {status !== 'active' && (
        <ActionButton
          button="Delete" grave words="The project is deleted for good with its tasks and people. Where it was used, archive it instead."
          run={() => api.DELETE('/api/v1/projects/{project_id}', of_this)} touched={TOUCHED} done={`${name} was deleted.`}
          then={() => void go({ to: '/projects' })}
        />
      )}
    </>
  )
}
