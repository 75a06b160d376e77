// What can be done with projects.
import { customersByIds } from '../../directory/customers/operations.ts'
import { isReferenced } from '../../foundation/database/errors.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { fileOfList } from '../../foundation/list-file.ts'
import { subtractCents } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { setTags, tagsOf } from '../../workspace/tags/operations.ts'
import {
  projectResource, type Project, type ProjectBudgetReport, type ProjectFilters, type ProjectInput, type ProjectProfitability, type ProjectRow, type ProjectStatus,
  type ProjectUpdate,
} from './contract.ts'
import { budgetFigure, differs, FILE_COLUMNS, fileRow, NO_BUDGET, profitabilityOf, requireOrder, requirePlace, requireWay, tidy, used } from './rules.ts'
import * as store from './store.ts'

type ProjectEvent = (typeof projectResource.events)[number]
type ProfitabilityQuery = { from_month?: string; to_month?: string; basis?: 'accrual' | 'cash' }

/** For documents and contracts. Ids that are not there are missing from the map. */
export async function projectsByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, ProjectRow>> {
  if (ids.length === 0) return new Map()
  return new Map((await tx.many(store.projectsByIds, { ids })).map((project) => [project.id, project]))
}

export async function listProjects(tx: BusinessTx, query: PageQuery & ProjectFilters): Promise<Page<Project>> {
  const page = await tx.page(store.projects, query)
  return { ...page, items: await shown(tx, page.items) }
}

export function exportProjects(tx: BusinessTx, { format, ...filters }: ProjectFilters & { format?: 'csv' | 'xlsx' }): Promise<Download> {
  const page = (by: BusinessTx, paging: PageQuery) => listProjects(by, { ...filters, ...paging, descending: false })
  return fileOfList(tx, { title: 'Projects', file_name: 'projects', columns: FILE_COLUMNS, page, row: fileRow }, format)
}

export async function getProject(tx: BusinessTx, project_id: string): Promise<Project> {
  return shownOne(tx, await tx.get(store.findProject, { id: project_id }, 'Project'))
}

