// Dashboards over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dashboardRoutes = [
  on(contract.listDashboards, (tx, { query }) => operations.listDashboards(tx, query)),
  on(contract.createDashboard, (tx, { body }) => operations.createDashboard(tx, body)),
  on(contract.getDashboard, (tx, { params }) => operations.getDashboard(tx, params.dashboard_id)),
  on(contract.updateDashboard, (tx, { params, body }) => operations.updateDashboard(tx, params.dashboard_id, body)),
  on(contract.deleteDashboard, (tx, { params }) => operations.deleteDashboard(tx, params.dashboard_id)),
  on(contract.duplicateDashboard, (tx, { params, body }) => operations.duplicateDashboard(tx, params.dashboard_id, body)),
  on(contract.setDefaultDashboard, (tx, { params }) => operations.setDefault(tx, params.dashboard_id)),
]
