// Figures of dashboards over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dashboardFigureRoutes = [
  on(contract.getOverview, (tx, { query }) => operations.getOverview(tx, query)),
  on(contract.listMetrics, (tx) => operations.listMetrics(tx)),
  onOutside(contract.queryMetric, operations.queryMetric),
  on(contract.getData, (tx, { params, query }) => operations.getData(tx, params.dashboard_id, query)),
  on(contract.getWidget, (tx, { params, query }) => operations.getWidget(tx, params.dashboard_id, params.widget_id, query)),
]
