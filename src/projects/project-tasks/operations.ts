// What can be done with the tasks of a project.
import { isReferenced } from '../../foundation/database/errors.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { differs } from '../projects/rules.ts'
import { projectTaskResource, type ProjectTask, type ProjectTaskInput, type ProjectTaskUpdate } from './contract.ts'
import * as store from './store.ts'

export async function listTasks(tx: BusinessTx, project_id: string, query: PageQuery & { closed?: boolean }): Promise<Page<ProjectTask>> {
  const asked = { ...query, project_id }
  const [, page] = await Promise.all([tx.get(store.findProject, { project_id }, 'Project'), tx.page(store.tasks, asked)])
  return page
}

export async function createTask(tx: BusinessTx, project_id: string, input: ProjectTaskInput): Promise<ProjectTask> {
  const project = await tx.get(store.holdProject, { project_id }, 'Project')
  if (project.status === 'archived') throw invalid(`The project ${project.code} is archived: it takes no more tasks.`)
  const task: ProjectTask = {
    id: newId(),
    business_id: tx.business_id,
    project_id,
    name: input.name.trim(),
    billable: input.billable ?? true,
    rate: input.rate ?? null,
    budget_minutes: input.budget_minutes ?? null,
    closed: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertTask, task)
  tx.record(projectTaskResource, 'project_task.created', { before: null, after: task })
  return task
}

export async function updateTask(tx: BusinessTx, project_id: string, task_id: string, input: ProjectTaskUpdate): Promise<ProjectTask> {
  const before = await tx.lock(store.lockTask, { project_id, id: task_id }, 'Task')
  const changes = { ...input, ...(input.name !== undefined && { name: input.name.trim() }) } as Partial<ProjectTask>
  if (!differs(before, changes)) return before
  const after = changed(before, changes, tx.now)
  tx.queue(store.updateTask, after)
  tx.record(projectTaskResource, 'project_task.updated', { before, after })
  return after
}

export async function deleteTask(tx: BusinessTx, project_id: string, task_id: string): Promise<ProjectTask> {
  const task = await tx.lock(store.lockTask, { project_id, id: task_id }, 'Task')
  try {
    await tx.run(store.deleteTask, task)
  } catch (error) {
    throw isReferenced(error) ? invalid(`Time is written on the task “${task.name}”: close it instead.`) : error
  }
  tx.record(projectTaskResource, 'project_task.deleted', { before: task, after: null })
  return task
}
