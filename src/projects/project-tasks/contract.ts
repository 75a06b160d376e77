// Tasks of a project: what time is written on.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, nullable, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { projectParams } from '../projects/contract.ts'

const fields = {
  name: text(1, 200, { pattern: '\\S' }),
  billable: boolean(),
  rate: nullable(integer(0, undefined, { description: 'Integer cents per hour; null: that of the person, else of the project.' })),
  budget_minutes: nullable(integer(0, 100_000_000)),
}
const closed = boolean({ description: 'Takes no more time.' })

export const ProjectTask = shape('ProjectTask', { ...record, project_id: id(), ...fields, closed })
export const ProjectTaskInput = shape('ProjectTaskInput', { ...partial('ProjectTaskFields', fields).properties, name: fields.name })
export const ProjectTaskUpdate = partial('ProjectTaskUpdate', { ...fields, closed })

export type ProjectTask = Static<typeof ProjectTask>
export type ProjectTaskInput = Static<typeof ProjectTaskInput>
export type ProjectTaskUpdate = Static<typeof ProjectTaskUpdate>

export const projectTaskResource = resource({
  type: 'project_task', group: 'projects', shape: ProjectTask, table: 'project_tasks', label: 'name',
  events: ['project_task.created', 'project_task.updated', 'project_task.deleted'],
})

const endpoint = endpointsOf('projects', 'business')
const params = shape('ProjectTaskParams', { project_id: id(), task_id: id() })

export const listTasks = endpoint({
  id: 'list_project_tasks', method: 'GET', path: '/{project_id}/tasks', summary: 'List the tasks of a project',
  params: projectParams,
  query: listQuery(['name', 'created_at'], { closed: optional(boolean()) }),
  reply: pageOf(ProjectTask),
})

export const createTask = endpoint({
  id: 'create_project_task', method: 'POST', path: '/{project_id}/tasks', summary: 'Add a task to a project',
  params: projectParams,
  body: ProjectTaskInput,
  reply: ProjectTask,
  refusals: ['The project is archived.'],
  example: { name: 'Drawings', rate: 12_000, budget_minutes: 2_400 },
})

export const updateTask = endpoint({
  id: 'update_project_task', method: 'PUT', path: '/{project_id}/tasks/{task_id}', summary: 'Update or close a task',
  params,
  body: ProjectTaskUpdate,
  reply: ProjectTask,
  example: { closed: true },
})

export const deleteTask = endpoint({
  id: 'delete_project_task', method: 'DELETE', path: '/{project_id}/tasks/{task_id}', summary: 'Delete a task',
  params,
  reply: ProjectTask,
  refusals: ['Time is written on it: close it.'],
})
