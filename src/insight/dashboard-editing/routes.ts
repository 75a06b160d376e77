// Changes of widgets over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dashboardEditingRoutes = [
  on(contract.addWidget, (tx, { params, body }) => operations.addWidget(tx, params.dashboard_id, body)),
  on(contract.updateWidget, (tx, { params, body }) => operations.updateWidget(tx, params.dashboard_id, params.widget_id, body)),
  on(contract.removeWidget, (tx, { params }) => operations.removeWidget(tx, params.dashboard_id, params.widget_id)),
  on(contract.setLayout, (tx, { params, body }) => operations.setLayout(tx, params.dashboard_id, body)),
]
