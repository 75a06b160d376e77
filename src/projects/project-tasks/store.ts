// The SQL of the tasks of projects.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { ProjectTask } from './contract.ts'

export const insertTask = insertion('project_tasks', ProjectTask)
export const updateTask = updating('project_tasks', 'name', 'billable', 'rate', 'budget_minutes', 'closed')
export const deleteTask = deletion('project_tasks')

export const lockTask = statement(
  ProjectTask,
  `select ${columns(ProjectTask)} from project_tasks where business_id = :business_id and project_id = :project_id and id = :id for update`)

export const tasks = list({
  item: ProjectTask,
  from: 'project_tasks t',
  where: 't.business_id = :business_id',
  sorts: { name: { column: 't.name_key', type: 'text' }, created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { project_id: 't.project_id = :project_id', closed: 't.closed = :closed' },
})

const project = 'select id, code, status from projects where business_id = :business_id and id = :project_id'
const Project = Type.Object({ id: id(), code: Type.String(), status: Type.String() })
export const findProject = statement(Project, project)
export const holdProject = statement(Project, `${project} for share`)
