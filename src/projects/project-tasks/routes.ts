// Tasks of projects over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const projectTaskRoutes = [
  on(contract.listTasks, (tx, { params, query }) => operations.listTasks(tx, params.project_id, query)),
  on(contract.createTask, (tx, { params, body }) => operations.createTask(tx, params.project_id, body)),
  on(contract.updateTask, (tx, { params, body }) => operations.updateTask(tx, params.project_id, params.task_id, body)),
  on(contract.deleteTask, (tx, { params }) => operations.deleteTask(tx, params.project_id, params.task_id)),
]
