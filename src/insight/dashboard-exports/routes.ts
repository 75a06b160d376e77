// Exports of dashboards over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dashboardExportRoutes = [on(contract.exportDashboard, (tx, { params, body }) => operations.exportDashboard(tx, params.dashboard_id, body))]
