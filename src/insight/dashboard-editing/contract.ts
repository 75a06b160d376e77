// The widgets of a dashboard as they are added, changed, moved and removed, each by itself.
import { endpointsOf } from '../../foundation/endpoint.ts'
import { id, shape } from '../../foundation/shapes.ts'
import { Dashboard } from '../dashboards/contract.ts'
import { Layout, MOST_WIDGETS, Widget, WidgetChange, WidgetInput } from '../dashboard-widgets/contract.ts'

const endpoint = endpointsOf('dashboards', 'business')
const board = shape('DashboardEditParams', { dashboard_id: id() })
const params = shape('WidgetParams', { dashboard_id: id(), widget_id: id() })
const read_only = 'The dashboard comes with the service: duplicate it.'
const grid = 'It would reach beyond the grid.'

export const addWidget = endpoint({
  id: 'add_widget', method: 'POST', path: '/{dashboard_id}/widgets', summary: 'Add a widget to a dashboard',
  description: 'By the owner of the dashboard or an admin. An unknown metric, or one that cannot be asked so, is a 422.',
  params: board,
  body: WidgetInput,
  reply: Widget,
  refusals: [`The dashboard has ${MOST_WIDGETS} widgets already.`, grid, read_only],
  example: { kind: 'bar', title: 'Where the money goes', query: { metric: 'expense_by_ledger', top: 8 }, x: 0, y: 0, w: 12, h: 6 },
})

export const updateWidget = endpoint({
  id: 'update_widget', method: 'PATCH', path: '/{dashboard_id}/widgets/{widget_id}', summary: 'Change a widget',
  description: 'People who change different widgets do not get in each other’s way: If-Match is held against the version of the widget.',
  params,
  body: WidgetChange,
  reply: Widget,
  refusals: [grid, read_only],
  example: { title: 'Changed' },
})

export const removeWidget = endpoint({
  id: 'remove_widget', method: 'DELETE', path: '/{dashboard_id}/widgets/{widget_id}', summary: 'Remove a widget',
  params,
  reply: Widget,
  refusals: [read_only],
})

export const setLayout = endpoint({
  id: 'set_dashboard_layout', method: 'PUT', path: '/{dashboard_id}/layout', summary: 'Place all widgets of a dashboard',
  params: board,
  body: Layout,
  reply: Dashboard,
  refusals: ['A widget is missing, given twice, or belongs to another dashboard.', grid, read_only],
})
