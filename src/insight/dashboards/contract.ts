// Dashboards: boards of live figures. Some come with the service and are the same for everybody; the others are made by people.
import { Type, type Static } from 'typebox'
import { BASES } from '../../access/businesses/contract.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { COMPARISONS } from '../bindings/contract.ts'
import { MOST_WIDGETS, Widget, WidgetInput } from '../dashboard-widgets/contract.ts'
import { PERIODS } from '../report-columns/contract.ts'

export const VISIBILITIES = ['private', 'business'] as const
export const BUILT_IN = ['owner', 'cash', 'close'] as const
export type BuiltIn = (typeof BUILT_IN)[number]

const name = text(1, 200)
const visibility = oneOf(VISIBILITIES, { description: 'A private one is seen by its owner alone, the other by everybody in the business.' })

const filter = {
  period: oneOf(PERIODS),
  basis: nullable(oneOf(BASES, { description: 'null: the default_basis of the business.' })),
  dimension: list(id(), { maxItems: 20, description: 'Only lines with these dimension values, or ones below them: one of each dimension that is named.' }),
  comparison: oneOf(COMPARISONS),
}
export const BoardFilters = shape('DashboardFilters', filter)
export type BoardFilters = Static<typeof BoardFilters>
const BoardFiltersInput = partial('DashboardFiltersInput', filter)

const board = { ...record, name, visibility, filters: BoardFilters }

/** A row of the table. */
export const BoardRow = Type.Object({ ...board, owner_id: id() })
export type BoardRow = Static<typeof BoardRow>

const shown = {
  ...board,
  owner_id: nullable(id({ description: 'null where it comes with the service.' })),
  built_in: nullable(oneOf(BUILT_IN, { description: 'It comes with the service and cannot be changed: duplicate it.' })),
  is_default: boolean({ description: 'The caller sees it first.' }),
  as_of: timestamp({ description: 'Its figures are live: they are those of now.' }),
}

/** A dashboard without its widgets, as lists have it. */
export const BoardSummary = shape('DashboardSummary', shown)
export type BoardSummary = Static<typeof BoardSummary>

export const Dashboard = shape('Dashboard', { ...shown, widgets: list(Widget, { description: 'From the top left to the bottom right.' }) })
export type Dashboard = Static<typeof Dashboard>

/** What the history tells. Of a private one it tells no more than that it is there. */
export const ToldBoard = shape('DashboardEvent', { ...board, owner_id: id(), widgets: list(Widget) })
export type ToldBoard = Static<typeof ToldBoard>

export const BoardInput = shape('DashboardInput', {
  name,
  visibility: optional(oneOf(VISIBILITIES, { default: 'private' })),
  filters: optional(BoardFiltersInput),
  widgets: optional(list(WidgetInput, { maxItems: 1000, description: `At most ${MOST_WIDGETS}.` })),
})
export type BoardInput = Static<typeof BoardInput>

export const BoardUpdate = partial('DashboardUpdate', { name, visibility, filters: BoardFiltersInput })
export type BoardUpdate = Static<typeof BoardUpdate>

export const BoardCopy = partial('DashboardCopy', { name })
export type BoardCopy = Static<typeof BoardCopy>

export const dashboardResource = resource({
  type: 'dashboard', group: 'dashboards', shape: ToldBoard, table: 'dashboards', label: 'name',
  // What only one person sees cannot be pointed at by others.
  present: `visibility = 'business'`,
  events: ['dashboard.created', 'dashboard.updated', 'dashboard.deleted'],
})

const endpoint = endpointsOf('dashboards', 'business')
const params = shape('DashboardParams', { dashboard_id: id() })
const read_only = 'The dashboard comes with the service: duplicate it.'
const budgets = 'There are no budgets to compare with.'

export const listDashboards = endpoint({
  id: 'list_dashboards', method: 'GET', path: '', summary: 'List dashboards',
  description: 'Those that come with the service first, then the caller’s own and those of the business. Without their widgets.',
  query: listQuery(['updated_at', 'name'], {
    visibility: optional(oneOf(VISIBILITIES)),
    owner: optional(id({ description: 'Whose they are.' })),
    q: optional(text(1, 200, { description: 'Words of the name.' })),
  }),
  reply: pageOf(BoardSummary),
})

export const createDashboard = endpoint({
  id: 'create_dashboard', method: 'POST', path: '', summary: 'Create a dashboard',
  description: 'Everybody may make private ones. One for the business is made by those who may also make decks; others get a 403.',
  body: BoardInput,
  reply: Dashboard,
  refusals: [`It has more than ${MOST_WIDGETS} widgets.`, 'A widget reaches beyond the grid.', budgets],
  example: {
    name: 'Sales', filters: { period: 'this_year', comparison: 'prior_year' },
    widgets: [{ kind: 'metric', query: { metric: 'revenue' } }, { kind: 'line', title: 'By month', query: { metric: 'revenue', group_by: 'month' } }],
  },
})

export const getDashboard = endpoint({
  id: 'get_dashboard', method: 'GET', path: '/{dashboard_id}', summary: 'Get a dashboard', description: 'With its widgets, without their figures.',
  // Its widgets change without its version.
  live: true,
  params,
  reply: Dashboard,
})

export const updateDashboard = endpoint({
  id: 'update_dashboard', method: 'PUT', path: '/{dashboard_id}', summary: 'Change a dashboard',
  description: 'Its name, its filters and who sees it; each widget is changed by itself. By its owner or an admin.',
  params,
  body: BoardUpdate,
  reply: Dashboard,
  refusals: [read_only, budgets],
  example: { name: 'Sales of the year', visibility: 'business', filters: { basis: 'cash' } },
})

export const deleteDashboard = endpoint({
  id: 'delete_dashboard', method: 'DELETE', path: '/{dashboard_id}', summary: 'Delete a dashboard',
  description: 'By its owner or an admin. Its share links end with it; files that were exported stay as documents.',
  params,
  reply: Dashboard,
  refusals: [read_only],
})

export const duplicateDashboard = endpoint({
  id: 'duplicate_dashboard', method: 'POST', path: '/{dashboard_id}/duplicate', summary: 'Duplicate a dashboard',
  description: 'A private copy that is the caller’s own.',
  params,
  body: BoardCopy,
  reply: Dashboard,
})

export const setDefaultDashboard = endpoint({
  id: 'set_default_dashboard', method: 'PUT', path: '/{dashboard_id}/default', summary: 'Choose the dashboard that one sees first',
  description: 'For the caller alone. Until one is chosen it is the built-in one for owners.',
  params,
  reply: Dashboard,
})