export async function createProject(tx: BusinessTx, input: ProjectInput): Promise<Project> {
  const { tag_ids = [], budget, ...given } = tidy(input)
  const project: ProjectRow = {
    id: newId(),
    business_id: tx.business_id,
    name: given.name,
    code: given.code,
    customer_id: given.customer_id ?? null,
    contract_id: given.contract_id ?? null,
    billing_method: given.billing_method ?? 'time_and_materials',
    start_date: given.start_date ?? null,
    end_date: given.end_date ?? null,
    manager_id: given.manager_id ?? null,
    budget: { ...NO_BUDGET, ...budget } as ProjectRow['budget'],
    default_rate: given.default_rate ?? null,
    percent_complete: given.percent_complete ?? null,
    parent_id: given.parent_id ?? null,
    status: 'planned',
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  const after = await requireFit(tx, project, null)
  tx.queue(store.insertProject, after)
  if (tag_ids.length > 0) await setTags(tx, 'project', new Map([[after.id, tag_ids]]))
  const created = await shownOne(tx, after)
  tx.record(projectResource, 'project.created', { before: null, after: recorded(after, created.tag_ids) })
  return created
}

export async function updateProject(tx: BusinessTx, project_id: string, input: ProjectUpdate): Promise<Project> {
  // Before any project of it: who holds one and waits for the tree would keep out whoever has the tree.
  if (input.parent_id) await holdTree(tx)
  const before = await tx.lock(store.lockProject, { id: project_id }, 'Project')
  const { tag_ids, budget, ...rest } = tidy(input)
  const changes = { ...rest, ...(budget && { budget: { ...before.budget, ...budget } }) } as Partial<ProjectRow>
  const carried = (await tagsOf(tx, 'project', [project_id])).get(project_id) ?? []
  const retagged = tag_ids !== undefined && differs({ tag_ids: carried.toSorted() }, { tag_ids: [...new Set(tag_ids)].toSorted() })
  if (!differs(before, changes) && !retagged) return shownOne(tx, before)
  const after = await requireFit(tx, changed(before, changes, tx.now), before)
  if (retagged) await setTags(tx, 'project', new Map([[project_id, tag_ids]]))
  return save(tx, 'project.updated', before, after, carried)
}

export async function deleteProject(tx: BusinessTx, project_id: string): Promise<Project> {
  const project = await tx.lock(store.lockProject, { id: project_id }, 'Project')
  const [gone, { posted }] = await Promise.all([shownOne(tx, project), tx.get(store.isPosted, { id: project_id }, 'Project')])
  if (posted) throw used(project)
  try {
    await tx.run(store.deleteProject, project)
  } catch (error) {
    throw isReferenced(error) ? used(project) : error
  }
  tx.record(projectResource, 'project.deleted', { before: recorded(project, gone.tag_ids), after: null })
  return gone
}

export async function setProjectStatus(tx: BusinessTx, project_id: string, status: ProjectStatus): Promise<Project> {
  const before = await tx.lock(store.lockProject, { id: project_id }, 'Project')
  if (before.status === status) return shownOne(tx, before)
  requireWay(before, status)
  return save(tx, 'project.status_changed', before, changed(before, { status }, tx.now))
}

export async function getProfitability(tx: BusinessTx, project_id: string, { from_month, to_month, basis = 'accrual' }: ProfitabilityQuery): Promise<ProjectProfitability> {
  await tx.get(store.findProject, { id: project_id }, 'Project')
  if (from_month !== undefined && to_month !== undefined && from_month > to_month) throw invalid(`from_month ${from_month} lies after to_month ${to_month}.`)
  const day = (month: string | undefined) => (month === undefined ? null : `${month}-01`)
  const [{ books }, rows] = await Promise.all([
    readBooks(tx), tx.many(store.movedByMonth, { id: project_id, from_month: day(from_month), to_month: day(to_month), cash: basis === 'cash' }),
  ])
  return { project_id, basis, from_month: from_month ?? null, to_month: to_month ?? null, ...profitabilityOf(rows, books.ledgers) }
}

export async function getBudget(tx: BusinessTx, project_id: string): Promise<ProjectBudgetReport> {
  const { budget, income, cost } = await getProject(tx, project_id)
  return { project_id, revenue: budgetFigure(budget.revenue, income), cost: budgetFigure(budget.cost, cost) }
}

async function save(tx: BusinessTx, event: ProjectEvent, before: ProjectRow, after: ProjectRow, tags_before?: readonly string[]): Promise<Project> {
  tx.queue(store.updateProject, after)
  const project = await shownOne(tx, after)
  tx.record(projectResource, event, { before: recorded(before, tags_before ?? project.tag_ids), after: recorded(after, project.tag_ids) })
  return project
}

/** What the project points at must be there and fit; what it pointed at before is left as it is. */
async function requireFit(tx: BusinessTx, project: ProjectRow, before: ProjectRow | null): Promise<ProjectRow> {
  const is_new = (name: 'customer_id' | 'contract_id' | 'manager_id' | 'parent_id') => project[name] !== null && project[name] !== (before?.[name] ?? null)
  const [customers, contract, manager, parents] = await Promise.all([
    is_new('customer_id') ? customersByIds(tx, [project.customer_id ?? '']) : null,
    project.contract_id !== null ? tx.find(store.contractOf, { id: project.contract_id }) : null,
    is_new('manager_id') ? tx.find(store.isMember, { user_id: project.manager_id }) : null,
    is_new('parent_id') ? projectsByIds(tx, [project.parent_id ?? '']) : null,
  ])
  const customer = customers?.get(project.customer_id ?? '')
  const parent = parents?.get(project.parent_id ?? '')
  if (customers && !customer) throw notFound(`Customer ${project.customer_id} of customer_id`)
  if (project.contract_id !== null && !contract) throw notFound(`Contract ${project.contract_id} of contract_id`)
  if (is_new('manager_id') && !manager) throw notFound(`Person ${project.manager_id} of manager_id`)
  if (parents && !parent) throw notFound(`Project ${project.parent_id} of parent_id`)
  if (customer?.status === 'archived') throw invalid(`The customer ${customer.name} is archived: restore it, or choose another one.`)
  requireOrder(project)
  if (parent) await requireTree(tx, project, parent)
  if (contract && project.customer_id !== null && contract.customer_id !== project.customer_id) {
    throw invalid(`The contract ${contract.number} is one of another customer: choose a contract of the project's customer.`)
  }
  return contract ? { ...project, customer_id: contract.customer_id } : project
}

/** One at a time: two who hang projects below each other would make a circle that neither sees. */
const holdTree = (tx: BusinessTx): Promise<void> => tx.exclusive(`projects tree ${tx.business_id}`)

async function requireTree(tx: BusinessTx, project: ProjectRow, parent: ProjectRow): Promise<void> {
  await holdTree(tx)
  const [above, { height }] = await Promise.all([tx.many(store.lineage, { id: parent.id }), tx.get(store.heightOf, { id: project.id }, 'Project')])
  requirePlace(project, parent, above.map(({ id }) => id), height)
}

function recorded(project: ProjectRow, tag_ids: readonly string[]) {
  return { ...project, tag_ids }
}

async function shownOne(tx: BusinessTx, project: ProjectRow): Promise<Project> {
  const [one] = await shown(tx, [project])
  return one as Project
}

async function shown(tx: BusinessTx, projects: readonly ProjectRow[]): Promise<Project[]> {
  if (projects.length === 0) return []
  const ids = projects.map(({ id }) => id)
  const [figures, tags] = await Promise.all([tx.many(store.figuresOf, { ids }), tagsOf(tx, 'project', ids)])
  const byId = new Map(figures.map((figure) => [figure.id, figure]))
  return projects.map((project) => {
    const { income = 0, cost = 0 } = byId.get(project.id) ?? {}
    return { ...project, tag_ids: tags.get(project.id) ?? [], income, cost, margin: subtractCents(income, cost) }
  })
}
