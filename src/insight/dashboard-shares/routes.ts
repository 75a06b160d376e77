// Public links of dashboards over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import { createShare } from '../shares/operations.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dashboardShareRoutes = [
  on(contract.shareDashboard, (tx, { params, body }) => createShare(tx, { view: operations.boardView, id: params.dashboard_id.toLowerCase() }, body)),
  on(contract.listDashboardShares, (tx, { params, query }) => operations.listDashboardShares(tx, params.dashboard_id, query)),
  on(contract.revokeDashboardShare, (tx, { params }) => operations.revokeDashboardShare(tx, params.share_id)),
]
