// Projects over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const projectRoutes = [
  on(contract.listProjects, (tx, { query }) => operations.listProjects(tx, query)),
  on(contract.createProject, (tx, { body }) => operations.createProject(tx, body)),
  on(contract.exportProjects, (tx, { query }) => operations.exportProjects(tx, query)),
  on(contract.getProject, (tx, { params }) => operations.getProject(tx, params.project_id)),
  on(contract.updateProject, (tx, { params, body }) => operations.updateProject(tx, params.project_id, body)),
  on(contract.deleteProject, (tx, { params }) => operations.deleteProject(tx, params.project_id)),
  on(contract.setProjectStatus, (tx, { params, body }) => operations.setProjectStatus(tx, params.project_id, body.status)),
  on(contract.getProjectProfitability, (tx, { params, query }) => operations.getProfitability(tx, params.project_id, query)),
  on(contract.getProjectBudget, (tx, { params }) => operations.getBudget(tx, params.project_id)),
]
