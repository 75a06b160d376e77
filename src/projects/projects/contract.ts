// Projects: jobs with a budget, under whose code time, cost and income are kept.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { LIST_FILE_REFUSALS, LIST_FILE_WORDS, listFileFormat, listFileReply } from '../../foundation/list-file.ts'
import { resource } from '../../foundation/resource.ts'
import { cents, date, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { LEDGER_TYPES } from '../../ledger/ledgers/contract.ts'

export const BILLING_METHODS = ['fixed', 'time_and_materials', 'non_billable'] as const
export const PROJECT_STATUSES = ['planned', 'active', 'on_hold', 'completed', 'archived'] as const
export type ProjectStatus = (typeof PROJECT_STATUSES)[number]

export const MOST_LEVELS = 5

/** Decimal text from 0 to 100 with at most 4 decimals. */
export const percent = (description: string) =>
  text(1, 8, { pattern: '^(100(\\.0{1,4})?|[0-9]{1,2}(\\.[0-9]{1,4})?)$', description: `${description} Decimal text from 0 to 100 with at most 4 decimals.` })

const code = text(1, 12, { pattern: '\\S', description: 'Unique in the business, ignoring case.' })
const amount = nullable(integer(0, undefined, { description: 'Integer cents of the base currency.' }))
const minutes = nullable(integer(0, 100_000_000))
export const ProjectBudget = shape('ProjectBudget', { revenue: amount, cost: amount, minutes })
const BudgetInput = partial('ProjectBudgetInput', ProjectBudget.properties)

const fields = {
  name: text(1, 200, { pattern: '\\S' }),
  code,
  customer_id: nullable(id({ description: 'Where a contract is given, its customer.' })),
  contract_id: nullable(id()),
  billing_method: oneOf(BILLING_METHODS),
  start_date: nullable(date()),
  end_date: nullable(date()),
  manager_id: nullable(id({ description: 'A person of the business.' })),
  default_rate: nullable(integer(0, undefined, { description: 'Integer cents per hour, where neither the task nor the person has a rate.' })),
  percent_complete: nullable(percent('How far it is.')),
  parent_id: nullable(id({ description: `The project that it is a part of, at most ${MOST_LEVELS} deep.` })),
}
const tag_ids = list(id(), { maxItems: 50 })

/** A row of the table. */
export const ProjectRow = Type.Object({ ...record, ...fields, budget: ProjectBudget, status: oneOf(PROJECT_STATUSES) })

/** What its history tells. */
export const ProjectRecord = Type.Object({ ...ProjectRow.properties, tag_ids })

export const ProjectFigures = Type.Object({
  income: cents({ description: 'Integer cents of the base currency, of the lines of the journal with this project.' }),
  cost: cents({ description: 'As income.' }),
  margin: cents({ description: 'income less cost.' }),
})

export const Project = shape('Project', { ...ProjectRecord.properties, ...ProjectFigures.properties })
const given = { ...fields, budget: BudgetInput, tag_ids }
export const ProjectInput = shape('ProjectInput', { ...partial('ProjectFields', given).properties, name: fields.name, code })
export const ProjectUpdate = partial('ProjectUpdate', given)

export type ProjectRow = Static<typeof ProjectRow>
export type ProjectRecord = Static<typeof ProjectRecord>
export type ProjectFigures = Static<typeof ProjectFigures>
export type Project = Static<typeof Project>
export type ProjectInput = Static<typeof ProjectInput>
export type ProjectUpdate = Static<typeof ProjectUpdate>

const month = text(7, 7, { pattern: '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])$', description: 'YYYY-MM.' })
const basis = oneOf(['accrual', 'cash'])

export const ProjectProfitability = shape('ProjectProfitability', {
  project_id: id(),
  basis,
  from_month: nullable(month),
  to_month: nullable(month),
  ...ProjectFigures.properties,
  ledgers: list(shape('ProjectLedger', {
    ledger_id: id(),
    number: nullable(Type.String()),
    name: Type.String(),
    type: oneOf(LEDGER_TYPES),
    total: cents({ description: 'Income, and cost, are positive.' }),
    months: list(shape('ProjectLedgerMonth', { month, amount: cents() }), { description: 'Those in which something moved.' }),
  }), { description: 'Income first, then cost, in the order of the chart.' }),
})
export type ProjectProfitability = Static<typeof ProjectProfitability>

export const ProjectBudgetFigure = shape('ProjectBudgetFigure', {
  budget: amount,
  actual: cents(),
  remaining: nullable(cents({ description: 'budget less actual; below 0 where it was exceeded.' })),
  percent_used: nullable(Type.String({ description: 'Decimal text; null without a budget.' })),
})
export const ProjectBudgetReport = shape('ProjectBudgetReport', { project_id: id(), revenue: ProjectBudgetFigure, cost: ProjectBudgetFigure })
export type ProjectBudgetFigure = Static<typeof ProjectBudgetFigure>
export type ProjectBudgetReport = Static<typeof ProjectBudgetReport>

export const projectResource = resource({
  type: 'project', group: 'projects', shape: shape('ProjectRecord', ProjectRecord.properties), table: 'projects', label: 'name',
  events: ['project.created', 'project.updated', 'project.status_changed', 'project.deleted'],
})

const filters = {
  status: optional(list(oneOf(PROJECT_STATUSES), { minItems: 1 })),
  customer_id: optional(id()),
  contract_id: optional(id()),
  manager_id: optional(id()),
  parent_id: optional(id()),
  code: optional(code),
  search: optional(text(1, 200, { description: 'Beginnings of words of the name or the code.' })),
  tag_id: optional(id()),
  updated_since: optional(timestamp()),
}
const ProjectFilters = Type.Object(filters)
export type ProjectFilters = Static<typeof ProjectFilters>

const endpoint = endpointsOf('projects', 'business')
export const projectParams = shape('ProjectParams', { project_id: id() })

const misuse = [
  'Another project has this code.', 'The customer is archived.', 'The contract is one of another customer.', 'The end lies before the start.',
  `The project above is archived, lies below the project itself, or the projects would be more than ${MOST_LEVELS} deep.`,
]

export const listProjects = endpoint({
  id: 'list_projects', method: 'GET', path: '', summary: 'List projects',
  query: listQuery(['name', 'code', 'created_at', 'end_date'], filters),
  reply: pageOf(Project),
})

export const createProject = endpoint({
  id: 'create_project', method: 'POST', path: '', summary: 'Create a project',
  body: ProjectInput,
  reply: Project,
  refusals: misuse,
  example: { name: 'New kitchen', code: 'KITCHEN', billing_method: 'fixed', budget: { revenue: 2_500_000, cost: 1_600_000 } },
})

export const exportProjects = endpoint({
  id: 'export_projects', method: 'GET', path: '/export', summary: 'Take projects away as a file',
  description: LIST_FILE_WORDS,
  query: shape('ProjectExportQuery', { format: listFileFormat, ...filters }),
  reply: listFileReply,
  refusals: LIST_FILE_REFUSALS,
})

export const getProject = endpoint({
  id: 'get_project', method: 'GET', path: '/{project_id}', summary: 'Get a project',
  live: true,
  params: projectParams,
  reply: Project,
})

export const updateProject = endpoint({
  id: 'update_project', method: 'PUT', path: '/{project_id}', summary: 'Update a project',
  description: 'budget is merged one by one, tag_ids replaces all.',
  params: projectParams,
  body: ProjectUpdate,
  reply: Project,
  refusals: misuse,
  example: { percent_complete: '40' },
})

export const deleteProject = endpoint({
  id: 'delete_project', method: 'DELETE', path: '/{project_id}', summary: 'Delete a project',
  description: 'Its tasks and people go with it.',
  params: projectParams,
  reply: Project,
  refusals: ['It was used, or a contract or another project points at it: archive it.'],
})

export const setProjectStatus = endpoint({
  id: 'set_project_status', method: 'PUT', path: '/{project_id}/status', summary: 'Move a project on',
  description: 'planned → active ↔ on_hold; active and on_hold → completed → active; everything but active → archived.',
  params: projectParams,
  body: shape('ProjectStatusInput', { status: oneOf(PROJECT_STATUSES) }),
  reply: Project,
  refusals: ['There is no way from the status it has to that one.'],
  example: { status: 'active' },
})

export const getProjectProfitability = endpoint({
  id: 'get_project_profitability', method: 'GET', path: '/{project_id}/profitability', summary: 'Income and cost of a project by ledger and month',
  description: 'From the lines of the journal with this project, in the base currency: what the profit and loss statement says of it.',
  params: projectParams,
  query: shape('ProjectProfitabilityQuery', { from_month: optional(month), to_month: optional(month), basis: optional(oneOf(['accrual', 'cash'], { default: 'accrual' })) }),
  reply: ProjectProfitability,
  refusals: ['from_month lies after to_month.'],
})

export const getProjectBudget = endpoint({
  id: 'get_project_budget', method: 'GET', path: '/{project_id}/budget', summary: 'The budget of a project against what is booked',
  params: projectParams,
  reply: ProjectBudgetReport,
})
